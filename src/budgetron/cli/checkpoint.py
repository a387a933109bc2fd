"""A model, and what has to be known to go on with it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from tempfile import gettempdir
from typing import Any

from ..estimators import StreamClassifier, Waiting
from ..evaluation import RunningMetrics
from ..keyed import KeyedClassifier
from ..keyed.whole import is_keyed, load_with_notes
from ..reading import Fingerprint, Plan, ReadingError
from ..saving import SavedModelError, load_all, save
from .errors import UsageError
from .tally import Tally

__all__ = ["NOT_LATE", "Checkpoint", "Model", "read_checkpoint", "write_checkpoint"]

Model = StreamClassifier | KeyedClassifier

NOT_LATE = {"delay": 0}
"""What is said of labels that are in the input and come at once."""

RUN = (
    *("learner", "inputs", "window", "late", "predictions", "finished", "waiting_since", "asked"),
    "key",
)
"""What is written down as it is."""


@dataclass
class Checkpoint:
    """What a run is, and how far it has come.

    Attributes
    ----------
    learner : str
        Its name and parameters.
    inputs : list of str
        What it reads.
    plan : Plan
        How it reads, from the beginning.
    plan_by_now : Plan or None
        How it reads what comes next, if that is something else.
    window : int
        How many rows it learns at a time.
    tally : Tally
        What has happened.
    metrics : RunningMetrics
        How good its predictions were.
    fingerprint : Fingerprint
        Of the rows that were learned.
    late : dict
        When labels come, and from where: the options that say it.
    predictions : int or None
        Length of the file of predictions, if there is one.
    finished : bool
        Whether the end of the inputs was reached.
    waiting_since : int
        How many rows had been read when `waiting` was found out.
    waiting : Waiting or None
        The rows whose labels are still to come.
    asked : list
        The ids and scores of those of them whose labels come in later rows.
    key : str or None
        The column with the keys, if each has a learner of its own.
    """

    learner: str
    inputs: list[str]
    plan: Plan
    window: int
    tally: Tally = field(default_factory=Tally)
    metrics: RunningMetrics = field(default_factory=RunningMetrics)
    fingerprint: Fingerprint = field(default_factory=Fingerprint)
    late: dict[str, Any] = field(default_factory=NOT_LATE.copy)
    predictions: int | None = None
    finished: bool = False
    waiting_since: int = 0
    waiting: Waiting | None = None
    asked: list[Any] = field(default_factory=list)
    plan_by_now: Plan | None = None
    key: str | None = None

    @property
    def next_plan(self) -> Plan:
        """How to read rows that come after those of the run."""
        return self.plan_by_now or self.plan


def write_checkpoint(learner: Model, path: str, checkpoint: Checkpoint) -> None:
    """Write a model to a file, whole or not at all."""
    notes = {
        "plan": checkpoint.plan.to_json(),
        "plan_by_now": checkpoint.plan_by_now and checkpoint.plan_by_now.to_json(),
        "run": {name: getattr(checkpoint, name) for name in RUN}
        | {
            "tally": asdict(checkpoint.tally),
            "metrics": checkpoint.metrics.to_json(),
            "fingerprint": asdict(checkpoint.fingerprint),
        },
    }
    try:
        if isinstance(learner, KeyedClassifier):
            learner.save(path, notes)
        else:
            save(learner, path, notes, checkpoint.waiting)
    except (OSError, SavedModelError) as error:
        raise UsageError(f"{path} cannot be written: {_reason(error)}") from error


def read_checkpoint(path: str, live: int | None = None) -> tuple[Any, Checkpoint]:
    """A model that `write_checkpoint` has written; of learners behind keys, some may be at work."""
    waiting: Waiting | None = None
    try:
        if is_keyed(path):
            keyed, notes = load_with_notes(path, evict=gettempdir(), live=live)
            learner: Model = keyed
        else:
            learner, notes, waiting = load_all(path)
    except (OSError, SavedModelError) as error:
        raise UsageError(f"{path} cannot be read: {_reason(error)}") from error
    try:
        return learner, replace(_from_notes(notes), waiting=waiting)
    except (AttributeError, KeyError, TypeError, ReadingError) as error:
        raise UsageError(
            f"{path} was not made by budgetron run: it says nothing of rows"
        ) from error


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _from_notes(notes: dict[str, Any]) -> Checkpoint:
    run = dict(notes["run"])
    tally, fingerprint = Tally(**run.pop("tally")), Fingerprint(**run.pop("fingerprint"))
    metrics = RunningMetrics.from_json(run.pop("metrics"))
    plan, by_now = Plan.from_json(notes["plan"]), notes.get("plan_by_now")
    now = None if by_now is None else Plan.from_json(by_now)
    run |= {"tally": tally, "metrics": metrics, "fingerprint": fingerprint}
    return Checkpoint(plan=plan, plan_by_now=now, **run)
