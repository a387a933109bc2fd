"""The scales of the features, found on the way.

Of each feature it is known how often it has differed from its center, and by how much then. If some
are far from what the others are, each is divided by the power of two that mends it. A feature that
leaves the range in which it has been, and leaves the next one as well, is left out until it stays;
so is one that has only risen or only fallen at first. And if all go much farther than the first
examples told, all are divided by a common power.
"""

from __future__ import annotations

from math import inf, log
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from .compiled import by_class, by_reference, inlined
from .kernel import Rows
from .missing import filled, medians

__all__ = [
    "ADDED",
    "LARGEST_EXPONENT",
    "LAST_LOOK",
    "SO_FAR",
    "STEP",
    "Columns",
    "measure",
    "measured",
    "measured_row",
    "next_look",
]

FIRST_LOOK = 10
"""Examples that scales are found with at first."""

STEP = 0.25
"""Exponents are multiples of this."""

DEAD_ZONE, SMALL_ZONE, DOUBT = 1.0, 0.25, 3.0
"""A feature is far off if its exponent is off by more than 1 + 3 / sqrt(its differences); where
features are scaled already, by more than 1/4 and this."""

EARLY = 100
"""Before so many examples, all features may turn out to go farther than the first ones told."""

MOST = 0.75
"""A feature leaves its range if so large a part of the examples since the last look is outside."""

WORTH_IT = 0.1
"""So large a part of the features must be far off, or they of the squared distances."""

LARGEST_EXPONENT = 60
"""Scales differ by no more than this, so that numbers remain numbers. A feature that is left out
has this one, which is as good as nothing."""

OFTEN = 0.5
"""A feature that differs from its center in a smaller part of the examples is not made larger."""

KNOWN, LARGEST_DIFFERENCE = 5, 4.0
"""After so many differences, one counts for at most so many times their mean; of the first, for so
many times their median."""

FAR_AWAY = 1000.0
"""A center that is so many times farther away than its feature goes is subtracted: squares of such
numbers have no room for their differences."""

ADDED, FIRST_MIDDLE = range(2)
"""Places in `common`: what is added to all exponents, and the middle size of features at first."""

SO_FAR, LAST_LOOK = range(2)
"""Places in `rows`: examples so far, and at the last look."""

SAME_WITHIN = 1e-12
"""What differs from a center, or is beyond a range, by a smaller part of it does not."""


