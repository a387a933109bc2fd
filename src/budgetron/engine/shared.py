"""Many classes, one learner for each, on common supports."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.kernel import Rows
from ..core.memory import Factor
from ..core.rule import contract
from ..core.state import MISTAKES, WAS_MISTAKE, WEIGHTED_MISTAKES
from .learn import learn
from .learner import Learner
from .multiclass import MulticlassLearner
from .record import Record
from .workspace import Workspace

__all__ = ["SharedLearner", "shares_supports"]


class SharedLearner(MulticlassLearner):
    """A machine for each of three or more classes; supports and factor are those of all.

    Each is told +1 for its class and -1 for all others. The highest score wins; of equal scores,
    that of the first class. See `core.shared`.
    """

    def __init__(self, rule: Any, *arguments: Any, **options: Any) -> None:
        if not shares_supports(rule):
            raise ValueError(
                f"{type(rule).__name__} has no factor that classes could share; learn one class"
                " against the rest"
            )
        super().__init__(rule, *arguments, **options)

    @classmethod
    def instead_of(cls, learner: Learner, classes: int) -> SharedLearner:
        """One that knows what a learner of two classes knows, who was told +1 for the second.

        Of more classes it knows nothing.
        """
        shared = cls(
            *(learner.rule, learner.kernel, learner.width, classes),
            sparse=learner.sparse,
            dtype=learner.dtype,
            zero_is_mistake=learner.zero_is_mistake,
        )
        state = learner.state
        weights, weight_time = (np.zeros((len(state.order), classes)) for _ in range(2))
        for ours, its in ((weights, state.weights), (weight_time, state.weight_time)):
            ours[:, 1] = its
            np.negative(its, out=ours[:, 0], where=its != 0)  # a zero has no sign
        shared.state = state._replace(weights=weights, weight_time=weight_time)
        return shared

    def new_workspace(self, evaluated: np.dtype[Any] | None = None) -> Workspace:
        """Buffers that are nobody's yet; kernel values may be of another dtype than rows."""
        return Workspace(
            self.width, sparse=self.sparse, dtype=self.dtype, evaluated=evaluated, shared=True
        )

    def _surprised(self, X: Rows, labels: np.ndarray) -> Record:
        """Learn the first example of a class: a mistake, since it is predicted without the class.

        What its machine learns of it is up to the rule.
        """
        record = Record(1, self.classes)
        learn([self], X, [labels], [record])
        if not record.events[0, WAS_MISTAKE]:
            record.events[0, WAS_MISTAKE] = 1
            self.state.counts[MISTAKES] += 1
            self.state.counts[WEIGHTED_MISTAKES] += labels[0, 1] != 0
        return record


def shares_supports(rule: Any) -> bool:
    """Whether classes can share all that the rule keeps beside weights."""
    return contract(rule).keeps is Factor
