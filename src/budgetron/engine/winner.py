"""Which of several scores is the highest: those that rounding cannot tell apart are equal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["first_highest", "in_doubt", "leveled"]

WIDE = 4.0
"""How many times their errors equal scores may differ: weights carry errors of their own."""


def leveled(scores: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """The scores (a row for each example), with all that may be a row's highest raised to it."""
    return np.where(_within_reach(scores, WIDE * errors), scores.max(axis=1)[:, None], scores)


def in_doubt(scores: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """Which scores may be the highest of their row, where there are several."""
    reached = _within_reach(scores, errors)
    return reached & (reached.sum(axis=1)[:, None] > 1)


def _within_reach(scores: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """Whether each score may be the highest of its row."""
    highest = scores.argmax(axis=1)[:, None]
    behind = np.take_along_axis(scores, highest, axis=1) - scores
    return behind <= np.take_along_axis(errors, highest, axis=1) + errors


def first_highest(scores: Sequence[float], errors: Sequence[float]) -> int:
    """The first of a row's scores that may be its highest."""
    highest = max(scores)
    best = scores.index(highest)
    for own, score in enumerate(scores[:best]):
        if highest - score <= WIDE * (errors[best] + errors[own]):
            return own
    return best
