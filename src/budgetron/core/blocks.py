"""The block of the stream that is next, and its kernel values with the supports and with itself.

A dense block is *lifted* to rows [product x, norms, norms |x|^2 + constant], so that their products
with the supports' rows [x, |x|^2, 1] are the kernel's z itself. A sparse block is scattered
over the features that occur in it, so that each stored value of a support meets the whole block at
once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from .buffers import Buffer
from .compiled import (
    by_class,
    compiled,
    compiled_in_place,
    inlined,
    inlined_reassociated,
    plain,
    writeable,
)
from .kernel import OwnKernel, Rows, exponentials, inverse_length, shaped
from .storage import DenseRows, SparseRows

__all__ = [
    "DenseBlock",
    "DenseBlocks",
    "SparseBlock",
    "SparseBlocks",
    "clear_row",
    "column",
    "evaluate",
    "evaluate_own",
    "filled_terms",
    "look_ahead",
    "measure",
    "prepare",
    "roundings",
    "roundings_of_norms",
    "row_norms",
    "scatter_row",
    "squared_norms",
    "terms",
]


CHUNK = 160
"""In float32, inner products of more features are summed from those of so many: fewer roundings
add up, and fewer scores are in doubt."""


class DenseBlock(NamedTuple):
    """The next examples of a dense stream."""

    rows: np.ndarray  # (length, features)
    lifted: np.ndarray  # (length, features + 2)
    norms: np.ndarray
    own: np.ndarray  # (length, length): see `look_ahead`
    filled: np.ndarray  # the number of features that are not 0

    @property
    def width(self) -> int:
        """The number of features."""
        return self.rows.shape[1]

    def matrix(self) -> np.ndarray:
        """The instances, as they came."""
        return self.rows


class SparseBlock(NamedTuple):
    """The next examples of a sparse stream."""

    starts: np.ndarray
    features: np.ndarray
    values: np.ndarray
    places: np.ndarray  # feature -> row of `scattered`, or -1
    placed: np.ndarray  # the same for `features`
    scattered: np.ndarray  # (features that occur, length)
    norms: np.ndarray
    own: np.ndarray  # (length, length): see `look_ahead`

    @property
    def width(self) -> int:
        """The number of features."""
        return len(self.places)

    def matrix(self) -> sparse.csr_array:
        """The instances, as they came."""
        shape = (len(self.starts) - 1, len(self.places))
        return sparse.csr_array((self.values, self.features, self.starts), shape=shape)


class DenseBlocks:
    """Cuts blocks from dense matrices, in buffers that are used again and again.

    Rows are of one dtype, and the block's kernel values with itself of another.
    """

    def __init__(self, width: int, dtype: np.dtype[Any], evaluated: np.dtype[Any]) -> None:
        self._width, self._dtype = width, dtype
        self._lifted, self._own = Buffer(dtype), Buffer(evaluated)
        self._norms, self._filled = Buffer(float), Buffer(np.int64)

    def cut(self, X: Rows, first: int, last: int) -> DenseBlock:
        """The examples `first` to `last - 1`."""
        length, rows = last - first, X[first:last]
        if not isinstance(rows, np.ndarray):
            rows = rows.toarray()
        rows = writeable(rows, self._dtype)
        lifted = self._lifted.shaped(length, self._width + 2)
        norms, filled = self._norms.shaped(length), self._filled.shaped(length)
        return DenseBlock(rows, lifted, norms, _unknown(self._own.shaped(length, length)), filled)


class SparseBlocks:
    """The same from CSR matrices."""

    def __init__(self, width: int, dtype: np.dtype[Any], evaluated: np.dtype[Any]) -> None:
        self._dtype = dtype
        self._places = np.full(width, -1, np.int32)
        self._marked = np.zeros(0, np.int64)
        self._scattered, self._norms, self._own = Buffer(dtype), Buffer(float), Buffer(evaluated)

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
        scattered = self._scattered.shaped(_mark(features, self._places), length)
        norms, own = self._norms.shaped(length), _unknown(self._own.shaped(length, length))
        placed = self._places[features]
        block = SparseBlock(starts, features, values, self._places, placed, scattered, norms, own)
        _scatter(block)
        return block


def _unknown(own: np.ndarray) -> np.ndarray:
    """The block's kernel values with itself, of which none is known yet."""
    own.reshape(-1)[:: len(own) + 1] = 0
    return own


