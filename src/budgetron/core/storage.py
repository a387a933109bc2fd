"""Where supports are kept, each in a slot of its own.

Dense supports are rows [x, |x|^2, 1] of one matrix; sparse ones share one pool of stored values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from .allocation import zeros
from .compiled import by_class, compiled
from .kernel import Rows

__all__ = ["DenseRows", "SparseRows", "copied", "enlarged", "release", "store", "stored_in"]


class DenseRows(NamedTuple):
    """Supports with dense instances."""

    values: np.ndarray  # (slots, features + 2): x, |x|^2, 1
    norms: np.ndarray  # |x|^2, or k(x, x) for a kernel of the user's own

    @classmethod
    def empty(cls, width: int, dtype: np.dtype[Any]) -> DenseRows:
        """No slots yet."""
        return cls(np.zeros((0, width + 2), dtype), np.zeros(0))

    def grown(self, slots: int) -> DenseRows:
        """The same rows with room for `slots`."""
        return DenseRows(*(enlarged(array, slots) for array in self))

    def copied(self, used: int, slots: int) -> DenseRows:
        """The same in arrays of its own with so many slots, of which only the first are used."""
        return DenseRows(*(copied(array, used, slots) for array in self))

    def trimmed(self, slots: int) -> DenseRows:
        """Only the first slots."""
        return DenseRows(*(array[:slots] for array in self))

    def with_room_for(self, stored: int) -> DenseRows:
        """Dense rows have their room from the start."""
        return self

    def with_copies(self, slots: np.ndarray, source: DenseRows, others: np.ndarray) -> DenseRows:
        """The same rows, with copies of others in these slots."""
        self.values[slots], self.norms[slots] = source.values[others], source.norms[others]
        return self

    def rescale(self, slots: np.ndarray, factors: np.ndarray) -> None:
        """Multiply the features of these rows."""
        rows = self.values[slots, :-2] * factors.astype(self.values.dtype)
        self.values[slots, :-2] = rows
        self.norms[slots] = np.einsum("ij,ij->i", rows, rows, dtype=np.float64)
        self.values[slots, -2] = self.norms[slots]

    @classmethod
    def joined(cls, parts: Sequence[tuple[DenseRows, np.ndarray]]) -> DenseRows:
        """The chosen slots of several such rows, one after another."""
        return cls(
            np.concatenate([rows.values[slots] for rows, slots in parts]),
            np.concatenate([rows.norms[slots] for rows, slots in parts]),
        )

    def stored_by_each(self) -> float:
        """How many values a support has on average."""
        return self.values.shape[1] - 2

    def in_float64(self, first: int, last: int) -> DenseRows:
        """The slots from `first` to `last - 1`, for products in float64."""
        values, norms = self.values[first:last].astype(np.float64), self.norms[first:last]
        values[:, -2] = norms
        return DenseRows(values, norms)

    def matrix(self, slots: np.ndarray) -> np.ndarray:
        """The instances in `slots`, as they came."""
        return self.values[slots, :-2]


class SparseRows(NamedTuple):
    """Supports with sparse instances: each slot is a stretch of one pool."""

    starts: np.ndarray
    lengths: np.ndarray
    features: np.ndarray
    values: np.ndarray
    norms: np.ndarray
    ends: np.ndarray  # [first free place of the pool, number of features]

    @classmethod
    def empty(cls, width: int, dtype: np.dtype[Any]) -> SparseRows:
        """No slots yet."""
        whole, real = np.zeros(0, np.int64), np.zeros(0)
        return cls(whole, whole, whole, np.zeros(0, dtype), real, np.array([0, width]))

    def grown(self, slots: int) -> SparseRows:
        """The same rows with room for `slots`."""
        return self._replace(
            starts=enlarged(self.starts, slots),
            lengths=enlarged(self.lengths, slots),
            norms=enlarged(self.norms, slots),
        )

    def copied(self, used: int, slots: int) -> SparseRows:
        """The same in arrays of its own with so many slots, of which only the first are used."""
        pool, room = int(self.ends[0]), len(self.values)
        return SparseRows(
            starts=copied(self.starts, used, slots),
            lengths=copied(self.lengths, used, slots),
            features=copied(self.features, pool, room),
            values=copied(self.values, pool, room),
            norms=copied(self.norms, used, slots),
            ends=self.ends.copy(),
        )

    def trimmed(self, slots: int) -> SparseRows:
        """Only the first slots, and the part of the pool that is used."""
        end = int(self.ends[0])
        return self._replace(
            starts=self.starts[:slots],
            lengths=self.lengths[:slots],
            norms=self.norms[:slots],
            features=self.features[:end],
            values=self.values[:end],
        )

    def with_room_for(self, stored: int) -> SparseRows:
        """The same rows, packed if there would be no room for so many values otherwise.

        If that is not enough, there will be room for as much in every slot as there is on average
        in those that are used: a system gives memory when it is written on, and not before.
        """
        room = 2 * stored
        if self.ends[0] + room <= len(self.values):
            return self
        live = _pack(self, np.argsort(self.starts, kind="stable"))
        if live + live // 8 + room <= len(self.values):
            return self
        used = max(1, int(np.count_nonzero(self.lengths)))
        room += 5 * live * len(self.lengths) // (4 * used)
        return self._replace(
            features=enlarged(self.features[:live], room),
            values=enlarged(self.values[:live], room),
        )

    def with_copies(self, slots: np.ndarray, source: SparseRows, others: np.ndarray) -> SparseRows:
        """The same rows, with copies of others in these slots, which must be free."""
        places, lengths = source._places(others), source.lengths[others]
        self.lengths[slots] = 0
        rows = self.with_room_for(len(places))
        start, end = rows.ends[0], rows.ends[0] + len(places)
        rows.features[start:end] = source.features[places]
        rows.values[start:end] = source.values[places]
        rows.starts[slots], rows.lengths[slots] = start + np.cumsum(lengths) - lengths, lengths
        rows.norms[slots] = source.norms[others]
        rows.ends[0] = end
        return rows

    def rescale(self, slots: np.ndarray, factors: np.ndarray) -> None:
        """Multiply the features of these rows; those beyond the factors stay as they are."""
        for slot in slots:
            here = slice(self.starts[slot], self.starts[slot] + self.lengths[slot])
            known = self.features[here] < len(factors)
            own = np.where(known, factors[np.where(known, self.features[here], 0)], 1.0)
            self.values[here] *= own.astype(self.values.dtype)
            self.norms[slot] = np.square(self.values[here], dtype=np.float64).sum()

    @classmethod
    def joined(cls, parts: Sequence[tuple[SparseRows, np.ndarray]]) -> SparseRows:
        """The chosen slots of several such rows, one after another."""
        lengths = np.concatenate([rows.lengths[slots] for rows, slots in parts])
        places = [rows._places(slots) for rows, slots in parts]
        return cls(
            np.cumsum(lengths) - lengths,
            lengths,
            np.concatenate([r.features[here] for (r, _), here in zip(parts, places, strict=True)]),
            np.concatenate([r.values[here] for (r, _), here in zip(parts, places, strict=True)]),
            np.concatenate([rows.norms[slots] for rows, slots in parts]),
            np.array([lengths.sum(), parts[0][0].ends[1]]),
        )

    def stored_by_each(self) -> float:
        """How many values a support has on average."""
        return float(self.ends[0]) / max(1, int(np.count_nonzero(self.lengths)))

    def in_float64(self, first: int, last: int) -> SparseRows:
        """The slots from `first` to `last - 1`, for products in float64."""
        here = slice(first, last)
        return self._replace(
            starts=self.starts[here], lengths=self.lengths[here], norms=self.norms[here]
        )

    def matrix(self, slots: np.ndarray) -> sparse.csr_array:
        """The instances in `slots`, as they came."""
        indptr = np.concatenate([[0], np.cumsum(self.lengths[slots])])
        places, shape = self._places(slots), (len(slots), int(self.ends[1]))
        return sparse.csr_array((self.values[places], self.features[places], indptr), shape=shape)

    def _places(self, slots: np.ndarray) -> np.ndarray:
        """Where in the pool the slots' values are, one slot after another."""
        lengths = self.lengths[slots]
        starts = np.cumsum(lengths) - lengths
        return np.repeat(self.starts[slots] - starts, lengths) + np.arange(lengths.sum())


