"""The second-order warp, in orthonormal coordinates of the supports' span.

With the factor L of the supports' kernel matrix, z = L^-1 k(x) are such coordinates of x. There
the matrix ridge I + sum z z^T over the updates is no larger than the span, however many updates
there are: for the linear kernel, no larger than the number of features. Its Cholesky factor R
shares the rectangle `Kept.gram` with L (R[i, j] is at [j, i + 1]), and `Kept.echoes` holds the
Perceptron's vector v = sum y z. The hypothesis is f(x) = v^T (R R^T)^-1 z.
"""

from __future__ import annotations

from math import sqrt

from ..compiled import inlined
from ..expansion import SCALE, SIZE, correct, reweigh_all
from .projection import add_independent, dot, solved_row

__all__ = ["warp"]


@inlined
def warp(f, y, squared_distance, outside, ridge):
    """Take the current example in, with a dimension of its own if it is outside the span."""
    if outside:
        _widen(f, squared_distance, ridge)
    _take_in(f, y, outside)


@inlined
def _widen(f, squared_distance, ridge):
    """Give the span a dimension more: that of the current example."""
    add_independent(f, 0.0, squared_distance)
    newest = f.kept.counts[SIZE] - 1
    for j in range(newest):
        f.kept.gram[j, newest + 1] = 0
    f.kept.gram[newest, newest + 1] = sqrt(ridge)
    f.kept.echoes[newest] = 0


@inlined
def _take_in(f, y, widened):
    """Update matrix and vector with the current example, and solve for the weights."""
    kept, size, z = f.kept, f.kept.counts[SIZE], f.ahead.exact
    if widened:
        for i in range(size):
            z[i] = kept.gram[size - 1, i]
    else:
        _coordinates(f, z)
    correct(kept.echoes[:size], y, z)
    _rotate_in(kept.gram, size, z)
    _solve(kept.gram, size, kept.echoes, z)
    for i in range(size):
        z[i] -= kept.numbers[SCALE] * kept.weights[i]
    reweigh_all(f, 1.0, z)


@inlined
def _coordinates(f, z):
    """Z = L^T d from the shares d."""
    L, d = f.kept.gram, f.ahead.shares[solved_row(f)]
    for i in range(f.kept.counts[SIZE]):
        z[i] = 0
        correct(z[: i + 1], d[i], L[i, : i + 1])


@inlined
def _rotate_in(gram, size, z):
    """R R^T + z z^T, by rotations."""
    for k in range(size):
        column = gram[k, k + 1 : size + 1]
        pivot = sqrt(column[0] ** 2 + z[k] ** 2)
        cosine, sine = column[0] / pivot, z[k] / pivot
        column[0] = pivot
        for i in range(1, size - k):
            was = column[i]
            column[i] = cosine * was + sine * z[k + i]
            z[k + i] = cosine * z[k + i] - sine * was


@inlined
def _solve(gram, size, v, w):
    """W = L^-T (R R^T)^-1 v."""
    for k in range(size):
        w[k] = v[k]
    for k in range(size):
        column = gram[k, k + 1 : size + 1]
        w[k] /= column[0]
        correct(w[k + 1 : size], -w[k], column[1:])
    for k in range(size - 1, -1, -1):
        column = gram[k, k + 1 : size + 1]
        w[k] = (w[k] - dot(column[1:], w[k + 1 :], size - k - 1)) / column[0]
    for k in range(size - 1, -1, -1):
        w[k] /= gram[k, k]
        correct(w[:k], -w[k], gram[k, :k])