@compiled
def _mark(features, places):
    found = 0
    for feature in features:
        if places[feature] < 0:
            places[feature] = found
            found += 1
    return found


@compiled
def _scatter(block):
    block.scattered[:] = 0
    for t in range(len(block.norms)):
        for i in range(block.starts[t], block.starts[t + 1]):
            block.scattered[block.placed[i], t] = block.values[i]


@by_class
def scatter_row(block):
    """Make a block of one example ready whose numbers have just been put in."""


@scatter_row.register(SparseBlock)
def _(block):
    for i in range(block.starts[1]):
        block.places[block.features[i]] = i
        block.placed[i] = i
        block.scattered[i, 0] = block.values[i]


@by_class
def clear_row(block):
    """Leave nothing that the next example could stumble over."""


@clear_row.register(SparseBlock)
def _(block):
    for i in range(block.starts[1]):
        block.places[block.features[i]] = -1


@by_class
def squared_norms(kernel, block):
    """Fill in |x|^2 for each example of the block."""
    row_norms(block)


@squared_norms.register(OwnKernel)
def _(kernel, block):
    row_norms(block)
    block.norms[:] = kernel.diagonal(block.matrix())


@by_class
def row_norms(block):
    """Fill in |x|^2 for each example of the block, whatever the kernel."""


@row_norms.register(DenseBlock)
def _(block):
    for t in range(len(block.norms)):
        x, filled = block.rows[t], 0
        for j in range(len(x)):
            filled += x[j] != 0
        block.norms[t], block.filled[t] = _dot(x, x, len(x)), filled


@row_norms.register(SparseBlock)
def _(block):
    for t in range(len(block.norms)):
        values = block.values[block.starts[t] : block.starts[t + 1]]
        block.norms[t] = _dot(values, values, len(values))


@by_class
def terms(block, t):
    """The number n of products in an inner product with x_t, for `kernel.error_scale`."""
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


@by_class
def roundings(block, t):
    """How many times, at most, a product in a look-ahead's inner product with x_t is rounded."""
    if not is_summed_in_chunks(block):
        return filled_terms(block, t)
    return min(block.filled[t], CHUNK) + chunks(block)


@roundings.register(SparseBlock)
def _(block, t):
    products = block.starts[t + 1] - block.starts[t]
    return 4 + products // 8 + 7


@by_class
def roundings_of_norms(block, t):
    """The same for the squared norms that are added to it."""
    if not is_summed_in_chunks(block):
        return filled_terms(block, t)
    return chunks(block)


@roundings_of_norms.register(SparseBlock)
def _(block, t):
    return roundings(block, t)


@inlined
def is_summed_in_chunks(block):
    """Whether inner products with dense examples are sums of others in float32."""
    return block.own.itemsize == 4 and block.rows.shape[1] > CHUNK


@inlined
def chunks(block):
    """How many sums are added to one another in float32, those of norms included."""
    return (block.rows.shape[1] + CHUNK - 1) // CHUNK + 3


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
                total += np.float64(rows.values[j]) * np.float64(block.scattered[place, t])
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
    x, lifted, width = block.rows[t], block.lifted[t + 1 :], block.rows.shape[1]
    norm = block.rows.dtype.type(block.norms[t])
    chunk = CHUNK if block.rows.itemsize == 4 else max(1, width)
    fours = len(out) - len(out) % 4
    for j in range(len(out)):
        out[j] = lifted[j, width + 1] + norm * lifted[j, width]
    for k in range(0, width, chunk):
        here = slice(k, min(k + chunk, width))
        for j in range(0, fours, 4):
            _four_products(x[here], lifted, j, here, out)
        for j in range(fours, len(out)):
            out[j] += _product(x[here], lifted[j, here])


