"""The scales of the features, found on the way.

Of each feature it is known how often it has differed from its center, and by how much then. If some
are far from what the others are, each is divided by the power of two that mends it. A feature that
leaves the range in which it has been, and leaves the next one as well, is left out until it stays;
so is one that has only risen or only fallen at first.
"""

from __future__ import annotations

from math import inf, log
from typing import NamedTuple

import numpy as np
from scipy import sparse

from .compiled import compiled, inlined
from .kernel import Rows

__all__ = [
    "LARGEST_EXPONENT",
    "STEP",
    "Columns",
    "filled",
    "measure_dense",
    "measure_sparse",
    "next_look",
    "values_in",
]

FIRST_LOOK = 10
"""Examples that scales are found with at first."""

STEP = 0.25
"""Exponents are multiples of this."""

DEAD_ZONE, SMALL_ZONE, DOUBT = 1.0, 0.25, 3.0
"""A feature is far off if its exponent is off by more than 1 + 3 / sqrt(its differences); where
features are scaled already, by more than 1/4 and this."""

MOST = 0.75
"""A feature leaves its range if so large a part of the examples since the last look is outside."""

WORTH_IT = 0.1
"""So large a part of the features must be far off, or they of the squared distances."""

LARGEST_EXPONENT = 60
"""Scales differ by no more than this, so that numbers remain numbers. A feature that is left out
has this one, which is as good as nothing."""

OFTEN = 0.5
"""A feature that differs from its center in a smaller part of the examples is not made larger."""

KNOWN, LARGEST_DIFFERENCE = 5, 16.0
"""After so many differences, one counts for at most so many times their mean."""

FAR_AWAY = 1000.0
"""A center that is so many times farther away than its feature goes is subtracted: squares of such
numbers have no room for their differences."""

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
    factors: np.ndarray  # 2^-exponent
    offsets: np.ndarray  # what is subtracted before: centers that are far away, else 0
    ranges: np.ndarray  # (4, features): lowest and highest value at the last look, and by now
    outside: np.ndarray  # how many examples have been outside of that range since then
    leaving: np.ndarray  # 1 if most had been, at the last look
    rows: np.ndarray  # (2,): examples so far, and at the last look

    @classmethod
    def of(cls, X: Rows, *, scaled: bool) -> Columns:
        """Those of some first examples; without scales, they only know the center."""
        width = X.shape[1]
        if sparse.issparse(X):
            width = int(X.indices.max(initial=-1)) + 1
            width = width if scaled and 2 * X.nnz >= width * X.shape[0] else 0
            first, center = X[:, :width].toarray(), np.zeros(width)
        else:
            first, center = X, _middle(X.astype(float))
        there = filled(first, center)
        differences = np.abs(there - center)
        differences[differences <= SAME_WITHIN * np.abs(center)] = 0
        counts = (differences > 0).sum(axis=0)
        sizes = [_mean_but_largest(own[own > 0]) for own in differences.T]
        is_far = np.abs(center) > FAR_AWAY * np.array(sizes, float)
        rising = np.sign(np.diff(there, axis=0)).sum(axis=0)
        left = (np.abs(rising) == len(there) - 1) & scaled & (len(there) >= FIRST_LOOK)
        columns = cls(
            center,
            counts.astype(np.int64),
            counts * np.array(sizes, float),
            np.zeros(width),
            np.ones(width),
            np.where(is_far & scaled, center, 0.0),
            np.tile([there.min(axis=0), there.max(axis=0)], (2, 1)),
            np.zeros(width, np.int64),
            left.astype(np.int64),
            np.full(2, X.shape[0]),
        )
        return columns._rescaled(left) if scaled else columns

    def copied(self) -> Columns:
        """The same in arrays of its own."""
        return Columns(*(array.copy() for array in self))

    @property
    def is_plain(self) -> bool:
        """Whether features are as they come."""
        return not (self.exponents.any() or self.offsets.any())

    def scale(self, X: Rows) -> Rows:
        """The examples with scaled features."""
        if self.is_plain:
            return X
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

    def measure(self, X: Rows, weights: np.ndarray) -> np.ndarray:
        """Note examples with scaled features: the logarithms of their squared distances.

        Those from the center and those from 0: two columns.
        """
        distances = np.full((X.shape[0], 2), -inf)
        if sparse.issparse(X):
            measure_sparse(self, X.indptr, X.indices, X.data, weights, distances)
        else:
            measure_dense(self, np.ascontiguousarray(X), weights, distances)
        return distances

    def renewed(self) -> Columns:
        """Look at all features again: the same with other exponents where they are far off."""
        outside = self.outside > MOST * (self.rows[0] - self.rows[1])
        centered = self.counts < self.rows[0]  # of sparse rows, 0 is not stored
        low, high = self.ranges[2:]
        low = np.where(centered, np.minimum(low, self.center), low)
        high = np.where(centered, np.maximum(high, self.center), high)
        columns = self._replace(
            ranges=np.array([low, high, low, high]),
            outside=np.zeros_like(self.outside),
            leaving=outside.astype(np.int64),
            rows=self.rows[[0, 0]],
        )
        return columns._rescaled(outside & (self.leaving == 1))

    def _rescaled(self, left: np.ndarray) -> Columns:
        """The same with other exponents where they are far off, and of features that have left."""
        was_out = self.exponents == LARGEST_EXPONENT
        known = (self.counts > 0) & ~left
        sizes = np.zeros(len(self.counts))
        np.log2(self.sums, out=sizes, where=known)
        sizes -= np.log2(np.maximum(self.counts, 1))
        wanted = sizes - np.median(sizes[known]) if known.any() else sizes
        held = np.where(was_out, 0.0, self.exponents)
        off = np.where(known, wanted - held, 0.0)
        zone = SMALL_ZONE if held[~left].any() else DEAD_ZONE
        far = np.abs(off) > zone + DOUBT / np.sqrt(np.maximum(self.counts, 1))
        squares = np.where(known, 4.0 ** np.clip(off, -LARGEST_EXPONENT, LARGEST_EXPONENT), 0.0)
        exponents = held
        if far.sum() >= WORTH_IT * known.sum() or squares[far].sum() >= WORTH_IT * squares.sum():
            rounded = np.rint(wanted / STEP) * STEP
            rarely = self.counts < OFTEN * self.rows[0]
            new = np.where(rarely, np.maximum(rounded, 0), rounded)
            new = np.clip(new, -LARGEST_EXPONENT, LARGEST_EXPONENT - STEP)
            exponents = np.where(known & (np.abs(off) > STEP / 2), new, held)
        exponents = np.where(left, LARGEST_EXPONENT, exponents) + 0.0
        return self._replace(exponents=exponents, factors=2.0**-exponents)


