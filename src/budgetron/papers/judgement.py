"""What became of an artifact: one rule for all of them.

A *statement* is something that the paper says of its results: it holds on our results or not.
A *number* that the paper prints agrees if ours differs from it by no more than the rounding of the
printed digits and the noise of both sides explain: Welch's test of two means, at a level of 5 % for
all numbers of the artifact together (Bonferroni). A noise that the paper does not print is taken
from our runs, which are runs of the same experiment.

- *reproduced*: all statements hold and all numbers agree, on the paper's own data.
- *reproduced in shape*: at least three quarters of the statements hold.
- *not reproduced*: fewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from scipy.special import stdtrit

from .exhibit import Claim, Table, Verdict
from .measure import Measure

__all__ = ["Number", "beside", "judge", "tally"]

MOST = 3 / 4
"""At least this part of the statements has to hold for the shape to be the paper's."""
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


def judge(
    claims: Sequence[Claim], numbers: Sequence[Number] = (), *, stand_in: str = ""
) -> tuple[Verdict, str]:
    """The verdict, and why, in plain sentences.

    Parameters
    ----------
    claims : sequence of Claim
    numbers : sequence of Number
    stand_in : str
        The data that take the place of the paper's, if they do: numbers of others are not compared.

    Returns
    -------
    verdict, why : str
    """
    held = sum(claim.holds for claim in claims)
    numbers = () if stand_in else numbers
    off = [number for number in numbers if not number.agrees(len(numbers))]
    why = " ".join(filter(None, (tally(claims), _agreement(numbers, off, stand_in))))
    if held == len(claims) and not off and not stand_in:
        return "reproduced", why
    return ("reproduced in shape" if held >= MOST * len(claims) else "not reproduced"), why


def tally(claims: Sequence[Claim]) -> str:
    """How many of the statements hold, and which do not."""
    fallen = [claim.statement.rstrip(".") for claim in claims if not claim.holds]
    if not claims:
        return ""
    if not fallen:
        return "What the paper says holds here."
    held = len(claims) - len(fallen)
    return f"{held} of {len(claims)} things that the paper says hold, but not: {'; '.join(fallen)}."


def _agreement(numbers: Sequence[Number], off: Sequence[Number], stand_in: str) -> str:
    if stand_in:
        return "The numbers are of other data than the paper's and cannot be compared."
    if not numbers:
        return ""
    if not off:
        return f"Its {len(numbers)} numbers agree with ours within rounding and noise."
    listed = "; ".join(
        f"{number.name}: {number.difference:+.3g}, where {number.allowed(len(numbers)):.2g} is"
        " explained"
        for number in off
    )
    agreeing = len(numbers) - len(off)
    return f"{agreeing} of its {len(numbers)} numbers agree with ours, but not {listed}."


def beside(numbers: Sequence[Number]) -> Table:
    """The paper's numbers and ours, and what rounding and noise explain."""
    return Table(
        "Every number that the paper prints",
        ("number", "paper", "ours", "difference", "explained by rounding and noise", "agrees"),
        tuple(
            (
                number.name,
                str(number.paper),
                str(number.ours),
                float(f"{number.difference:.3g}"),
                float(f"{number.allowed(len(numbers)):.3g}"),
                "yes" if number.agrees(len(numbers)) else "no",
            )
            for number in numbers
        ),
    )
