"""The fast path: the same run, with the scores of a whole block from one matrix product."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np

from ..blocks import evaluate
from ..expansion import USED
from ..kernels import Rows
from ..rule import needs_factor
from .learner import Learner, View
from .record import Record
from .union import united

__all__ = ["block_length", "blocked", "decide", "decide_together", "together"]

NO_EVENTS = np.empty((0, 4), np.int64)


def blocked(
    learner: Learner, X: Rows, labels: np.ndarray, record: Record, length: int | None = None
) -> None:
    """Learn the examples with the updates of `one_by_one`, a block at a time.

    Parameters
    ----------
    learner : Learner
    X : array or CSR matrix, of examples
    labels : array of the learner's labels
        One for each example: see `Learner` and `ManyLearner`.
    record : Record
        To be written on.
    length : int, optional
        The number of examples in a block; it changes nothing but the time.
    """
    together([learner], X, [labels], [record], length)


def together(
    learners: Sequence[Learner],
    X: Rows,
    labels: Sequence[np.ndarray],
    records: Sequence[Record],
    length: int | None = None,
) -> None:
    """Let several learners go over the same examples, each as `blocked` would.

    They must have seen the same stream from its start. Learners with the same kernel share the
    block, and its kernel values with the supports that they have in common.

    Parameters
    ----------
    learners : sequence of Learner
    X : array or CSR matrix, of examples
    labels : sequence of arrays of labels
        One for each learner.
    records : sequence of Record
        To be written on, one for each learner.
    length : int, optional
        The number of examples in a block; it changes nothing but the time.
    """
    first, end, circles = 0, X.shape[0], _circles(learners)
    with ExitStack() as stack:
        rooms = [stack.enter_context(learner.workspace()) for learner in learners]
        while first < end:
            last = min(first + (length or max(map(block_length, learners))), end)
            for circle in circles:
                block, views = rooms[circle[0]].cut(X, first, last), []
                for i in circle:
                    learner, events = learners[i], records[i].events_of(first, last)
                    learner.make_room(X, first, last)
                    views.append(rooms[i].in_view(learner.kernel, learner.kept, block, events))
                look_ahead_together(views)
                for i, f in zip(circle, views, strict=True):
                    learner, here = learners[i], labels[i][first:last]
                    learner.solve_ahead(f, here, rooms[i].columns)
                    learner.walk(f, here, unit_roundoff(learner))
                    records[i].keep(first, f.scores)
            first = last


def _circles(learners: Sequence[Learner]) -> list[list[int]]:
    """Which learners evaluate the same kernel on the same kind of rows."""
    circles: dict[Any, list[int]] = {}
    for i, learner in enumerate(learners):
        key = learner.kernel, learner.dtype, learner.sparse
        circles.setdefault(key, []).append(i)
    return [*circles.values()]


def decide(learner: Learner, X: Rows, *, average: bool = False) -> np.ndarray:
    """The scores of all examples under the learner as it is, which stays as it is."""
    return decide_together([learner], X, average=average)[0]


def decide_together(
    learners: Sequence[Learner], X: Rows, *, average: bool = False
) -> list[np.ndarray]:
    """The scores of all examples under each learner, with one kernel for all."""
    scores = [np.empty(learner.shape_of_scores(X.shape[0])) for learner in learners]
    kept = [learner.averaged() if average else learner.kept for learner in learners]
    kept = [own._replace(counts=own.counts.copy(), numbers=own.numbers.copy()) for own in kept]
    length = max(map(block_length, learners))
    with ExitStack() as stack:
        rooms = [stack.enter_context(learner.workspace()) for learner in learners]
        for first in range(0, X.shape[0], length):
            last = min(first + length, X.shape[0])
            block = rooms[0].cut(X, first, last)
            views = [
                room.in_view(learner.kernel, own, block, NO_EVENTS)
                for room, learner, own in zip(rooms, learners, kept, strict=True)
            ]
            look_ahead_together(views)
            for own_scores, learner, f in zip(scores, learners, views, strict=True):
                f.ahead.solved[:] = -1
                learner.settle(f, unit_roundoff(learner))
                own_scores[first:last] = f.scores
    return scores


def look_ahead(f: View) -> None:
    """Evaluate the kernel between supports and block, and score the block."""
    used = int(f.kept.counts[USED])
    evaluate(f.kernel, f.kept.rows, used, f.ahead.block, f.ahead.values)
    f.score_ahead()


def look_ahead_together(views: Sequence[View]) -> None:
    """The same for several learners with one block ahead of them."""
    if len(views) == 1:
        look_ahead(views[0])
        return
    kernel, block = views[0].kernel, views[0].ahead.block
    union = united([f.kept for f in views])
    values = np.empty((len(union.births), len(block.norms)), views[0].ahead.values.dtype)
    evaluate(kernel, union.rows, len(values), block, values)
    for f, places in zip(views, union.places, strict=True):
        used, own = int(f.kept.counts[USED]), f.kept.order[: len(places)]
        free = f.kept.order[len(places) :]
        f.ahead.values[free[free < used]] = 0
        f.ahead.values[own] = values[places]
        f.score_ahead()


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
