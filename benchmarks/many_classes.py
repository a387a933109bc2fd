"""The ten digits of MNIST in one pass: what many classes cost beside two.

BUDGETRON_DATA=... python benchmarks/mnist_classes.py [learner ...]
"""

from __future__ import annotations

import sys
from time import perf_counter

import numpy as np
from threadpoolctl import threadpool_limits

import budgetron
from budgetron import prequential
from budgetron.datasets import load_mnist

LEARNERS = {
    "Perceptron": {},
    "RandomizedBudgetPerceptron": {"random_state": 0},
    "LeastRecentBudgetPerceptron": {},
    "Forgetron": {},
    "Stoptron": {},
    "PassiveAggressiveI": {"C": 1.0},
    "ProjectronPlusPlus": {},
}
COMMON = {"gamma": 0.02, "dtype": "float32"}


def run(name: str, X: np.ndarray, y: np.ndarray, **parameters: object) -> tuple[float, float, int]:
    learner = getattr(budgetron, name)
    taken = learner().get_params().keys() & parameters.keys()
    model = learner(**LEARNERS[name], **COMMON, **{key: parameters[key] for key in taken})
    prequential(model, X[:2000], y[:2000])  # compiled
    model = learner(**LEARNERS[name], **COMMON, **{key: parameters[key] for key in taken})
    start = perf_counter()
    trace = prequential(model, X, y)
    return perf_counter() - start, trace.mistakes.mean(), int(trace.sizes[-1])


def main() -> None:
    mnist = load_mnist()
    X, digits = np.asarray(mnist.X, np.float32), mnist.y.astype(int)
    print(f"{len(digits):,} rows, {X.shape[1]} features, gamma .02, float32, one thread")
    print(f"{'':32}{'seconds':>9}{'ratio':>7}{'mistakes':>10}{'supports':>10}")
    with threadpool_limits(1):
        for name in sys.argv[1:] or LEARNERS:
            binary = 0.0
            for label, y, parameters in (
                ("0-4 or 5-9, budget 1000", digits >= 5, {"budget": 1000}),
                ("one vs rest, 1000 a class", digits, {"budget": 1000}),
                (
                    "single machine, 3000 in all",
                    digits,
                    {"budget": 3000, "multi_class": "single_machine"},
                ),
            ):
                seconds, mistakes, size = run(name, X, y, **parameters)
                binary = binary or seconds
                ratio = f"{seconds / binary:7.1f}"
                print(f"{name[:4]} {label:27}{seconds:9.1f}{ratio}{mistakes:10.2%}{size:10,}")


if __name__ == "__main__":
    main()
