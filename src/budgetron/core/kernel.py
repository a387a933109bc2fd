"""Kernels: linear, polynomial and Gaussian, normalised if wished, and a user's own.

Every built-in kernel is a function of one number,

    z = product <x, y> + norms (|x|^2 + |y|^2) + constant,      k(x, y) = exp(z) or z^degree,

or the mean of exp(z/16), exp(z) and exp(16 z) for a Gaussian kernel of several widths,
so that a block of kernel values is one matrix product and one pass over it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from .compiled import by_class, compiled_reassociated, inlined, writeable

__all__ = [
    "Kernel",
    "OwnKernel",
    "Rows",
    "diagonal_value",
    "error_scale",
    "exponentials",
    "inverse_length",
    "inverse_lengths",
    "is_relative",
    "largest_norm",
    "largest_squared_norm",
    "largest_value",
    "look_ahead_error",
    "scale_gamma",
    "shaped",
    "squared_norms",
]

SMALLEST_NORMAL = 2.0**-1022

SCALES = 16.0
"""Of a kernel of several widths: a Gaussian, and others so many times as wide and as narrow."""

SMALLEST_DIAGONAL = 2.0**-600
"""A smaller k(x, x) counts as 0: what is divided by it would not fit into a float64, with room for
the weights of examples."""

LARGEST_VALUE = 2.0**700
"""Of a kernel value, for the same reason."""

Rows = Any
"""Examples as rows: a dense array or a CSR matrix."""


class Kernel(NamedTuple):
    """A built-in kernel; `budgetron.kernels` makes them.

    With z = product <x, y> + norms (|x|^2 + |y|^2) + constant, it is z^degree or exp(z).

    Parameters
    ----------
    product, norms, constant : float
        Of z.
    degree : int
    exponential : bool
        Whether it is exp(z).
    normalize : bool
        Whether to divide by sqrt(k(x, x) k(y, y)).
    multiscale : bool
        Whether it is the mean of three, of z/16, z and 16 z.
    """

    product: float = 1.0
    norms: float = 0.0
    constant: float = 0.0
    degree: int = 1
    exponential: bool = False
    normalize: bool = False
    multiscale: bool = False

    def __call__(self, A: Rows, B: Rows) -> np.ndarray:
        """The matrix k(a, b) for each row a of `A` and b of `B`."""
        z = A @ B.T
        z = self.product * (z.toarray() if sparse.issparse(z) else np.asarray(z))
        a, b = squared_norms(A), squared_norms(B)
        z += self.norms * (a[:, None] + b) + self.constant
        values = exponentials(self, np.minimum(z, 0)) if self.exponential else z**self.degree
        if self.normalize:
            values *= inverse_lengths(self, a)[:, None] * inverse_lengths(self, b)
        return values

    def diagonal(self, A: Rows) -> np.ndarray:
        """The numbers k(a, a) for each row a of `A`."""
        return np.array([diagonal_value(self, norm) for norm in squared_norms(A)])


class OwnKernel(NamedTuple):
    """A user's kernel: any function of two matrices that returns the matrix of kernel values.

    The engine's promise is then as good as the function: k(a, b) may depend on a and b alone.

    Parameters
    ----------
    function : callable
        Of two matrices of rows.
    normalize : bool, default=False
        Whether to divide by sqrt(k(x, x) k(y, y)).
    most : float
        Values that are larger are refused.
    """

    function: Callable[[Rows, Rows], np.ndarray]
    normalize: bool = False
    most: float = LARGEST_VALUE

    def __call__(self, A: Rows, B: Rows) -> np.ndarray:
        """The matrix k(a, b) for each row a of `A` and b of `B`."""
        values = self._raw(A, B)
        if self.normalize:
            values *= _inverse(self._raw_diagonal(A))[:, None] * _inverse(self._raw_diagonal(B))
        return values

    def diagonal(self, A: Rows) -> np.ndarray:
        """The numbers k(a, a) for each row a of `A`."""
        diagonal = self._raw_diagonal(A)
        return (diagonal >= SMALLEST_DIAGONAL).astype(float) if self.normalize else diagonal

    def _raw(self, A: Rows, B: Rows) -> np.ndarray:
        values: Any = self.function(A, B)
        values = np.array(values.toarray() if sparse.issparse(values) else values, np.float64)
        if values.shape != (A.shape[0], B.shape[0]):
            raise ValueError(
                f"the kernel returned shape {values.shape} for {A.shape[0]} and {B.shape[0]} rows;"
                f" it must return {(A.shape[0], B.shape[0])}"
            )
        if not (np.abs(values) <= self.most).all():
            raise ValueError("the kernel returned values that are too large or not finite")
        return values

    def _raw_diagonal(self, A: Rows) -> np.ndarray:
        each = [self._raw(A[i : i + 1], A[i : i + 1])[0, 0] for i in range(A.shape[0])]
        if min(each) < 0:
            raise ValueError(
                f"the kernel returned k(x, x) = {min(each):g}, which cannot be negative"
            )
        return np.array(each)


def exponentials(kernel: Kernel, z: np.ndarray) -> np.ndarray:
    """exp(z), or the mean over several widths; `z` is written over."""
    if not kernel.multiscale:
        return np.exp(z, out=z)
    narrow, middle = np.exp(SCALES * z), np.exp(z)
    z /= SCALES
    np.exp(z, out=z)
    z += middle
    z += narrow
    z /= 3
    return z


def squared_norms(A: Rows) -> np.ndarray:
    """|a|^2 for each row, in float64."""
    if sparse.issparse(A):
        A = sparse.csr_array(A)
        with np.errstate(over="ignore"):
            squares = np.square(A.data, dtype=np.float64), A.indices, A.indptr
        return sparse.csr_array(squares, shape=A.shape).sum(axis=1)
    return np.einsum("ij,ij->i", A, A, dtype=np.float64)


def largest_squared_norm(A: Rows) -> float:
    """The largest |a|^2, in float64, in one pass over the rows."""
    with np.errstate(over="ignore"):  # uncompiled, there would be a warning
        if sparse.issparse(A):
            ends = A.indptr.astype(np.int64)
            return float(_largest_of_stretches(writeable(A.data), ends))
        width = A.shape[1]
        return max(
            float(_largest_of_stretches(part.reshape(-1), np.arange(0, part.size + 1, width)))
            for part in (writeable(A[first : first + 1024]) for first in range(0, len(A), 1024))
        )


@compiled_reassociated
def _largest_of_stretches(values, ends):
    largest = 0.0
    for i in range(len(ends) - 1):
        total, own = 0.0, values[ends[i] : ends[i + 1]]
        for j in range(len(own)):
            total += np.float64(own[j]) * np.float64(own[j])
        largest = max(largest, total)
    return largest


def _inverse(diagonal: np.ndarray) -> np.ndarray:
    """1/sqrt(k(x, x)); 0 where k(x, x) is 0, so that such an x is orthogonal to everything."""
    lengths, is_some = np.sqrt(np.maximum(diagonal, 0)), diagonal >= SMALLEST_DIAGONAL
    return np.divide(1.0, lengths, out=np.zeros_like(lengths), where=is_some)


def inverse_lengths(kernel: Kernel, norms: np.ndarray) -> np.ndarray:
    """What a normalised kernel divides by, for each of the norms."""
    return np.array([inverse_length(kernel, norm) for norm in norms])


@inlined
def shaped(kernel: Kernel, z: float) -> float:
    """exp(z) or z^degree."""
    if kernel.exponential:
        z = min(z, 0.0)  # rounding can put z above 0 where |x| is large
        if kernel.multiscale:
            return (math.exp(z / SCALES) + math.exp(z) + math.exp(SCALES * z)) / 3
        return math.exp(z)
    power = z
    for _ in range(kernel.degree - 1):
        power *= z
    return power


@inlined
def inverse_length(kernel: Kernel, norm: float) -> float:
    """What a normalised kernel divides by: 1/sqrt(k(x, x)) from |x|^2, and 0 for k(x, x) = 0."""
    own = shaped(kernel, (kernel.product + 2 * kernel.norms) * norm + kernel.constant)
    return 1 / math.sqrt(own) if own >= SMALLEST_DIAGONAL else 0.0


@by_class
def diagonal_value(kernel, norm):
    """k(x, x), from the norm that the kernel's rows are kept with."""
    own = shaped(kernel, (kernel.product + 2 * kernel.norms) * norm + kernel.constant)
    if kernel.normalize:
        return 1.0 if own >= SMALLEST_DIAGONAL else 0.0
    return own if own >= SMALLEST_DIAGONAL else 0.0


