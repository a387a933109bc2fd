"""The block of the stream that is next, and its kernel values with the supports and with itself.

A dense block is *lifted* to columns [product x, norms, norms |x|^2 + constant], so that its matrix
product with the supports' rows [x, |x|^2, 1] is the kernel's z itself. A sparse block is spread out
over the features that occur in it, so that each stored value of a support meets the whole block at
once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from .buffers import Buffer
from .compiled import by_class, compiled, inlined, inlined_reassociated
from .kernels import OwnKernel, Rows, inverse_length, shaped
from .rows import DenseRows, SparseRows

__all__ = [
    "DenseBlock",
    "DenseBlocks",
    "SparseBlock",
    "SparseBlocks",
    "ahead",
    "clear_away",
    "column",
    "evaluate",
    "filled_terms",
    "lay_out",
    "measure",
    "measure_rows",
    "terms",
]


class DenseBlock(NamedTuple):
    """The next examples of a dense stream."""

    rows: np.ndarray  # (length, features)
    lifted: np.ndarray  # (features + 2, length)
    norms: np.ndarray
    filled: np.ndarray  # the number of features that are not 0

    def matrix(self) -> np.ndarray:
        """The instances, as they came."""
        return self.rows


class SparseBlock(NamedTuple):
    """The next examples of a sparse stream."""

    starts: np.ndarray
    features: np.ndarray
    values: np.ndarray
    places: np.ndarray  # feature -> row of `spread`, or -1
    spread: np.ndarray  # (features that occur, length)
    norms: np.ndarray

    def matrix(self) -> sparse.csr_array:
        """The instances, as they came."""
        shape = (len(self.starts) - 1, len(self.places))
        return sparse.csr_array((self.values, self.features, self.starts), shape=shape)


class DenseBlocks:
    """Cuts blocks from dense matrices, in buffers that are used again and again."""

    def __init__(self, width: int, dtype: np.dtype[Any]) -> None:
        self._width, self._dtype = width, dtype
        self._lifted, self._norms, self._filled = Buffer(dtype), Buffer(float), Buffer(np.int64)

    def cut(self, X: Rows, first: int, last: int) -> DenseBlock:
        """The examples `first` to `last - 1`."""
        length, rows = last - first, X[first:last]
        if not isinstance(rows, np.ndarray):
            rows = rows.toarray()
        rows = np.ascontiguousarray(rows, self._dtype)
        if not rows.flags.writeable:  # to the compiler that would be another type
            rows = rows.copy()
        lifted = self._lifted.shaped(self._width + 2, length)
        return DenseBlock(rows, lifted, self._norms.shaped(length), self._filled.shaped(length))


class SparseBlocks:
    """Cuts blocks from CSR matrices, in buffers that are used again and again."""

    def __init__(self, width: int, dtype: np.dtype[Any]) -> None:
        self._dtype = dtype
        self._places = np.full(width, -1, np.int32)
        self._marked = np.zeros(0, np.int64)
        self._spread, self._norms = Buffer(dtype), Buffer(float)

    def cut(self, X: Rows, first: int, last: int) -> SparseBlock:
        """The examples `first` to `last - 1`."""
        if not sparse.issparse(X):
            X, first, last = sparse.csr_array(X[first:last]), 0, last - first
        start, end, length = X.indptr[first], X.indptr[last], last - first
        starts = X.indptr[first : last + 1].astype(np.int64) - start
        features = X.indices[start:end].astype(np.int64)
        values = X.data[start:end].astype(self._dtype)
        self._places[self._marked] = -1
        self._marked = features
        spread = self._spread.shaped(_mark(features, self._places), length)
        norms = self._norms.shaped(length)
        block = SparseBlock(starts, features, values, self._places, spread, norms)
        _spread(block)
        return block


@compiled
def _mark(features, places):
    found = 0
    for feature in features:
        if places[feature] < 0:
            places[feature] = found
            found += 1
    return found


@compiled
def _spread(block):
    block.spread[:] = 0
    for t in range(len(block.norms)):
        for i in range(block.starts[t], block.starts[t + 1]):
            block.spread[block.places[block.features[i]], t] = block.values[i]


@by_class
def lay_out(block):
    """Make a block of one example ready whose numbers have just been put in."""


@lay_out.register(SparseBlock)
def _(block):
    for i in range(block.starts[1]):
        block.places[block.features[i]] = i
        block.spread[i, 0] = block.values[i]


@by_class
def clear_away(block):
    """Leave nothing that the next example could stumble over."""


@clear_away.register(SparseBlock)
def _(block):
    for i in range(block.starts[1]):
        block.places[block.features[i]] = -1


@by_class
def measure(kernel, block):
    """Fill in |x|^2 for each example of the block."""
    measure_rows(block)


@measure.register(OwnKernel)
def _(kernel, block):
    measure_rows(block)
    block.norms[:] = kernel.diagonal(block.matrix())


@by_class
def measure_rows(block):
    """Fill in |x|^2 for each example of the block, whatever the kernel."""


@measure_rows.register(DenseBlock)
def _(block):
    for t in range(len(block.norms)):
        x, filled = block.rows[t], 0
        for j in range(len(x)):
            filled += x[j] != 0
        block.norms[t], block.filled[t] = _dot(x, x, len(x)), filled


@measure_rows.register(SparseBlock)
def _(block):
    for t in range(len(block.norms)):
        values = block.values[block.starts[t] : block.starts[t + 1]]
        block.norms[t] = _dot(values, values, len(values))


@by_class
def terms(block, t):
    """The number n of products in an inner product with x_t, for the bound in `kernels.reach`."""
    return block.rows.shape[1] + 2


@terms.register(SparseBlock)
def _(block, t):
    return block.starts[t + 1] - block.starts[t] + 2


@by_class
def filled_terms(block, t):
    """The same without products with 0, which add no error."""
    return block.filled[t] + 2


@filled_terms.register(SparseBlock)
def _(block, t):
    return block.starts[t + 1] - block.starts[t] + 2


@inlined_reassociated
def _dot(a, b, n):
    total = 0.0
    for j in range(n):
        total += np.float64(a[j]) * np.float64(b[j])
    return total


@by_class
def _inner_products(rows, first, last, block, t, out):
    """<support, x_t> for the slots from `first` to `last - 1`, summed in float64."""


@_inner_products.register(DenseRows)
def _(rows, first, last, block, t, out):
    for slot in range(first, last):
        out[slot] = _dot(rows.values[slot], block.rows[t], block.rows.shape[1])


@_inner_products.register(SparseRows)
def _(rows, first, last, block, t, out):
    for slot in range(first, last):
        total = 0.0
        for j in range(rows.starts[slot], rows.starts[slot] + rows.lengths[slot]):
            place = block.places[rows.features[j]]
            if place >= 0:
                total += np.float64(rows.values[j]) * np.float64(block.spread[place, t])
        out[slot] = total


@by_class
def column(kernel, rows, first, last, block, t, out):
    """k(support, x_t) for the slots from `first` to `last - 1`, in float64 for any dtype."""
    _inner_products(rows, first, last, block, t, out)
    own = block.norms[t]
    for slot in range(first, last):
        norm = rows.norms[slot]
        z = kernel.product * out[slot] + kernel.norms * (norm + own) + kernel.constant
        value = shaped(kernel, z)
        if kernel.normalize:
            value *= inverse_length(kernel, norm) * inverse_length(kernel, own)
        out[slot] = value


@column.register(OwnKernel)
def _(kernel, rows, first, last, block, t, out):
    if last > first:
        supports = rows.matrix(np.arange(first, last))
        out[first:last] = kernel(supports, block.matrix()[t : t + 1])[:, 0]


@by_class
def _z_ahead(block, kernel, t, out):
    """The kernel's z of x_t with the examples after it."""


