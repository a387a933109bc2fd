"""A model of the service: one writer, a log, snapshots, and rows that wait for their labels.

What is learned is in the log, on the disk, before anybody is told. The writer takes all requests
that have come, learns them as one group, writes the group by one sync, and then makes it visible
and answers. Prediction goes on meanwhile.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from ..evaluation.trust import has_trust
from ..saving import SavedModelError
from ..saving.file import sync_directory
from .configuration import Limits
from .figures import Figures
from .journal import tell
from .learning import Learned, opened
from .log import Log, LogDamagedError, LogError, Position
from .records import Asked, Group, Key, Label, Lesson, Placed, Settings, packed, unpacked
from .refusal import Refusal
from .snapshots import Snapshot, Snapshots
from .waiting import WaitingRow, WaitingRows

__all__ = ["Ask", "Learn", "Model", "Tell", "create"]

AUTOMATIC = 3
"""So many snapshots are kept that nobody asked for; the log is kept from the oldest of them on."""

HOUSEKEEPING = 30.0
"""Seconds between two looks at what has expired."""

MOST_PENDING = 100_000
"""Rows that may be on their way to the writer."""

CLOSE = object()


@dataclass(slots=True)
class Learn:
    """Rows with labels."""

    X: np.ndarray
    y: list[Label]
    weight: list[float] | None
    key: list[Key] | None
    id: str | None = None
    digest: bytes = b""
    future: Any = None

    @property
    def rows(self) -> int:
        """How many."""
        return len(self.y)


@dataclass(slots=True)
class Tell:
    """Labels of rows that wait."""

    ids: list[str]
    y: list[Label]
    weight: list[float | None]
    id: str | None = None
    digest: bytes = b""
    future: Any = None

    @property
    def rows(self) -> int:
        """How many."""
        return len(self.y)


@dataclass(slots=True)
class Ask:
    """Rows that are predicted, and wait for their labels."""

    X: np.ndarray
    ids: list[str]
    key: list[Key] | None
    weight: list[float]
    future: Any = None

    @property
    def rows(self) -> int:
        """How many."""
        return len(self.ids)


@dataclass(slots=True)
class Do:
    """Anything that the writer does between two groups."""

    what: Callable[[], Any]
    future: Any = None
    rows: int = 0


@dataclass(slots=True)
class Bundle:
    """Requests that are learned as one group, and what is known of each when it is."""

    group: Group
    jobs: list[Any] = field(default_factory=list)
    commit: Callable[[], None] | None = None


class NextRow(msgspec.Struct):
    """Of a group in the log, the requests alone."""

    requests: list[Asked] = []


_requests = msgspec.msgpack.Decoder(NextRow)


def create(folder: Path, state: bytes, settings: Settings, row: int) -> None:
    """Make the folder of a new model: all of it or nothing."""
    opened(state, settings)  # or it is none
    fresh = folder.with_name(f".new-{folder.name}")
    (fresh / "log").mkdir(parents=True)
    (fresh / "snapshots").mkdir()
    log = Log(fresh / "log")
    log.open()
    log.append([packed(Placed(row, 1, time.time(), state, settings))])
    log.close()
    fresh.rename(folder)
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
    learning : str or None
        Why nothing can be learned now; None if it can.
    """

    def __init__(self, folder: Path, limits: Limits) -> None:
        self.name, self.limits, self._folder = folder.name, limits, folder
        self.row, self.version = 0, 1
        self.learning: str | None = None
        self.late_labels: str | None = None
        self.learned: Learned
        self.figures = Figures()
        self.latencies: deque[float] = deque(maxlen=2000)
        self.syncs = self.groups = self.pending = 0
        self.is_busy = self.is_closed_down = False
        self._log = Log(folder / "log", limits.log_file)
        self._snapshots = Snapshots(folder / "snapshots")
        self._waiting: WaitingRows | None = None
        self._remembered: OrderedDict[str, tuple[bytes, Position, int]] = OrderedDict()
        self._jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._snapshot_at = 0
        self._last_group = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._work, name=f"writer of {self.name}")
        self._recover()

    # ------------------------------------------------------------------------------- asking

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
        return 0 if self._waiting is None else self._waiting.many

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
            return len(self.learned.classifier)
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

    # ---------------------------------------------------------------------------- submitting

    def submit(self, job: Any) -> asyncio.Future[Any]:
        """Give the writer something to do."""
        if self.pending > MOST_PENDING:
            raise Refusal(503, "busy", "more rows wait for the writer than it may have: slow down")
        self.pending += job.rows
        job.future = asyncio.get_running_loop().create_future()
        self._jobs.put(job)
        future: asyncio.Future[Any] = job.future
        return future

    def take_snapshot(self) -> asyncio.Future[Any]:
        """Write one that is kept until there are too many of its kind."""
        return self.submit(Do(lambda: self._snapshot(kept=True)))

    def roll_back(self, id: str) -> asyncio.Future[Any]:
        """Go back to a snapshot."""
        return self.submit(Do(lambda: self._roll_back(id)))

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Have the writer at work."""
        self._loop = loop
        self._thread.start()

    def close(self) -> None:
        """Finish what has been submitted, and keep a snapshot."""
        self.is_closed_down = True
        if self._thread.is_alive():
            self._jobs.put(CLOSE)
            self._thread.join()
        if self.learning is None and self.row != self._snapshot_at:
            self._try_snapshot()
        self._log.close()
        if self._waiting is not None:
            self._waiting.close()

    # -------------------------------------------------------------------------------- writer

    def _work(self) -> None:
        next_look = time.monotonic() + HOUSEKEEPING
        closing = False
        while not closing:
            try:
                first = self._jobs.get(timeout=max(0.01, next_look - time.monotonic()))
            except queue.Empty:
                first = None
            jobs = [] if first is None else self._gathered(first)
            closing = CLOSE in jobs
            jobs = [job for job in jobs if job is not CLOSE]
            answers = self._done(jobs)
            if answers and self._loop is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(_settle, self, answers)
            if time.monotonic() >= next_look:
                next_look = time.monotonic() + HOUSEKEEPING
                self._keep_house()

    def _gathered(self, first: Any) -> list[Any]:
        """What has come; if more came together last time, a little later."""
        jobs = [first]
        for patience in (self._last_group // 2, 0):
            while True:
                try:
                    jobs.append(self._jobs.get_nowait())
                except queue.Empty:
                    break
            if len(jobs) >= patience:
                break
            time.sleep(self.limits.gather)
        self._last_group = len(jobs)
        return jobs

    def _done(self, jobs: list[Any]) -> list[tuple[Any, Any]]:
        """Do what was asked for; what to answer to whom."""
        answers: list[tuple[Any, Any]] = []
        asks = [job for job in jobs if isinstance(job, Ask)]
        lessons = [job for job in jobs if isinstance(job, Learn | Tell)]
        both: list[tuple[list[Any], Any]] = [(asks, self._let_wait), (lessons, self._learn)]
        for some, act in both:
            if some:
                try:
                    answers += act(some)
                except Exception as error:  # nothing has changed, and others go on
                    tell("failed", "error", model=self.name, error=repr(error))
                    known = {id(job) for job, _ in answers}
                    failure = _refusal_of(error)
                    answers += [(job, failure) for job in some if id(job) not in known]
        for job in jobs:
            if isinstance(job, Do):
                try:
                    answers.append((job, job.what()))
                except Exception as error:
                    answers.append((job, _refusal_of(error)))
        return answers

    def _let_wait(self, asks: list[Ask]) -> list[tuple[Any, Any]]:
        """Predict rows, and keep them until their labels come."""
        if self._waiting is None:
            reason = self.late_labels or "late labels are not kept"
            raise Refusal(503, "not_durable", reason)
        now = time.time()
        answers: list[tuple[Any, Any]] = []
        fresh: list[tuple[str, WaitingRow]] = []
        waiting = self._waiting.find([id for job in asks for id in job.ids], now)
        known = {id: row for id, (_, row) in waiting.items()}
        for job in asks:
            try:
                if len(fresh) + self._waiting.many + job.rows > self.limits.waiting:
                    raise Refusal(503, "too_many", f"{self.limits.waiting} rows wait already")
                own = self._asked(job, known)
            except Exception as error:
                answers.append((job, _refusal_of(error)))
                continue
            fresh += [(id, row) for id, row in own if id not in known]
            known.update(own)
            answers.append((job, [row for _, row in own]))
        if fresh:
            try:
                self._waiting.put(fresh, now + self.limits.label_ttl)
            except sqlite3.Error as error:
                reason = f"rows that wait cannot be kept: {error}"
                refused = Refusal(503, "not_durable", reason)
                return [(job, refused) for job in asks]
        return answers

    def _asked(self, job: Ask, known: dict[str, WaitingRow]) -> list[tuple[str, WaitingRow]]:
        said = self.learned.ask(job.X, job.key)
        rows: list[tuple[str, WaitingRow]] = []
        for at, id in enumerate(job.ids):
            x, key = job.X[at].tobytes(), None if job.key is None else job.key[at]
            before = known.get(id)
            if before is not None and (before.x, before.key) != (x, key):
                raise Refusal(409, "id_in_use", f"another row waits as {id!r}", row=at, id=id)
            advice = said.advice[at]
            new = WaitingRow(
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
            rows.append((id, before or new))
        if len({id for id, _ in rows}) < len(rows):
            raise Refusal(400, "bad_row", "an id is repeated", field="id")
        return rows

    def _learn(self, jobs: list[Any]) -> list[tuple[Any, Any]]:
        """Learn requests as one group; if that cannot be, each by itself."""
        answers: list[tuple[Any, Any]] = []
        fresh: list[Any] = []
        again: list[Any] = []
        for job in jobs:
            if job.id is not None and job.id in self._remembered:
                answers.append((job, self._told_again(job)))
            elif job.id is not None and any(job.id == other.id for other in fresh):
                again.append(job)
            else:
                fresh.append(job)
        if fresh and self._log.broken is not None:
            self.learning = self._log.broken
        if fresh and self.learning is not None and not self._can_learn_again():
            refused = Refusal(503, "not_durable", self.learning)
            return answers + [(job, refused) for job in (*fresh, *again)]
        answers += self._learn_fresh(fresh)
        for job in again:
            known = job.id in self._remembered
            other = next(result for each, result in answers if each.id == job.id)
            answers.append((job, self._told_again(job) if known else other))
        return answers

    def _learn_fresh(self, jobs: list[Any]) -> list[tuple[Any, Any]]:
        answers: list[tuple[Any, Any]] = []
        waiting = self._found([id for job in jobs if isinstance(job, Tell) for id in job.ids])
        ready: list[Any] = []
        taken: set[str] = set()
        for job in jobs:
            try:
                if isinstance(job, Tell):
                    _check_ids(job, waiting, taken)
                    taken.update(job.ids)
                ready.append(job)
            except Refusal as refusal:
                answers.append((job, refusal))
        bundles: list[Bundle] = []
        if self.learned.is_fitted and len(ready) > 1:
            try:
                bundles = [self._taught(ready, waiting, self.row)]
            except (ValueError, TypeError):
                bundles = []
        learned = sum(len(each.group) for each in bundles)
        if not bundles and not self.settings.keyed and len(ready) > 1:
            return answers + [pair for job in ready for pair in self._learn_fresh([job])]
        if not bundles:
            for job in ready:
                try:
                    bundles.append(self._taught([job], waiting, self.row + learned))
                    learned += job.rows
                except (ValueError, TypeError) as error:
                    answers.append((job, _refusal_of(error)))
        return answers + (self._written(bundles) if bundles else [])

    def _taught(
        self, jobs: list[Any], waiting: dict[str, tuple[int, WaitingRow]], row: int
    ) -> Bundle:
        """Learn requests as one group, which nobody sees yet."""
        bundle = Bundle(_grouped(jobs, waiting, row, self.version), jobs)
        bundle.commit = self.learned.taught(bundle.group)
        return bundle

    def _written(self, bundles: list[Bundle]) -> list[tuple[Any, Any]]:
        """Write groups to the log, make them visible, and say what is answered."""
        jobs = [job for bundle in bundles for job in bundle.jobs]
        try:
            starts = self._log.append([packed(bundle.group) for bundle in bundles])
        except LogError as error:
            self.learning = f"nothing can be written: {error.strerror}"
            if self.settings.keyed:  # learners behind keys have learned already
                self.learned = self._learned_from_disk()
            tell("learning refused", "error", model=self.name, reason=self.learning)
            refused = Refusal(503, "not_durable", self.learning)
            return [(job, refused) for job in jobs]
        self.learning = None
        answers = []
        for bundle, start in zip(bundles, starts, strict=True):
            if bundle.commit is not None:
                bundle.commit()
            self._note(bundle.group, start)
            for at, job in enumerate(bundle.jobs):
                answers.append((job, (bundle.group, at)))
        self.syncs += 1
        late = [bundle.group.late for bundle in bundles if bundle.group.late is not None]
        if self._waiting is not None and late:
            try:
                self._waiting.drop([number for each in late for number in each.number or ()])
            except sqlite3.Error as error:  # they go when the log is read again
                tell("labelled rows still wait", "warning", model=self.name, error=str(error))
        if self.row - self._snapshot_at >= self.limits.snapshot_rows:
            self._try_snapshot()
        return answers

    def _note(self, group: Group, start: Position) -> None:
        """Know what has been learned, when it happens or when the log is read again."""
        self.row = group.row + len(group)
        self.groups += 1
        self.figures.add(group)
        self._remember(group.requests, start)

    def _remember(self, requests: Sequence[Asked], start: Position) -> None:
        for at, asked in enumerate(requests):
            if asked.id is not None:
                self._remembered[asked.id] = asked.digest, start, at
        while len(self._remembered) > self.limits.remembered:
            self._remembered.popitem(last=False)

    def _told_again(self, job: Any) -> Any:
        """What was answered to a request that comes again."""
        digest, start, at = self._remembered[job.id]
        if digest != job.digest:
            return Refusal(409, "request_id_in_use", f"another request was {job.id!r}")
        try:
            return unpacked(self._log.at(start)), at
        except OSError as error:
            return Refusal(410, "answer_gone", f"it was learned; its answer is gone: {error}")

    def _found(self, ids: list[str]) -> dict[str, tuple[int, WaitingRow]]:
        if not ids or self._waiting is None:
            return {}
        return self._waiting.find(ids, time.time())

    def _can_learn_again(self) -> bool:
        """Whether what failed may work now: a disk that was full, and no more."""
        return self._log.broken is None and self._log.is_open

    # ------------------------------------------------------------------------------ keeping

    def _keep_house(self) -> None:
        now = time.time()
        try:
            if self._waiting is not None:
                self._waiting.expire(now)
            self._snapshots.thin(AUTOMATIC, self.limits.snapshots)
            needed = self._needed_segment()
            gone = self._log.drop_before(needed, now - self.limits.log_days * 86400)
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
            self._snapshot(kept=False)
        except (OSError, SavedModelError) as error:
            self._snapshot_at = self.row  # the log has it all: try again later
            tell("no snapshot", "warning", model=self.name, error=str(error))

    def _snapshot(self, *, kept: bool) -> dict[str, Any]:
        self.is_busy = True
        try:
            segment, offset = self._log.end
            snapshot = Snapshot(
                *(segment, offset, self.row, self.version, time.time(), self.settings),
                figures=self.figures.to_json(),
                state=self.learned.dumps(),
                kept=kept,
            )
        finally:
            self.is_busy = False
        size = self._snapshots.put(snapshot)
        self._snapshots.thin(AUTOMATIC, self.limits.snapshots)
        if not kept:
            self._snapshot_at = self.row
        return {"id": snapshot.id, "row": self.row, "time": snapshot.time, "bytes": size}

    def _roll_back(self, id: str) -> dict[str, Any]:
        snapshot = self._snapshots.get(id) if id in self._snapshots.ids() else None
        if snapshot is None:
            raise Refusal(404, "no_snapshot", f"there is no whole snapshot {id!r}")
        learned = opened(snapshot.state, snapshot.settings)
        version = self.version + 1
        record = Placed(
            *(self.row, version, time.time(), snapshot.state, snapshot.settings), snapshot=id
        )
        try:
            self._log.append([packed(record)])
        except LogError as error:
            raise Refusal(503, "not_durable", f"nothing can be written: {error}") from error
        self.learned, self.version = learned, version
        tell("rolled back", model=self.name, snapshot=id, version=version)
        self._try_snapshot()
        return self.told()

    # ---------------------------------------------------------------------------- recovering

    def _recover(self) -> None:
        """Come to the state of the log."""
        try:
            cut = self._log.open()
            if cut:
                tell("torn tail cut off", "warning", model=self.name, bytes=cut)
        except OSError as error:
            self.learning = f"the log cannot be gone on with: {error}"
        self.learned = self._learned_from_disk(first=True)
        try:
            self._waiting = WaitingRows(self._folder / "waiting.sqlite")
            self._waiting.drop(self._labelled)
        except sqlite3.Error as error:
            self._waiting = None
            self.late_labels = f"the rows that wait cannot be read: {error}"
        for reason in (self.learning, self.late_labels):
            if reason is not None:
                tell("learning refused", "error", model=self.name, reason=reason)

    def _learned_from_disk(self, *, first: bool = False) -> Learned:
        """The newest snapshot that is whole, and what the log has after it."""
        learned: Learned | None = None
        since = Position(0, 0)
        for id in self._snapshots.ids():
            snapshot = self._snapshots.get(id)
            try:
                if snapshot is None:
                    raise SavedModelError("its checksum is another one")
                learned = opened(snapshot.state, snapshot.settings)
            except (SavedModelError, ValueError, TypeError) as error:
                tell("damaged snapshot", "error", model=self.name, snapshot=id, error=str(error))
                if self.learning is None:
                    self._snapshots.set_aside(id)
                continue
            since, self.row, self.version = snapshot.position, snapshot.row, snapshot.version
            if first:
                self.figures, self._snapshot_at = Figures.from_json(snapshot.figures), self.row
                self._recall(since)
            break
        self._labelled: list[int] = []
        try:
            for start, content in self._log.read(since):
                record = unpacked(content)
                if isinstance(record, Placed):
                    learned = opened(record.state, record.settings)
                    self.row, self.version = record.row, record.version
                    continue
                if learned is None:
                    raise LogDamagedError(0, "the log does not begin with a state")
                learned.taught(record)()
                if first:
                    self._note(record, start)
                    if record.late is not None:
                        self._labelled += record.late.number or []
                self.row = record.row + len(record)
        except (LogDamagedError, msgspec.MsgspecError) as error:
            self.learning = f"the log is damaged: {error}"
        if learned is None:
            raise SavedModelError(f"the model {self.name} cannot be read: there is no whole state")
        return learned

    def _recall(self, until: Position) -> None:
        """Know the requests before a position again, as many as are remembered."""
        try:
            for start, content in self._log.read():
                if start >= until:
                    break
                self._remember(_requests.decode(content).requests, start)
        except (LogDamagedError, msgspec.MsgspecError) as error:
            tell("some requests are forgotten", "warning", model=self.name, error=str(error))


def _settle(model: Model, answers: list[tuple[Any, Any]]) -> None:
    """Answer, in the loop's own thread."""
    for job, result in answers:
        model.pending -= job.rows
        if job.future.done():
            continue
        if isinstance(result, Exception):
            job.future.set_exception(result)
        else:
            job.future.set_result(result)