@diagonal_value.register(OwnKernel)
def _(kernel, norm):
    return norm if norm >= SMALLEST_DIAGONAL else 0.0


@by_class
def is_relative(kernel):
    """Whether the error of a kernel value is in proportion to the value, as that of exp is."""
    return kernel.exponential


@is_relative.register(OwnKernel)
def _(kernel):
    return False


@by_class
def error_scale(kernel, a, b):
    """How far rounding is amplified, given a = |x|^2 and b = |y|^2.

    R >= |k(x, y)| is such that k(x, y), computed from sums of n products with unit roundoff u, is
    off by at most (n + 8) u R.

    Write Z = |product| |x||y| + |norms| (|x|^2 + |y|^2) + |constant| >= |z|. A sum of n products
    is off by at most n u times the sum of their magnitudes (Higham, 2002, Sec. 3.1), and by
    Cauchy-Schwarz this makes z off by (n + 3) u Z. Then exp, where z <= 0, is off by
    (n + 3) u Z + 4 u, even in proportion to itself, and the power by degree (n + 4) u Z^degree;
    with several widths, by 16 times as much.
    Dividing by the two lengths, each of which carries half of such a relative error, at most
    doubles it; and since Z^degree <= sqrt(k(x, x) k(y, y)), what is left is 2 degree.
    """
    lengths = math.sqrt(a) * math.sqrt(b)
    Z = abs(kernel.product) * lengths + abs(kernel.norms) * (a + b) + abs(kernel.constant)
    if kernel.exponential:
        return 1 + (SCALES * Z if kernel.multiscale else Z)
    if kernel.normalize:
        return 2.0 * kernel.degree
    R = kernel.degree * Z
    for _ in range(kernel.degree - 1):
        R *= Z
    return R


