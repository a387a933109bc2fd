"""An experiment of the paper: contenders, their runs, and what they come to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...bounds.forgetron import largest_norm
from ..exhibit import Scale
from ..measure import Measure
from ..task import Outcome, Results, Task

__all__ = ["BOUNDED", "PAPER_PERMUTATIONS", "UNBOUNDED", "Contender", "Experiment", "Standing"]

UNBOUNDED = {"Perceptron": "Perceptron", "PA-I": "PassiveAggressiveI"}
BOUNDED = {
    "Projectron": "Projectron",
    "Projectron++": "ProjectronPlusPlus",
    "Forgetron": "Forgetron",
    "RBP": "RandomizedBudgetPerceptron",
    "Stoptron": "Stoptron",
}
"""The paper's names and ours, in the order of its tables."""

PAPER_PERMUTATIONS = 5


class Standing(NamedTuple):
    """Percentage of mistakes and size at the end."""

    mistakes: Measure
    size: Measure

    @classmethod
    def of(cls, outcomes: Iterable[Outcome]) -> Standing:
        """What these runs come to."""
        runs = [*outcomes]
        return cls(
            Measure.of(100 * run["mistakes"] / run["rows"] for run in runs),
            Measure.of(run["size"] for run in runs),
        )


class Contender(NamedTuple):
    """A row of a table: an algorithm by its name in the paper, and its budget if it has one."""

    algorithm: str
    budget: int | None = None

    def __str__(self) -> str:
        return f"{self.algorithm}, B={self.budget}" if self.budget else self.algorithm


@dataclass(frozen=True)
class Experiment:
    """One of the paper's tables, or what stands in for it."""

    data: str
    caption: str
    variance: float  # of the Gaussian kernel, sigma^2 in the paper
    budgets: tuple[int, ...]
    printed: tuple[Standing, ...]  # in the order of `contenders`
    repeats: dict[Scale, int]
    one_draw: bool = False  # the paper's permutations are of one draw, and ours are draws
    stand_in: str = ""

    @property
    def contenders(self) -> list[Contender]:
        """The rows of the table, in order."""
        bounded = [Contender(name, budget) for budget in self.budgets for name in BOUNDED]
        return [*map(Contender, UNBOUNDED), *bounded]

    @property
    def paper(self) -> dict[Contender, Standing]:
        """The paper's numbers."""
        return dict(zip(self.contenders, self.printed, strict=True))

    def task(self, contender: Contender, permutation: int) -> Task:
        """One run of a contender."""
        algorithm, budget = contender
        parameters: dict[str, Any] = {"gamma": 1 / (2 * self.variance), "zero_score": "mistake"}
        if algorithm == "PA-I":
            parameters["C"] = 1.0
        elif budget and algorithm in ("Projectron", "Projectron++"):
            parameters["norm_bound"] = largest_norm(budget)
        elif budget:
            parameters["budget"] = budget
        if algorithm == "RBP":
            parameters["random_state"] = permutation
        return Task.of(
            "projectron-online",
            data=self.data,
            learner={**UNBOUNDED, **BOUNDED}[algorithm],
            parameters=parameters,
            permutation=permutation,
        )

    def tasks(self, scale: Scale) -> list[Task]:
        """All runs, those over the same rows one after the other."""
        return self.tasks_of(self.contenders, scale)

    def tasks_of(self, contenders: Iterable[Contender], scale: Scale) -> list[Task]:
        """The runs of some of the contenders."""
        rows = [*contenders]
        return [self.task(row, number) for number in range(self.repeats[scale]) for row in rows]

    def outcomes(
        self, contenders: Iterable[Contender], results: Results, scale: Scale
    ) -> dict[Contender, list[Outcome]]:
        """What became of their runs."""
        return {row: [results[task] for task in self.tasks_of([row], scale)] for row in contenders}

    def settings(self, scale: Scale) -> str:
        """What is run, in words."""
        of_what = "draws of the data" if self.one_draw else "permutations of all rows"
        return (
            f"{self.data}: {self.repeats[scale]} {of_what} (the paper has {PAPER_PERMUTATIONS}"
            f" permutations), with the seeds from 0 on. Gaussian kernel of variance"
            f" {self.variance:g}, gamma = 1 / (2 * {self.variance:g}); C = 1 for PA-I; budgets"
            f" {' and '.join(map(str, self.budgets))}. Mistakes are counted before learning, over"
            " the whole stream; ± is one standard deviation."
        )
