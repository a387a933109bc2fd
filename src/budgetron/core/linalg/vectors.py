"""Loops over vectors that are there already."""

from __future__ import annotations

import numpy as np

from ..compiled import inlined, inlined_reassociated

__all__ = ["axpy", "dot", "move_down", "move_up", "rotate"]


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


# Numbers move within an array as from one view of it to another, several at once: the compiler sees
# no index that could count from the end.


@inlined
def move_down(to, numbers):
    """Put numbers one place before where they are, which is the view `to`."""
    for j in range(len(to)):
        to[j] = numbers[j]


@inlined
def move_up(numbers, to):
    """Put numbers one place behind where they are, which is the view `to`; the last goes first."""
    many = np.uint64(len(numbers))
    for j in range(many):
        k = many - np.uint64(1) - np.uint64(j)
        to[k] = numbers[k]


@inlined
def rotate(a, b, cosine, sine, n):
    """Rotate the first `n` numbers of two rows against each other."""
    for j in range(n):
        upper, lower = a[j], b[j]
        a[j] = cosine * upper - sine * lower
        b[j] = sine * upper + cosine * lower
