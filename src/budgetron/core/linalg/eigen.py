"""The eigenvectors of a symmetric matrix, in place and inside compiled code.

LAPACK cannot be called from a walk that allocates nothing. The method is the usual one: reflections
make the matrix tridiagonal (Householder, 1958), rotations with shifts diagonal (Francis, 1961;
G. Golub and C. Van Loan, "Matrix computations", Sec. 8.3).
"""

from __future__ import annotations

from math import copysign, hypot, sqrt

from ..compiled import inlined
from .vectors import axpy, dot, rotate

__all__ = ["diagonalise"]

ZERO = 2.0**-52
"""An entry beside the diagonal that is smaller, beside the largest of the matrix, is 0."""

MOST_ROUNDS = 60
"""For each eigenvalue; two are usual."""


@inlined
def diagonalise(A, size, values, beside):
    """Replace the symmetric A by its eigenvectors, one in each row, and fill in the eigenvalues.

    Only the leading `size` rows and columns of A are looked at; `beside` is room for as many
    numbers. The eigenvalues come in no order.
    """
    largest = 0.0
    for i in range(size):
        for j in range(size):
            largest = max(largest, abs(A[i, j]))
    if largest > 0:
        for i in range(size):
            for j in range(size):
                A[i, j] /= largest
    _make_tridiagonal(A, size, values, beside)
    _multiply_reflections(A, size)
    _make_diagonal(A, size, values, beside)
    for i in range(size):
        values[i] *= largest


@inlined
def _make_tridiagonal(A, size, diagonal, beside):
    """Reflect A, and leave in each row the vector v of its reflection I - v v^T."""
    for k in range(size):
        diagonal[k] = A[k, k]
        v, last = A[k, k + 1 : size], size - k - 1
        length = sqrt(dot(v, v, last))
        beside[k] = length
        if length > 0 and last > 1:
            beside[k] = -copysign(length, v[0])
            v[0] -= beside[k]
            scale = sqrt(2.0) / sqrt(dot(v, v, last))
            for j in range(last):
                v[j] *= scale
            _reflect(A[k + 1 :, k + 1 :], v, last, beside[k + 1 :])
        elif last > 0:
            beside[k] = v[0]
            for j in range(last):
                v[j] = 0


@inlined
def _reflect(A, v, size, p):
    """A <- (I - v v^T) A (I - v v^T) for |v|^2 = 2."""
    for i in range(size):
        p[i] = dot(A[i], v, size)
    half = dot(p, v, size) / 2
    for i in range(size):
        p[i] -= half * v[i]
    for i in range(size):
        _add_two(A[i], -v[i], p, -p[i], v, size)


@inlined
def _multiply_reflections(A, size):
    """Replace the vectors in the rows of A by the product of their reflections, transposed."""
    for k in range(size - 1, -1, -1):
        last = size - k - 1
        v = A[k, k + 1 : size]
        for i in range(k + 1, size):
            row = A[i, k + 1 :]
            axpy(row[:last], -dot(row, v, last), v)
        for i in range(k, size):
            A[i, k] = 0
            A[k, i] = 0
        A[k, k] = 1


@inlined
def _make_diagonal(Q, size, diagonal, beside):
    """Rotate a tridiagonal matrix until it is diagonal, and the rows of Q along with it."""
    for first in range(size):
        for _ in range(MOST_ROUNDS):
            last = first
            while last < size - 1 and abs(beside[last]) > ZERO:
                last += 1
            if last == first:
                break
            _rotate_down(Q, size, diagonal, beside, first, last)


@inlined
def _rotate_down(Q, size, diagonal, beside, first, last):
    """One round of the implicit QL method, from row `last` down to row `first`."""
    slope = (diagonal[first + 1] - diagonal[first]) / (2 * beside[first])
    shift = beside[first] / (slope + copysign(hypot(slope, 1.0), slope))
    g = diagonal[last] - diagonal[first] + shift
    sine, cosine, moved = 1.0, 1.0, 0.0
    for i in range(last - 1, first - 1, -1):
        f, b = sine * beside[i], cosine * beside[i]
        length = hypot(f, g)
        beside[i + 1] = length
        if length == 0:
            diagonal[i + 1] -= moved
            beside[last] = 0
            return
        sine, cosine = f / length, g / length
        g = diagonal[i + 1] - moved
        length = (diagonal[i] - g) * sine + 2 * cosine * b
        moved = sine * length
        diagonal[i + 1] = g + moved
        g = cosine * length - b
        rotate(Q[i], Q[i + 1], cosine, sine, size)
    diagonal[first] -= moved
    beside[first] = g
    beside[last] = 0


@inlined
def _add_two(row, a, x, b, y, n):
    for i in range(n):
        row[i] += a * x[i] + b * y[i]
