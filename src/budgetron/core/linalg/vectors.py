"""Loops over vectors that are there already."""

from __future__ import annotations

from ..compiled import inlined, inlined_reassociated

__all__ = ["axpy", "dot", "rotate"]


@inlined
def axpy(y, a, x):
    """Add a x to y, as many numbers as y has."""
    for j in range(len(y)):
        y[j] += a * x[j]


@inlined_reassociated
def dot(a, b, n):
    """The inner product of the first `n` numbers."""
    total = 0.0
    for i in range(n):
        total += a[i] * b[i]
    return total


@inlined
def rotate(a, b, cosine, sine, n):
    """Rotate the first `n` numbers of two rows against each other."""
    for j in range(n):
        upper, lower = a[j], b[j]
        a[j] = cosine * upper - sine * lower
        b[j] = sine * upper + cosine * lower
