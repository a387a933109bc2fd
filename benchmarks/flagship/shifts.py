"""After an abrupt shift: how long until a learner is itself again, and until it is good."""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np
from sklearn.base import clone

from budgetron import Budgetron, prequential
from budgetron.evaluation import sweep
from budgetron.streams import OrbitingRings

from ..showing import Asked, Exhibit, Table, grouped
from .rivals import RIVALS

NAME = "flagship-shifts"
TITLE = "After an abrupt shift"
HALF, STEADY, WINDOW = 5000, 2000, 100
STEP = 10
"""So many rows are counted together."""
LEVELS = (12, 9, 6)
"""Errors in percent that all learners are timed to."""
SHIFTS = {"labels flip": None, "centre moves by 1 rad": 1.0, "centre moves by pi": np.pi}
GAMMAS = (2.0, 8.0)
SEEDS, FEW_SEEDS = 20, 2
POINTS = 2.0


def measure(scale):
    """Yield the mistakes along the stream, summed over seeds."""
    seeds = FEW_SEEDS if scale.workloads is not None else SEEDS
    learners = {"Budgetron": None} | {
        rival.name: rival
        for rival in RIVALS
        if scale.learners is None or rival.name in scale.learners
    }
    runs = product(SHIFTS, GAMMAS, learners.items())
    return sweep(partial(_run, *run, seeds, scale.small_budget) for run in runs)


def _run(shift, gamma, named, seeds, budget):
    name, rival = named
    total, anew = np.zeros(2 * HALF, int), np.zeros(HALF, int)
    for seed in range(seeds):
        X, y = _shifted(seed, SHIFTS[shift])
        learner = (
            rival.new(budget, gamma, rival.choices[-1]) if rival else Budgetron(budget, gamma=gamma)
        )
        late = clone(learner)
        total += prequential(learner, X, y, [-1, 1]).mistakes
        anew += prequential(late, X[HALF:], y[HALF:], [-1, 1]).mistakes
    return {
        "shift": shift,
        "gamma": gamma,
        "learner": name,
        "seeds": seeds,
        "steady": int(total[HALF - STEADY : HALF].sum()),
        "after": _counted(total[HALF:]),
        "anew": _counted(anew),
    }


def _counted(mistakes):
    return mistakes.reshape(-1, STEP).sum(axis=1).tolist()


def _shifted(seed, angle):
    """Two rings that stand still, and from the middle on elsewhere or with the other labels."""
    found = OrbitingRings(angle=0.0, random_state=seed).take(2 * HALF)
    X, y = found.X.copy(), found.y.copy()
    if angle is None:
        y[HALF:] *= -1
    else:
        X[HALF:] += np.array([np.cos(angle) - 1, np.sin(angle)])
    return X, y


def show(records):
    """Rows until the mean error of the last hundred is low enough."""
    cases = {key: Case(own) for key, own in grouped(records, "shift", "gamma").items()}
    lines = []
    for learner in dict.fromkeys(record["learner"] for record in records):
        line = [learner, _range([case.steady[learner] for case in cases.values()], ".1f")]
        for when in ("after", "anew"):
            line.append(_range([case.until_itself(learner, when) for case in cases.values()]))
        for level in LEVELS:
            line.append(_range([case.until(learner, level) for case in cases.values()]))
        lines.append(line)
    anew = [case.until_itself("Budgetron", "anew") for case in cases.values()]
    own = [case.until_itself("Budgetron") for case in cases.values()]
    fastest = [
        min(case.until_itself(learner) for learner in case.steady if learner != "Budgetron")
        for case in cases.values()
    ]
    asked = [
        Asked(
            f"rows until its error is within {POINTS:g} points of that before the shift",
            "no more than the fastest other learner",
            f"{_range(own)} against {_range(fastest)} (from nothing: {_range(anew)})",
            all(ours <= best for ours, best in zip(own, fastest, strict=True)),
        )
    ]
    return Exhibit(
        [
            f"Two rings, {HALF:,} rows before and after the shift, the mean over seeds and a window"
            f" of {WINDOW} rows; the range over three shifts and two widths. *Steady*: the error in"
            f" the last {STEADY:,} rows before the shift. *Itself*: rows until within {POINTS:g}"
            " points of that. *From nothing*: the same for a learner that sees only the rows after"
            " the shift. One that errs little has further to go to be itself again, so rows to a"
            " common error are shown as well; *never*: not within the stream.",
            Table(
                "Rows after the shift, at equal budgets",
                (
                    "learner",
                    "steady, %",
                    "itself",
                    "from nothing",
                    *(f"{level} %" for level in LEVELS),
                ),
                lines,
            ),
        ],
        asked,
    )


class Case:
    """All learners after one shift, at one width."""

    def __init__(self, records):
        self.steady = {
            record["learner"]: 100 * record["steady"] / STEADY / record["seeds"]
            for record in records
        }
        window = np.ones(WINDOW // STEP) / WINDOW
        self._errors = {
            (record["learner"], when): np.convolve(
                100 * np.array(record[when]) / record["seeds"], window, "valid"
            )
            for record in records
            for when in ("after", "anew")
        }

    def until(self, learner, level, when="after"):
        """Rows until the error is no higher, for one that knows the past or does not."""
        reached = np.flatnonzero(self._errors[learner, when] <= level + 1e-9)
        return STEP * int(reached[0]) + WINDOW if len(reached) else np.inf

    def until_itself(self, learner, when="after"):
        """Rows until the error is nearly what it is before the shift."""
        return self.until(learner, self.steady[learner] + POINTS, when)


def _range(numbers, form=".0f"):
    low, high = min(numbers), max(numbers)
    shown = ["never" if number == np.inf else format(number, form) for number in (low, high)]
    return shown[0] if shown[0] == shown[1] else " to ".join(shown)
