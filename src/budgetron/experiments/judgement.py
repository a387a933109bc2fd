"""What became of an artifact, as its claims and numbers have it."""

from __future__ import annotations

from collections.abc import Sequence

from .exhibit import Claim, Verdict

__all__ = ["judge", "tally"]


def judge(claims: Sequence[Claim], *, numbers_agree: bool) -> Verdict:
    """The verdict: in shape if every claim holds, and more if the numbers are the paper's too."""
    if not all(claim.holds for claim in claims):
        return "not reproduced"
    return "reproduced" if numbers_agree else "reproduced in shape"


def tally(claims: Sequence[Claim]) -> str:
    """How many of the claims hold, in words."""
    held = sum(claim.holds for claim in claims)
    if held == len(claims):
        return "What the paper says of it holds here"
    return f"{held} of the {len(claims)} things that the paper says of it hold here"
