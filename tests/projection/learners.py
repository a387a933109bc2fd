"""Learners that project or solve, each beside its slow reference, and small streams for them."""

from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

import budgetron
import oracle
from budgetron.engine import Record
from laws import runs
from laws.learners import xorshift
from streams import TIES, signs


def smooth_stream(seed=0, length=80, width=2):
    """Normal points around a curved border that is not quite strict."""
    rng = np.random.default_rng(seed)
    X = rng.normal(scale=0.5, size=(length, width))
    border = X[:, 0] + 2 * X[:, 1] ** 2 - 0.4 + 0.2 * rng.normal(size=length)
    return X, signs(border > 0)


def tied_stream(seed=0, length=80, width=3):
    """Points of a coarse grid with any labels, a third of them repeated with the opposite label."""
    rng = np.random.default_rng(seed)
    X, y = rng.choice(TIES, size=(length, width)), signs(rng.random(length) < 0.5)
    for t in np.flatnonzero(rng.random(length) < 0.3)[1:]:
        earlier = rng.integers(t)
        X[t], y[t] = X[earlier], -y[earlier]
    return X, y


STREAMS = {"smooth": smooth_stream, "tied": tied_stream}


class Kernels(NamedTuple):
    """One kernel, for an estimator and for the reference."""

    estimator: dict[str, Any]
    reference: oracle.Kernel


def rbf(gamma):
    return Kernels({"kernel": "rbf", "gamma": gamma}, oracle.gaussian(gamma))


LINEAR = Kernels({"kernel": "linear"}, oracle.linear)
DUAL_LINEAR = Kernels(
    {"kernel": "poly", "degree": 1, "gamma": 1.0}, oracle.linear
)  # linear, but not by name: the second-order Perceptron takes its dual form
QUADRATIC = Kernels(
    {"kernel": "poly", "degree": 2, "gamma": 4.0, "coef0": 1.0}, oracle.polynomial(4, 2, 1)
)
KERNELS = {
    "gaussian 0.5": rbf(0.5),
    "gaussian 2": rbf(2.0),
    "linear": LINEAR,
    "dual linear": DUAL_LINEAR,
    "quadratic": QUADRATIC,
}


class Case(NamedTuple):
    """A learner, its reference, and the parameters of both."""

    estimator: Callable[..., Any]
    reference: Callable[..., list[oracle.Round]]
    parameters: dict[str, Any]

    def __str__(self):
        values = "-".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"{self.estimator.__name__}-{values}".rstrip("-")

    def new(self, **common):
        """The learner, without anything learned."""
        return self.estimator(random_state=0, **self.parameters, **common)

    def rounds(self, X, y, kernels):
        """What the reference makes of the stream, with the draws that the learner will make."""
        learner = self.new(**kernels.estimator)
        stream = [*zip(map(tuple, X.tolist()), y.tolist(), strict=True)]
        options = dict(self.parameters)
        if "draw" in signature(self.reference).parameters:
            options["draw"] = xorshift(int(at_work(learner, X).kept.randomness[0]))
        return self.reference(stream, kernels.reference, zero_score=learner.zero_score, **options)


def case(name, **parameters):
    """A case by the learner's name; the reference's is the same in snake case."""
    snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
    return Case(getattr(budgetron, name), getattr(oracle, snake[1:]), parameters)


PROJECTRONS = [
    case(name, **limits)
    for name in ("Projectron", "ProjectronPlusPlus")
    for limits in (
        {"eta": 0.3},
        {"norm_bound": 2.0},
        {"budget": 6},
        {"eta": 0.3, "budget": 6},
        {"norm_bound": 2.0, "budget": 6},
    )
]
SECOND_ORDER = [
    case("SecondOrderPerceptron", a=0.5),
    case("AdaptiveSecondOrderPerceptron", c=0.5, radius=0.8),
    case("RandomizedBudgetSecondOrderPerceptron", budget=6, a=0.5),
    case("LeastRecentBudgetSecondOrderPerceptron", budget=6, a=0.5),
]
BUDGETRONS = [
    case("Budgetron", budget=6),
    case("Budgetron", budget=30, drift=0.0, sharing=0.05),
    case("Budgetron", budget=6, experts=("bold",), noise=0.1),
    case("Budgetron", budget=6, exchange="eager"),
    case("Budgetron", budget=6, drift=50.0),
    case("Budgetron", budget=6, patience=2.0),
    case("Budgetron", budget=6, exchange="never", experts=("cautious", "average")),
]
PSEUDOINVERSE = case("PseudoinverseSecondOrderPerceptron")


def at_work(estimator, X):
    """The learner inside an estimator that has seen nothing yet."""
    estimator = clone(estimator)
    estimator.n_features_in_ = X.shape[1]
    return estimator._new_learner(X)


def engine_run(engine, estimator, X, y, **options):
    """Let `one_by_one` or `blocked` go over the stream."""
    learner, record = at_work(estimator, X), Record(len(y))
    engine(learner, X, y, record, **options)
    supports = runs.dense(learner.supports)
    return runs.Run(record.scores, record.events, supports, learner.weights)


def prequential_run(estimator, X, y, cuts=()):
    """Let `prequential` go over the stream with a new learner."""
    return runs.prequential_run(clone(estimator), X, y, cuts)


assert_same = partial(runs.assert_same, tolerance=1e-8)
