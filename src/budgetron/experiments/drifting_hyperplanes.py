"""Who follows a drifting hyperplane best: Section 6 and Figure 1 of the drift paper.

`python -m budgetron.experiments.drifting_hyperplanes --runs 1000 --dimension 5 --drift random`
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from threadpoolctl import threadpool_limits

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

__all__ = ["Comparison", "compare"]

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
        return _half_width(self.mistakes)

    @property
    def mean_cumulative(self) -> np.ndarray:
        """Mean mistakes of each learner in so many rows, of shape (n_learners, len(rows))."""
        return self.cumulative.mean(axis=0)

    @property
    def percent(self) -> np.ndarray:
        """How many more mistakes than the first learner's each made, in percent of those."""
        return self._percents.mean(axis=0)

    @property
    def percent_half_width(self) -> np.ndarray:
        """Half the width of the 95 % confidence interval around the difference, run by run."""
        return _half_width(self._percents)

    @property
    def _percents(self) -> np.ndarray:
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
        Processes, as joblib has it: all are made in this one if not given, -1 is one for each core.
    progress : callable, optional
        Told the number of runs done since the last call.
    **stream
        Other parameters of `DriftingHyperplanes`.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> from budgetron.experiments.drifting_hyperplanes import compare
    >>> comparison = compare(runs=4, length=1000)
    >>> best = comparison.mean.argmin()
    >>> comparison.learners[best]
    'ModifiedPerceptron'
    """
    runs, length = whole("runs", runs, least=2), whole("length", length, least=1)
    rows = np.unique(np.linspace(0, length, GRID + 1, dtype=int)[1:])
    streams = [
        DriftingHyperplanes(
            dimension=dimension, drift=drift, reduced=True, random_state=run, **stream
        )
        for run in range(runs)
    ]
    # The first run is made here, so that processes find the learners compiled
    cumulative = [_run(streams[0], rows)]
    tell = progress or (lambda done: None)
    tell(1)
    others = Parallel(n_jobs=jobs, return_as="generator")(
        delayed(_run)(stream, rows) for stream in streams[1:]
    )
    for mistakes in others:
        cumulative.append(mistakes)
        tell(1)
    return Comparison(tuple(LEARNERS), rows, np.array(cumulative))


def _run(stream: DriftingHyperplanes, rows: np.ndarray) -> np.ndarray:
    """Mistakes of each learner in so many rows."""
    with threadpool_limits(1):
        sample = stream.take(rows[-1])
        traces = [
            prequential(
                clone(learner).set_params(random_state=stream.random_state),
                sample.X,
                sample.y,
                classes=[-1, 1],
            )
            for learner in LEARNERS.values()
        ]
    return np.array([np.cumsum(trace.mistakes)[rows - 1] for trace in traces])


def _half_width(values: np.ndarray) -> np.ndarray:
    width: np.ndarray = CONFIDENT * values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return width


def main(arguments: list[str] | None = None) -> None:
    """Make the comparison and print the table."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
        from rich.table import Table
    except ImportError:
        sys.exit("the experiments draw with rich: pip install 'budgetron[cli]'")

    options = _options(arguments)
    console = Console()
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=options["runs"])
        try:
            comparison = compare(**options, progress=lambda done: bar.advance(task, done))
        except ValueError as error:
            sys.exit(f"error: {error}")
    table = Table(
        title=f"{options['runs']} streams of {options['length']} rows, {options['drift']} drift, "
        f"dimension {options['dimension']}",
        title_justify="left",
        box=None,
        header_style="bold",
        pad_edge=False,
    )
    table.add_column("learner", no_wrap=True)
    for heading in ("mistakes", "±", "% against Perceptron", "±"):
        table.add_column(heading, justify="right")
    for place, name in enumerate(comparison.learners):
        table.add_row(
            name,
            f"{comparison.mean[place]:.1f}",
            f"{comparison.half_width[place]:.1f}",
            *(
                ("", "")
                if place == 0
                else (
                    f"{comparison.percent[place]:+.2f}",
                    f"{comparison.percent_half_width[place]:.2f}",
                )
            ),
        )
    console.print(table)
    console.print("Mean over the streams; ± is half the width of a 95 % confidence interval.")


def _options(arguments: list[str] | None) -> dict[str, Any]:
    parser = argparse.ArgumentParser(
        prog="python -m budgetron.experiments.drifting_hyperplanes",
        description="Mistakes of Perceptrons on drifting hyperplanes (Crammer et al. 2010, Sec. 6)",
    )
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--dimension", type=int, default=5)
    parser.add_argument("--drift", choices=["random", "linear"], default="random")
    parser.add_argument("--length", type=int, default=5000)
    parser.add_argument("--jobs", type=int, help="processes; -1 is one for each core")
    parser.add_argument("--sigma", type=float, help="of the drift")
    parser.add_argument("--sigma-is", choices=["deviation", "variance"], default="deviation")
    parser.add_argument(
        "--entries", choices=["gaussian", "uniform", "symmetric"], default="gaussian"
    )
    parser.add_argument("--normalize", action="store_true", help="scale instances to length 1")
    return vars(parser.parse_args(arguments))


if __name__ == "__main__":
    main()
