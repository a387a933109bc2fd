"""Two forecasters that learn nothing, with which every learner should be compared."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

__all__ = ["BASELINES", "Baselines"]

BASELINES = "commonest label so far", "last label"
"""What they say, in tables."""

NOBODY: Any = ...
"""In the place of a label while none is known: it is always wrong, and the same in any process."""


class Baselines:
    """One says the label that has come most often, the other the one that came last.

    They know the labels that the learner knows, and as late as it does. Of labels that have come
    equally often, the one that did first is said; before any has come, both are wrong.
    """

    def __init__(self) -> None:
        self._counts: dict[Any, int] = {}
        self._commonest: Any = NOBODY
        self._last: Any = NOBODY

    def go_on(
        self, labels: np.ndarray, lessons: np.ndarray, lessons_before: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Predict rows, and hear of labels when they come.

        Parameters
        ----------
        labels : ndarray of shape (n_rows,)
            Of the rows.
        lessons : ndarray
            The labels that come, in their order.
        lessons_before : ndarray of shape (n_rows,)
            How many of them have come before each row is predicted.

        Returns
        -------
        mistakes, is_new : ndarrays of bool, of shapes (n_rows, 2) and (n_rows,)
            Whether each of the two is wrong, and whether no label of the row's class had come.
        """
        coming, heard, told = iter(lessons.tolist()), 0, []
        for label, before in zip(labels.tolist(), lessons_before.tolist(), strict=True):
            while heard < before:
                self._hear(next(coming))
                heard += 1
            told.append((label != self._commonest, label != self._last, label not in self._counts))
        for label in coming:
            self._hear(label)
        answers = np.array(told, bool).reshape(-1, 3)
        return answers[:, :2], answers[:, 2]

    def to_json(self) -> list[Any]:
        """All that is known."""
        known = [] if self._last is NOBODY else [self._commonest, self._last]
        return [[*map(list, self._counts.items())], known]

    @classmethod
    def from_json(cls, document: list[Any]) -> Self:
        """What `to_json` has told."""
        baselines = cls()
        counts, known = document
        baselines._counts = dict(counts)
        if known:
            baselines._commonest, baselines._last = known
        return baselines

    def _hear(self, label: Any) -> None:
        count = self._counts[label] = self._counts.get(label, 0) + 1
        if self._commonest is NOBODY or count > self._counts[self._commonest]:
            self._commonest = label
        self._last = label
