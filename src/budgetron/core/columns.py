"""The scales of the features, found on the way.

Of each feature it is known how often it has differed from its center, and by how much then. If some
are far from what the others are, each is divided by the power of the root of two that mends it.
"""

from __future__ import annotations

from math import inf, log
from typing import NamedTuple

import numpy as np
from scipy import sparse

from .compiled import compiled, inlined
from .kernel import Rows

__all__ = ["LARGEST_EXPONENT", "Columns", "filled", "measure_dense", "measure_sparse", "values_in"]

STEP = 0.5
"""Exponents are multiples of this: scales are powers of the root of two."""

DEAD_ZONE, SMALL_ZONE, DOUBT = 1.0, 0.5, 3.0
"""A feature is far off if its exponent is off by more than 1 + 3 / sqrt(its differences); where
features are scaled already, by more than 1/2 and this."""

WORTH_IT = 0.1
"""So large a part of the features must be far off, or they of the squared distances."""

LARGEST_EXPONENT = 60
"""Scales differ by no more than this, so that numbers remain numbers."""

OFTEN = 0.5
"""A feature that differs from its center in a smaller part of the examples is not made larger."""

KNOWN, LARGEST_DIFFERENCE = 5, 16.0
"""After so many differences, one counts for at most so many times their mean."""

FAR_AWAY = 1000.0
"""A center that is so many times farther away than its feature goes is subtracted: squares of such
numbers have no room for their differences."""

SAME_WITHIN = 1e-12
"""What differs from a center by a smaller part of it does not differ."""


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
    rows: np.ndarray  # (1,): examples so far

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
        differences = np.abs(filled(first, center) - center)
        differences[differences <= SAME_WITHIN * np.abs(center)] = 0
        counts = (differences > 0).sum(axis=0)
        sizes = [_mean_but_largest(own[own > 0]) for own in differences.T]
        is_far = np.abs(center) > FAR_AWAY * np.array(sizes, float)
        columns = cls(
            center,
            counts.astype(np.int64),
            counts * np.array(sizes, float),
            np.zeros(width),
            np.ones(width),
            np.where(is_far & scaled, center, 0.0),
            np.array([X.shape[0]]),
        )
        return columns.renewed() if scaled else columns

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
        """Note examples with scaled features: the logarithms of their squared distances."""
        distances = np.full(X.shape[0], -inf)
        if sparse.issparse(X):
            measure_sparse(self, X.indptr, X.indices, X.data, weights, distances)
        else:
            measure_dense(self, np.ascontiguousarray(X), weights, distances)
        return distances

    def renewed(self) -> Columns:
        """The same with other exponents where they are far off."""
        known = self.counts > 0
        if not known.any():
            return self
        sizes = np.zeros(len(self.counts))
        np.log2(self.sums, out=sizes, where=known)
        sizes -= np.log2(np.maximum(self.counts, 1))
        wanted = sizes - np.median(sizes[known])
        off = np.where(known, wanted - self.exponents, 0.0)
        zone = DEAD_ZONE if self.is_plain else SMALL_ZONE
        far = np.abs(off) > zone + DOUBT / np.sqrt(np.maximum(self.counts, 1))
        squares = np.where(known, 4.0 ** np.clip(off, -LARGEST_EXPONENT, LARGEST_EXPONENT), 0.0)
        part = max(far.sum() / known.sum(), squares[far].sum() / squares.sum())
        if part < WORTH_IT:
            return self
        rounded = np.rint(wanted / STEP) * STEP
        rarely = self.counts < OFTEN * self.rows[0]
        new = np.where(rarely, np.maximum(rounded, 0), rounded)
        new = np.clip(new, -LARGEST_EXPONENT, LARGEST_EXPONENT)
        exponents = np.where(known & (np.abs(off) > STEP / 2), new, self.exponents) + 0.0
        return self._replace(exponents=exponents, factors=2.0**-exponents)


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


@compiled
def measure_dense(columns, X, weights, distances):
    """Note scaled rows, and the logarithms of their squared distances from the center."""
    for t in range(len(X)):
        if weights[t] > 0:
            columns.rows[0] += 1
            square = 0.0
            for j in range(len(columns.center)):
                center = columns.center[j] - columns.offsets[j]
                difference = abs(X[t, j] / columns.factors[j] - center)
                if difference > SAME_WITHIN * abs(columns.center[j]):
                    note(columns, j, difference)
                    square += (difference * columns.factors[j]) ** 2
            distances[t] = log_of(square)


@compiled
def measure_sparse(columns, starts, features, values, weights, distances):
    """The same for sparse ones."""
    for t in range(len(starts) - 1):
        if weights[t] > 0:
            columns.rows[0] += 1
            square = 0.0
            for i in range(starts[t], starts[t + 1]):
                value, j = abs(values[i]), features[i]
                square += value**2
                if j < len(columns.counts) and value > 0:
                    note(columns, j, value / columns.factors[j])
            distances[t] = log_of(square)
