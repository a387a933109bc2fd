"""Who follows a drifting hyperplane best: the simulations of the drift paper, Section 6."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory
from typing import Any, Literal

import numpy as np
from sklearn.base import clone

from ..estimators import (
    KernelClassifier,
    ModifiedPerceptron,
    Perceptron,
    RandomizedBudgetPerceptron,
    ShiftingPerceptron,
)
from ..evaluation import prequential
from ..parameters import whole
from ..streams import DriftingHyperplanes
from .task import Outcome, Results, Task, does, perform

__all__ = ["Comparison", "compare", "half_width_of", "runs_of"]

LEARNERS: dict[str, KernelClassifier] = {
    "Perceptron": Perceptron(kernel="linear"),
    "ModifiedPerceptron": ModifiedPerceptron(kernel="linear"),
    "RandomizedBudgetPerceptron(300)": RandomizedBudgetPerceptron(budget=300, kernel="linear"),
    "ShiftingPerceptron(0.1)": ShiftingPerceptron(decay=0.1, kernel="linear"),
    "ShiftingPerceptron(0.0001)": ShiftingPerceptron(decay=0.0001, kernel="linear"),
}
"""Those of Figure 1, by their names in the table; the first is what the others are compared to."""

GRID = 50
"""Rows at which mistakes are counted, evenly over the stream."""

TOGETHER = 20
"""Runs of one task, so that a thousand runs are not a thousand files."""

CONFIDENT = 1.96
"""Standard errors to each side of a mean in an interval of 95 % confidence."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """The mistakes of several learners over the same independent streams.

    Attributes
    ----------
    learners : tuple of str
    rows : ndarray of int
        Numbers of rows seen.
    cumulative : ndarray of shape (n_runs, n_learners, len(rows))
        Mistakes in so many rows.
    """

    learners: tuple[str, ...]
    rows: np.ndarray = field(repr=False)
    cumulative: np.ndarray = field(repr=False)

    @classmethod
    def of(cls, tasks: list[Task], results: Mapping[Task, Outcome]) -> Comparison:
        """The runs that these tasks of `runs_of` made."""
        outcomes = [results[task] for task in tasks]
        cumulative = np.concatenate(
            [np.stack([o["mistakes"][name] for name in LEARNERS], axis=1) for o in outcomes]
        )
        return cls(tuple(LEARNERS), np.array(outcomes[0]["rows"]), cumulative)

    @property
    def mistakes(self) -> np.ndarray:
        """In the whole stream, of shape (n_runs, n_learners)."""
        return self.cumulative[:, :, -1]

    @property
    def mean(self) -> np.ndarray:
        """Mean mistakes of each learner."""
        return self.mistakes.mean(axis=0)

    @property
    def half_width(self) -> np.ndarray:
        """Half the width of the 95 % confidence interval around each mean."""
        return half_width_of(self.mistakes)

    @property
    def mean_cumulative(self) -> np.ndarray:
        """Mean mistakes of each learner in so many rows, of shape (n_learners, len(rows))."""
        return self.cumulative.mean(axis=0)

    @property
    def extra(self) -> np.ndarray:
        """How many more mistakes than the first learner each made, shaped as `cumulative`."""
        differences: np.ndarray = self.cumulative - self.cumulative[:, :1]
        return differences

    @property
    def percent(self) -> np.ndarray:
        """How many more mistakes than the first learner's each made, in percent of those."""
        return self.percents.mean(axis=0)

    @property
    def percent_half_width(self) -> np.ndarray:
        """Half the width of the 95 % confidence interval around the difference, run by run."""
        return half_width_of(self.percents)

    @property
    def percents(self) -> np.ndarray:
        """The same, run by run."""
        first = self.mistakes[:, :1]
        percents: np.ndarray = 100 * (self.mistakes - first) / first.mean()
        return percents


def compare(
    dimension: int = 5,
    drift: Literal["random", "linear"] = "random",
    runs: int = 60,
    length: int = 5000,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
    **stream: Any,
) -> Comparison:
    """Send the learners of the paper over independent streams of drifting hyperplanes.

    Parameters
    ----------
    dimension : int, default=5
        That the data really have, d in the paper.
    drift : {"random", "linear"}, default="random"
    runs : int, default=60
        At least 2; run i has the seed i. The paper made 1000.
    length : int, default=5000
        Rows of each stream.
    jobs : int, optional
        Processes, as in `sweep`.
    progress : callable, optional
        Told the number of runs done since the last call.
    **stream
        Other parameters of `DriftingHyperplanes`.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> from budgetron.papers.drifting_hyperplanes import compare
    >>> comparison = compare(runs=4, length=1000)
    >>> best = comparison.mean.argmin()
    >>> comparison.learners[best]
    'ModifiedPerceptron'
    """
    tasks = runs_of(dimension, drift, whole("runs", runs, least=2), length, **stream)
    tell, told = progress or (lambda done: None), 0

    def done(some: int) -> None:
        nonlocal told
        now = min(some * TOGETHER, runs - told)
        told += now
        tell(now)

    with TemporaryDirectory() as directory:
        results = Results(directory)
        perform(tasks, results, jobs, done)
        return Comparison.of(tasks, results)


def runs_of(
    dimension: int, drift: str, runs: int, length: int = 5000, grid: int = GRID, **stream: Any
) -> list[Task]:
    """The tasks that `compare` does: run i has the seed i.

    Parameters
    ----------
    dimension, drift, runs, length, **stream
        As in `compare`.
    grid : int, default=50
        The number of rows at which mistakes are counted, evenly over the stream.

    Returns
    -------
    list of Task
    """
    return [
        Task.of(
            "drifting-hyperplanes",
            dimension=dimension,
            drift=drift,
            length=whole("length", length, least=1),
            grid=grid,
            seeds=[first, min(first + TOGETHER, runs)],
            **stream,
        )
        for first in range(0, runs, TOGETHER)
    ]


@does("drifting-hyperplanes")
def _runs(length: int, grid: int, seeds: list[int], **stream: Any) -> Outcome:
    """Mistakes of each learner in so many rows of each stream, from the first seed to the last."""
    rows = np.unique(np.linspace(0, length, grid + 1, dtype=int)[1:])
    mistakes: dict[str, list[list[int]]] = {name: [] for name in LEARNERS}
    for seed in range(*seeds):
        sample = DriftingHyperplanes(reduced=True, random_state=seed, **stream).take(length)
        for name, learner in LEARNERS.items():
            learner = clone(learner).set_params(random_state=seed)
            trace = prequential(learner, sample.X, sample.y, classes=[-1, 1])
            mistakes[name].append(np.cumsum(trace.mistakes)[rows - 1].tolist())
    return {"rows": rows.tolist(), "mistakes": mistakes}


def half_width_of(values: np.ndarray) -> np.ndarray:
    """Half the width of the 95 % confidence interval around the mean over the first axis."""
    width: np.ndarray = CONFIDENT * values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return width
