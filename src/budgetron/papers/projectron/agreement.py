"""How near our numbers come to the paper's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot
from typing import NamedTuple

from ..measure import Measure
from ..task import Outcome
from .experiment import Contender, Experiment, Standing

__all__ = ["PERCEPTRON", "Difference", "compare", "differences", "percent_more"]

SAME_MISTAKES = 0.5
"""Percentage points by which mistakes may differ from the paper's, if not by more by chance."""
SAME_SIZE = 10
"""Percent by which a size may differ from the paper's."""
PERCEPTRON = Contender("Perceptron")


class Difference(NamedTuple):
    """Between our number of mistakes, in percent of the rows, and the paper's; and of the sizes."""

    ours: Measure
    paper: Measure
    size: float  # in percent of the paper's

    @property
    def points(self) -> float:
        """By how many percentage points ours is larger."""
        return self.ours.mean - self.paper.mean

    @property
    def agrees(self) -> bool:
        """Whether both are near enough, the mistakes within two standard errors or half a point."""
        by_chance = 2 * hypot(self.ours.error, self.paper.error)
        return abs(self.points) <= max(SAME_MISTAKES, by_chance) and abs(self.size) <= SAME_SIZE


def differences(
    experiment: Experiment, outcomes: Mapping[Contender, Sequence[Outcome]]
) -> dict[Contender, Difference]:
    """Ours and the paper's; where data are drawn, mistakes beyond those of the Perceptron.

    The paper made one draw and we make others. That moves the mistakes of all by about as much, so
    they are compared with those of the Perceptron on the same draw.
    """
    found = {}
    for contender, runs in outcomes.items():
        ours, paper = Standing.of(runs), experiment.paper[contender]
        mistakes, printed = ours.mistakes, paper.mistakes
        if experiment.one_draw and contender == PERCEPTRON:
            printed = printed._replace(deviation=mistakes.deviation, times=1)
        elif experiment.one_draw:
            pairs = zip(runs, outcomes[PERCEPTRON], strict=True)
            mistakes = Measure.of(
                100 * (run["mistakes"] - plain["mistakes"]) / run["rows"] for run, plain in pairs
            )
            printed = printed._replace(
                mean=printed.mean - experiment.paper[PERCEPTRON].mistakes.mean
            )
        found[contender] = Difference(
            mistakes, printed, percent_more(ours.size.mean, paper.size.mean)
        )
    return found


def compare(
    experiment: Experiment, outcomes: Mapping[Contender, Sequence[Outcome]]
) -> tuple[bool, str]:
    """Whether the numbers are the paper's, and how near they come."""
    if experiment.stand_in:
        return False, "The numbers are of other data than the paper's and cannot be compared."
    apart = differences(experiment, outcomes)
    others = [contender for contender, difference in apart.items() if not difference.agrees]
    if not others:
        return True, (
            "Mistakes agree with the paper's within half a point or two standard errors, and sizes"
            f" within {SAME_SIZE} percent."
        )
    listed = ", ".join(
        f"{contender}: {apart[contender].points:+.2f} points, size {apart[contender].size:+.1f} %"
        for contender in others
    )
    beyond = " beyond the Perceptron's" if experiment.one_draw else ""
    return False, f"Mistakes{beyond} or sizes differ from the paper's for {listed}."


def percent_more(ours: float, paper: float) -> float:
    """By how many percent of the paper's number ours is larger."""
    return 100 * (ours - paper) / paper
