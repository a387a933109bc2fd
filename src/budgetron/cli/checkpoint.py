"""A model, and what has to be known to go on with it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from ..estimators import StreamClassifier
from ..reading import Fingerprint, Plan, ReadingError
from ..saving import SavedModelError, load_with_notes, save
from .errors import UsageError
from .tally import Tally

__all__ = ["Checkpoint", "read_checkpoint", "write_checkpoint"]


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
        How it reads.
    window : int
        How many rows it learns at a time.
    tally : Tally
        What has happened.
    fingerprint : Fingerprint
        Of the rows that were learned.
    predictions : int or None
        Length of the file of predictions, if there is one.
    finished : bool
        Whether the end of the inputs was reached.
    """

    learner: str
    inputs: list[str]
    plan: Plan
    window: int
    tally: Tally = field(default_factory=Tally)
    fingerprint: Fingerprint = field(default_factory=Fingerprint)
    predictions: int | None = None
    finished: bool = False


def write_checkpoint(learner: StreamClassifier, path: str, checkpoint: Checkpoint) -> None:
    """Write a model to a file, whole or not at all."""
    notes = {
        "plan": checkpoint.plan.to_json(),
        "run": {
            name: getattr(checkpoint, name)
            for name in ("learner", "inputs", "window", "predictions", "finished")
        }
        | {"tally": asdict(checkpoint.tally), "fingerprint": asdict(checkpoint.fingerprint)},
    }
    try:
        save(learner, path, notes)
    except (OSError, SavedModelError) as error:
        raise UsageError(f"{path} cannot be written: {_reason(error)}") from error


def read_checkpoint(path: str) -> tuple[StreamClassifier, Checkpoint]:
    """A model that `write_checkpoint` has written."""
    try:
        learner, notes = load_with_notes(path)
    except (OSError, SavedModelError) as error:
        raise UsageError(f"{path} cannot be read: {_reason(error)}") from error
    try:
        return learner, _from_notes(notes)
    except (AttributeError, KeyError, TypeError, ReadingError) as error:
        raise UsageError(
            f"{path} was not made by budgetron run: it says nothing of rows"
        ) from error


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _from_notes(notes: dict[str, Any]) -> Checkpoint:
    run = dict(notes["run"])
    tally, fingerprint = Tally(**run.pop("tally")), Fingerprint(**run.pop("fingerprint"))
    plan = Plan.from_json(notes["plan"])
    return Checkpoint(plan=plan, tally=tally, fingerprint=fingerprint, **run)
