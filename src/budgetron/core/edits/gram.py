"""Rules that look at kernel values between supports: every support's own score, kept up to date."""

from __future__ import annotations

import math

import numpy as np

from ..blocks import column, terms
from ..compiled import by_class, inlined
from ..exact import UNIT_ROUNDOFF, to_joint_products
from ..kernel import error_scale
from ..linalg.vectors import axpy, dot
from ..memory import GramAndScores
from ..state import LARGEST_NORM, POSITION, SCALE, SIZE, UPDATES, USED, slot_of
from .supports import add, k_xx, multiplicity, own_weight, remove, reweigh_all, scale_memory

__all__ = [
    "add_labelled",
    "add_with_gram",
    "add_with_scores",
    "norm",
    "own_score",
    "remove_with_scores",
    "safest",
    "solve_with_ridge",
]


CLOSE_ENOUGH = 1e-14
"""What is left of the labels, relative to them, as a root mean square."""

MOST_STEPS = 1000


@inlined
def add_with_gram(f, weight):
    """Add, and keep the kernel values with the other supports."""
    state, values, gram = f.state, f.ahead.column, f.state.memory.gram
    others = state.counts[USED]
    column(f.kernel, state.rows, 0, others, f.ahead.block, f.ahead.cursor[POSITION], values)
    to_joint_products(f)
    slot = add(f, weight)
    for other in range(others):
        gram[slot, other] = values[other]
        gram[other, slot] = values[other]
    gram[slot, slot] = k_xx(f)
    return slot


@inlined
def add_with_scores(f, weight):
    """Add, and keep every support's own score f(x_i).

    It is brought up to date at each edit, and summed afresh each time as many supports have come as
    there are, so that its rounding does not pile up.
    """
    state, memory, slot = f.state, f.state.memory, add_with_gram(f, weight)
    used = state.counts[USED]
    if state.counts[UPDATES] % state.counts[SIZE] == 0:
        for other in range(used):
            memory.scores[other] = own_score(f, other)
    else:
        axpy(memory.scores[:used], own_weight(f, slot), memory.gram[slot])
        memory.scores[slot] = own_score(f, slot)


@by_class
def own_score(f, slot):
    """The score of the support in `slot`, from its row of the matrix, without the common scale."""
    return dot(f.state.memory.gram[slot], f.state.weights, f.state.counts[USED])


@inlined
def remove_with_scores(f, i):
    """Remove support `i` and bring the others' scores up to date."""
    state, memory, slot = f.state, f.state.memory, slot_of(f, i)
    axpy(memory.scores[: state.counts[USED]], -own_weight(f, slot), memory.gram[slot])
    remove(f, i)


@scale_memory.register(GramAndScores)
def _(memory, f, factor):
    for slot in range(f.state.counts[USED]):
        memory.scores[slot] *= factor


@inlined
def norm(f):
    """|f|, from every support's own score: |f|^2 = sum_i weight_i f(x_i)."""
    state = f.state
    squared = dot(state.weights, state.memory.scores, state.counts[USED])
    return state.numbers[SCALE] * math.sqrt(max(squared, 0.0))


@inlined
def safest(f):
    """The support with the largest margin once it is gone; of equals, the oldest.

    Margins are equal if rounding cannot tell them apart: at most 2 m updates have been summed
    since the scores were fresh, each off by a rounding of |weight| k(x, x).
    """
    state, memory, best, largest, mass = f.state, f.state.memory, 0, -np.inf, 0.0
    supports = state.counts[SIZE]
    for i in range(supports):
        mass += abs(own_weight(f, slot_of(f, i)))
    roundings = 4 * supports + terms(f.ahead.block, f.ahead.cursor[POSITION]) + 8
    R = error_scale(f.kernel, state.numbers[LARGEST_NORM], state.numbers[LARGEST_NORM])
    error = roundings * UNIT_ROUNDOFF * mass * R * multiplicity(f)
    for i in range(supports):
        slot = slot_of(f, i)
        without = memory.scores[slot] - own_weight(f, slot) * memory.gram[slot, slot]
        margin = without if own_weight(f, slot) > 0 else -without
        if margin > largest + error:
            best, largest = i, margin
    return best


@inlined
def add_labelled(f, y):
    """Add with a weight that is still to be solved for, and keep the label."""
    slot = add_with_gram(f, 0.0)
    f.state.memory.labels[slot] = y


@inlined
def solve_with_ridge(f, ridge):
    """Give the supports the weights w that solve (ridge I + K) w = labels.

    Conjugate gradients, from the weights as they are. K is at most its trace times I, so with a
    ridge of c times that trace or more, the condition is at most 1 + 1/c whatever the number of
    supports: a fixed number of products with K does it, and no factorisation.
    """
    weights, n, scratch = f.state.weights, f.state.counts[SIZE], f.ahead.scratch
    gram, labels = f.state.memory.gram, f.state.memory.labels
    w, residual, direction, product = scratch[0], scratch[1], scratch[2], scratch[3]
    for i in range(n):
        w[i] = weights[i]
    for i in range(n):
        residual[i] = labels[i] - ridge * w[i] - dot(gram[i], w, n)
        direction[i] = residual[i]
    squared, wanted = dot(residual, residual, n), dot(labels, labels, n)
    for _ in range(MOST_STEPS):
        if squared <= CLOSE_ENOUGH**2 * wanted:
            break
        for i in range(n):
            product[i] = ridge * direction[i] + dot(gram[i], direction, n)
        curvature = dot(direction, product, n)
        if curvature <= 0:  # the ridge is lost in the rounding of K
            break
        step = squared / curvature
        axpy(w[:n], step, direction)
        axpy(residual[:n], -step, product)
        before, squared = squared, dot(residual, residual, n)
        for i in range(n):
            direction[i] = residual[i] + squared / before * direction[i]
    for i in range(n):
        w[i] -= weights[i]
    reweigh_all(f, 1.0, w)
