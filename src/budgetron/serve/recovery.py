"""What a model has learned, read from its folder: a snapshot, and what the log has after it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

import msgspec

from ..saving import SavedModelError
from .figures import Figures
from .journal import tell
from .learning import Learned, opened
from .log import Log, LogDamagedError, Position
from .records import Asked, Group, Placed, unpacked
from .remembered import Remembered
from .snapshots import Snapshots

__all__ = ["Recovered", "recovered"]


class _Requests(msgspec.Struct):
    """Of a record of the log, the requests alone."""

    requests: list[Asked] = []


_requests = msgspec.msgpack.Decoder(_Requests)


@dataclass(slots=True)
class Recovered:
    """All that is known again.

    Attributes
    ----------
    learned : Learned
    remembered : Remembered
    row, version : int
    figures : Figures
    snapshot_row : int
        The row of the snapshot that it began with.
    labelled : list of int
        Numbers of rows that waited, and whose labels are in the log since then.
    fault : str or None
        Why the log cannot be gone on with, if something is wrong with it.
    """

    learned: Learned
    remembered: Remembered
    row: int
    version: int
    figures: Figures = field(default_factory=Figures)
    snapshot_row: int = -1
    labelled: list[int] = field(default_factory=list)
    fault: str | None = None

    def go_on(self, start: Position, record: Group | Placed) -> None:
        """Learn what comes next in the log."""
        if record.row != self.row:
            raise LogDamagedError(0, f"row {self.row} is missing")
        if isinstance(record, Placed):
            self.learned, self.version = opened(record.state, record.settings), record.version
            return
        self.learned.taught(record)()
        self.row += len(record)
        self.remembered.note(record.requests, start)
        self.figures.add(record)
        if record.late is not None:
            self.labelled += record.late.number or []


def recovered(name: str, log: Log, snapshots: Snapshots, most_requests: int) -> Recovered:
    """The state of the log.

    Parameters
    ----------
    name : str
        Of the model.
    log : Log
    snapshots : Snapshots
        Those that are damaged are set aside.
    most_requests : int
        That are remembered.

    Raises
    ------
    SavedModelError
        If there is no whole state at all.
    """
    known, since, recall = _newest(name, snapshots, most_requests)
    try:
        if known is not None:
            if log.is_open and log.end < since:
                raise LogDamagedError(0, "it ends before the last snapshot")
            for start, content in log.read(max(recall, log.first)):
                if start >= since:
                    break
                known.remembered.note(_requests.decode(content).requests, start)
        for start, content in log.read(since):
            record = unpacked(content)
            if known is not None:
                known.go_on(start, record)
            elif isinstance(record, Placed):
                learned = opened(record.state, record.settings)
                known = Recovered(learned, Remembered(most_requests), record.row, record.version)
            else:
                raise LogDamagedError(0, "it does not begin with a state")
    except (LogDamagedError, msgspec.MsgspecError, ValueError, TypeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        fault = f"the log cannot be learned again: {reason}"
        if known is None:
            raise SavedModelError(f"there is no whole state, and {fault}") from error
        known.fault = fault
    if known is None:
        raise SavedModelError("there is no state")
    return known


def _newest(
    name: str, snapshots: Snapshots, most: int
) -> tuple[Recovered | None, Position, Position]:
    """The newest snapshot that is whole, where the log goes on, and where its requests begin."""
    for id in snapshots.ids():
        snapshot = snapshots.get(id)
        try:
            if snapshot is None:
                raise SavedModelError("its checksum is another one")
            learned = opened(snapshot.state, snapshot.settings)
            figures = Figures.from_json(snapshot.figures)
        except (ValueError, TypeError, KeyError) as error:
            tell("damaged snapshot", "error", model=name, snapshot=id, error=str(error))
            with suppress(OSError):
                snapshots.set_aside(id)
            continue
        row, version = snapshot.row, snapshot.version
        known = Recovered(learned, Remembered(most), row, version, figures, row)
        return known, snapshot.position, Position(*snapshot.recall)
    return None, Position(0, 0), Position(0, 0)
