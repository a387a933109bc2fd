"""Learners over one stream, beside linear models on the same features."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import SGDClassifier
from threadpoolctl import threadpool_limits

from ..datasets import Dataset
from ..estimators import KernelClassifier, StreamClassifier
from ..registry import LEARNERS
from .baselines import BASELINES, Baselines
from .metrics import RunningMetrics
from .prequential import prequential
from .trace import Trace
from .trust import TrustHistory, has_trust

__all__ = [
    "Contender",
    "Result",
    "Runner",
    "baselines_on",
    "contenders",
    "on_a_budget",
    "run",
]

CHUNK = 256
"""Examples that a contender is given at a time."""

NOTES = 64
"""Of the trust, at most."""

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


@dataclass(frozen=True)
class Contender:
    """Something that can go over a stream.

    Attributes
    ----------
    name, group : str
    learner : classifier
        Of this package, or any other that `prequential` takes; it is not changed.
    """

    name: str
    group: str
    learner: Any

    def begin(self) -> Callable[[Any, Any, Any], Trace]:
        """A function that goes over some examples, and later over the next ones.

        It takes X, y and the classes, if these are known.
        """
        return partial(prequential, clone(self.learner))


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
    metrics : RunningMetrics
        How good its predictions are, in all and along the stream.
    trust : TrustHistory or None
        Whom it trusted along the stream, if that is noted.
    """

    def __init__(
        self, contender: Contender, classes: Any = None, *, note_trust: bool = False
    ) -> None:
        self.name = contender.name
        self.metrics = RunningMetrics()
        self.trust: TrustHistory | None = None
        if note_trust and has_trust(contender.learner):
            self.trust = TrustHistory(clone(contender.learner), BETWEEN_NOTES, NOTES)
        self._contender = contender
        self._classes = classes
        self._step: Callable[[Any, Any, Any], Trace] | None = None
        self._rows, self._mistakes, self._largest, self._seconds = 0, 0, 0, 0.0

    def go_on(self, X: Any, y: Any) -> None:
        """Predict and learn the next examples."""
        if self._step is None:
            self._contender.begin()(X[:CHUNK], y[:CHUNK], self._classes)
            self._step = self._contender.begin()
        start = perf_counter()
        trace = self._step(X, y, self._classes)
        self._seconds += perf_counter() - start
        self._rows += len(trace)
        self._mistakes += int(trace.mistakes.sum())
        self._largest = max(self._largest, int(trace.sizes.max()))
        self.metrics.add(trace)
        if self.trust is not None:
            self.trust.go_on(X, y, self._classes)

    @property
    def result(self) -> Result:
        """How it has done so far."""
        rows = max(self._rows, 1)
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
            Contender(type(learner).__name__, group, learner)
            for group, members in groups.items()
            for learner in members
        ),
        *(Contender(name, "scikit-learn, linear", model) for name, model in linear.items()),
    ]


def _with_kernel() -> list[KernelClassifier]:
    """All that learn from a stream, in the order of the registry."""
    each = [row.estimator for name, row in LEARNERS.items() if name not in TOO_SLOW]
    learners = [it(random_state=0) for it in each if issubclass(it, KernelClassifier)]
    return [it for it in learners if hasattr(it, "partial_fit")]


def run(contender: Contender, stream: Dataset) -> Result:
    """Send a contender over the stream on one core; compiling is not counted.

    Parameters
    ----------
    contender : Contender
    stream : Dataset

    Returns
    -------
    Result
    """
    runner = Runner(contender, np.unique(stream.y))
    with threadpool_limits(1):
        for first in range(0, len(stream.y), CHUNK):
            here = slice(first, first + CHUNK)
            runner.go_on(stream.X[here], stream.y[here])
    return runner.result


def baselines_on(y: np.ndarray) -> list[Result]:
    """What the commonest label so far and the last label would have been, as predictions."""
    wrong, _ = Baselines().go_on(y, y, np.arange(len(y)))
    names = zip(BASELINES, wrong.T, strict=True)
    return [Result(name, int(own.sum()), float(own.mean()), None, 0.0, 0.0) for name, own in names]
