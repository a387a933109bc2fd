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
from ..linalg.eigen import diagonalise
from ..linalg.vectors import axpy, dot
from ..state import POSITION, SCALE, SIZE
from .supports import reweigh_all

__all__ = ["find_directions", "step_along_directions"]

LEAST = 1e-9
"""An eigenvalue that is smaller, beside the largest, is rounding, and no direction."""


@inlined
def find_directions(f, rank):
    """Find the leading directions, and project f onto them.

    The matrix of kernel values has served its purpose and becomes 0; where there are fewer
    directions than `rank`, the others are 0.
    """
    state, n = f.state, f.state.counts[SIZE]
    V, directions = state.memory.gram, state.memory.directions
    values, projected = f.ahead.scratch[0], f.ahead.scratch[2]
    diagonalise(V, n, values, f.ahead.scratch[1])
    _put_largest_first(V, values, n, rank)
    for i in range(n):
        projected[i] = -state.weights[i]
    for i in range(rank):
        if values[i] > LEAST * values[0]:
            axpy(projected[:n], dot(V[i], state.weights, n), V[i, :n])
            for j in range(n):
                directions[i, j] = V[i, j] / sqrt(values[i])
    V[:] = 0
    reweigh_all(f, state.numbers[SCALE], projected)


@inlined
def _put_largest_first(V, values, n, many):
    for i in range(many):
        best = i
        for j in range(i + 1, n):
            if values[j] > values[best]:
                best = j
        values[i], values[best] = values[best], values[i]
        for j in range(n):
            V[i, j], V[best, j] = V[best, j], V[i, j]


@inlined
def step_along_directions(f, weight, rank):
    """Add `weight` times the current example, as far as the leading directions show it."""
    state, ahead, n = f.state, f.ahead, f.state.counts[SIZE]
    k, parts = ahead.scratch[1], ahead.scratch[0]
    for i in range(n):
        k[i] = ahead.values[i, ahead.cursor[POSITION]]
        parts[i] = 0
    for i in range(rank):
        row = state.memory.directions[i]
        axpy(parts[:n], dot(row, k, n), row)
    reweigh_all(f, weight, parts)
