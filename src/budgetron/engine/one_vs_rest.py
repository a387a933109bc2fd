"""Many classes, one learner for each: is it this one, or any other?"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.kernel import Kernel, OwnKernel, Rows
from ..core.state import EVICTED, SIZE_AFTER, WAS_MISTAKE, WAS_UPDATE
from .blocked import decide_together
from .learn import learn
from .learner import Learner
from .looking_back import ExactScores
from .record import Record
from .shared_supports import Union, united
from .winner import in_doubt, leveled

__all__ = ["OneVsRest"]

ROWS_AT_ONCE = 1024
"""So many rows in doubt are evaluated again at once."""


class OneVsRest:
    """Learners that are told +1 for a class of their own and -1 for all others.

    The highest score wins; of equal scores, that of the first class. Scores that rounding cannot
    tell apart are equal.

    Parameters
    ----------
    machines : list of Learner
        One for each class.
    mistakes, updates : int
        What has been counted before.
    """

    def __init__(self, machines: list[Learner], mistakes: int = 0, updates: int = 0) -> None:
        self.machines, self.mistakes, self.updates = machines, mistakes, updates

    @classmethod
    def of_two(cls, learner: Learner, seed: int) -> OneVsRest:
        """One that knows what a learner of two classes knows, who was told +1 for the second."""
        machines = [learner.mirrored(seed), learner]
        return cls(machines, learner.mistakes, learner.updates)

    def copied(self) -> OneVsRest:
        """One that has learned the same, and goes on by itself."""
        machines = [machine.copied() for machine in self.machines]
        return OneVsRest(machines, self.mistakes, self.updates)

    def add_class(self, place: int, seed: int) -> None:
        """Begin with one more class, the `place`-th."""
        self.machines.insert(place, self.machines[0].fresh(seed))

    def hand_over_to(self, other: OneVsRest) -> None:
        """Let another one, which has learned the same examples again, count as its own mistakes."""
        other.mistakes, other.updates = self.mistakes, self.updates
        for own, its in zip(self.machines, other.machines, strict=True):
            own.hand_over_to(its)

    def use(self, device: str) -> None:
        """Look ahead on this device from now on."""
        for machine in self.machines:
            machine.use(device)

    @property
    def kernel(self) -> Kernel | OwnKernel:
        """The kernel of all machines."""
        return self.machines[0].kernel

    @property
    def dtype(self) -> np.dtype[Any]:
        """In which they keep instances and evaluate the kernel."""
        return self.machines[0].dtype

    @property
    def is_weighted(self) -> bool:
        """Whether an example had another weight than 1."""
        return self.machines[0].is_weighted

    @property
    def seen(self) -> int:
        """The number of examples seen."""
        return self.machines[0].seen

    @property
    def size(self) -> int:
        """The number of different supports."""
        return len(self._union.births)

    @property
    def births(self) -> np.ndarray:
        """How many examples had been seen before each of them, oldest first."""
        return self._union.births

    @property
    def supports(self) -> Rows:
        """The different supports' instances, oldest first."""
        union = self._union
        return union.rows.matrix(union.by_birth)

    @property
    def weights(self) -> np.ndarray:
        """Each class's weights (a row) of all supports, oldest first; 0 where it has it not."""
        return self._spread([machine.weights for machine in self.machines])

    @property
    def average_weights(self) -> np.ndarray:
        """The weights, averaged over the hypotheses that predicted the examples seen."""
        return self._spread([machine.average_weights for machine in self.machines])

    def longest_step(self, rows: int) -> float:
        """About how many multiplications are done without a pause: see `Learner`."""
        return sum(machine.longest_step(rows) for machine in self.machines)

    def learn(self, X: Rows, classes: np.ndarray, weights: np.ndarray, record: Record) -> None:
        """Predict each example and learn from it, given its class by number and its weight.

        An example whose weight is NaN is only looked at.
        """
        labels = [np.where(classes == own, weights, -weights) for own in range(len(self.machines))]
        records = [Record(len(classes)) for _ in self.machines]
        learn(self.machines, X, labels, records, rivals=True)
        scores = np.column_stack([own.scores for own in records])
        record.scores[:] = leveled(scores, np.column_stack([own.errors for own in records]))
        record.choices[:] = record.scores.argmax(axis=1)
        events = np.array([own.events for own in records])
        record.events[:, WAS_MISTAKE] = (record.choices != classes) & ~np.isnan(weights)
        record.events[:, WAS_UPDATE] = events[:, :, WAS_UPDATE].any(axis=0)
        record.events[:, SIZE_AFTER] = events[:, :, SIZE_AFTER].sum(axis=0)
        record.events[:, EVICTED] = -1

    def count(self, record: Record) -> None:
        """Count mistakes and updates."""
        self.mistakes += int(record.events[:, WAS_MISTAKE].sum())
        self.updates += int(record.events[:, WAS_UPDATE].sum())

    def decide(self, X: Rows, *, average: bool = False) -> np.ndarray:
        """The scores of all examples (rows) for all classes (columns)."""
        scores, errors = map(np.column_stack, decide_together(self.machines, X, average=average))
        if self.machines[0].has_coarse_scores:
            doubtful = np.flatnonzero(in_doubt(scores, errors).any(axis=1))
            errors[:] = 0
            for start in range(0, len(doubtful), ROWS_AT_ONCE):
                rows = doubtful[start : start + ROWS_AT_ONCE]
                weights = self.average_weights if average else self.weights
                exact = ExactScores(self.machines[0], self.supports, X[rows])
                scores[rows], errors[rows] = exact.of(weights.T)
        return leveled(scores, errors)

    @property
    def _union(self) -> Union:
        return united([machine.state for machine in self.machines])

    def _spread(self, weights: list[np.ndarray]) -> np.ndarray:
        births = self._union.births
        spread = np.zeros((len(weights), len(births)))
        for row, machine, own in zip(spread, self.machines, weights, strict=True):
            row[np.searchsorted(births, machine.births)] = own
        return spread
