"""Rules that make room for many newcomers at once: half of the supports leave, and f stays.

The rules keep the kernel values between supports, and every support's own score: see `gram`.
"""

from __future__ import annotations

from math import inf, sqrt

from ..compiled import inlined
from ..linalg.vectors import dot
from ..state import LARGEST_WEIGHT, OLDEST, SCALE, SIZE, slot_of
from .gram import norm, own_score
from .supports import own_weight, remove, reweigh_all, stretch

__all__ = ["halve"]

SAME = 1e-9
"""Weights that differ by less, relative to themselves, are equal."""

RIDGE = 1e-5
"""What is added to the diagonal of the kernel matrix, beside its mean.

Where supports are repeated or nearly so, their weights could otherwise grow against each other at
each halving, without a trace in f.
"""

NOTHING = 1e-6
"""A hypothesis that is shorter, beside the one before, is not stretched."""


@inlined
def halve(f):
    """Remove the half with the smaller weights, and project f onto the other half.

    Of equal weights, the older ones stay. What is left is stretched to the length from before.
    """
    state, before, scratch = f.state, norm(f), f.ahead.scratch
    stays, scores = scratch[0], scratch[1]
    supports = state.counts[SIZE]
    _choose(f, supports // 2, stays)
    for i in range(supports):
        scores[slot_of(f, i)] = own_score(f, slot_of(f, i))
    for i in range(supports - 1, -1, -1):
        if stays[slot_of(f, i)] == 0:
            remove(f, i)
    if state.counts[SIZE] > 0:
        _solve(f, scores, scratch[2], scratch[3:])
        for i in range(state.counts[SIZE]):
            state.memory.scores[slot_of(f, i)] = own_score(f, slot_of(f, i))
        left = norm(f)
        if left > NOTHING * before > 0:
            stretch(f, before / left)


@inlined
def _choose(f, many, stays):
    """Mark the slots of so many supports with the largest weights by 1, all others by 0."""
    size, limit = f.state.counts[SIZE], inf
    for i in range(size):
        mine, larger = abs(own_weight(f, slot_of(f, i))), 0
        for j in range(size):
            other = abs(own_weight(f, slot_of(f, j)))
            larger += other > mine or (other == mine and j < i)
        if larger == many - 1:
            limit = mine
    left = many
    for i in range(size):
        slot = slot_of(f, i)
        stays[slot] = abs(own_weight(f, slot)) > limit * (1 + SAME)
        left -= int(stays[slot])
    for i in range(size):
        slot = slot_of(f, i)
        if left > 0 and stays[slot] == 0 and abs(own_weight(f, slot)) >= limit * (1 - SAME):
            stays[slot] = 1
            left -= 1


@inlined
def _solve(f, scores, w, factor):
    """Give the supports the weights w that solve (K + ridge I) w = scores, these by slots.

    The matrix's Cholesky factor is made on the way.
    """
    state, gram, size = f.state, f.state.memory.gram, f.state.counts[SIZE]
    order = f.ahead.order[f.ahead.cursor[OLDEST] :]
    trace = 0.0
    for i in range(size):
        trace += gram[order[i], order[i]]
    ridge = RIDGE * trace / size
    if ridge > 0:
        for i in range(size):
            row = factor[i]
            for j in range(i):
                other = factor[j]
                row[j] = (gram[order[i], order[j]] - dot(row, other, j)) / other[j]
            row[i] = sqrt(max(gram[order[i], order[i]] + ridge - dot(row, row, i), ridge))
            w[i] = (scores[order[i]] - dot(row, w, i)) / row[i]
        for i in range(size - 1, -1, -1):
            row = factor[i]
            w[i] /= row[i]
            for j in range(i):
                w[j] -= w[i] * row[j]
        for i in range(size):
            w[i] -= own_weight(f, order[i])
        state.numbers[LARGEST_WEIGHT] = 0  # the error that older weights carried is gone with them
        reweigh_all(f, state.numbers[SCALE], w)
