"""Counts along a stream of any length, in stretches that become longer with it."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any, Self

import numpy as np

__all__ = ["Stretches"]

POINTS = 64
"""Stretches, at most."""

ROOM = 2**18
"""Numbers in the confusion matrices of all stretches: of many classes there are fewer stretches."""


class Stretches:
    """Sums, and how often each label was predicted as what.

    Iterated over, it gives the number of rows at the end of each stretch, its sums and its
    confusion matrix; not those of a last stretch that is not over, which say little.

    Parameters
    ----------
    sums : int
        How many there are.
    """

    def __init__(self, sums: int) -> None:
        self.rows = 0
        self._length = 1
        self._sums = np.zeros((0, sums))
        self._confusion = np.zeros((0, 0, 0), np.int64)

    def add(
        self, values: np.ndarray, labels: np.ndarray, predictions: np.ndarray, classes: int
    ) -> None:
        """Go on with rows: what is summed up of each, and places among so many classes."""
        end = self.rows + len(values)
        more = classes - self._confusion.shape[1]
        self._confusion = np.pad(self._confusion, ((0, 0), (0, more), (0, more)))
        while -(-end // self._length) > max(1, min(POINTS, ROOM // classes**2)):
            self._halve()
        missing = -(-end // self._length) - len(self._sums)
        self._sums = np.pad(self._sums, ((0, missing), (0, 0)))
        self._confusion = np.pad(self._confusion, ((0, missing), (0, 0), (0, 0)))
        places = np.arange(self.rows, end) // self._length
        np.add.at(self._sums, places, values)
        np.add.at(self._confusion, (places, labels, predictions), 1)
        self.rows = end

    def totals(self) -> tuple[np.ndarray, np.ndarray]:
        """The sums and the confusion matrix of all rows."""
        return self._sums.sum(axis=0), self._confusion.sum(axis=0)

    def coarser(self, points: int) -> Stretches:
        """The same in at most so many stretches."""
        coarse = copy(self)
        while len(coarse._sums) > points:
            coarse._halve()
        return coarse

    def __iter__(self) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        for place, each in enumerate(zip(self._sums, self._confusion, strict=True)):
            end = self._length * (place + 1)
            if end <= self.rows:
                yield end, *each

    def to_json(self) -> dict[str, Any]:
        """All of it in plain types."""
        at = np.argwhere(self._confusion)
        return {
            "rows": self.rows,
            "length": self._length,
            "sums": self._sums.tolist(),
            "classes": self._confusion.shape[1],
            "counts": np.column_stack([at, self._confusion[*at.T]]).tolist(),
        }

    @classmethod
    def from_json(cls, sums: int, document: dict[str, Any]) -> Self:
        """What `to_json` has told, of so many sums."""
        stretches, classes = cls(sums), document["classes"]
        stretches.rows, stretches._length = document["rows"], document["length"]
        stretches._sums = np.array(document["sums"], float).reshape(-1, sums)
        points = len(stretches._sums)
        stretches._confusion = np.zeros((points, classes, classes), np.int64)
        for *place, count in document["counts"]:
            stretches._confusion[*place] = count
        return stretches

    def _halve(self) -> None:
        for name in ("_sums", "_confusion"):
            counts = getattr(self, name)
            even = np.concatenate([counts, np.zeros((len(counts) % 2, *counts.shape[1:]))])
            halves = even.reshape(-1, 2, *counts.shape[1:]).sum(axis=1)
            setattr(self, name, halves.astype(counts.dtype))
        self._length *= 2
