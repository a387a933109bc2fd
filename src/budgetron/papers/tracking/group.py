"""The results of one group: four data sets with the same number of shifts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..exhibit import Scale
from ..online import CHECKPOINTS
from ..task import Outcome, Results
from .corpus import TOPICS, corpus_at_hand
from .runs import BASELINES, DECAYS, RANDOMIZED, SEEDS, chunks_task, runs_task

__all__ = ["Group", "bump"]


@dataclass(frozen=True)
class Group:
    """What the results say of the four data sets with so many shifts."""

    results: Results
    scale: Scale
    shifts: int

    @property
    def rows(self) -> int:
        """Of each data set."""
        return corpus_at_hand().rows[self.scale]

    @property
    def budgets(self) -> tuple[int, ...]:
        """All of them."""
        return corpus_at_hand().budgets[self.scale]

    def outcomes(self, name: str) -> list[list[Outcome]]:
        """The runs of a learner on each data set."""
        return [
            self.results[runs_task(self.scale, self.shifts, dataset, name)]["runs"]
            for dataset in range(TOPICS)
        ]

    def errors(self, name: str) -> np.ndarray:
        """Percent, of shape (data sets, runs)."""
        return np.array(
            [[100 * run["mistakes"] / run["rows"] for run in runs] for runs in self.outcomes(name)]
        )

    def baseline(self, name: str) -> float:
        """Percent of errors of PERC or SOP, or of what a budget algorithm is without a budget."""
        return float(self.errors(BASELINES.get(name, name)).mean())

    def curve(self, name: str) -> np.ndarray:
        """Percent of errors at each budget, over data sets and seeds."""
        return self.errors(name).reshape(TOPICS, len(self.budgets), -1).mean(axis=(0, 2))

    def best(self, name: str) -> tuple[int, float]:
        """The budget with the fewest errors, and their percentage.

        Budgets above the size that is reached without one are none, and are left out.
        """
        curve = self.curve(name)[self.up_to(1.0)]
        return self.budgets[int(curve.argmin())], float(curve.min())

    def size(self, name: str) -> float:
        """Mean supports of PERC or SOP at the end."""
        return float(np.mean([runs[0]["size"] for runs in self.outcomes(name)]))

    def up_to(self, part: float) -> np.ndarray:
        """Which budgets are at most this part of the Perceptron's size, and one at least."""
        budgets = np.array(self.budgets)
        return budgets <= max(part * self.size("PERC"), budgets[0])

    def decays(self) -> tuple[float, float, float]:
        """SPA: errors in percent with Theorem 2's decay, then the tuned decay and its errors."""
        errors = self.errors("SPA").mean(axis=0)
        tuned = int(errors[1:].argmin())
        return float(errors[0]), DECAYS[tuned], float(errors[1 + tuned])

    def seed_deviation(self, name: str) -> float:
        """Largest standard deviation of the percentage over the seeds alone, at any budget."""
        by_seed = self.errors(name).reshape(TOPICS, len(self.budgets), -1).mean(axis=0)
        return float(by_seed.std(axis=1).max())

    def chunk_mistakes(self, name: str) -> np.ndarray:
        """Mistakes on each chunk learned by itself, of shape (data sets, chunks)."""
        return np.array(
            [
                self.results[chunks_task(self.scale, self.shifts, dataset, name)]["mistakes"]
                for dataset in range(TOPICS)
            ]
        )

    def course(self, name: str) -> np.ndarray:
        """Percent of errors in equal parts of the stream, at the best budget or decay."""
        first, runs = 0, 1
        if name in BASELINES:
            runs = SEEDS[self.scale] if name in RANDOMIZED else 1
            first = runs * self.budgets.index(self.best(name)[0])
        elif name == "SPA":
            first = 1 + DECAYS.index(self.decays()[1])
        chosen = [outcomes[first : first + runs] for outcomes in self.outcomes(name)]
        courses = np.array([[outcome["course"] for outcome in some] for some in chosen])
        made = np.diff(courses.mean(axis=(0, 1)), prepend=0)
        return 100 * made * CHECKPOINTS / self.rows


def bump(curve: np.ndarray) -> tuple[int, float]:
    """The place inside a curve that rises most above both its sides, and by how much.

    Examples
    --------
    >>> import numpy as np
    >>> from budgetron.papers.tracking.group import bump
    >>> bump(np.array([5.0, 3.0, 4.0, 3.5]))
    (2, 0.5)
    """
    rises = [
        min(curve[i] - curve[:i].min(), curve[i] - curve[i + 1 :].min())
        for i in range(1, len(curve) - 1)
    ]
    place = int(np.argmax(rises))
    return place + 1, max(float(rises[place]), 0.0)