@_z_ahead.register(DenseBlock)
def _(block, kernel, t, out):
    x, lifted, after = block.rows[t], block.lifted, t + 1
    width, rest = len(x), len(out)
    norm = block.rows.dtype.type(block.norms[t])
    r0, r1 = lifted[width, after:], lifted[width + 1, after:]
    for j in range(rest):
        out[j] = r1[j] + norm * r0[j]
    eights = width - width % 8
    for k in range(0, eights, 8):
        x0, x1, x2, x3 = x[k], x[k + 1], x[k + 2], x[k + 3]
        x4, x5, x6, x7 = x[k + 4], x[k + 5], x[k + 6], x[k + 7]
        r0, r1, r2, r3 = _four_rows(lifted, k, after)
        r4, r5, r6, r7 = _four_rows(lifted, k + 4, after)
        for j in range(rest):
            z = (((out[j] + x0 * r0[j]) + x1 * r1[j]) + x2 * r2[j]) + x3 * r3[j]
            out[j] = (((z + x4 * r4[j]) + x5 * r5[j]) + x6 * r6[j]) + x7 * r7[j]
    for k in range(eights, width):
        r0 = lifted[k, after:]
        for j in range(rest):
            out[j] += x[k] * r0[j]


@inlined
def _four_rows(matrix, i, first):
    return matrix[i, first:], matrix[i + 1, first:], matrix[i + 2, first:], matrix[i + 3, first:]


