"""Learners over one stream, beside linear models on the same features."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import SGDClassifier
from threadpoolctl import threadpool_limits

from ..datasets import Dataset
from ..estimators import KernelClassifier, StreamClassifier
from ..registry import LEARNERS
from .prequential import prequential
from .trust import TrustHistory, has_trust

__all__ = [
    "Contender",
    "Curve",
    "Result",
    "Runner",
    "compile_all",
    "contenders",
    "on_a_budget",
    "run",
]

CHUNK = 256
"""Examples between two reports of progress."""

POINTS = 64
"""Of a curve, at most."""

BETWEEN_NOTES = 64
"""So many examples lie between two notes of the trust in experts, while there are few."""

TOO_SLOW = {"PseudoinverseSecondOrderPerceptron"}
"""Nearly all mails are outside the span of those before, and become supports: two minutes."""


@dataclass(frozen=True)
class Result:
    """How a contender did on a whole stream."""

    name: str
    mistakes: int
    error: float
    largest_size: int | None
    seconds: float
    rows_per_second: float


class Step(NamedTuple):
    """What a contender did on some examples."""

    mistakes: np.ndarray
    largest_size: int | None


@dataclass(frozen=True)
class Contender:
    """Something that can go over a stream.

    Attributes
    ----------
    name, group : str
    begin : callable
        Makes a function that goes over some examples, and later over the next ones; it takes X, y
        and the classes, if these are known.
    learner : StreamClassifier or None
        The learner of this package that it is, if it is one.
    """

    name: str
    group: str
    begin: Callable[[], Callable[[Any, Any, Any], Step]]
    learner: StreamClassifier | None = None

    @classmethod
    def of(cls, learner: StreamClassifier, name: str, group: str = "") -> Self:
        """A learner of this package, which is not changed."""

        def begin() -> Callable[[Any, Any, Any], Step]:
            runner = clone(learner)

            def step(X: Any, y: Any, classes: Any) -> Step:
                trace = prequential(runner, X, y, classes)
                return Step(trace.mistakes, int(trace.sizes.max()))

            return step

        return cls(name, group, begin, learner)


class Curve:
    """Mistakes along a stream of any length, in stretches that become longer with it."""

    def __init__(self) -> None:
        self.rows = 0
        self._stretch = 1
        self._mistakes: np.ndarray = np.zeros(0, int)

    def add(self, mistakes: np.ndarray) -> None:
        """Go on with these examples."""
        places = np.arange(self.rows, self.rows + len(mistakes)) // self._stretch
        counts = np.bincount(places[mistakes], minlength=int(places[-1]) + 1)
        counts[: len(self._mistakes)] += self._mistakes
        self.rows += len(mistakes)
        self._mistakes = counts
        while len(self._mistakes) > POINTS:
            self._halve()

    def coarser(self, points: int) -> Curve:
        """The same in at most so many points."""
        curve = copy(self)
        while len(curve._mistakes) > points:
            curve._halve()
        return curve

    @property
    def ends(self) -> np.ndarray:
        """How many examples there were at the end of each stretch."""
        ends = self._stretch * np.arange(1, len(self._mistakes) + 1)
        return ends[ends <= self.rows]  # half a stretch says little

    @property
    def errors(self) -> np.ndarray:
        """The share of mistakes in each stretch."""
        return self._mistakes[: len(self.ends)] / self._stretch

    def _halve(self) -> None:
        even = np.append(self._mistakes, np.zeros(len(self._mistakes) % 2, int))
        self._mistakes = even.reshape(-1, 2).sum(axis=1)
        self._stretch *= 2


class Runner:
    """A contender on its way; compiling is not counted.

    Parameters
    ----------
    contender : Contender
    classes : array of labels, optional
        All that there are.
    note_trust : bool, default=False
        Whether to note whom it trusts, if it has experts. Another one goes over the stream for
        that, as notes take time.

    Attributes
    ----------
    name : str
    curve : Curve
        Its mistakes along the stream.
    trust : TrustHistory or None
        Whom it trusted along the stream, if that is noted.
    """

    def __init__(
        self, contender: Contender, classes: Any = None, *, note_trust: bool = False
    ) -> None:
        self.name = contender.name
        self.curve = Curve()
        self.trust: TrustHistory | None = None
        if note_trust and contender.learner is not None and has_trust(contender.learner):
            self.trust = TrustHistory(clone(contender.learner), BETWEEN_NOTES, POINTS)
        self._contender = contender
        self._classes = classes
        self._step: Callable[[Any, Any, Any], Step] | None = None
        self._mistakes, self._largest, self._seconds = 0, 0, 0.0

    def go_on(self, X: Any, y: Any) -> None:
        """Predict and learn the next examples."""
        if self._step is None:
            self._contender.begin()(X[:CHUNK], y[:CHUNK], self._classes)
            self._step = self._contender.begin()
        start = perf_counter()
        step = self._step(X, y, self._classes)
        self._seconds += perf_counter() - start
        self._mistakes += int(step.mistakes.sum())
        self._largest = max(self._largest, step.largest_size or 0)
        self.curve.add(step.mistakes)
        if self.trust is not None:
            self.trust.go_on(X, y, self._classes)

    @property
    def result(self) -> Result:
        """How it has done so far."""
        rows = max(self.curve.rows, 1)
        return Result(
            self.name,
            self._mistakes,
            self._mistakes / rows,
            self._largest or None,
            self._seconds,
            rows / self._seconds if self._seconds else 0.0,
        )


def on_a_budget(budget: int) -> list[StreamClassifier]:
    """The learners of the package whose memory does not grow."""
    return [it.set_params(budget=budget) for it in _with_kernel() if hasattr(it, "budget")]


def contenders(budget: int) -> list[Contender]:
    """The learners of the package with this budget, and scikit-learn's linear ones."""
    growing: list[StreamClassifier] = [it for it in _with_kernel() if not hasattr(it, "budget")]
    linear = {
        "SGDClassifier, hinge": SGDClassifier(random_state=0),
        "SGDClassifier, PA-I": SGDClassifier(
            penalty=None, learning_rate="pa1", eta0=1.0, random_state=0
        ),
    }
    groups = {f"budget of {budget} supports": on_a_budget(budget), "growing supports": growing}
    return [
        *(
            Contender.of(learner, type(learner).__name__, group)
            for group, members in groups.items()
            for learner in members
        ),
        *(_linear_contender(name, model) for name, model in linear.items()),
    ]


