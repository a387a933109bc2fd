"""Figures 1-3: mistakes and sizes over time, on Adult9."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ..exhibit import Claim, Exhibit, Figure, Scale, Series
from ..judgement import judge
from ..online import checkpoints
from ..task import Outcome, Results, Task
from .claims import TRACKED
from .printed import ADULT, READING

__all__ = [
    "Draw",
    "curve_tasks",
    "error_over_rows",
    "error_over_size",
    "show_figure",
    "size_over_rows",
]

FIGURE_BUDGET = 1500
BUDGET_FULL_AT = 7500
"""Rows after which the Forgetron and the RBP reach their budget, says the paper."""

CURVES = [row for row in ADULT.contenders if row.budget in (None, FIGURE_BUDGET)]


class Curve(NamedTuple):
    """Means over the permutations at each of the checkpoints."""

    rows: np.ndarray
    mistakes: np.ndarray  # percentage of the rows so far
    deviation: np.ndarray
    size: np.ndarray


Drawing = tuple[Figure, tuple[Claim, ...]]
Draw = Callable[[dict[str, Curve]], Drawing]


def curve_tasks(scale: Scale) -> list[Task]:
    """The runs of Table 1 that the figures show."""
    return ADULT.tasks_of(CURVES, scale)


def _curve(runs: Sequence[Outcome]) -> Curve:
    rows = checkpoints(runs[0]["rows"])
    percent = 100 * np.array([run["course"] for run in runs]) / rows
    return Curve(
        rows,
        percent.mean(axis=0),
        percent.std(axis=0, ddof=min(1, len(runs) - 1)),
        np.mean([run["growth"] for run in runs], axis=0),
    )


def show_figure(
    draw: Draw,
    results: Results,
    scale: Scale,
) -> Exhibit:
    """One of the figures, with what is known of the paper's."""
    outcomes = ADULT.outcomes(CURVES, results, scale)
    figure, claims = draw({row.algorithm: _curve(runs) for row, runs in outcomes.items()})
    verdict, why = judge(claims)  # its numbers are those of Table 1
    return Exhibit(
        verdict=verdict,
        why=why,
        settings=ADULT.settings(scale) + f" The figure has B = {FIGURE_BUDGET}.",
        figures=(figure,),
        claims=claims,
        reading=READING
        + "\nThe text gives no numbers along the curves: the paper's marks are its Table 1.",
    )


def _paper_ends(x: Iterable[float], y: Iterable[float]) -> Series:
    return Series("paper, Table 1", [*map(float, x)], [*map(float, y)], is_paper=True)


def error_over_rows(curves: dict[str, Curve]) -> Drawing:
    """Figure 1."""
    figure = Figure(
        title=f"Adult9, B = {FIGURE_BUDGET}: mistakes over time",
        x_label="rows seen",
        y_label="mistakes so far, % of the rows",
        series=(
            *(
                Series(name, curve.rows.tolist(), curve.mistakes.tolist(), curve.deviation.tolist())
                for name, curve in curves.items()
            ),
            _paper_ends(
                (curves[row.algorithm].rows[-1] for row in CURVES),
                (ADULT.paper[row].mistakes.mean for row in CURVES),
            ),
        ),
        description="The percentage of mistakes after each fortieth of the stream. "
        + ", ".join(f"{name} ends at {curve.mistakes[-1]:.2f}" for name, curve in curves.items())
        + ".",
    )
    plain, projectron = curves["Perceptron"].mistakes, curves["Projectron"].mistakes
    apart = 100 * np.abs(projectron / plain - 1).max()
    forgetful = {name: _when_full(curves[name]) for name in ("Forgetron", "RBP")}
    better = {name: _improvement_since(curves[name], when) for name, when in forgetful.items()}
    plain_better = {
        name: _improvement_since(curves["Perceptron"], when) for name, when in forgetful.items()
    }
    return figure, (
        Claim(
            "The Projectron closely tracks the Perceptron: over the whole stream within"
            f" {TRACKED} percent of its mistakes.",
            bool(apart <= TRACKED),
            f"{apart:.2f} percent apart at most",
        ),
        Claim(
            f"The Forgetron and the RBP reach their budget around row {BUDGET_FULL_AT:,}: within a"
            " tenth of it.",
            all(abs(when - BUDGET_FULL_AT) <= BUDGET_FULL_AT / 10 for when in forgetful.values()),
            ", ".join(f"{name} by row {when:,}" for name, when in forgetful.items()),
        ),
        Claim(
            "From then on they stop improving: they gain less than half of what the Perceptron"
            " gains.",
            all(better[name] < plain_better[name] / 2 for name in better),
            ", ".join(
                f"{name} {better[name]:+.2f} points, the Perceptron {plain_better[name]:+.2f}"
                for name in better
            ),
        ),
    )


