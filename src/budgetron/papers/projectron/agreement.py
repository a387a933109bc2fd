"""The paper's numbers and ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..measure import Measure
from ..number import Number
from ..task import Outcome
from .experiment import Contender, Experiment, Standing

__all__ = ["PERCEPTRON", "numbers_of", "percent_more"]

PERCEPTRON = Contender("Perceptron")


def numbers_of(
    experiment: Experiment, outcomes: Mapping[Contender, Sequence[Outcome]]
) -> list[Number]:
    """Mistakes in percent of the rows, and sizes that are not a budget.

    Where data are drawn, mistakes of others are those beyond the Perceptron's: the paper made one
    draw and we make others, which moves the mistakes of all by about as much. The noise of that one
    draw is that between ours.
    """
    found = []
    for contender, runs in outcomes.items():
        ours, paper = Standing.of(runs), experiment.paper[contender]
        if experiment.one_draw and contender != PERCEPTRON:
            pairs = zip(runs, outcomes[PERCEPTRON], strict=True)
            mistakes = Measure.of(
                100 * (run["mistakes"] - plain["mistakes"]) / run["rows"] for run, plain in pairs
            )
            beyond = paper.mistakes.mean - experiment.paper[PERCEPTRON].mistakes.mean
            ours = ours._replace(mistakes=mistakes)
            paper = paper._replace(mistakes=Measure(beyond))
        sides = [("% mistakes", paper.mistakes, ours.mistakes, 0.01)]
        if experiment.paper[contender].size.deviation:
            sides.append(("size", paper.size, ours.size, 0.1))
        for what, theirs, own, unit in sides:
            if experiment.one_draw:
                theirs = Measure(theirs.mean, own.deviation)
            found.append(Number(f"{contender}, {what}", theirs, own, unit))
    return found


def percent_more(ours: float, paper: float) -> float:
    """By how many percent of the paper's number ours is larger."""
    return 100 * (ours - paper) / paper
