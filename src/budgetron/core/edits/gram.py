"""Rules that look at kernel values between supports: every support's own score, kept up to date."""

from __future__ import annotations

import math

import numpy as np

from ..blocks import column, terms
from ..compiled import by_class, inlined
from ..expansion import (
    LARGEST,
    POSITION,
    SCALE,
    SIZE,
    UNIT_ROUNDOFF,
    UPDATES,
    USED,
    add,
    correct,
    couple,
    multiplicity,
    own_value,
    own_weight,
    remove,
    reweigh_all,
)
from ..kernel import reach
from .projection import dot

__all__ = [
    "add_known",
    "add_labelled",
    "add_with_gram",
    "length",
    "own_score",
    "remove_known",
    "safest",
    "solve_with_ridge",
]


CLOSE_ENOUGH = 1e-14
"""What is left of the labels, relative to them, as a root mean square."""

MOST_STEPS = 1000


@inlined
def add_with_gram(f, weight):
    """Add, and keep the kernel values with the other supports."""
    kept, exact = f.kept, f.ahead.exact
    others = kept.counts[USED]
    column(f.kernel, kept.rows, 0, others, f.ahead.block, kept.counts[POSITION], exact)
    couple(f)
    slot = add(f, weight)
    for other in range(others):
        kept.gram[slot, other] = exact[other]
        kept.gram[other, slot] = exact[other]
    kept.gram[slot, slot] = own_value(f)
    return slot


@inlined
def add_known(f, weight):
    """Add, and keep every support's own score.

    The echo of support i is then f(x_i), brought up to date at each edit and summed afresh each
    time as many supports have come as there are, so that its rounding does not pile up.
    """
    kept, slot = f.kept, add_with_gram(f, weight)
    used = kept.counts[USED]
    if kept.counts[UPDATES] % kept.counts[SIZE] == 0:
        for other in range(used):
            kept.echoes[other] = own_score(f, other)
    else:
        correct(kept.echoes[:used], own_weight(f, slot), kept.gram[slot])
        kept.echoes[slot] = own_score(f, slot)


@by_class
def own_score(f, slot):
    """The score of the support in `slot`, from its row of the matrix, without the common scale."""
    return dot(f.kept.gram[slot], f.kept.weights, f.kept.counts[USED])


@inlined
def remove_known(f, i):
    """Remove support `i` and bring the others' scores up to date."""
    kept, slot = f.kept, f.kept.order[i]
    correct(kept.echoes[: kept.counts[USED]], -own_weight(f, slot), kept.gram[slot])
    remove(f, i)


@inlined
def length(f):
    """|f|, from every support's own score: |f|^2 = sum_i weight_i f(x_i)."""
    kept = f.kept
    squared = dot(kept.weights, kept.echoes, kept.counts[USED])
    return kept.numbers[SCALE] * math.sqrt(max(squared, 0.0))


@inlined
def safest(f):
    """The support with the largest margin once it is gone; of equals, the oldest.

    Margins are equal if rounding cannot tell them apart: at most 2 m updates have been summed
    since the echoes were fresh, each off by a rounding of |weight| k(x, x).
    """
    kept, best, largest, mass = f.kept, 0, -np.inf, 0.0
    supports = kept.counts[SIZE]
    for i in range(supports):
        mass += abs(own_weight(f, kept.order[i]))
    roundings = 4 * supports + terms(f.ahead.block, kept.counts[POSITION]) + 8
    R = reach(f.kernel, kept.numbers[LARGEST], kept.numbers[LARGEST])
    doubt = roundings * UNIT_ROUNDOFF * mass * R * multiplicity(f)
    for i in range(supports):
        slot = kept.order[i]
        without = kept.echoes[slot] - own_weight(f, slot) * kept.gram[slot, slot]
        margin = without if own_weight(f, slot) > 0 else -without
        if margin > largest + doubt:
            best, largest = i, margin
    return best


@inlined
def add_labelled(f, y):
    """Add with a weight that is still to be solved for; the echo is the label."""
    slot = add_with_gram(f, 0.0)
    f.kept.echoes[slot] = y


@inlined
def solve_with_ridge(f, ridge):
    """Give the supports the weights w that solve (ridge I + K) w = labels.

    Conjugate gradients, from the weights as they are. K is at most its trace times I, so with a
    ridge of c times that trace or more, the condition is at most 1 + 1/c whatever the number of
    supports: a fixed number of products with K does it, and no factorisation.
    """
    kept, size, vectors = f.kept, f.kept.counts[SIZE], f.ahead.shares
    w, residual, direction, product = vectors[0], vectors[1], vectors[2], vectors[3]
    for i in range(size):
        w[i] = kept.weights[i]
    for i in range(size):
        residual[i] = kept.echoes[i] - ridge * w[i] - dot(kept.gram[i], w, size)
        direction[i] = residual[i]
    squared, labels = dot(residual, residual, size), dot(kept.echoes, kept.echoes, size)
    for _ in range(MOST_STEPS):
        if squared <= CLOSE_ENOUGH**2 * labels:
            break
        for i in range(size):
            product[i] = ridge * direction[i] + dot(kept.gram[i], direction, size)
        curvature = dot(direction, product, size)
        if curvature <= 0:  # the ridge is lost in the rounding of K
            break
        step = squared / curvature
        correct(w[:size], step, direction)
        correct(residual[:size], -step, product)
        before, squared = squared, dot(residual, residual, size)
        for i in range(size):
            direction[i] = residual[i] + squared / before * direction[i]
    for i in range(size):
        w[i] -= kept.weights[i]
    reweigh_all(f, 1.0, w)