class Columns(NamedTuple):
    """Where features are, how far they go, and by which powers of two they are divided.

    The arrays are as long as there are features; empty for sparse rows that are not full.
    """

    center: np.ndarray
    counts: np.ndarray  # how often each has differed from its center
    sums: np.ndarray  # of these differences
    exponents: np.ndarray
    common: np.ndarray  # (2,): see ADDED and FIRST_MIDDLE
    factors: np.ndarray  # 2^-(exponent + common one)
    offsets: np.ndarray  # what is subtracted before: centers that are far away, else 0
    ranges: np.ndarray  # (4, features): lowest and highest value at the last look, and by now
    outside: np.ndarray  # how many examples have been outside of that range since then
    leaving: np.ndarray  # 1 if most had been, at the last look
    rows: np.ndarray  # (2,): see SO_FAR and LAST_LOOK

    @classmethod
    def of(cls, X: Rows, *, scaled: bool) -> Columns:
        """Those of some first examples; without scales, they only know the center."""
        width = X.shape[1]
        if sparse.issparse(X):
            width = int(X.indices.max(initial=-1)) + 1
            width = width if scaled and 2 * X.nnz >= width * X.shape[0] else 0
            first, center = X[:, :width].toarray(), np.zeros(width)
        else:
            first, center = X, medians(X.astype(float))
        there = filled(first, center)
        differences = np.abs(there - center)
        differences[differences <= SAME_WITHIN * np.abs(center)] = 0
        counts = (differences > 0).sum(axis=0)
        sizes = [_usual(own[own > 0]) for own in differences.T]
        is_far = np.abs(center) > FAR_AWAY * np.array(sizes, float)
        rising = np.sign(np.diff(there, axis=0)).sum(axis=0)
        left = (np.abs(rising) == len(there) - 1) & scaled & (len(there) >= FIRST_LOOK)
        columns = cls(
            center,
            counts.astype(np.int64),
            counts * np.array(sizes, float),
            np.zeros(width),
            np.zeros(2),
            np.ones(width),
            np.where(is_far & scaled, center, 0.0),
            np.tile([there.min(axis=0), there.max(axis=0)], (2, 1)),
            np.zeros(width, np.int64),
            left.astype(np.int64),
            np.full(2, X.shape[0]),
        )
        columns.common[FIRST_MIDDLE] = columns._middle_size(~left)
        return columns._rescaled(left) if scaled else columns

    def copied(self) -> Columns:
        """The same in arrays of its own."""
        return Columns(*(array.copy() for array in self))

    @property
    def is_plain(self) -> bool:
        """Whether features are as they come."""
        return not (self.exponents.any() or self.common[ADDED] or self.offsets.any())

    @property
    def powers(self) -> np.ndarray:
        """Features are divided by 2 to the power of these."""
        return self.exponents + self.common[ADDED]

    def scale(self, X: Rows) -> Rows:
        """The examples with scaled features; those that are too large become infinite."""
        if self.is_plain:
            return X
        with np.errstate(over="ignore"):
            if not sparse.issparse(X):
                return (X - self.offsets) * self.factors
            values = X.data * self.factors_of(X.indices)
        return sparse.csr_array((values, X.indices, X.indptr), shape=X.shape)

    def restored(self, X: Rows) -> Rows:
        """The examples with features as they came, given scaled ones."""
        if self.is_plain:
            return X
        if not sparse.issparse(X):
            return X / self.factors + self.offsets
        values = X.data / self.factors_of(X.indices)
        return sparse.csr_array((values, X.indices, X.indptr), shape=X.shape)

    def factors_of(self, features: np.ndarray) -> np.ndarray:
        """What the values of these features are multiplied by: those that are not known, by 1."""
        if len(self.factors) == 0:
            return np.ones(len(features))
        known = self.factors[np.minimum(features, len(self.factors) - 1)]
        return np.where(features < len(self.factors), known, 1.0)

    def renewed(self) -> Columns:
        """Look at all features again: the same with other exponents where they are far off."""
        outside = self.outside > MOST * (self.rows[SO_FAR] - self.rows[LAST_LOOK])
        centered = self.counts < self.rows[SO_FAR]  # of sparse rows, 0 is not stored
        low, high = self.ranges[2:]
        low = np.where(centered, np.minimum(low, self.center), low)
        high = np.where(centered, np.maximum(high, self.center), high)
        columns = self._replace(
            ranges=np.array([low, high, low, high]),
            outside=np.zeros_like(self.outside),
            leaving=outside.astype(np.int64),
            rows=self.rows[[SO_FAR, SO_FAR]],
        )
        return columns._rescaled(outside & (self.leaving == 1))

    def _rescaled(self, left: np.ndarray) -> Columns:
        """The same with other exponents where they are far off, and of features that have left."""
        held = np.where(self.exponents == LARGEST_EXPONENT, 0.0, self.exponents)
        known, middle = (self.counts > 0) & ~left, self._middle_size(~left)
        wanted = self._sizes - middle
        off = np.where(known, wanted - held, 0.0)
        zone = SMALL_ZONE if held[~left].any() else DEAD_ZONE
        far = np.abs(off) > zone + DOUBT / np.sqrt(np.maximum(self.counts, 1))
        squares = np.where(known, 4.0 ** np.clip(off, -LARGEST_EXPONENT, LARGEST_EXPONENT), 0.0)
        exponents = held
        if far.sum() >= WORTH_IT * known.sum() or squares[far].sum() >= WORTH_IT * squares.sum():
            rounded = np.rint(wanted / STEP) * STEP
            rarely = self.counts < OFTEN * self.rows[SO_FAR]
            new = np.where(rarely, np.maximum(rounded, 0), rounded)
            new = np.clip(new, -LARGEST_EXPONENT, LARGEST_EXPONENT - STEP)
            exponents = np.where(known & (np.abs(off) > STEP / 2), new, held)
        exponents = np.where(left, LARGEST_EXPONENT, exponents) + 0.0
        common = self.common.copy()
        grown, rows = middle - common[FIRST_MIDDLE], self.rows[SO_FAR]
        if rows < EARLY and abs(grown - common[ADDED]) > DEAD_ZONE + DOUBT / np.sqrt(rows):
            common[ADDED] = np.clip(
                np.rint(grown / STEP) * STEP, -LARGEST_EXPONENT, LARGEST_EXPONENT
            )
        factors = 2.0 ** -(exponents + common[ADDED])
        return self._replace(exponents=exponents, common=common, factors=factors)

    @property
    def _sizes(self) -> np.ndarray:
        """The logarithms of how far features go on the mean; 0 of those that go nowhere."""
        sizes = np.zeros(len(self.counts))
        np.log2(self.sums, out=sizes, where=self.counts > 0)
        return sizes - np.log2(np.maximum(self.counts, 1))

    def _middle_size(self, among: np.ndarray) -> float:
        """Their median over the features that go anywhere, among some."""
        sizes = self._sizes[among & (self.counts > 0)]
        return float(np.median(sizes)) if len(sizes) > 0 else 0.0