@error_scale.register(OwnKernel)
def _(kernel, a, b):
    return math.sqrt(a) * math.sqrt(b)


@by_class
def look_ahead_error(kernel, a, b, n, m):
    """How far a kernel value can be off whose inner product is rounded n times, and norms m times.

    In units of the roundoff: as for `error_scale`, which counts both alike, and also what exp
    itself is off by.
    """
    R = error_scale(kernel, a, b)
    if not kernel.exponential:
        return (n + 8) * R
    norms = abs(kernel.norms) * (a + b) + abs(kernel.constant)
    return (n + 8) * (R - 1) - (n - m) * (SCALES * norms if kernel.multiscale else norms) + 8


@look_ahead_error.register(OwnKernel)
def _(kernel, a, b, n, m):
    return (n + 8) * error_scale(kernel, a, b)


def scale_gamma(norm: float, features: int) -> float:
    """The gamma of "scale" for a first example of this |x|^2, or of 0 and so many features."""
    return 1 / min(norm, LARGEST_VALUE) if norm >= SMALLEST_DIAGONAL else 1 / features


def largest_value(dtype: Any) -> float:
    """The largest kernel value that a dtype can hold, with room for sums and for weights."""
    return min(float(np.finfo(dtype).max) / 1e6, LARGEST_VALUE)


@lru_cache(maxsize=256)
def largest_norm(kernel: Kernel | OwnKernel, dtype: np.dtype[Any]) -> float:
    """The largest |x|^2 of an example whose kernel values a dtype can hold, with room for sums."""
    raw, most = kernel._replace(normalize=False), largest_value(dtype)
    fits, too_large = 0.0, most
    if error_scale(raw, most, most) < most:
        return most
    while too_large > fits * (1 + 1e-9) and too_large > SMALLEST_NORMAL:
        middle = math.sqrt(max(fits, SMALLEST_NORMAL)) * math.sqrt(too_large)
        with np.errstate(over="ignore"):
            holds = error_scale(raw, middle, middle) < most
        fits, too_large = (middle, too_large) if holds else (fits, middle)
    return fits
