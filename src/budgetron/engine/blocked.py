"""The fast path: the same run, with the scores of a whole block from one matrix product."""

from __future__ import annotations

import numpy as np

from ..blocks import evaluate
from ..expansion import SCALE, USED, Expansion
from ..factor import solve_ahead
from ..kernels import Rows
from ..rule import needs_factor, trigger
from .learner import Learner
from .record import Record
from .walk import settle, sum_up

__all__ = ["block_length", "blocked", "decide"]

NO_EVENTS = np.empty((0, 4), np.int64)


def blocked(
    learner: Learner, X: Rows, labels: np.ndarray, record: Record, length: int | None = None
) -> None:
    """Learn the examples with the updates of `one_by_one`, a block at a time.

    Parameters
    ----------
    learner : Learner
    X : array or CSR matrix, of examples
    labels : int8 array of -1 and +1
    record : Record
        To be written on.
    length : int, optional
        The number of examples in a block; it changes nothing but the time.
    """
    first, roundoff = 0, unit_roundoff(learner)
    with learner.workspace() as workspace:
        while first < len(labels):
            last = min(first + (length or block_length(learner)), len(labels))
            learner.make_room(X, first, last)
            events = record.events_of(first, last)
            f = workspace.in_view(learner.kernel, learner.kept, X, first, last, events)
            look_ahead(f)
            if needs_factor(learner.rule):
                threshold = trigger(learner.rule).threshold
                solve_ahead(f, labels[first:last], threshold, workspace.columns)
            learner.walk(f, labels[first:last], roundoff)
            record.keep(first, f.ahead.scores)
            first = last


def decide(learner: Learner, X: Rows, *, average: bool = False) -> np.ndarray:
    """The scores of all examples under the learner as it is, which stays as it is."""
    scores = np.empty(X.shape[0])
    counts, numbers = learner.kept.counts.copy(), learner.kept.numbers.copy()
    kept = learner.kept._replace(counts=counts, numbers=numbers)
    if average:
        weights = np.zeros_like(kept.weights)
        weights[kept.order[: learner.size]] = learner.average_weights
        numbers[SCALE] = 1
        kept = kept._replace(weights=weights)
    length = block_length(learner)
    with learner.workspace() as workspace:
        for first in range(0, len(scores), length):
            last = min(first + length, len(scores))
            f = workspace.in_view(learner.kernel, kept, X, first, last, NO_EVENTS)
            look_ahead(f)
            f.ahead.solved[:] = -1
            learner.suited(settle)(learner.rule, f, unit_roundoff(learner))
            scores[first:last] = f.ahead.scores
    return scores


def look_ahead(f: Expansion) -> None:
    """Evaluate the kernel between supports and block, and score the block."""
    used = int(f.kept.counts[USED])
    evaluate(f.kernel, f.kept.rows, used, f.ahead.block, f.ahead.values)
    sum_up(f.kept.weights, f.kept.numbers[SCALE], f.ahead.values[:used], f.ahead.scores)


def unit_roundoff(learner: Learner) -> float:
    """Half the distance from 1 to the next number of the dtype."""
    return float(np.finfo(learner.dtype).eps) / 2


def block_length(learner: Learner) -> int:
    """Long enough to keep the matrix products busy, short beside the number of supports.

    A factor is large: the more of its right-hand sides there are at once, the better.
    """
    if learner.size < 300:
        return 64
    return 256 if needs_factor(learner.rule) else 128
