"""When a rule updates, and what a score of zero means.

A *mistake* is a wrong sign. Only one of the five papers says which sign zero has (the second-order
Perceptron's, in footnote 2: SGN(0) = +1); the Forgetron's and the Projectron's pseudo-code take a
zero score for a mistake whatever the label is. Both are here: docs/readings.md, item 1.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from .compiled import inlined

__all__ = [
    "EVERY_EXAMPLE",
    "MARGIN_BELOW_ONE",
    "MISTAKE",
    "Trigger",
    "ZeroScore",
    "is_mistake",
    "snapped",
]

ZeroScore = Literal["positive", "mistake"]


class Trigger(NamedTuple):
    """Update when the margin is below the threshold, and at each mistake; or on every example.

    In any case it is settled exactly on which side of 0 and of the threshold the margin is: a rule
    that is called on every example asks with `short` whether it is below.

    Parameters
    ----------
    threshold : float
        0 for mistakes alone.
    every_example : bool, default=False
    """

    threshold: float
    every_example: bool = False


MISTAKE = Trigger(0.0)
MARGIN_BELOW_ONE = Trigger(1.0)
EVERY_EXAMPLE = Trigger(0.0, every_example=True)


@inlined
def is_mistake(score, y, zero_is_mistake):
    """Whether the sign of `score` is wrong for the label `y` of -1 or +1."""
    if score == 0 and zero_is_mistake:
        return True
    return (score >= 0) != (y > 0)


@inlined
def snapped(score, threshold, noise):
    """The score, put on 0 or on the threshold of either label if rounding cannot tell them apart.

    On tied data the exact score is often exactly there, and one order of summation finds 0 where
    another finds 1e-17.
    """
    if abs(score) <= noise:
        return 0.0
    if abs(score - threshold) <= noise:
        return threshold
    if abs(score + threshold) <= noise:
        return -threshold
    return score
