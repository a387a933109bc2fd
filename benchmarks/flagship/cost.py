"""What Budgetron costs beside Projectron++ at the same budget."""

from __future__ import annotations

from functools import partial

import numpy as np
from threadpoolctl import threadpool_limits

from budgetron import Budgetron, ProjectronPlusPlus

from ..showing import Asked, Exhibit, Table, grouped
from ..timing import best_and_median, in_turns
from .streams import TEN, at_hand, rows_of

NAME = "flagship-cost"
TITLE = "Cost"
STREAMS = ("a9a", "w8a", "digits", "Elec2", "orbiting rings")
NOISE, WIDTH = "noise", 123
BUDGETS = (100, 400, 1000)
ROWS = 12_000
"""Of a stream, at most."""
TURNS, AT_MOST = 3, 3.0


def measure(scale):
    """Yield the time of whole runs, in turns."""
    names = STREAMS if scale.workloads is None else STREAMS[-1:]
    streams = {NOISE: (noise(scale.length), 1 / (2 * WIDTH))}
    for stream in at_hand(stream for stream in TEN if stream.name in names):
        streams[stream.name] = rows_of(stream, 0, min(ROWS, scale.rows or ROWS)), stream.gamma
    for name, ((X, y), gamma) in streams.items():
        for budget in BUDGETS if scale.workloads is None else (scale.small_budget,):
            makers = {
                learner.__name__: partial(_run, learner, budget, gamma, X, y)
                for learner in (Budgetron, ProjectronPlusPlus)
            }
            with threadpool_limits(1):
                for what, repeat, seconds in in_turns(makers, min(TURNS, scale.turns)):
                    yield {
                        "stream": name,
                        "budget": budget,
                        "what": what,
                        "rows": len(y),
                        "repeat": repeat,
                        "seconds": seconds,
                    }


def noise(length):
    """A plane in Gaussian features, so noisy that more than a quarter of all rows are mistaken."""
    rng = np.random.default_rng(0)
    rows = min(ROWS, length)
    X, normal = rng.normal(size=(rows, WIDTH)), rng.normal(size=WIDTH)
    clean = X @ normal / np.sqrt(WIDTH)
    return X, np.where(clean + rng.normal(size=rows) > 0, 1, -1)


def _run(learner, budget, gamma, X, y):
    fresh = learner(budget=budget, gamma=gamma)
    return partial(fresh.partial_fit, X, y, np.array([-1, 1]))


def show(records):
    """Rows per second, and the ratio."""
    lines, ratios = [], {}
    for (stream, budget), own in grouped(records, "stream", "budget").items():
        times = {what: best_and_median(runs)[0] for (what,), runs in grouped(own, "what").items()}
        ratios[stream, budget] = times["Budgetron"] / times["ProjectronPlusPlus"]
        rows = own[0]["rows"]
        speeds = [rows / times[what] for what in ("Budgetron", "ProjectronPlusPlus")]
        lines.append([stream, budget, *speeds, f"{ratios[stream, budget]:.2f}"])
    worst = max(ratios, key=ratios.get)
    return Exhibit(
        [
            f"At most {ROWS:,} rows in one batch, float64, one thread, the best of the repeats.",
            Table(
                "Rows per second",
                ("stream", "budget", "Budgetron", "Projectron++", "times the cost"),
                lines,
            ),
        ],
        [
            Asked(
                "cost of a batch beside Projectron++ at the same budget",
                f"at most {AT_MOST:g} x",
                f"{ratios[worst]:.2f} x ({worst[0]}, budget {worst[1]})",
                ratios[worst] <= AT_MOST,
            )
        ],
    )
