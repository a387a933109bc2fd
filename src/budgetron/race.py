"""Every learner over one stream, beside linear models on the same features."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import SGDClassifier
from threadpoolctl import threadpool_limits

from .datasets import Dataset
from .estimators import (
    AdaptiveSecondOrderPerceptron,
    BudgetPerceptron,
    ExponentialDecayPerceptron,
    Forgetron,
    KernelClassifier,
    LeastRecentBudgetPerceptron,
    LeastRecentBudgetSecondOrderPerceptron,
    ModifiedPerceptron,
    PassiveAggressive,
    PassiveAggressiveI,
    PassiveAggressiveII,
    Perceptron,
    Projectron,
    ProjectronPlusPlus,
    RandomizedBudgetPerceptron,
    RandomizedBudgetSecondOrderPerceptron,
    SecondOrderPerceptron,
    ShiftingPerceptron,
    Stoptron,
)
from .evaluation import prequential

__all__ = ["Contender", "Result", "compile_all", "contenders", "run"]

CHUNK = 256
"""Examples between two reports of progress."""


@dataclass(frozen=True)
class Result:
    """How a contender did on a whole stream."""

    name: str
    mistakes: int
    error: float
    largest_size: int | None
    seconds: float
    rows_per_second: float


@dataclass(frozen=True)
class Contender:
    """Something that goes over a stream, and tells how far it is as it goes."""

    name: str
    group: str
    race: Callable[[Dataset], Iterator[tuple[int, int, int | None]]]


def contenders(budget: int) -> list[Contender]:
    """The learners of the package with this budget, and scikit-learn's linear ones."""
    bounded = [
        RandomizedBudgetPerceptron(budget=budget, random_state=0),
        LeastRecentBudgetPerceptron(budget=budget),
        BudgetPerceptron(budget=budget),
        Forgetron(budget=budget),
        Stoptron(budget=budget),
        Projectron(budget=budget),
        ProjectronPlusPlus(budget=budget),
        RandomizedBudgetSecondOrderPerceptron(budget=budget, random_state=0),
        LeastRecentBudgetSecondOrderPerceptron(budget=budget),
    ]
    growing = [
        Perceptron(),
        ShiftingPerceptron(),
        ExponentialDecayPerceptron(),
        ModifiedPerceptron(),
        PassiveAggressive(),
        PassiveAggressiveI(),
        PassiveAggressiveII(),
        SecondOrderPerceptron(),
        AdaptiveSecondOrderPerceptron(),
    ]
    linear = {
        "SGDClassifier, hinge": SGDClassifier(random_state=0),
        "SGDClassifier, PA-I": SGDClassifier(
            penalty=None, learning_rate="pa1", eta0=1.0, random_state=0
        ),
    }
    return [
        *(_kernel_contender(learner, f"budget of {budget} supports") for learner in bounded),
        *(_kernel_contender(learner, "growing supports") for learner in growing),
        *(_linear_contender(name, model) for name, model in linear.items()),
    ]


def compile_all(stream: Dataset) -> None:
    """Have every learner compiled for such a stream, so that none has to be when it runs."""
    for contender in contenders(budget=1):
        next(contender.race(stream))


def run(contender: Contender, stream: Dataset, progress: Callable[[int], None]) -> Result:
    """Send a contender over the stream on one core; compiling is not counted.

    Parameters
    ----------
    contender : Contender
    stream : Dataset
    progress : callable
        Told the number of examples done since the last call.

    Returns
    -------
    Result
    """
    mistakes, largest = 0, 0
    with threadpool_limits(1):
        course = contender.race(stream)
        next(course)
        start = perf_counter()
        for done, wrong, size in course:
            progress(done)
            mistakes += wrong
            largest = max(largest, size or 0)
        seconds = perf_counter() - start
    rows = len(stream.y)
    return Result(
        contender.name, mistakes, mistakes / rows, largest or None, seconds, rows / seconds
    )


def _kernel_contender(learner: KernelClassifier, group: str) -> Contender:
    def race(stream: Dataset) -> Iterator[tuple[int, int, int | None]]:
        classes = np.unique(stream.y)
        prequential(clone(learner), stream.X[:CHUNK], stream.y[:CHUNK], classes)
        runner = clone(learner)
        yield 0, 0, 0
        for first in range(0, len(stream.y), CHUNK):
            here = slice(first, first + CHUNK)
            trace = prequential(runner, stream.X[here], stream.y[here], classes)
            yield len(trace), int(trace.mistakes.sum()), int(trace.sizes.max())

    return Contender(type(learner).__name__, group, race)


def _linear_contender(name: str, model: SGDClassifier) -> Contender:
    def race(stream: Dataset) -> Iterator[tuple[int, int, int | None]]:
        classes, runner = np.unique(stream.y), clone(model)
        yield 0, 0, None
        for t in range(len(stream.y)):
            x, y = stream.X[t], stream.y[t : t + 1]
            wrong = t == 0 or runner.predict(x)[0] != y[0]
            runner.partial_fit(x, y, classes)
            yield 1, int(wrong), None

    return Contender(name, "scikit-learn, linear", race)
