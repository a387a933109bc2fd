"""What more features cost."""

from __future__ import annotations

from functools import partial

import numpy as np
from threadpoolctl import threadpool_limits

from budgetron.engine.blocked import block_length

from ..bare import dense_evaluation
from ..filling import a_run, filled
from ..showing import Curves, Exhibit, Table, grouped
from ..timing import best_and_median, in_turns
from ..workloads import Shape, stand_in

NAME = "features"
TITLE = "Cost against the number of features"
LEARNERS = ("RandomizedBudgetPerceptron", "Forgetron", "ProjectronPlusPlus", "Budgetron")
BARE = "bare evaluation"


def measure(scale):
    """Yield times over made-up rows of more and more features, a fifth of which are not 0."""
    names = [name for name in LEARNERS if scale.learners is None or name in scale.learners]
    for features in scale.features:
        shape = Shape(scale.measured, features, features / 5, "between 0 and 1", False)
        X, y = stand_in(shape)
        signs, gamma = np.where(y, 1.0, -1.0), float(3 / (X * X).sum(axis=1).mean())
        for dtype in ("float64", "float32"):
            facts = {"features": features, "dtype": dtype, "budget": scale.budget}
            with threadpool_limits(1):
                for record in _times(names, scale, X.astype(dtype), signs, gamma):
                    yield facts | record


def _times(names, scale, X, signs, gamma):
    learners = {name: filled(name, scale.budget, X, signs, gamma)[0] for name in names}
    any_learner = learners[names[0]]
    supports = np.ascontiguousarray(any_learner.supports)
    bare = dense_evaluation(supports, X, block_length(any_learner), gamma)
    makers = {name: partial(a_run, learner, X, signs) for name, learner in learners.items()}
    for what, repeat, seconds in in_turns(makers | {BARE: lambda: bare}, scale.repeats):
        yield {"what": what, "rows": len(X), "seconds": seconds, "repeat": repeat}


def show(records):
    """Microseconds a row by features."""
    tables, curves = [], {}
    for (dtype,), own in grouped(records, "dtype").items():
        features = sorted({record["features"] for record in own})
        times = {
            key: 1e6 * best_and_median(each)[0] / each[0]["rows"]
            for key, each in grouped(own, "what", "features").items()
        }
        names = [*dict.fromkeys(name for name, _ in times)]
        lines = [[name, *(f"{times[name, d]:.2f}" for d in features)] for name in names]
        columns = ("", *(f"{d} features" for d in features))
        tables.append(Table(f"Microseconds a row, {dtype}", columns, lines))
        curves |= {f"{name}, {dtype}": [(d, times[name, d]) for d in features] for name in names}
    return Exhibit(
        [
            f"With a full budget of {records[0]['budget']}, on dense made-up rows, one thread.",
            *tables,
            Curves(
                "features",
                "Cost against the number of features",
                "features",
                "microseconds a row",
                curves,
            ),
        ]
    )
