"""What became of an artifact, as its claims and numbers have it."""

from __future__ import annotations

from collections.abc import Sequence

from .exhibit import Claim, Verdict

__all__ = ["judge", "tally"]


MOST = 3 / 4
"""More than this part of the claims have to hold for the shape to be the paper's."""


def judge(claims: Sequence[Claim], *, numbers_agree: bool) -> Verdict:
    """The verdict: all claims and the numbers, most claims, or less than that."""
    held = sum(claim.holds for claim in claims)
    if held == len(claims) and numbers_agree:
        return "reproduced"
    return "reproduced in shape" if held > MOST * len(claims) else "not reproduced"


def tally(claims: Sequence[Claim]) -> str:
    """How many of the claims hold, and which do not."""
    fallen = [claim.statement.rstrip(".") for claim in claims if not claim.holds]
    if not fallen:
        return "What the paper says holds here."
    held = len(claims) - len(fallen)
    return f"{held} of {len(claims)} things that the paper says hold, but not: {'; '.join(fallen)}."
