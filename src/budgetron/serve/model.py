"""A model of the service: a learner, its log, snapshots, and rows that wait for their labels.

What is learned is in the log, on the disk, before anybody is told. Requests that come together are
learned as one group, which is one record of the log and takes one sync; it becomes visible when it
is there. Prediction goes on meanwhile.
"""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..evaluation.trust import has_trust
from ..saving import SavedModelError
from ..saving.file import sync_directory
from .configuration import Limits
from .grouping import grouped
from .jobs import Ask, Do, Learn, Tell
from .journal import tell
from .learning import opened, seeded
from .log import Log, LogError
from .records import Group, Key, Label, Placed, Settings, packed, unpacked
from .recovery import recovered
from .refusal import Refusal
from .remembered import Before
from .snapshots import Snapshot, Snapshots
from .waiting import WaitingRow, WaitingRows
from .writer import Writer

__all__ = ["Model", "create"]

AUTOMATIC = 3
"""So many snapshots are kept that nobody asked for; the log is kept from the oldest of them on."""

Answers = list[tuple[Any, Any]]
"""Jobs, and what is answered to each: a result, or an exception."""


def create(folder: Path, state: bytes, settings: Settings, row: int) -> None:
    """Make the folder of a new model: all of it or nothing."""
    state = seeded(state, settings)  # what is learned again from the log is then the same
    fresh = folder.with_name(f".new-{folder.name}")
    try:
        (fresh / "log").mkdir(parents=True)
        (fresh / "snapshots").mkdir()
        log = Log(fresh / "log")
        log.open()
        log.append(packed(Placed(row, 1, time.time(), state, settings)))
        log.close()
        sync_directory(str(fresh))
        fresh.rename(folder)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    sync_directory(str(folder.parent))


