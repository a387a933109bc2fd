"""The definition: score an example, compare with its label, update, go on to the next."""

from __future__ import annotations

import numpy as np

from ..core.kernel import Rows
from .learner import Learner
from .record import Record

__all__ = ["one_by_one"]


def one_by_one(learner: Learner, X: Rows, labels: np.ndarray, record: Record) -> None:
    """Learn the examples as the papers do, looking ahead at nothing.

    Parameters
    ----------
    learner : Learner
    X : array or CSR matrix, of examples
    labels : array of the learner's labels
        One for each example: see `Learner` and `MulticlassLearner`.
    record : Record
        To be written on.
    """
    with learner.workspace() as workspace:
        for t in range(len(labels)):
            learner.make_room(X, t, t + 1)
            block, events = workspace.cut(X, t, t + 1), record.events_of(t, t + 1)
            f = workspace.view(learner.kernel, learner.state, block, events)
            learner.walk(f, labels[t : t + 1], roundoff=np.inf)
            record.keep(t, f.scores, f.ahead.errors)