def _with_kernel() -> list[KernelClassifier]:
    """All that learn from a stream, in the order of the registry."""
    each = [row.estimator for name, row in LEARNERS.items() if name not in TOO_SLOW]
    learners = [it(random_state=0) for it in each if issubclass(it, KernelClassifier)]
    return [it for it in learners if hasattr(it, "partial_fit")]


def compile_all(stream: Dataset) -> None:
    """Have every learner compiled for such a stream, so that none has to be when it runs."""
    classes = np.unique(stream.y)
    for contender in contenders(budget=1):
        contender.begin()(stream.X[:CHUNK], stream.y[:CHUNK], classes)


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
    runner = Runner(contender, np.unique(stream.y))
    with threadpool_limits(1):
        for first in range(0, len(stream.y), CHUNK):
            here = slice(first, first + CHUNK)
            runner.go_on(stream.X[here], stream.y[here])
            progress(len(stream.y[here]))
    return runner.result


def _linear_contender(name: str, model: SGDClassifier) -> Contender:
    def begin() -> Callable[[Any, Any, Any], Step]:
        runner = clone(model)

        def step(X: Any, y: Any, classes: Any) -> Step:
            mistakes = np.ones(len(y), bool)
            for t in range(len(y)):
                x = X[t : t + 1]
                if hasattr(runner, "classes_"):
                    mistakes[t] = runner.predict(x)[0] != y[t]
                runner.partial_fit(x, y[t : t + 1], classes)
            return Step(mistakes, None)

        return step

    return Contender(name, "scikit-learn, linear", begin)
