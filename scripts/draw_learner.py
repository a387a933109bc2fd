"""Draw docs/learner.svg: a Budgetron at work on the stream of the README's example.

    python scripts/draw_learner.py

Above, what it would predict everywhere in the plane, at four moments of one run, with the true
border and the supports; below, the share of mistakes among the last thousand rows. Needs
Matplotlib: ``pip install '.[report]'``. Writes the same file every time.
"""

import re
from io import StringIO
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Circle

from budgetron import Budgetron, Forgetron, prequential
from budgetron.drift import view
from budgetron.papers.report.pictures import STYLE

PICTURE = Path(__file__).parent.parent / "docs" / "learner.svg"
MOMENTS = 8_000, 16_000, 24_000, 40_000
ROWS, BUDGET, WINDOW, SHOWN = 40_000, 150, 1000, 250
OUTSIDE, INSIDE = "#fbe3d6", "#cfe2f3"
OURS, OTHER, BORDER = "#2b7bc0", "#d1590f", "#444444"
TOO_EXACT = re.compile(r"(\.\d)\d{3,}")  # a tenth of a point is enough
GRID = np.linspace(-1, 1, 81)


def stream():
    """The rows of the example, and the radius of the disc at each of them."""
    X = np.random.default_rng(0).uniform(-1, 1, size=(100_000, 2))
    radius = 0.6 + 0.2 * np.sin(np.linspace(0, 20, len(X)))
    y = np.where(np.hypot(X[:, 0], X[:, 1]) < radius, "inside", "outside")
    return X[:ROWS], y[:ROWS], radius[:ROWS]


def states(learner, X, y):
    """Its scores over the plane, below 0 for "inside", and its supports, at each moment."""
    plane = np.stack(np.meshgrid(GRID, GRID), axis=-1).reshape(-1, 2)
    for start, end in zip((0, *MOMENTS), MOMENTS, strict=False):
        learner.partial_fit(X[start:end], y[start:end])
        scores = learner.decision_function(plane).reshape(len(GRID), -1)
        yield end, scores, learner.support_vectors_


def draw_moment(panel, end, scores, supports, X, y, radius):
    panel.contourf(GRID, GRID, scores, [-np.inf, 0, np.inf], colors=[INSIDE, OUTSIDE])
    for label, colour in ("outside", OTHER), ("inside", OURS):
        rows = np.flatnonzero(y[end - SHOWN : end] == label) + end - SHOWN
        panel.plot(*X[rows].T, ".", color=colour, markersize=2)
    panel.add_patch(Circle((0, 0), radius[end - 1], fill=False, color=BORDER, linewidth=1.2))
    panel.plot(*supports.T, "o", color="none", markeredgecolor="black", markersize=5)
    panel.set_aspect("equal")
    panel.set(xticks=[], yticks=[], xlim=(-1, 1), ylim=(-1, 1), title=f"row {end:,}")
    panel.spines[:].set_visible(False)


def draw_errors(axes, X, y):
    learners = Forgetron(budget=BUDGET, gamma=8), Budgetron(budget=BUDGET)
    for learner, colour in zip(learners, (OTHER, OURS), strict=True):
        trace = prequential(learner, X, y)
        error = view(trace, window=WINDOW).windowed_error
        rows = np.arange(WINDOW, ROWS, 100)
        name = f"{type(learner).__name__}: {100 * trace.mistakes.mean():.1f} % of all rows"
        axes.plot(rows, 100 * error[rows], color=colour, linewidth=1.5, label=name)
    for moment in MOMENTS:
        axes.axvline(moment, color=BORDER, linewidth=0.8, linestyle=":")
    axes.set(xlabel="rows", ylabel="mistakes, %", xlim=(0, ROWS), ylim=(0, 9.5))
    axes.legend(loc="upper right", ncols=2)
    axes.xaxis.set_major_formatter("{x:,.0f}")


def draw(path):
    X, y, radius = stream()
    with matplotlib.rc_context(STYLE | {"svg.fonttype": "none"}):
        canvas = Canvas(figsize=(8, 4.2), layout="constrained")
        panels = canvas.subplot_mosaic([[*map(str, MOMENTS)], ["errors"] * 4], height_ratios=(3, 2))
        for end, scores, supports in states(Budgetron(budget=BUDGET), X, y):
            draw_moment(panels[str(end)], end, scores, supports, X, y, radius)
        draw_errors(panels["errors"], X, y)
        drawn = StringIO()
        canvas.savefig(drawn, format="svg", metadata={"Date": None})
    path.write_text(TOO_EXACT.sub(r"\1", drawn.getvalue()))


if __name__ == "__main__":
    draw(PICTURE)