@inlined_reassociated
def _four_products(x, rows, j, here, out):
    r0, r1, r2, r3 = rows[j, here], rows[j + 1, here], rows[j + 2, here], rows[j + 3, here]
    zero = x.dtype.type(0)
    z0, z1, z2, z3 = zero, zero, zero, zero
    for k in range(len(x)):
        z0 += x[k] * r0[k]
        z1 += x[k] * r1[k]
        z2 += x[k] * r2[k]
        z3 += x[k] * r3[k]
    out[j] += z0
    out[j + 1] += z1
    out[j + 2] += z2
    out[j + 3] += z3


@inlined_reassociated
def _product(x, row):
    z = x.dtype.type(0)
    for k in range(len(x)):
        z += x[k] * row[k]
    return z


@_z_ahead.register(SparseBlock)
def _(block, kernel, t, out):
    here, norms = slice(block.starts[t], block.starts[t + 1]), block.norms[t + 1 :]
    _add_up(block.values[here], block.placed[here], block.scattered[:, t + 1 :], out)
    for j in range(len(out)):
        z = kernel.product * out[j] + kernel.norms * (block.norms[t] + norms[j])
        out[j] = z + kernel.constant


@inlined
def look_ahead(kernel, block, t):
    """See to it that `block.own[t]` has k(x_t, x) for the examples x of the block after x_t.

    They are evaluated once, for whoever asks first; the diagonal says whether somebody has.
    """
    if block.own[t, t] == 0:
        _evaluate_ahead(kernel, block, t, block.own[t, t + 1 :])
        block.own[t, t] = 1


@by_class
def _evaluate_ahead(kernel, block, t, out):
    _z_ahead(block, kernel, t, out)
    for j in range(len(out)):
        out[j] = shaped(kernel, out[j])
    if kernel.normalize:
        own = inverse_length(kernel, block.norms[t])
        for j in range(len(out)):
            out[j] *= own * inverse_length(kernel, block.norms[t + 1 + j])


@_evaluate_ahead.register(OwnKernel)
def _(kernel, block, t, out):
    if len(out) > 0:
        rows = block.matrix()
        out[:] = kernel(rows[t : t + 1], rows[t + 1 :])[0]


@compiled
def measure(kernel, block):
    """Fill in |x|^2 for each example of the block, and no more."""
    squared_norms(kernel, block)


def prepare(kernel, rows, used, block):
    """Measure and lift the block, and tell whether any rows are far: see `_is_far`."""
    if isinstance(kernel, OwnKernel):
        squared_norms(kernel, block)
        return False
    if isinstance(rows, DenseRows):
        return _lift(kernel, rows.norms, used, block)
    return _squared_norms(kernel, rows.norms, used, block)


def evaluate(kernel, rows, first, last, block, values, far):
    """Kernel values of the slots from `first` to `last - 1` with a block that is ready."""
    values = values[first:last]
    if isinstance(kernel, OwnKernel):
        if last > first:
            values[:] = kernel(rows.matrix(np.arange(first, last)), block.matrix())
        return
    if isinstance(rows, DenseRows):
        _lifted_product(rows.values[first:last], block, values)
    else:
        longest = int(rows.lengths[first:last].max(initial=0)) + 1
        room = np.empty(longest, np.int64), np.empty(longest, values.dtype)
        _multiply(kernel, rows, first, block, values, *room)
    if kernel.exponential:
        if far:
            np.minimum(values, 0, out=values)
        exponentials(kernel, values)
    elif kernel.degree > 1:
        _raise(values, kernel.degree)
    if kernel.normalize:
        _normalize(kernel, rows.norms[first:last], block.norms, values)


def _lifted_product(values, block, out):
    """The kernel's z, rounded as `roundings` says."""
    width = block.rows.shape[1]
    if out.itemsize == 8 or width <= CHUNK:
        np.matmul(values, block.lifted.T, out=out)
    else:
        _sum_of_products(values[:, :width], block.lifted[:, :width], out)
        out += values[:, width, None] * block.lifted[0, width]
        out += block.lifted[:, width + 1]


