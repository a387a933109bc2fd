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

from .exhibit import Claim, Table, Verdict
from .number import Number

__all__ = ["beside", "judge", "tally"]

MOST = 3 / 4
"""At least this part of the statements has to hold for the shape to be the paper's."""


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
                number.printed,
                str(number.ours),
                float(f"{number.difference:.3g}"),
                float(f"{number.allowed(len(numbers)):.3g}"),
                "yes" if number.agrees(len(numbers)) else "no",
            )
            for number in numbers
        ),
    )