def next_look(age: int) -> int:
    """After so many examples, at least 10, features are looked at again: 15, 20, 30, 40, 60 ..."""
    power = FIRST_LOOK << (age // FIRST_LOOK).bit_length() - 1
    return power * 3 // 2 if age < power * 3 // 2 else 2 * power


def values_in(X: Rows) -> np.ndarray:
    """All values, or those that are stored."""
    values: np.ndarray = X.data if sparse.issparse(X) else X
    return values


def filled(X: Rows, center: np.ndarray | float) -> Rows:
    """The examples with the center where a value is missing; that of sparse ones is 0."""
    values = values_in(X)
    missing = np.isnan(values)
    if not missing.any():
        return X
    if not sparse.issparse(X):
        return np.where(missing, center, X)
    return sparse.csr_array((np.where(missing, 0.0, values), X.indices, X.indptr), shape=X.shape)


def _middle(X: np.ndarray) -> np.ndarray:
    """The median of each feature, of the values that are not missing; 0 if all of them are."""
    center: np.ndarray = np.median(X, axis=0)
    for j in np.flatnonzero(np.isnan(center)):
        there = X[~np.isnan(X[:, j]), j]
        center[j] = np.median(there) if len(there) > 0 else 0.0
    return center


def _mean_but_largest(differences: np.ndarray) -> float:
    """Their mean; of three or more, without the largest."""
    total, many = differences.sum(), len(differences)
    if many > 2:
        total, many = total - differences.max(), many - 1
    return float(total / max(many, 1))


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


@compiled
def measure_dense(columns, X, weights, distances):
    """Note scaled rows, and the logarithms of their squared distances from the center and 0."""
    for t in range(len(X)):
        if weights[t] > 0:
            columns.rows[0] += 1
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


@compiled
def measure_sparse(columns, starts, features, values, weights, distances):
    """The same for sparse ones, whose center is 0."""
    for t in range(len(starts) - 1):
        if weights[t] > 0:
            columns.rows[0] += 1
            square = 0.0
            for i in range(starts[t], starts[t + 1]):
                value, j = values[i], features[i]
                square += value**2
                if j < len(columns.counts) and value != 0:
                    value /= columns.factors[j]
                    note_range(columns, j, value)
                    note(columns, j, abs(value))
            distances[t, 0], distances[t, 1] = log_of(square), log_of(square)
