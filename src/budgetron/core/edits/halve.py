"""Rules that make room for many newcomers at once: half of the supports leave, and f stays.

The rules keep the kernel values between supports, and every support's own score: see `gram`.
"""

from __future__ import annotations

from math import inf, sqrt

from ..compiled import inlined
from ..expansion import PEAK, SCALE, SIZE, own_weight, remove, reweigh_all, scale
from .gram import length, own_score
from .projection import dot

__all__ = ["halve"]

ROUNDING = 1e-9
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
    kept, before, stays, scores = f.kept, length(f), f.ahead.shares[0], f.ahead.shares[1]
    supports = kept.counts[SIZE]
    _choose(f, supports // 2, stays)
    for i in range(supports):
        scores[kept.order[i]] = own_score(f, kept.order[i])
    for i in range(supports - 1, -1, -1):
        if stays[kept.order[i]] == 0:
            remove(f, i)
    if kept.counts[SIZE] > 0:
        _solve(f, scores, f.ahead.shares[2])
        for i in range(kept.counts[SIZE]):
            kept.echoes[kept.order[i]] = own_score(f, kept.order[i])
        left = length(f)
        if left > NOTHING * before:
            scale(f, before / left)


@inlined
def _choose(f, many, stays):
    """Mark the slots of so many supports with the largest weights by 1, all others by 0."""
    kept, size, limit = f.kept, f.kept.counts[SIZE], inf
    for i in range(size):
        mine, larger = abs(own_weight(f, kept.order[i])), 0
        for j in range(size):
            other = abs(own_weight(f, kept.order[j]))
            larger += other > mine or (other == mine and j < i)
        if larger == many - 1:
            limit = mine
    left = many
    for i in range(size):
        slot = kept.order[i]
        stays[slot] = abs(own_weight(f, slot)) > limit * (1 + ROUNDING)
        left -= int(stays[slot])
    for i in range(size):
        slot = kept.order[i]
        if left > 0 and stays[slot] == 0 and abs(own_weight(f, slot)) >= limit * (1 - ROUNDING):
            stays[slot] = 1
            left -= 1


@inlined
def _solve(f, scores, w):
    """Give the supports the weights w that solve (K + ridge I) w = scores, these by slots.

    The Cholesky factor of the matrix is made in the rows of those who have just left.
    """
    kept, order, gram, size = f.kept, f.kept.order, f.kept.gram, f.kept.counts[SIZE]
    trace = 0.0
    for i in range(size):
        trace += gram[order[i], order[i]]
    ridge = RIDGE * trace / size
    if ridge > 0:
        for i in range(size):
            row = gram[order[size + i]]
            for j in range(i):
                other = gram[order[size + j]]
                row[j] = (gram[order[i], order[j]] - dot(row, other, j)) / other[j]
            row[i] = sqrt(max(gram[order[i], order[i]] + ridge - dot(row, row, i), ridge))
            w[i] = (scores[order[i]] - dot(row, w, i)) / row[i]
        for i in range(size - 1, -1, -1):
            row = gram[order[size + i]]
            w[i] /= row[i]
            for j in range(i):
                w[j] -= w[i] * row[j]
        for i in range(size):
            w[i] -= own_weight(f, order[i])
        kept.numbers[PEAK] = 0  # the error that older weights carried is gone with them
        reweigh_all(f, kept.numbers[SCALE], w)