def next_look(age: int) -> int:
    """After so many examples, at least 10, features are looked at again: 15, 20, 30, 40, 60 ..."""
    power = FIRST_LOOK << (age // FIRST_LOOK).bit_length() - 1
    return power * 3 // 2 if age < power * 3 // 2 else 2 * power


def _usual(differences: np.ndarray) -> float:
    """Their mean, which no single one is to decide about."""
    if len(differences) == 0:
        return 0.0
    return float(np.minimum(differences, LARGEST_DIFFERENCE * np.median(differences)).mean())


@inlined
def log_of(square):
    """The logarithm of what is neither nothing nor beyond all numbers, or -infinity."""
    return log(square) if 0 < square < inf else -inf


@inlined
def note(columns, j, difference):
    """Count a difference, which no single one is to decide about."""
    counts, sums = columns.counts, columns.sums
    if counts[j] >= KNOWN:
        difference = min(difference, LARGEST_DIFFERENCE * sums[j] / counts[j])
    counts[j] += 1
    sums[j] += difference


@inlined
def note_range(columns, j, value):
    """See whether a value is outside of the range at the last look."""
    ranges = columns.ranges
    low, high = ranges[0, j], ranges[1, j]
    beyond = max(low - value, value - high)
    columns.outside[j] += beyond > SAME_WITHIN * max(abs(low), abs(high))
    ranges[2, j], ranges[3, j] = min(ranges[2, j], value), max(ranges[3, j], value)


@by_reference
class DenseMeasured(NamedTuple):
    """Scaled rows, and where their features are noted."""

    columns: Columns
    X: np.ndarray


@by_reference
class SparseMeasured(NamedTuple):
    """The same for sparse ones."""

    columns: Columns
    starts: np.ndarray
    features: np.ndarray
    values: np.ndarray


UNMEASURED = DenseMeasured(Columns.of(np.zeros((1, 0)), scaled=False), np.zeros((0, 0)))
"""Rows of which no feature is noted: none of them, so that no other machine code is needed."""


def measured(columns: Columns | None, X: Rows) -> Any:
    """Scaled rows, and where their features are noted, if they are."""
    if columns is None:
        return UNMEASURED
    if sparse.issparse(X):
        return SparseMeasured(columns, X.indptr, X.indices, X.data)
    return DenseMeasured(columns, np.ascontiguousarray(X))


def measured_row(columns: Columns | None, parts: tuple[np.ndarray, ...]) -> Any:
    """The same for one row, given what it is stored in."""
    if columns is None:
        return UNMEASURED
    return (SparseMeasured if len(parts) > 1 else DenseMeasured)(columns, *parts)


@by_class
def measure(rows, weights, distances):
    """Note rows, and the logarithms of their squared distances from the center and from 0."""


@measure.register(DenseMeasured)
def _(rows, weights, distances):
    columns, X = rows.columns, rows.X
    distances[:] = -inf
    for t in range(len(X)):
        if weights[t] > 0:
            columns.rows[SO_FAR] += 1
            square, size = 0.0, 0.0
            for j in range(len(columns.center)):
                value = X[t, j] / columns.factors[j] + columns.offsets[j]
                difference = abs(value - columns.center[j])
                size += X[t, j] ** 2
                note_range(columns, j, value)
                if difference > SAME_WITHIN * abs(columns.center[j]):
                    note(columns, j, difference)
                    square += (difference * columns.factors[j]) ** 2
            distances[t, 0], distances[t, 1] = log_of(square), log_of(size)


@measure.register(SparseMeasured)
def _(rows, weights, distances):
    columns, starts, features, values = rows.columns, rows.starts, rows.features, rows.values
    distances[:] = -inf
    for t in range(len(starts) - 1):
        if weights[t] > 0:
            columns.rows[SO_FAR] += 1
            square = 0.0
            for i in range(starts[t], starts[t + 1]):
                value, j = values[i], features[i]
                square += value**2
                if j < len(columns.counts) and value != 0:
                    value /= columns.factors[j]
                    note_range(columns, j, value)
                    note(columns, j, abs(value))
            distances[t, 0], distances[t, 1] = log_of(square), log_of(square)
