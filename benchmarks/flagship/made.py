"""Streams that are made to be hard: fine borders, raw scales, outliers, rare classes, runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from budgetron import Budgetron, prequential
from budgetron.evaluation import sweep
from budgetron.streams import RotatingCheckerboard

from ..showing import Asked, Exhibit, Table, grouped
from .streams import TEN, rows_of

NAME = "flagship-made"
TITLE = "Made streams"
ROWS, SEEDS = 10_000, 3
SMALL, LARGE = 100, 300
GAMMAS = tuple(4.0**power for power in range(-4, 5))
"""Widths to choose from in hindsight, for features between -1 and 1."""
LATER = 1000
"""So many rows after a change it is looked at again."""
SCALES = 1e-3, 1e4
OUTLIER, FACTOR, UNITS = 50, 1000.0, 10.0
POSITIVES, RUN = 0.03, 12.0


# ------------------------------------------------------------------------------------- the streams


def board(squares, angle, rng, rows=ROWS):
    """A checkerboard of so many squares on a side, which turns."""
    stream = RotatingCheckerboard(squares, angle, random_state=int(rng.integers(1 << 31)))
    found = stream.take(rows)
    return found.X, found.y


def sine(rng, rows=ROWS):
    """Above or below two periods of a sine."""
    X = rng.uniform(-1, 1, size=(rows, 2))
    return X, _signs(X[:, 1] > 0.5 * np.sin(2 * np.pi * X[:, 0]))


def sphere(rng, rows=ROWS, width=10):
    """Inside or outside of a sphere that has half of the points in it."""
    X = rng.normal(size=(rows, width))
    return X, _signs((X**2).sum(axis=1) > width - 2 / 3)


def plane(rng, rows=ROWS, width=20):
    """On either side of a plane, a twentieth of the labels being wrong."""
    X, normal = rng.normal(size=(rows, width)), rng.normal(size=width)
    return X, _signs(X @ normal > 0) * np.where(rng.random(rows) < 0.05, -1, 1)


def prices(rng, rows=ROWS):
    """Some part of Elec2, standardized."""
    X, y = rows_of(next(stream for stream in TEN if stream.name == "Elec2"))
    first = int(rng.integers(len(y) - rows))
    X = X[first : first + rows]
    return (X - X.mean(axis=0)) / X.std(axis=0), y[first : first + rows]


def categories(structure, rng, rows=ROWS, columns=10, values=5):
    """One-hot categories, of which few are positive: by chance, or where two values meet."""
    codes = rng.integers(values, size=(rows, columns))
    X = np.eye(values)[codes].reshape(rows, -1)
    rate = np.full(rows, POSITIVES)
    if structure:
        pair = (codes[:, 0] == 0) & (codes[:, 1] == 0)
        rate = np.where(pair, 0.5, (POSITIVES - 0.5 / values**2) / (1 - 1 / values**2))
    return X, _signs(rng.random(rows) < rate)


def runs(strength, rng, rows=ROWS, width=5):
    """Labels in runs of twelve on the mean; the features say as much of them as `strength`."""
    y = _signs(np.cumsum(rng.random(rows) < 1 / RUN) % 2 == 1)
    X = rng.normal(size=(rows, width))
    X[:, 0] += strength * y
    return X, y


def _signs(positive):
    return np.where(positive, 1, -1)


BASES = {"sine": sine, "sphere": sphere, "plane": plane, "board": partial(board, 4, 0.0)}
"""Streams that are disturbed."""


def scaled(base, rng):
    """A stream in units from thousandths to ten thousands."""
    X, y = base(rng)
    low, high = np.log10(SCALES)
    return X * 10.0 ** rng.permutation(np.linspace(low, high, X.shape[1])), y


def with_outlier(base, rng):
    """One of the first rows is a thousand times as large."""
    X, y = base(rng)
    X = X.copy()
    X[int(rng.integers(OUTLIER))] *= FACTOR
    return X, y


def in_other_units(base, rng):
    """From the middle on all features are ten times as large."""
    X, y = base(rng)
    X = X.copy()
    X[len(X) // 2 :] *= UNITS
    return X, y


# ------------------------------------------------------------------------------------- the measure


@dataclass(frozen=True)
class Case:
    """A stream, whom Budgetron is compared with on it, and by how many points it may be behind."""

    question: str
    name: str
    stream: Callable[..., Any]
    beside: str
    points: float
    budget: int = SMALL
    undisturbed: Callable[..., Any] | None = None
    late: bool = False


def cases(bases):
    """All that is asked."""
    for squares, (name, angle) in product((4, 5, 6, 7, 8), {"still": 0.0, "turning": 2e-4}.items()):
        stream = partial(board, squares, angle)
        yield Case("fine borders", f"board {squares} x {squares}, {name}", stream, WIDTH, 2, LARGE)
    yield Case("a sine", "sine", sine, WIDTH, 1, LARGE)
    for name, base in bases.items():
        yield Case("raw scales", name, partial(scaled, base), SAME, 1.5, undisturbed=base)
        yield Case("one row x1000", name, partial(with_outlier, base), SAME, 0.3, undisturbed=base)
        yield Case(
            *("units x10 in mid-stream, a thousand rows later", name),
            *(partial(in_other_units, base), SAME, 2),
            undisturbed=base,
            late=True,
        )
    for name, structure in {"by chance": False, "where two values meet": True}.items():
        yield Case("3 % positives, one-hot", name, partial(categories, structure), MAJORITY, 0.1)
    for name, strength in {"that say nothing": 0.0, "of use": 0.5}.items():
        yield Case("labels in runs", f"features {name}", partial(runs, strength), LAST, 0.6)


WIDTH, SAME = "the best width in hindsight", "undisturbed"
MAJORITY, LAST = "the majority class", "the last label again"


def measure(scale):
    """Yield the mistakes of every run, and of what it is compared with."""
    bases = BASES if scale.workloads is not None else BASES | _real()
    seeds = range(SEEDS if scale.workloads is None else 1)
    return sweep(partial(_run, *run, scale) for run in product(cases(bases), seeds))


def _run(case, seed, scale):
    X, y = case.stream(np.random.default_rng(seed))
    X, y = X[: scale.rows], y[: scale.rows]
    first = len(y) // 2 + LATER if case.late else 0
    own = _mistakes(Budgetron(case.budget), X, y)
    other = _others(case, seed, X, y, scale.rows)
    return {
        "question": case.question,
        "case": case.name,
        "beside": case.beside,
        "seed": seed,
        "points": case.points,
        "budget": case.budget,
        "rows": len(y) - first,
        "mistakes": int(own[first:].sum()),
        "others": int(other[first:].sum()),
    }


def _real():
    try:
        rows_of(next(stream for stream in TEN if stream.name == "Elec2"))
    except OSError:
        return {}
    return {"Elec2": prices}


def _others(case, seed, X, y, rows):
    if case.beside == MAJORITY:
        return y > 0
    if case.beside == LAST:
        return np.append(True, y[1:] != y[:-1])
    if case.beside == SAME:
        X, y = case.undisturbed(np.random.default_rng(seed))
        return _mistakes(Budgetron(case.budget), X[:rows], y[:rows])
    each = [_mistakes(Budgetron(case.budget, gamma=gamma), X, y) for gamma in GAMMAS]
    return min(each, key=np.sum)


def _mistakes(learner, X, y):
    return prequential(learner, X, y, [-1, 1]).mistakes


def show(records):
    """Errors, and by how much each is behind."""
    lines, asked = [], []
    for question, own in grouped(records, "question").items():
        worst = {}
        for case, runs_ in grouped(own, "case").items():
            errors = [100 * run["mistakes"] / run["rows"] for run in runs_]
            others = [100 * run["others"] / run["rows"] for run in runs_]
            behind = np.subtract(errors, others)
            worst[case[0]] = behind.mean()
            lines.append(
                [
                    *(question[0], case[0], runs_[0]["budget"], runs_[0]["beside"]),
                    *(f"{np.mean(errors):.2f}", f"{np.mean(others):.2f}"),
                    *(f"{behind.mean():+.2f}", f"{behind.max():+.2f}"),
                ]
            )
        furthest = max(worst, key=worst.get)
        points = own[0]["points"]
        asked.append(
            Asked(
                f"{question[0]}: points behind {own[0]['beside']}",
                f"at most {points:g}",
                f"{worst[furthest]:+.2f} ({furthest})",
                worst[furthest] <= points,
            )
        )
    return Exhibit(
        [
            f"Error in percent over {ROWS:,} rows, the mean of {SEEDS} seeds, with a budget and"
            " nothing else. *The best width*: of nine, from 4⁻⁴ to 4⁴, in hindsight.",
            Table(
                "Made streams",
                ("", "stream", "budget", "beside", "error", "its error", "behind", "worst"),
                lines,
            ),
        ],
        asked,
    )
