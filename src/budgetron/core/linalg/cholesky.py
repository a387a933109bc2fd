"""A Cholesky factor L that grows by a row and shrinks by any, in place; or by many at once."""

from __future__ import annotations

from math import sqrt

import numpy as np
from scipy.linalg.lapack import dtpqrt

from ..compiled import compiled_in_place, inlined
from .triangular import solve_lower
from .vectors import axpy, dot

__all__ = [
    "append_row",
    "append_rows",
    "column_of_inverse",
    "delete_row",
    "delete_rows",
    "solve",
    "solve_backward",
    "solve_forward",
]

AT_ONCE = 32
"""So many reflections are made together."""

LOST = 1e-13
"""A pivot below so many times the diagonal is nothing but rounding."""


@inlined
def solve(L, n, d):
    """Replace the first `n` numbers b of d by the solution of L L^T d = b."""
    solve_forward(L, n, d)
    solve_backward(L, n, d)


@inlined
def solve_forward(L, n, z):
    """Replace the first `n` numbers b of z by the solution of L z = b."""
    for i in range(n):
        z[i] = (z[i] - dot(L[i], z, i)) / L[i, i]


@inlined
def solve_backward(L, n, d):
    """Replace the first `n` numbers b of d by the solution of L^T d = b."""
    for i in range(n - 1, -1, -1):
        d[i] /= L[i, i]
        axpy(d[:i], -d[i], L[i, :i])


@inlined
def append_row(L, n, d, pivot):
    """The row [L^T d, sqrt(pivot)]."""
    L[n, : n + 1] = 0
    for i in range(n):
        axpy(L[n, : i + 1], d[i], L[i, : i + 1])
    L[n, n] = sqrt(pivot)


@inlined
def column_of_inverse(L, n, i, out):
    """The `i`-th column of (L L^T)^-1."""
    for j in range(i):
        out[j] = 0
    out[i] = 1 / L[i, i]
    for j in range(i + 1, n):
        out[j] = -dot(L[j, i:], out[i:], j - i) / L[j, j]
    for j in range(n - 1, -1, -1):
        out[j] /= L[j, j]
        axpy(out[:j], -out[j], L[j, :j])


@inlined
def delete_row(L, n, i, cosines):
    """Delete row `i`: the rows below it take its column in by rotations, which only add."""
    for j in range(i, n - 1):
        below, row = L[j + 1], L[j]
        for k in range(i):
            row[k] = below[k]
        extra = below[i]
        for k in range(i, j):
            cosine = cosines[k]
            sine = L[k, n - 1]
            row[k] = cosine * below[k + 1] + sine * extra
            extra = cosine * extra - sine * below[k + 1]
        pivot = sqrt(below[j + 1] ** 2 + extra**2)
        cosines[j] = below[j + 1] / pivot
        row[j] = pivot
        L[j, n - 1] = extra / pivot


def delete_rows(L: np.ndarray, n: int, removed: np.ndarray) -> None:
    """Delete some of `n` rows, in order: those that stay take the columns in by reflections.

    Of L without these rows, the other columns are a triangle T, and the product of what stays is
    T T^T + X X^T with the columns X of the rows that go: T^T over X^T is made upper triangular.
    """
    kept = np.delete(np.arange(n), removed)
    later = kept[removed[0] :]
    if len(later) > 0:
        triangle, columns = np.empty((len(later), len(later))), np.empty((len(later), len(removed)))
        _part(L, later, removed, triangle, columns)
        nb = min(AT_ONCE, len(later))
        R, *_ = dtpqrt(0, nb, triangle.T, columns.T, overwrite_a=1, overwrite_b=1)
        _close_up(L, removed[0], later, R.T)


@compiled_in_place
def _part(L, later, removed, triangle, columns):
    """Copy the columns of the later rows: those that stay, and those that go."""
    for p in range(len(later)):
        row = L[later[p]]
        for q in range(p + 1):
            triangle[p, q] = row[later[q]]
        for q in range(len(removed)):
            columns[p, q] = row[removed[q]] if removed[q] < later[p] else 0.0


@compiled_in_place
def _close_up(L, first, later, triangle):
    """Move the later rows up to where the first one went, with a triangle of either sign."""
    for p in range(len(later)):
        row, was = L[first + p], L[later[p]]
        for q in range(first):
            row[q] = was[q]
        for q in range(p + 1):
            entry = triangle[p, q]
            row[first + q] = entry if triangle[q, q] > 0 else -entry


def append_rows(
    L: np.ndarray, n: int, outer: np.ndarray, inner: np.ndarray, pivots: np.ndarray
) -> None:
    """Append the rows of a matrix whose columns with the `n` rows are `outer`.

    `inner` is its lower triangle; `outer` is used up. A pivot that is lost in rounding becomes the
    one that is given.
    """
    solve_lower(L[:n, :n], outer)
    lost, rest = np.diagonal(inner) * LOST, np.tril(inner) - outer.T @ outer
    for j in range(len(rest)):
        rest[j, j] = sqrt(rest[j, j] if rest[j, j] > lost[j] else pivots[j])
        rest[j + 1 :, j] /= rest[j, j]
        rest[j + 1 :, j + 1 :] -= np.outer(rest[j + 1 :, j], rest[j + 1 :, j])
    end = n + len(rest)
    L[n:end, :n], L[n:end, n:end] = outer.T, np.tril(rest)
