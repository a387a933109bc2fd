"""One learner for many classes: the right class's score against the highest wrong one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.kernel import Kernel, OwnKernel, Rows
from ..core.rule import contract
from ..core.state import WAS_MISTAKE
from .blocked import decide
from .learn import learn
from .learner import Learner, Solve
from .record import Record

__all__ = ["MulticlassLearner", "refuse_unless_multiclass"]


class MulticlassLearner(Learner):
    """One machine for all classes: in the joint space of instances and classes it is a binary one.

    It predicts the class of the highest score, of equal scores the first. Its labels are rows of
    two floats: the number of the example's class, and the example's weight. While there are fewer
    than two classes, examples are seen and nothing is learned.

    Parameters
    ----------
    rule : NamedTuple
        The rule to learn by: see `rule.updates`.
    kernel : Kernel or OwnKernel
    width : int
        The number of features.
    classes : int
        How many classes are known from the start.
    zero_is_mistake : bool
        Whether it is a mistake if the right class shares the highest score, wherever it stands.
    **options
        Those of `Learner`.
    """

    def __init__(
        self, rule: Any, kernel: Kernel | OwnKernel, width: int, classes: int = 0, **options: Any
    ) -> None:
        refuse_unless_multiclass(rule)
        super().__init__(rule, kernel, width, **options)
        none = np.zeros((0, classes))
        self.state = self.state._replace(weights=none, weight_time=none.copy())
        self._has_newcomer = False

    @property
    def classes(self) -> int:
        """The number of classes known."""
        return self.state.weights.shape[1]

    @property
    def weights(self) -> np.ndarray:
        """The supports' weights, oldest first, a row for each class."""
        return super().weights.T

    @property
    def average_weights(self) -> np.ndarray:
        """The weights, averaged over the hypotheses that predicted the examples seen."""
        return super().average_weights.T

    def shape_of_scores(self, length: int) -> tuple[int, ...]:
        """The shape of an array with the scores of `length` examples."""
        return (length, self.classes)

    def add_class(self, place: int) -> None:
        """Let there be one class more, the `place`-th, whose score is 0 so far."""
        weights, weight_time, self._has_newcomer = self.state.weights, self.state.weight_time, True
        self.state = self.state._replace(
            weights=np.insert(weights, place, 0.0, axis=1),
            weight_time=np.insert(weight_time, place, 0.0, axis=1),
        )

    def learn(self, X: Rows, classes: np.ndarray, weights: np.ndarray, record: Record) -> None:
        """Predict each example and learn from it, given its class by number and its weight.

        An example whose weight is NaN is only looked at.
        """
        labels = np.column_stack([classes, weights])
        own, start = Record(len(classes), self.classes), 0
        if self._has_newcomer:
            start, self._has_newcomer = 1, False
            own.include(0, self._surprised(X[:1], labels[:1]), np.arange(self.classes))
        if start < len(classes):
            rest = Record(len(classes) - start, self.classes)
            learn([self], X[start:], [labels[start:]], [rest])
            own.include(start, rest, np.arange(self.classes))
        record.scores[:] = self._told_apart(own.scores)
        record.events[:] = own.events
        in_doubt = own.events[:, WAS_MISTAKE].astype(bool) | np.isnan(weights)
        record.choices[:] = np.where(in_doubt, own.scores.argmax(axis=1), classes)

    def _surprised(self, X: Rows, labels: np.ndarray) -> Record:
        """Learn the first example of a class: a mistake, since it is predicted without the class.

        All classes' scores add up to 0, and the new one's is 0: there is a rival as high or higher.
        """
        record, zero_is_mistake = Record(1, self.classes), self.zero_is_mistake
        self.zero_is_mistake = True
        try:
            learn([self], X, [labels], [record])
        finally:
            self.zero_is_mistake = zero_is_mistake
        return record

    def decide(self, X: Rows, *, average: bool = False) -> np.ndarray:
        """The scores of all examples (rows) for all classes (columns); one number for two."""
        return self._told_apart(decide(self, X, average=average))

    def _told_apart(self, scores: np.ndarray) -> np.ndarray:
        if self.classes > 2:
            return scores
        return scores[:, 1] - scores[:, 0] if self.classes == 2 else np.zeros(len(scores))

    def solve_ahead(self, f: Any, labels: np.ndarray, solve: Solve) -> None:
        """Solve for the likely updates of the block in view together, if the rule solves."""
        super().solve_ahead(f, self._compared(f, labels), solve)

    def walk(self, f: Any, labels: np.ndarray, roundoff: float) -> None:
        """Learn the block in view."""
        super().walk(f, self._compared(f, labels), roundoff)

    def _compared(self, f: Any, labels: np.ndarray) -> np.ndarray:
        """The labels in the joint space, where each example is its own class against its rival."""
        classes, weights = labels.T
        if self.classes > 1 and not 0 <= classes.min() <= classes.max() < self.classes:
            raise ValueError(f"there are {self.classes} classes so far: add the others first")
        f.classes.right[:] = classes
        return np.ascontiguousarray(weights)


def refuse_unless_multiclass(rule: Any) -> None:
    """Raise a `ValueError` for a rule that cannot learn many classes with one machine."""
    if not contract(rule).multiclass:
        raise ValueError(
            f"{type(rule).__name__} has no single machine for many classes; learn one class"
            " against the rest"
        )