class Model:
    """One model.

    Parameters
    ----------
    folder : Path
        That `create` has made.
    limits : Limits

    Attributes
    ----------
    row : int
        How many rows have been learned; it never goes back.
    version : int
        It rises with each rollback.
    writer : Writer
        The thread in which `act` is called while the model is served.
    """

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.name, self._folder = folder.name, folder
        self.latencies: deque[float] = deque(maxlen=2000)
        self.syncs = 0
        self.is_closed_down = False
        self.writer = Writer(self.name, self.act, self.keep_house)
        self._log = Log(folder / "log", limits.log_file)
        self._snapshots = Snapshots(folder / "snapshots")
        self._fault: str | None = None
        self._full: str | None = None
        try:
            cut = self._log.open()
            if cut:
                tell("torn tail cut off", "warning", model=self.name, bytes=cut)
        except OSError as error:
            self._fault = f"the log cannot be gone on with: {error.strerror}"
        known = recovered(self.name, self._log, self._snapshots, limits.remembered)
        self.learned, self.row, self.version = known.learned, known.row, known.version
        self.figures, self._remembered = known.figures, known.remembered
        self.limits = limits
        self._snapshot_row, self._keys = known.snapshot_row, self.learned.keys()
        self._fault = self._fault or known.fault
        self._waiting = WaitingRows(folder / "waiting.sqlite", known.labelled)
        if self._fault is not None:
            tell("learning refused", "error", model=self.name, reason=self._fault)
        try:
            self._waiting.open()
        except sqlite3.Error as error:
            tell("late labels refused", "error", model=self.name, reason=str(error))

    # ------------------------------------------------------------------------------- asking

    @property
    def limits(self) -> Limits:
        """How much there may be of everything."""
        return self._limits

    @limits.setter
    def limits(self, limits: Limits) -> None:
        self._limits, self.writer.gather = limits, limits.gather
        self._log.most, self._remembered.most = limits.log_file, limits.remembered

    @property
    def learning(self) -> str | None:
        """Why nothing can be learned now; None if it can."""
        return self._fault or self._log.broken or self._full

    @property
    def settings(self) -> Settings:
        """What is known beforehand."""
        return self.learned.settings

    @property
    def width(self) -> int | None:
        """The number of features, if it is known."""
        known = getattr(self.learned.classifier, "n_features_in_", None)
        return self.settings.width if known is None else int(known)

    @property
    def names(self) -> list[str] | None:
        """Those of the features, if they have any."""
        names = getattr(self.learned.classifier, "feature_names_in_", None)
        return self.settings.names if names is None else names.tolist()

    @property
    def classes(self) -> list[Label]:
        """All that are known."""
        known = getattr(self.learned.classifier, "classes_", None)
        return (self.settings.classes or []) if known is None else known.tolist()

    @property
    def is_closed(self) -> bool:
        """Whether there can be no other classes."""
        if self.settings.keyed or not self.learned.is_fitted:
            return self.settings.classes is not None
        return bool(self.learned.classifier._named)

    @property
    def waiting(self) -> int:
        """How many rows wait for their labels."""
        return self._waiting.many

    def told(self) -> dict[str, Any]:
        """What is said of the model."""
        classifier, is_keyed = self.learned.classifier, self.settings.keyed
        learner = classifier.estimator if is_keyed else classifier
        return {
            "name": self.name,
            "learner": type(learner).__name__,
            "parameters": learner.get_params(deep=False),
            "classes": self.classes,
            "features": self.names or self.width,
            "version": self.version,
            "row": self.row,
            "mistakes": self.figures.mistakes,
            "size": self.size,
            "keyed": is_keyed,
            "learning": self.learning or True,
        }

    @property
    def size(self) -> int | None:
        """How many supports there are, or keys."""
        if self.settings.keyed:
            return len(self._keys)
        if not self.learned.is_fitted or not hasattr(self.learned.classifier, "support_vectors_"):
            return 0
        return int(self.learned.classifier.support_vectors_.shape[0])

    def trust(self) -> list[dict[str, Any]] | None:
        """How much each expert is trusted, if there are any."""
        learner = self.learned.classifier
        if self.settings.keyed or not self.learned.is_fitted or not has_trust(learner):
            return None
        return [{"expert": str(name), "share": share} for name, share in learner.trust_.items()]

    def state(self) -> bytes:
        """All that has been learned, for `budgetron.loads`."""
        return self.learned.dumps()

    def snapshots(self) -> list[dict[str, Any]]:
        """All that there are."""
        return self._snapshots.told()

    # -------------------------------------------------------------------------------- acting

    def act(self, jobs: list[Any]) -> Answers:
        """Do what was asked for, and say what is answered to whom."""
        answers: Answers = []
        kinds: list[tuple[Any, Callable[[list[Any]], Answers]]] = [
            (Ask, self._let_wait),
            (Learn | Tell, self._learn),
            (Do, self._do),
        ]
        for kind, act in kinds:
            some = [job for job in jobs if isinstance(job, kind)]
            try:
                answers += act(some) if some else []
            except Exception as error:
                if not isinstance(error, Refusal):
                    tell("failed", "error", model=self.name, error=repr(error))
                    if self.settings.keyed:  # some learners may have learned already
                        self._learn_again()
                failure = _refusal_of(error)
                answers += [(job, failure) for job in some]
        return answers

    def _do(self, jobs: list[Do]) -> Answers:
        answers: Answers = []
        for job in jobs:
            try:
                answers.append((job, job.what()))
            except Exception as error:
                answers.append((job, _refusal_of(error)))
        return answers

    def _let_wait(self, asks: list[Ask]) -> Answers:
        """Predict rows, and keep them until their labels come."""
        now = time.time()
        answers: Answers = []
        fresh: dict[str, WaitingRow] = {}
        ids = [id for job in asks for id in job.ids]
        known = {id: row for id, (_, row) in self._found(ids, now).items()}
        for job in asks:
            try:
                if len(fresh) + self._waiting.many + job.rows > self.limits.waiting:
                    raise Refusal(503, "too_many", f"{self.limits.waiting} rows wait already")
                own = self._asked(job, known)
            except Exception as error:
                answers.append((job, _refusal_of(error)))
                continue
            fresh |= {id: row for id, row in own.items() if id not in known}
            known |= own
            answers.append((job, [*own.values()]))
        if fresh:
            try:
                self._waiting.put([*fresh.items()], now, now + self.limits.label_ttl)
            except sqlite3.Error as error:
                raise _cannot_wait(error) from error
        return answers

    def _asked(self, job: Ask, known: dict[str, WaitingRow]) -> dict[str, WaitingRow]:
        said = self.learned.ask(job.X, job.key)
        rows: dict[str, WaitingRow] = {}
        for at, id in enumerate(job.ids):
            x, key = job.X[at].tobytes(), None if job.key is None else job.key[at]
            before, advice = known.get(id), said.advice[at]
            if id in rows:
                raise Refusal(400, "bad_row", "an id is repeated", row=at, field="id")
            if before is not None and (before.x, before.key) != (x, key):
                raise Refusal(409, "id_in_use", f"another row waits as {id!r}", row=at, id=id)
            rows[id] = before or WaitingRow(
                x=x,
                version=self.version,
                row=self.row,
                label=said.labels[at],
                classes=said.classes,
                score=np.asarray(said.scores[at], np.float64).tobytes(),
                advice=b"" if advice is None else advice.tobytes(),
                key=key,
                weight=job.weight[at],
            )
        return rows

    def _found(self, ids: list[str], now: float) -> dict[str, tuple[int, WaitingRow]]:
        """Rows that wait, by their ids."""
        try:
            return self._waiting.find(ids, now) if ids else {}
        except sqlite3.Error as error:
            raise _cannot_wait(error) from error

    def _learn(self, jobs: list[Any]) -> Answers:
        """Learn requests that have not been learned; others are answered as before."""
        answers: Answers = []
        while jobs:
            fresh: list[Any] = []
            again: list[Any] = []
            ids: set[str] = set()
            for job in jobs:
                before = None if job.id is None else self._remembered.get(job.id)
                if before is not None:
                    answers.append((job, self._told_again(job, before)))
                elif job.id in ids:
                    again.append(job)
                else:
                    fresh.append(job)
                    if job.id is not None:
                        ids.add(job.id)
            answers += self._learn_fresh(fresh) if fresh else []
            jobs = again
        return answers

    def _told_again(self, job: Any, before: Before) -> Any:
        if before.digest != job.digest:
            return Refusal(409, "request_id_in_use", f"another request was {job.id!r}")
        try:
            return unpacked(self._log.at(before.start)), before.place
        except OSError as error:
            return Refusal(410, "answer_gone", f"it was learned; its answer is gone: {error}")

    def _learn_fresh(self, jobs: list[Any]) -> Answers:
        """Learn requests as one group; if that cannot be, each by itself."""
        fault = self._fault or self._log.broken
        if fault is not None:
            return [(job, Refusal(503, "not_durable", fault)) for job in jobs]
        answers: Answers = []
        ready: list[Any] = []
        waiting: dict[str, tuple[int, WaitingRow]] = {}
        taken: set[str] = set()
        keys: set[Key] = set()
        now = time.time()
        for job in jobs:
            try:
                own: Any = job.key if isinstance(job, Learn) else None
                if isinstance(job, Tell):
                    waiting |= self._found(job.ids, now)
                    _check_ids(job, waiting, taken)
                    own = [waiting[id][1].key for id in job.ids]
                if self.settings.keyed:
                    keys |= self._more_keys(own, keys)
                if isinstance(job, Tell):
                    taken.update(job.ids)
                ready.append(job)
            except Refusal as refusal:
                answers.append((job, refusal))
        if not ready:
            return answers
        try:
            group = grouped(ready, waiting, self.row, self.version)
            show = self.learned.taught(group)
        except (ValueError, TypeError) as error:
            if len(ready) == 1:
                return [*answers, (ready[0], _refusal_of(error))]
            return answers + [pair for job in ready for pair in self._learn_fresh([job])]
        return answers + self._written(group, ready, show, keys)

    def _more_keys(self, own: Any, others: set[Key]) -> set[Key]:
        """Keys that there would be, too; Refusal if they are too many."""
        fresh = set(own) - self._keys
        if fresh and len(self._keys) + len(others | fresh) > self.limits.keys:
            message = f"a model has at most {self.limits.keys} keys"
            raise Refusal(409, "too_many", message, field="key")
        return fresh

    def _written(
        self, group: Group, jobs: list[Any], show: Callable[[], None], keys: set[Key]
    ) -> Answers:
        """Write a group that was learned to the log, make it visible, and say what is answered."""
        try:
            start = self._log.append(packed(group))
        except LogError as error:
            if self._full is None:
                self._full = f"nothing can be written: {error.strerror}"
                tell("learning refused", "error", model=self.name, reason=self._full)
            if self.settings.keyed:  # learners behind keys have learned already
                self._learn_again()
            return [(job, Refusal(503, "not_durable", self._full)) for job in jobs]
        if self._full is not None:
            self._full = None
            tell("learning again", model=self.name)
        show()
        self._keys |= keys
        self.row += len(group)
        self.syncs += 1
        self._remembered.note(group.requests, start)
        if group.late is not None:
            self._waiting.labelled(group.late.number or ())
        self.figures.add(group)
        if self.row - self._snapshot_row >= self.limits.snapshot_rows:
            self._try_snapshot()
        return [(job, (group, at)) for at, job in enumerate(jobs)]

    def _learn_again(self) -> None:
        """Have the state of the log."""
        try:
            known = recovered(self.name, self._log, self._snapshots, 0)
            self._fault, self.learned = known.fault, known.learned
        except (SavedModelError, OSError) as error:
            self._fault = f"what is in the log cannot be learned again: {error}"

    # ------------------------------------------------------------------------------ keeping

    def keep_house(self) -> None:
        """Remove what is no longer needed."""
        now = time.time()
        try:
            self._waiting.keep_house(now)
            self._snapshots.thin(AUTOMATIC, self.limits.snapshots)
            older_than = now - self.limits.log_days * 86400
            gone = self._log.drop_before(self._needed_segment(), older_than)
            if gone:
                tell("log files removed", model=self.name, files=gone)
        except (OSError, sqlite3.Error) as error:
            tell("housekeeping failed", "warning", model=self.name, error=str(error))

    def _needed_segment(self) -> int:
        """The first file of the log that the oldest automatic snapshot needs."""
        ids = [id for id in self._snapshots.ids() if not id.endswith("-kept")]
        oldest = self._snapshots.get(ids[-1]) if len(ids) >= AUTOMATIC else None
        return 0 if oldest is None else oldest.segment

    def _try_snapshot(self) -> None:
        try:
            self.take_snapshot(kept=False)
        except (OSError, sqlite3.Error, SavedModelError) as error:
            self._snapshot_row = self.row  # the log has it all: try again later
            tell("no snapshot", "warning", model=self.name, error=str(error))

    def take_snapshot(self, *, kept: bool) -> dict[str, Any]:
        """Write a snapshot; one that is kept is kept until there are too many of its kind."""
        self._waiting.keep_house(time.time())  # whoever begins here does not read who was labelled
        end = self._log.end
        snapshot = Snapshot(
            segment=end.segment,
            offset=end.offset,
            recall=self._remembered.since or end,
            row=self.row,
            version=self.version,
            time=time.time(),
            settings=self.settings,
            figures=self.figures.to_json(),
            state=self.learned.dumps(),
            kept=kept,
        )
        about = self._snapshots.put(snapshot)
        self._snapshots.thin(AUTOMATIC, self.limits.snapshots)
        if not kept:
            self._snapshot_row = self.row
        return about

    def roll_back(self, id: str) -> dict[str, Any]:
        """Go back to a snapshot."""
        snapshot = self._snapshots.get(id) if id in self._snapshots.ids() else None
        if snapshot is None:
            raise Refusal(404, "no_snapshot", f"there is no whole snapshot {id[:64]!r}")
        if self._fault is not None:
            raise Refusal(503, "not_durable", self._fault)
        learned, version = opened(snapshot.state, snapshot.settings), self.version + 1
        placed = Placed(self.row, version, time.time(), snapshot.state, snapshot.settings, id)
        try:
            self._log.append(packed(placed))
        except LogError as error:
            reason = f"nothing can be written: {error.strerror}"
            raise Refusal(503, "not_durable", reason) from error
        self.learned, self.version, self._keys = learned, version, learned.keys()
        tell("rolled back", model=self.name, snapshot=id, version=version)
        self._try_snapshot()
        return self.told()

    def close(self) -> None:
        """Finish what has been submitted, and keep a snapshot."""
        self.is_closed_down = True
        self.writer.close()
        if self.learning is None and self.row != self._snapshot_row:
            self._try_snapshot()
        try:
            self._log.close()
        except OSError as error:  # it is as long as what was allocated: nothing is missing
            tell("log not closed", "warning", model=self.name, error=str(error))
        self._waiting.close()


def _refusal_of(error: Exception) -> Refusal:
    if isinstance(error, Refusal):
        return error
    if isinstance(error, ValueError | TypeError):
        return Refusal(400, "bad_row", str(error))
    if isinstance(error, OSError | sqlite3.Error):
        return Refusal(503, "not_durable", f"nothing can be written: {error}")
    return Refusal(500, "failed", f"something is wrong here: {type(error).__name__}")


def _cannot_wait(error: sqlite3.Error) -> Refusal:
    return Refusal(503, "not_durable", f"rows that wait cannot be read or written: {error}")


def _check_ids(job: Tell, waiting: dict[str, Any], taken: set[str]) -> None:
    for at, id in enumerate(job.ids):
        if id not in waiting or id in taken:
            raise Refusal(404, "unknown_id", f"no row waits as {id!r}", row=at, id=id)
    if len(set(job.ids)) < len(job.ids):
        raise Refusal(400, "bad_row", "an id is repeated", field="id")
