"""A Cholesky factor L that grows by a row and shrinks by any, in place."""

from __future__ import annotations

from math import sqrt

from ..compiled import inlined
from .vectors import axpy, dot

__all__ = ["append_row", "column_of_inverse", "delete_row", "solve"]


@inlined
def solve(L, n, d):
    """Replace the first `n` numbers b of d by the solution of L L^T d = b."""
    for i in range(n):
        d[i] = (d[i] - dot(L[i], d, i)) / L[i, i]
    for i in range(n - 1, -1, -1):
        d[i] /= L[i, i]
        axpy(d[:i], -d[i], L[i, :i])


@inlined
def append_row(L, n, d, pivot):
    """The row [L^T d, sqrt(pivot)]."""
    L[n, :] = 0
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