def _refusal_of(error: Exception) -> Refusal:
    if isinstance(error, Refusal):
        return error
    if isinstance(error, ValueError | TypeError):
        return Refusal(400, "bad_row", str(error))
    return Refusal(500, "failed", f"something is wrong here: {type(error).__name__}")


def _check_ids(job: Tell, waiting: dict[str, Any], taken: set[str]) -> None:
    for at, id in enumerate(job.ids):
        if id not in waiting or id in taken:
            raise Refusal(404, "unknown_id", f"no row waits as {id!r}", row=at, id=id)
    if len(set(job.ids)) < len(job.ids):
        raise Refusal(400, "bad_row", "an id is repeated", field="id")


def _grouped(
    jobs: list[Any],
    waiting: dict[str, tuple[int, WaitingRow]],
    row: int,
    version: int,
) -> Group:
    """Requests as one group."""
    group = Group(row, version, time.time())
    prompt = [job for job in jobs if isinstance(job, Learn)]
    late = [job for job in jobs if isinstance(job, Tell)]
    places: dict[int, tuple[bool, int]] = {}
    if prompt:
        X = np.concatenate([job.X for job in prompt]) if len(prompt) > 1 else prompt[0].X
        group.prompt = Lesson(
            x=X.tobytes(),
            width=X.shape[1],
            y=[label for job in prompt for label in job.y],
            weight=_joined_weights(prompt),
            key=None if prompt[0].key is None else [key for job in prompt for key in job.key or ()],
        )
    if late:
        group.late = _late_lesson(late, waiting, version)
    for some, is_late in ((prompt, False), (late, True)):
        first = 0
        for job in some:
            places[id(job)] = is_late, first
            first += job.rows
    group.requests = [Asked(job.id, job.digest, *places[id(job)], job.rows) for job in jobs]
    return group


