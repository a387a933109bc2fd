"""Single rows: how many predictions and updates a second, beside River's way to a kernel.

    python benchmarks/river.py

All are measured in turn within one run, by the time of the processor, and the fastest of several
pieces counts, so that the ratios hold on a busy machine too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import thread_time
from typing import Any

if sys.path and Path(sys.path[0]).resolve() == Path(__file__).parent.resolve():
    del sys.path[0]  # this file is not River

import numpy as np
from river import feature_extraction, linear_model

import budgetron
import budgetron.river

BUDGET = 100
FEATURES = 14
PIECES = 12


def stream(length: int = 4000) -> tuple[np.ndarray, list[bool]]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(length, FEATURES))
    noise = 0.3 * rng.normal(size=length)
    return X, (X[:, 0] * X[:, 1] + X[:, 2] + noise > 0).tolist()


def seconds_a_pair(model: Any, rows: list[Any], labels: list[bool]) -> float:
    """Predict each row and then learn it."""
    predict, learn = model.predict_one, model.learn_one
    start = thread_time()
    for x, y in zip(rows, labels, strict=True):
        predict(x)
        learn(x, y)
    return (thread_time() - start) / len(rows)


def fastest(runs: dict[str, Callable[[int], float]]) -> dict[str, float]:
    """The fastest piece of each, when they take turns."""
    times = {name: [run(piece) for piece in range(2)] and [] for name, run in runs.items()}
    for piece in range(PIECES):
        for name, run in runs.items():
            times[name].append(run(piece))
    return {name: min(own) for name, own in times.items()}


def main() -> None:
    X, y = stream()
    names = [f"feature {i}" for i in range(FEATURES)]
    dicts = [dict(zip(names, row, strict=True)) for row in X.tolist()]
    arrays = [*X]
    ours = budgetron.river.RandomizedBudgetPerceptron(BUDGET, gamma=0.1, seed=0)
    estimator = budgetron.RandomizedBudgetPerceptron(BUDGET, gamma=0.1, random_state=0)
    sampler = feature_extraction.RBFSampler(gamma=0.1, n_components=BUDGET, seed=0)
    rivers = sampler | linear_model.LogisticRegression()
    linear = linear_model.LogisticRegression()
    estimator.partial_fit(X, y)
    for x, label in zip(dicts, y, strict=True):
        ours.learn_one(x, label)

    def run(model: Any, rows: list[Any], length: int) -> Callable[[int], float]:
        def piece(number: int) -> float:
            here = slice(number * length % len(y), number * length % len(y) + length)
            return seconds_a_pair(model, rows[here], y[here])

        return piece

    times = fastest(
        {
            "budgetron.river, dicts": run(ours, dicts, 2000),
            "budgetron, arrays": run(estimator, arrays, 2000),
            "River: RBFSampler | LogisticRegression": run(rivers, dicts, 50),
            "River: LogisticRegression (no kernel)": run(linear, dicts, 2000),
        }
    )
    slowest = times["River: RBFSampler | LogisticRegression"]
    print(
        f"RandomizedBudgetPerceptron, budget {BUDGET}, {FEATURES} features: predict_one + learn_one"
    )
    print(f"{'':40}{'us a pair':>10}{'pairs/s':>10}{'ratio':>8}")
    for name, seconds in times.items():
        print(f"{name:40}{1e6 * seconds:10.1f}{1 / seconds:10,.0f}{slowest / seconds:8.1f}")


if __name__ == "__main__":
    main()