def _when_full(curve: Curve) -> int:
    """The first checkpoint at which every run has filled its budget."""
    full = curve.size >= FIGURE_BUDGET
    return int(curve.rows[full.argmax() if full.any() else -1])


def _improvement_since(curve: Curve, row: int) -> float:
    """By how many points the percentage of mistakes has fallen since."""
    return float(curve.mistakes[curve.rows.searchsorted(row)] - curve.mistakes[-1])


def size_over_rows(curves: dict[str, Curve]) -> Drawing:
    """Figure 2."""
    figure = Figure(
        title=f"Adult9, B = {FIGURE_BUDGET}: size over time",
        x_label="rows seen",
        y_label="supports",
        series=(
            *(
                Series(name, curve.rows.tolist(), curve.size.tolist())
                for name, curve in curves.items()
            ),
            _paper_ends(
                (curves[row.algorithm].rows[-1] for row in CURVES),
                (ADULT.paper[row].size.mean for row in CURVES),
            ),
        ),
        description="The number of supports after each fortieth of the stream. "
        + ", ".join(f"{name} ends with {curve.size[-1]:.0f}" for name, curve in curves.items())
        + ".",
    )
    growth = {name: _growth_in_quarters(curve) for name, curve in curves.items()}
    shown = {name: ", ".join(f"{gain:.0f}" for gain in gains) for name, gains in growth.items()}
    unbounded, projectrons = ("PA-I", "Perceptron"), ("Projectron", "Projectron++")
    return figure, (
        Claim(
            "The growth is clearly linear for PA-I and Perceptron: the quarters of the stream add"
            " numbers of supports that differ by less than a quarter.",
            all(min(growth[name]) > 0.75 * max(growth[name]) for name in unbounded),
            "; ".join(f"{name} {shown[name]}" for name in unbounded),
        ),
        Claim(
            "It is sub-linear for both Projectrons: each quarter adds fewer supports than the one"
            " before, and the last less than half of the first.",
            all(
                bool((np.diff(growth[name]) < 0).all()) and growth[name][-1] < growth[name][0] / 2
                for name in projectrons
            ),
            "; ".join(f"{name} {shown[name]}" for name in projectrons),
        ),
    )


def _growth_in_quarters(curve: Curve) -> np.ndarray:
    ends = curve.size[np.linspace(0, len(curve.size), 5, dtype=int)[1:] - 1]
    return np.diff(ends, prepend=0)


def error_over_size(curves: dict[str, Curve]) -> Drawing:
    """Figure 3."""
    figure = Figure(
        title=f"Adult9, B = {FIGURE_BUDGET}: mistakes over size",
        x_label="supports",
        y_label="mistakes so far, % of the rows",
        series=(
            *(
                Series(name, curve.size.tolist(), curve.mistakes.tolist())
                for name, curve in curves.items()
            ),
            _paper_ends(
                (ADULT.paper[row].size.mean for row in CURVES),
                (ADULT.paper[row].mistakes.mean for row in CURVES),
            ),
        ),
        description="The percentage of mistakes so far over the number of supports, after each"
        " fortieth of the stream; a learner with a full budget only moves up and down.",
        log_x=True,
    )
    leads = {
        name: _leads(curves[name], curves["Perceptron"]) for name in ("Projectron", "Projectron++")
    }
    return figure, (
        Claim(
            "Both Projectrons outperform the Perceptron with a smaller support set: at every size"
            " that both reach, they have made a smaller percentage of mistakes.",
            all(bool(lead.size and lead.min() > 0) for lead in leads.values()),
            "; ".join(
                f"{name} is ahead by {lead.min():.2f} to {lead.max():.2f} points"
                if lead.size
                else f"{name} and the Perceptron have no size in common"
                for name, lead in leads.items()
            ),
        ),
    )


def _leads(curve: Curve, other: Curve) -> np.ndarray:
    """By how many points fewer mistakes one has made than the other had at the same size."""
    common = (other.size[0] <= curve.size) & (curve.size <= other.size[-1])
    leads: np.ndarray = np.interp(curve.size, other.size, other.mistakes) - curve.mistakes
    return leads[common]
