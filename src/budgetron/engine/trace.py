"""What happened while a learner went over a stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Trace"]


@dataclass(frozen=True)
class Trace:
    """One entry for each example of the stream, in order.

    Attributes
    ----------
    scores : ndarray of float64
        f(x), before the update. A score that rounding cannot tell from 0 is 0. For more than two
        classes there is a column for each, -inf until it appears.
    mistakes : ndarray of bool
        Whether the prediction was wrong.
    updates : ndarray of bool
        Whether the example changed the learner.
    sizes : ndarray of int64
        The number of supports after the example, summed over the classes if each has its own.
    evicted : ndarray of int64
        Which support was removed, given by the number of examples the learner had seen when it
        came in; -1 where none was removed.
    predictions : ndarray
        The predicted classes.
    evidence : Evidence or None
        What the learner's bound is made of, after all that it has seen, if it was asked for.
    waiting : Waiting
        The examples whose labels have not come, for the next call; see `prequential`.
    """

    scores: np.ndarray
    mistakes: np.ndarray
    updates: np.ndarray
    sizes: np.ndarray
    evicted: np.ndarray
    predictions: np.ndarray
    evidence: Any = None
    waiting: Any = None

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        size = self.sizes[-1] if len(self) else 0
        return (
            f"Trace({len(self)} examples, {self.mistakes.sum()} mistakes, "
            f"{self.updates.sum()} updates, size {size})"
        )