def _joined_weights(jobs: list[Learn]) -> list[float] | None:
    if all(job.weight is None for job in jobs):
        return None
    return [weight for job in jobs for weight in job.weight or [1.0] * job.rows]


def _late_lesson(
    jobs: list[Tell], waiting: dict[str, tuple[int, WaitingRow]], version: int
) -> Lesson:
    """Rows that waited, with what was predicted then."""
    pairs = [waiting[id] for job in jobs for id in job.ids]
    rows = [row for _, row in pairs]
    y = [label for job in jobs for label in job.y]
    given = [weight for job in jobs for weight in job.weight]
    weights = [row.weight if own is None else own for own, row in zip(given, rows, strict=True)]
    own = [np.frombuffer(row.advice if row.version == version else b"") for row in rows]
    noted = np.full((len(rows), max(map(len, own))), np.nan)
    for at, each in enumerate(own):
        noted[at, : len(each)] = each
    classes: list[Label] = max((row.classes for row in rows), key=len)
    columns = max(len(row.score) // 8 for row in rows)
    scores = np.full((len(rows), columns), -np.inf)
    for at, row in enumerate(rows):
        said = np.frombuffer(row.score)
        if len(said) == columns:
            scores[at] = said
        else:
            places = [classes.index(label) for label in row.classes if label in classes]
            both = said if len(said) > 1 else np.array([-said[0], said[0]])[-len(places) :]
            scores[at, places] = both[: len(places)] if places else ()
    predicted = [row.label for row in rows]
    return Lesson(
        x=b"".join(row.x for row in rows),
        width=len(rows[0].x) // 8,
        y=y,
        weight=None if all(weight == 1 for weight in weights) else weights,
        key=None if rows[0].key is None else [row.key for row in rows if row.key is not None],
        id=[id for job in jobs for id in job.ids],
        number=[number for number, _ in pairs],
        advice=noted.tobytes(),
        advice_width=noted.shape[1],
        classes=classes,
        predicted=predicted,
        score=scores.tobytes(),
        mistake=bytes(said != label for said, label in zip(predicted, y, strict=True)),
    )
