"""Learning: the quicker of two ways to the same run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.kernel import Rows
from .blocked import together
from .learner import Learner
from .one_by_one import one_by_one
from .record import Record

__all__ = ["learn"]

ONE_BY_ONE = 4
"""So many examples at once are learned faster one by one than as a block."""


def learn(
    learners: Sequence[Learner],
    X: Rows,
    labels: Sequence[Any],
    records: Sequence[Record],
    *,
    rivals: bool = False,
) -> None:
    """Let learners that have seen the same stream go over more of it.

    Parameters
    ----------
    learners : sequence of Learner
    X : array or CSR matrix, of examples
    labels : sequence of float arrays of -1 and +1, times the examples' weights
        One for each learner, or what stands in its place for this kind of learner; NaN for examples
        that are only looked at.
    records : sequence of Record
        To be written on, one for each learner.
    rivals : bool
        Whether their scores will be compared with each other: see `together`.
    """
    if X.shape[0] <= ONE_BY_ONE:
        for learner, own, record in zip(learners, labels, records, strict=True):
            one_by_one(learner, X, own, record)
    else:
        together(learners, X, labels, records, rivals=rivals)
