"""Rules that go on, once their supports are chosen, in the space of a few leading directions.

With V_k and D_k the k leading eigenvectors and eigenvalues of the kernel matrix of the supports, an
example has the features z(x) = D_k^-1/2 V_k^T k(x) (Nystrom's method; C. Williams and M. Seeger,
NIPS 2000). A step along z(x) is, in terms of the expansion, a change of the weights by
V_k D_k^-1 V_k^T k(x): as a projection onto the supports with the rest of the spectrum left out.

Nobody has left, so that slots are in the order of age.
"""

from __future__ import annotations

from math import sqrt

from ..compiled import inlined
from ..expansion import POSITION, SCALE, SIZE, correct, reweigh_all
from ..linalg.eigen import diagonalise
from .projection import dot

__all__ = ["lead", "step_in_span"]

LEAST = 1e-9
"""An eigenvalue that is smaller, beside the largest, is rounding, and no direction."""


@inlined
def lead(f, rank):
    """Find the leading directions, and project f onto them.

    In the matrix of the kernel values, the first `rank` rows become those of D_k^-1/2 V_k^T; where
    there are fewer directions, they are 0.
    """
    kept, size, V = f.kept, f.kept.counts[SIZE], f.kept.gram
    values, projected = f.ahead.shares[0], f.ahead.shares[2]
    diagonalise(V, size, values, f.ahead.shares[1])
    _put_largest_first(V, values, size, rank)
    for i in range(size):
        projected[i] = -kept.weights[i]
    for i in range(size):
        if i < rank and values[i] > LEAST * values[0]:
            correct(projected[:size], dot(V[i], kept.weights, size), V[i, :size])
            for j in range(size):
                V[i, j] /= sqrt(values[i])
        else:
            V[i, :] = 0
    reweigh_all(f, kept.numbers[SCALE], projected)


@inlined
def _put_largest_first(V, values, size, many):
    for i in range(many):
        best = i
        for j in range(i + 1, size):
            if values[j] > values[best]:
                best = j
        values[i], values[best] = values[best], values[i]
        for j in range(size):
            V[i, j], V[best, j] = V[best, j], V[i, j]


@inlined
def step_in_span(f, weight, rank):
    """Add `weight` times the current example, as far as the leading directions show it."""
    kept, ahead, size = f.kept, f.ahead, f.kept.counts[SIZE]
    k, parts = ahead.exact, ahead.shares[0]
    for i in range(size):
        k[i] = ahead.values[i, kept.counts[POSITION]]
        parts[i] = 0
    for i in range(rank):
        row = kept.gram[i]
        correct(parts[:size], dot(row, k, size), row)
    reweigh_all(f, weight, parts)