def stored_in(X: Rows, first: int, last: int) -> int:
    """The number of values in the rows `first` to `last - 1`."""
    if isinstance(X, np.ndarray):
        return (last - first) * X.shape[1]
    return int(X.indptr[last] - X.indptr[first])


def enlarged(array: np.ndarray, slots: int) -> np.ndarray:
    """A copy with the first dimension made `slots` long by zeros."""
    grown = zeros((slots, *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown


def copied(array: np.ndarray, used: int, slots: int) -> np.ndarray:
    """A copy `slots` long; what comes after the first `used` is not touched."""
    return array.copy() if used == slots == len(array) else enlarged(array[:used], slots)


@compiled
def _pack(rows, by_start):
    """Move all stretches to the beginning of the pool, and return where they end."""
    end = 0
    for slot in by_start:
        start, length = rows.starts[slot], rows.lengths[slot]
        for i in range(length):
            rows.features[end + i] = rows.features[start + i]
            rows.values[end + i] = rows.values[start + i]
        rows.starts[slot] = end
        end += length
    rows.ends[0] = end
    return end


@by_class
def store(rows, slot, block, t):
    """Copy the block's example `t` into `slot`."""


@store.register(DenseRows)
def _(rows, slot, block, t):
    width = block.rows.shape[1]
    for k in range(width):
        rows.values[slot, k] = block.rows[t, k]
    rows.values[slot, width] = block.norms[t]
    rows.values[slot, width + 1] = 1
    rows.norms[slot] = block.norms[t]


@store.register(SparseRows)
def _(rows, slot, block, t):
    first, start = block.starts[t], rows.ends[0]
    length = block.starts[t + 1] - first
    for i in range(length):
        rows.features[start + i] = block.features[first + i]
        rows.values[start + i] = block.values[first + i]
    rows.starts[slot] = start
    rows.lengths[slot] = length
    rows.norms[slot] = block.norms[t]
    rows.ends[0] = start + length


@by_class
def release(rows, slot):
    """Let the next one have the room of `slot`."""


@release.register(SparseRows)
def _(rows, slot):
    rows.lengths[slot] = 0