def _sum_of_products(A, B, out):
    """A B^T; in float32 a chunk after the other."""
    chunk = CHUNK if out.itemsize == 4 else max(1, A.shape[1])
    np.matmul(A[:, :chunk], B[:, :chunk].T, out=out)
    for k in range(chunk, A.shape[1], chunk):
        out += A[:, k : k + chunk] @ B[:, k : k + chunk].T


def evaluate_own(kernel, block):
    """See to it that all of `block.own` above its diagonal is known, for a block that is ready."""
    if isinstance(kernel, OwnKernel):
        plain(_look_ahead_from_all)(kernel, block)
    elif isinstance(block, DenseBlock):
        _multiply_with_itself(kernel, block)
    else:
        _look_ahead_from_all(kernel, block)


def _multiply_with_itself(kernel, block):
    own = block.own
    _sum_of_products(block.rows, block.lifted[:, :-2], own)
    own += block.lifted[:, -1]
    own += kernel.norms * block.norms[:, None]
    if kernel.exponential:
        exponentials(kernel, np.minimum(own, 0, out=own))
    elif kernel.degree > 1:
        _raise(own, kernel.degree)
    if kernel.normalize:
        _normalize(kernel, block.norms, block.norms, own)
    np.fill_diagonal(own, 1)


@compiled_in_place
def _look_ahead_from_all(kernel, block):
    for t in range(len(block.norms)):
        look_ahead(kernel, block, t)


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
def _lift(kernel, norms, used, block):
    """Fill in a lifted block, and tell whether any rows are far."""
    squared_norms(kernel, block)
    rows, lifted, width = block.rows, block.lifted, block.rows.shape[1]
    product = rows.dtype.type(kernel.product)
    for t in range(len(block.norms)):
        for k in range(width):
            lifted[t, k] = product * rows[t, k]
        lifted[t, width] = kernel.norms
        lifted[t, width + 1] = kernel.norms * block.norms[t] + kernel.constant
    return _is_far(kernel, norms, used, block.norms, lifted.itemsize)


@compiled
def _squared_norms(kernel, norms, used, block):
    squared_norms(kernel, block)
    return _is_far(kernel, norms, used, block.norms, block.scattered.itemsize)


@compiled_in_place
def _multiply(kernel, rows, first, block, values, found, found_values):
    """The kernel's z of some slots with the block, given room for the features of one of them."""
    length = values.shape[1]
    for slot in range(first, first + len(values)):
        out, many = values[slot - first], 0
        for i in range(rows.starts[slot], rows.starts[slot] + rows.lengths[slot]):
            found[many] = block.places[rows.features[i]]
            found_values[many] = rows.values[i]
            many += found[many] >= 0
        _add_up(found_values[:many], found[:many], block.scattered, out)
        for t in range(length):
            norms = rows.norms[slot] + block.norms[t]
            out[t] = kernel.product * out[t] + kernel.norms * norms + kernel.constant


@inlined
def _add_up(values, places, scattered, out):
    """Sum values[i] scattered[places[i]], in eights: see `roundings`."""
    for t in range(len(out)):
        out[t] = 0
    eights = len(values) - len(values) % 8
    for i in range(0, eights, 8):
        x0, x1, x2, x3 = values[i], values[i + 1], values[i + 2], values[i + 3]
        x4, x5, x6, x7 = values[i + 4], values[i + 5], values[i + 6], values[i + 7]
        r0, r1, r2, r3 = _four_rows(scattered, places, i)
        r4, r5, r6, r7 = _four_rows(scattered, places, i + 4)
        for t in range(len(out)):
            z = (x0 * r0[t] + x1 * r1[t]) + (x2 * r2[t] + x3 * r3[t])
            out[t] += z + ((x4 * r4[t] + x5 * r5[t]) + (x6 * r6[t] + x7 * r7[t]))
    for i in range(eights, len(values)):
        x0, r0 = values[i], scattered[places[i]]
        for t in range(len(out)):
            out[t] += x0 * r0[t]


@inlined
def _four_rows(matrix, which, i):
    return matrix[which[i]], matrix[which[i + 1]], matrix[which[i + 2]], matrix[which[i + 3]]


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
