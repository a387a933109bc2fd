"""Draw docs/trust.svg: whom a Budgetron trusts, and when.

    python scripts/draw_trust.py

A board of four squares stands still and then turns; at last labels come in runs, and the features
say nothing. Needs Matplotlib: ``pip install '.[report]'``. Writes the same file every time.
"""

import re
from io import StringIO
from itertools import pairwise
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.colors import to_hex
from matplotlib.figure import Figure as Canvas

from budgetron import Budgetron
from budgetron.evaluation import trust_over_time
from budgetron.papers.exhibit import Figure, Series
from budgetron.papers.report.pictures import STYLE, draw_shares

PICTURE = Path(__file__).parent.parent / "docs" / "trust.svg"
PARTS = {"the board stands still": 2000, "the board turns": 2000, "labels in runs": 1000}
ANGLE = 0.005  # by which it turns with each row
STAY = 0.95  # how often a label is that of the row before
TOO_EXACT = re.compile(r"(\.\d)\d{3,}")  # a tenth of a point is enough
SEVERAL, NO_WIDTH = "#cc5072", "#e4e4e4"


def stream():
    """The rows of all parts, one after the other."""
    still, turning, runs = PARTS.values()
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (still + turning + runs, 2))
    angle = ANGLE * np.clip(np.arange(len(X)) - still, 0, turning)
    along = np.cos(angle) * X[:, 0] + np.sin(angle) * X[:, 1]
    across = np.cos(angle) * X[:, 1] - np.sin(angle) * X[:, 0]
    y = (along > 0) == (across > 0)
    y[-runs:] = np.cumsum(rng.random(runs) > STAY) % 2
    return X, y


def by_expert(history):
    series = (Series(name, history.rows, it) for name, it in history.experts.items())
    return Figure("The trust in each expert", "rows", "trust", tuple(series), "")


def by_width(history):
    """The widths from the widest to the narrowest, then several at once, then the others."""
    gammas = sorted(name for name in history.widths if name != "several")
    names = {gamma: f"gamma = {gamma:.2g}" for gamma in gammas} | {"several": "several"}
    layers = {names[name]: history.widths[name] for name in names}
    layers["labels and stack"] = 1 - np.sum([*layers.values()], axis=0)
    series = (Series(name, history.rows, it) for name, it in layers.items())
    return Figure("The trust in each width", "rows", "trust", tuple(series), "")


def mark_parts(axes):
    """A line between two parts, and their names above the upper axes."""
    ends = np.cumsum([0, *PARTS.values()])
    for panel in axes:
        panel.set_xlim(0, ends[-1])
        for end in ends[1:-1]:
            panel.axvline(end, color="black", linewidth=1, linestyle=":")
    for name, (start, end) in zip(PARTS, pairwise(ends), strict=True):
        axes[0].text((start + end) / 2, 1.02, name, ha="center", va="bottom", fontsize=8)


def draw(history, path):
    widths = by_width(history)
    many = len(widths.series) - 2
    shades = [to_hex(it) for it in matplotlib.colormaps["cividis"].resampled(many).colors]
    with matplotlib.rc_context(STYLE | {"svg.fonttype": "none"}):
        canvas = Canvas(figsize=(6.4, 5.6), layout="constrained")
        axes = canvas.subplots(2, sharex=True)
        draw_shares(axes[0], by_expert(history))
        draw_shares(axes[1], widths, [*shades, SEVERAL, NO_WIDTH])
        mark_parts(axes)
        axes[0].set_xlabel("")
        axes[0].set_title(axes[0].get_title(), pad=18)
        drawn = StringIO()
        canvas.savefig(drawn, format="svg", metadata={"Date": None})
    path.write_text(TOO_EXACT.sub(r"\1", drawn.getvalue()))


if __name__ == "__main__":
    draw(trust_over_time(Budgetron(), *stream(), every=80), PICTURE)