@_z_ahead.register(SparseBlock)
def _(block, kernel, t, out):
    norms = block.norms[t + 1 :]
    out[:] = 0
    for i in range(block.starts[t], block.starts[t + 1]):
        value = block.values[i]
        row = block.spread[block.places[block.features[i]], t + 1 :]
        for j in range(len(out)):
            out[j] += value * row[j]
    for j in range(len(out)):
        z = kernel.product * out[j] + kernel.norms * (block.norms[t] + norms[j])
        out[j] = z + kernel.constant


@by_class
def ahead(kernel, block, t, out):
    """k(x_t, x) for the examples x of the block after x_t."""
    _z_ahead(block, kernel, t, out)
    for j in range(len(out)):
        out[j] = shaped(kernel, out[j])
    if kernel.normalize:
        own = inverse_length(kernel, block.norms[t])
        for j in range(len(out)):
            out[j] *= own * inverse_length(kernel, block.norms[t + 1 + j])


@ahead.register(OwnKernel)
def _(kernel, block, t, out):
    if len(out) > 0:
        rows = block.matrix()
        out[:] = kernel(rows[t : t + 1], rows[t + 1 :])[0]


def evaluate(kernel, rows, used, block, values):
    """k(support, x) for each slot and each example of the block, as fast as can be."""
    values = values[:used]
    if isinstance(kernel, OwnKernel):
        measure(kernel, block)
        if used > 0:
            values[:] = kernel(rows.matrix(np.arange(used)), block.matrix())
        return
    if isinstance(rows, DenseRows):
        far = _lift_norms(kernel, rows.norms, used, block)
        np.multiply(block.rows.T, kernel.product, out=block.lifted[:-2])
        np.matmul(rows.values[:used], block.lifted, out=values)
    else:
        far = _multiply(kernel, rows, used, block, values)
    if kernel.exponential:
        if far:
            np.minimum(values, 0, out=values)
        np.exp(values, out=values)
    elif kernel.degree > 1:
        _raise(values, kernel.degree)
    if kernel.normalize:
        _normalize(kernel, rows.norms, block.norms, values)


@inlined
def _is_far(kernel, norms, used, block_norms, itemsize):
    """Whether rows are so large that rounding can put z well above 0."""
    largest, own = 0.0, 0.0
    for slot in range(used):
        largest = max(largest, norms[slot])
    for t in range(len(block_norms)):
        own = max(own, block_norms[t])
    epsilon = 2.0**-52 if itemsize == 8 else 2.0**-23
    return 2 * abs(kernel.norms) * (largest + own) * epsilon > 1e-5


@compiled
def _lift_norms(kernel, norms, used, block):
    """Fill in the last two rows of a lifted block, and tell whether any rows are far."""
    measure(kernel, block)
    lifted, width = block.lifted, block.rows.shape[1]
    for t in range(len(block.norms)):
        lifted[width, t] = kernel.norms
        lifted[width + 1, t] = kernel.norms * block.norms[t] + kernel.constant
    return _is_far(kernel, norms, used, block.norms, lifted.itemsize)


@compiled
def _multiply(kernel, rows, used, block, values):
    measure(kernel, block)
    length = values.shape[1]
    for slot in range(used):
        out = values[slot]
        out[:] = 0
        for i in range(rows.starts[slot], rows.starts[slot] + rows.lengths[slot]):
            place = block.places[rows.features[i]]
            if place >= 0:
                value, row = rows.values[i], block.spread[place]
                for t in range(length):
                    out[t] += value * row[t]
        for t in range(length):
            norms = rows.norms[slot] + block.norms[t]
            out[t] = kernel.product * out[t] + kernel.norms * norms + kernel.constant
    return _is_far(kernel, rows.norms, used, block.norms, values.itemsize)


@compiled
def _raise(values, degree):
    for i in range(values.shape[0]):
        base = values[i].copy()
        for _ in range(degree - 1):
            for t in range(values.shape[1]):
                values[i, t] *= base[t]


@compiled
def _normalize(kernel, norms, block_norms, values):
    inverse = np.empty(values.shape[1])
    for t in range(values.shape[1]):
        inverse[t] = inverse_length(kernel, block_norms[t])
    for i in range(values.shape[0]):
        own = inverse_length(kernel, norms[i])
        for t in range(values.shape[1]):
            values[i, t] *= own * inverse[t]
