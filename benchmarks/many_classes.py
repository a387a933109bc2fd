"""What one machine for ten classes costs, beside one binary pass over the same digits.

The binary learner tells the digits 0 to 4 from 5 to 9 with a third of the budget. All times are
taken in turns, in one run, on one core. The environment variable BUDGETRON_DATA names the directory
that holds MNIST.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from budgetron.datasets import load_mnist
from budgetron.engine import Learner, ManyLearner, NoRecord, blocked
from budgetron.expansion import MISTAKES, SEEN
from budgetron.kernels import gaussian
from budgetron.rules.forgetron import Forgetron
from budgetron.rules.projectron import ProjectronPlusPlus
from budgetron.rules.randomized_budget_perceptron import RandomizedBudgetPerceptron

GAMMA = 0.02
BUDGET = 3000
REPEATS = 3
RULES: tuple[Callable[[int], Any], ...] = (
    RandomizedBudgetPerceptron,
    Forgetron,
    lambda budget: ProjectronPlusPlus(eta=0.0, norm_bound=0.0, budget=budget, competitor=0.0),
)


def seconds(learner: Learner, X: np.ndarray, labels: np.ndarray) -> float:
    start = perf_counter()
    blocked(learner, X, labels, NoRecord())
    return perf_counter() - start


def mistakes(learner: Learner) -> str:
    return f"{learner.kept.counts[MISTAKES] / learner.kept.counts[SEEN]:.2%}"


def main() -> None:
    digits = load_mnist()
    X = np.ascontiguousarray(digits.X, np.float32)
    y = np.asarray(digits.y, float)
    of_ten = np.column_stack([y, np.ones_like(y)])
    of_two = np.where(y < 5, -1.0, 1.0)
    options = {"dtype": np.float32}
    print(f"{'rule':30}{'binary':>10}{'mistakes':>10}{'many':>10}{'mistakes':>10}{'ratio':>8}")
    with threadpool_limits(1):
        for rule in RULES:
            binary = partial(Learner, rule(BUDGET // 3), gaussian(GAMMA), X.shape[1], **options)
            many = partial(ManyLearner, rule(BUDGET), gaussian(GAMMA), X.shape[1], 10, **options)
            seconds(binary(), X[:500], of_two[:500])
            seconds(many(), X[:500], of_ten[:500])
            times = []
            for _ in range(REPEATS):
                one, all_ten = binary(), many()
                times.append((seconds(one, X, of_two), seconds(all_ten, X, of_ten)))
            of_one, of_all = np.min(times, axis=0)
            print(
                f"{type(rule(1)).__name__:30}{of_one:9.2f}s{mistakes(one):>10}"
                f"{of_all:9.2f}s{mistakes(all_ten):>10}{of_all / of_one:8.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
