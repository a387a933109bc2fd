"""The fast path: the same run, with the scores of a whole block from one matrix product."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

import numpy as np

from ..core.edits.span import Span, stretch_length
from ..core.kernel import Rows
from .device import CPU
from .group import MANY_LEARNERS, KernelGroup, kernel_groups
from .learner import LONG_BLOCK, Learner
from .mirror import DEVICE_BLOCK
from .record import Record

__all__ = ["block_length", "blocked", "decide", "decide_together", "together"]


def blocked(
    learner: Learner, X: Rows, labels: np.ndarray, record: Record, length: int | None = None
) -> None:
    """Learn the examples with the updates of `one_by_one`, a block at a time.

    Parameters
    ----------
    learner : Learner
    X : array or CSR matrix, of examples
    labels : array of the learner's labels
        One for each example: see `Learner` and `MulticlassLearner`.
    record : Record
        To be written on.
    length : int, optional
        The number of examples in a block; it changes nothing but the time.
    """
    together([learner], X, [labels], [record], length)
    learner.come_home()


def together(
    learners: Sequence[Learner],
    X: Rows,
    labels: Sequence[np.ndarray],
    records: Sequence[Record],
    length: int | None = None,
    *,
    rivals: bool = False,
) -> None:
    """Let several learners go over the same examples, each as `blocked` would.

    They must have seen the same stream from its start. Learners with the same kernel share the
    block, and its kernel values with the supports that they have in common. What they keep may be
    on a device afterwards: see `Learner.come_home`.

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
    rivals : bool
        Whether their scores will be compared with each other, and have to be exact where one may be
        as high as the highest.
    """
    first, end = 0, X.shape[0]
    with ExitStack() as stack:
        parts = [
            (group, [labels[i] for i in members], [records[i] for i in members])
            for group, members in kernel_groups(learners, stack, X, rivals=rivals)
        ]
        while first < end:
            last = min(first + (length or _common_length(learners)), end)
            for group, own_labels, own_records in parts:
                group.learn(X, first, last, own_labels, own_records)
            first = last


def decide(learner: Learner, X: Rows, *, average: bool = False) -> np.ndarray:
    """The scores of all examples under the learner as it is, which stays as it is."""
    return decide_together([learner], X, average=average)[0][0]


def decide_together(
    learners: Sequence[Learner], X: Rows, *, average: bool = False
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """The scores of all examples under each learner, with one kernel for all, and their errors."""
    scores = [np.empty(learner.shape_of_scores(X.shape[0])) for learner in learners]
    errors = [np.empty(X.shape[0]) for _ in learners]
    states = [learner.averaged() if average else learner.state for learner in learners]
    length = _common_length(learners)
    with ExitStack() as stack:
        group = KernelGroup(learners, stack, X)
        for first in range(0, X.shape[0], length):
            last = min(first + length, X.shape[0])
            group.decide(X, first, last, states, scores, errors)
    return scores, errors


def _common_length(learners: Sequence[Learner]) -> int:
    """The length of a block for all learners: what is done for each of them should be worth it."""
    if any(learner.device != CPU for learner in learners):
        return DEVICE_BLOCK
    return LONG_BLOCK if len(learners) >= MANY_LEARNERS else max(map(block_length, learners))


def block_length(learner: Learner) -> int:
    """Long enough to keep the matrix products busy, short beside the number of supports.

    A factor is large: the more of its right-hand sides there are at once, the better. A stretch of
    a span's examples ends with the block.
    """
    if isinstance(learner.state.memory, Span):
        return 2 * stretch_length(learner.size)
    if learner.size < 300:
        return 64
    return LONG_BLOCK if learner.state.memory.long_blocks else 128
