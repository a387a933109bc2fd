"""A number that a paper prints, beside ours."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from scipy.special import stdtrit

from .measure import Measure

__all__ = ["Number"]

LEVEL = 0.05
"""How often all numbers of an artifact agree, and one of them is said not to."""


class Number(NamedTuple):
    """A number that the paper prints, and ours.

    Attributes
    ----------
    name : str
    paper, ours : Measure
        A deviation of 0 is one of a number without noise.
    unit : float
        Of the last digit that is printed.
    """

    name: str
    paper: Measure
    ours: Measure
    unit: float

    @property
    def difference(self) -> float:
        """By how much ours is larger."""
        return self.ours.mean - self.paper.mean

    @property
    def printed(self) -> str:
        """The paper's, with its noise if it prints one."""
        own = self.paper.deviation != self.ours.deviation
        return str(self.paper if own else Measure(self.paper.mean))

    def allowed(self, of_all: int) -> float:
        """What rounding and noise explain, where so many numbers are compared."""
        sides = [side for side in (self.paper, self.ours) if side.deviation > 0]
        variance = sum(side.error**2 for side in sides)
        if not variance:
            return self.unit / 2
        if min(side.times for side in sides) == 1:  # it has its deviation from the other side
            freedom = max(side.times for side in sides) - 1.0
        else:
            freedom = variance**2 / sum(side.error**4 / (side.times - 1) for side in sides)
        quantile = float(stdtrit(freedom, 1 - LEVEL / (2 * of_all)))
        return self.unit / 2 + quantile * sqrt(variance)

    def agrees(self, of_all: int) -> bool:
        """Whether there is nothing left to explain, but for rounding of our own."""
        return abs(self.difference) <= self.allowed(of_all) * (1 + 1e-9)
