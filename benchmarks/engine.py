"""How close the engine comes to the bare kernel evaluation, and how far it leaves a loop behind.

Everything is a ratio within one run, on one core:

- over bare: the learner's time over that of evaluating the same kernel blocks with NumPy alone,
- loop over: the time of a plain per-row NumPy loop of the same rule over the learner's.

The data are a9a if the environment variable BUDGETRON_DATA names a directory that holds it, and
otherwise a stand-in of its shape: 123 features, 14 of them 1 in each row.
"""

from __future__ import annotations

import lzma
import os
import platform
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from loops import LOOPS
from sklearn.datasets import load_svmlight_file
from threadpoolctl import threadpool_limits

import budgetron
from budgetron.engine import Learner, NoRecord, blocked
from budgetron.engine.blocked import block_length
from budgetron.kernels import gaussian
from budgetron.rules.forgetron import Forgetron
from budgetron.rules.least_recent_budget_perceptron import LeastRecentBudgetPerceptron
from budgetron.rules.projectron import Projectron, ProjectronPlusPlus
from budgetron.rules.randomized_budget_perceptron import RandomizedBudgetPerceptron
from budgetron.rules.second_order_perceptron import (
    LeastRecentBudgetSecondOrderPerceptron,
    RandomizedBudgetSecondOrderPerceptron,
)
from budgetron.rules.stoptron import Stoptron

REMOVING = (RandomizedBudgetPerceptron, LeastRecentBudgetPerceptron, Forgetron, Stoptron)
SOLVING = (
    lambda budget: Projectron(eta=0.0, norm_bound=0.0, budget=budget),
    lambda budget: ProjectronPlusPlus(eta=0.0, norm_bound=0.0, budget=budget, competitor=0.0),
    lambda budget: RandomizedBudgetSecondOrderPerceptron(budget=budget, a=1.0),
    lambda budget: LeastRecentBudgetSecondOrderPerceptron(budget=budget, a=1.0),
)
GAMMA = 0.04
MEASURED = 8192  # rows, after the budget is full
IN_LOOP = 1024
REPEATS = 7


def stream() -> tuple[str, np.ndarray, np.ndarray]:
    """Name, rows and labels of -1 and +1."""
    path = Path(os.environ.get("BUDGETRON_DATA", "")) / "a9a.xz"
    if os.environ.get("BUDGETRON_DATA") and path.exists():
        with lzma.open(path) as file:
            X, y = load_svmlight_file(file, n_features=123)
        return "a9a", X.toarray(), y.astype(np.float64)
    rng = np.random.default_rng(0)
    X = np.zeros((32_561, 123))
    np.put_along_axis(X, rng.random(X.shape).argpartition(14, axis=1)[:, :14], 1.0, axis=1)
    scores = X @ rng.standard_normal(123) + rng.normal(scale=1.5, size=len(X))
    return (
        "stand-in for a9a",
        X,
        np.where(scores > np.quantile(scores, 0.76), 1, -1).astype(np.float64),
    )


def best(*runners: Callable[[], Callable[[], object]]) -> list[float]:
    """The best time of each, in turns, so that a noisy moment hits all of them.

    Each turn has a new runner, which has not learned from the turn before.
    """
    times = [np.inf] * len(runners)
    for _ in range(REPEATS):
        for i, runner in enumerate(runners):
            run = runner()
            start = perf_counter()
            run()
            times[i] = min(times[i], perf_counter() - start)
    return times


def bare_evaluation(supports: np.ndarray, X: np.ndarray, length: int) -> Callable[[], None]:
    """exp(-gamma |s - x|^2) for all supports s, a block of rows x at a time."""
    norms, gamma = (supports * supports).sum(axis=1), X.dtype.type(GAMMA)
    buffer = np.empty((len(supports), length), X.dtype)

    def evaluate() -> None:
        for first in range(0, len(X), length):
            x = X[first : first + length]
            K = buffer[:, : len(x)]
            np.matmul(supports, x.T, out=K)
            K *= 2
            K -= norms[:, None]
            K -= (x * x).sum(axis=1)
            K *= gamma
            np.exp(K, out=K)

    return evaluate


def measure(rule: Any, budget: int, X: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """The two ratios for one rule and dtype."""
    learner = Learner(rule, gaussian(GAMMA), X.shape[1], dtype=X.dtype)
    first = 0
    while learner.size < budget and first < len(X) - MEASURED:
        blocked(learner, X[first : first + 256], y[first : first + 256], NoRecord())
        first += 256
    rows, labels = X[first : first + MEASURED], y[first : first + MEASURED]
    supports, weights = learner.supports, learner.weights
    bare = bare_evaluation(np.ascontiguousarray(supports), rows, block_length(learner))

    def ours() -> Callable[[], None]:
        return partial(blocked, deepcopy(learner), rows, labels, NoRecord())

    def loop() -> Callable[[], None]:
        run = LOOPS[type(rule).__name__](supports.copy(), weights.copy(), budget, GAMMA)
        return partial(run, rows[:IN_LOOP], labels[:IN_LOOP])

    learned, evaluation, looped = best(ours, lambda: bare, loop)
    return learned / evaluation, (looped / IN_LOOP) / (learned / MEASURED)


def table(
    rules: Sequence[Callable[[int], Any]],
    dtypes: Sequence[str],
    budgets: Sequence[int],
    X: np.ndarray,
    y: np.ndarray,
) -> None:
    """Print the ratios of some rules."""
    print(f"{'':40}{'':8}" + "".join(f"{f'budget {budget}':>20}" for budget in budgets))
    print(f"{'learner':40}{'dtype':8}" + f"{'over bare loop over':>20}" * len(budgets))
    for rule in rules:
        for dtype in dtypes:
            print(f"{type(rule(1)).__name__:40}{dtype:8}", end="", flush=True)
            rows = np.ascontiguousarray(X, dtype)
            for budget in budgets:
                over_bare, loop_over = measure(rule(budget), budget, rows, y)
                print(f"{over_bare:10.2f}{loop_over:10.1f}", end="", flush=True)
            print()
    print()


def main() -> None:
    name, X, y = stream()
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}"
    print(f"{name}, {X.shape[0]:,} x {X.shape[1]}; budgetron {budgetron.__version__},")
    print(f"{versions}, {platform.machine()}, one core")
    print()
    with threadpool_limits(1):
        table(REMOVING, ("float64", "float32"), (100, 500, 1000, 3000), X, y)
        table(SOLVING, ("float64",), (100, 500, 1000), X, y)


if __name__ == "__main__":
    main()
