"""The second-order update, in orthonormal coordinates of the supports' span.

With the factor L of the supports' kernel matrix, z = L^-1 k(x) are such coordinates of x. There
the matrix ridge I + sum z z^T over the updates is no larger than the span, however many updates
there are: for the linear kernel, no larger than the number of features. Its Cholesky factor is kept
transposed, as R, and so is the Perceptron's vector v = sum y z. The hypothesis is
f(x) = v^T (R^T R)^-1 z.
"""

from __future__ import annotations

from math import sqrt

from ..compiled import inlined
from ..linalg.vectors import axpy, dot
from ..state import SCALE, SIZE
from .projection import add_independent, row_of_current
from .supports import reweigh_all

__all__ = ["second_order_update"]


@inlined
def second_order_update(f, y, squared_distance, outside, ridge):
    """Take the current example in, with a dimension of its own if it is outside the span."""
    if outside:
        _add_dimension(f, squared_distance, ridge)
    _take_in(f, y)


@inlined
def _add_dimension(f, squared_distance, ridge):
    """Give the span a dimension more: that of the current example."""
    add_independent(f, 0.0, squared_distance)
    memory, newest = f.state.memory, f.state.counts[SIZE] - 1
    for j in range(newest):
        memory.R[j, newest] = 0
    memory.R[newest, newest] = sqrt(ridge)
    memory.vector[newest] = 0


@inlined
def _take_in(f, y):
    """Update matrix and vector with the current example, and solve for the weights."""
    state, memory, n, z = f.state, f.state.memory, f.state.counts[SIZE], f.ahead.scratch[0]
    coordinates = f.ahead.plan.coordinates[row_of_current(f)]
    for i in range(n):
        z[i] = coordinates[i]
    axpy(memory.vector[:n], y, z)
    _rotate_in(memory.R, n, z)
    _solve(memory.L, memory.R, n, memory.vector, z)
    for i in range(n):
        z[i] -= state.numbers[SCALE] * state.weights[i]
    reweigh_all(f, 1.0, z)


@inlined
def _rotate_in(R, n, z):
    """R^T R + z z^T, by rotations."""
    for k in range(n):
        row = R[k, k:n]
        pivot = sqrt(row[0] ** 2 + z[k] ** 2)
        cosine, sine = row[0] / pivot, z[k] / pivot
        row[0] = pivot
        for i in range(1, n - k):
            was = row[i]
            row[i] = cosine * was + sine * z[k + i]
            z[k + i] = cosine * z[k + i] - sine * was


@inlined
def _solve(L, R, n, v, w):
    """W = L^-T (R^T R)^-1 v."""
    for k in range(n):
        w[k] = v[k]
    for k in range(n):
        row = R[k, k:n]
        w[k] /= row[0]
        axpy(w[k + 1 : n], -w[k], row[1:])
    for k in range(n - 1, -1, -1):
        row = R[k, k:n]
        w[k] = (w[k] - dot(row[1:], w[k + 1 :], n - k - 1)) / row[0]
    for k in range(n - 1, -1, -1):
        w[k] /= L[k, k]
        axpy(w[:k], -w[k], L[k, :k])
