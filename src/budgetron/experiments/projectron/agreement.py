"""How near our numbers come to the paper's."""

from __future__ import annotations

from math import hypot

from .experiment import Contender, Experiment, Standing

__all__ = ["compare", "percent_more"]

SAME_MISTAKES = 0.5
"""Percentage points by which a percentage of mistakes may differ from the paper's."""
SAME_SIZE = 10
"""Percent by which a size may differ from the paper's."""


def compare(experiment: Experiment, ours: dict[Contender, Standing]) -> tuple[bool, str]:
    """Whether the numbers are the paper's, and how near they come."""
    if experiment.stand_in:
        return False, "its numbers are of other data and cannot be compared."
    mistakes, sizes = {}, {}
    agrees = True
    for contender, standing in ours.items():
        paper = experiment.paper[contender]
        mistakes[contender] = standing.mistakes.mean - paper.mistakes.mean
        sizes[contender] = percent_more(standing.size.mean, paper.size.mean)
        # The paper's permutations of one draw do not show how much draws differ, ours do
        of_paper = standing.mistakes.deviation if experiment.one_draw else paper.mistakes.error
        by_chance = 2 * hypot(of_paper, standing.mistakes.error)
        agrees &= abs(mistakes[contender]) <= max(SAME_MISTAKES, by_chance)
        agrees &= abs(sizes[contender]) <= SAME_SIZE
    off, away = (max(apart, key=lambda row: abs(apart[row])) for apart in (mistakes, sizes))
    return agrees, (
        f"percentages of mistakes differ from the paper's by {mistakes[off]:+.2f} points at most"
        f" ({off}) and sizes by {sizes[away]:+.1f} percent ({away})."
    )


def percent_more(ours: float, paper: float) -> float:
    """By how many percent of the paper's number ours is larger."""
    return 100 * (ours - paper) / paper
