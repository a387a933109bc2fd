"""The Cholesky factor L of the supports' kernel matrix, for rules that project or solve.

L L^T = K + ridge I, its rows from the oldest support to the newest. The *shares* d of an example x
solve (K + ridge I) d = k, where k_i = k(x_i, x): without a ridge, sum_i d_i k(x_i, .) is the
projection of k(x, .) onto the span of the supports. For the likely updates of a block they are
solved for together, and each edit that changes L brings those of the later examples up to date.

A newcomer that is numerically in the span of the supports is never appended, so L stays
invertible; there is no inverse to be kept up to date.
"""

from __future__ import annotations

from contextlib import suppress
from math import copysign, sqrt

import numpy as np
from scipy.linalg import cholesky

from ..blocks import look_ahead
from ..compiled import by_class, compiled_in_place, inlined, inlined_reassociated, plain
from ..expansion import (
    POSITION,
    SCALE,
    SIZE,
    add,
    correct,
    multiplicity,
    own_value,
    remove,
    reweigh_all,
    weight,
)
from ..kernel import OwnKernel, of_itself
from ..linalg.triangular import LANES, solve_lower, solve_upper

__all__ = [
    "NEARLY",
    "ROUNDING",
    "add_independent",
    "discard",
    "dot",
    "in_span",
    "project",
    "projection",
    "refresh",
    "rehearse",
    "ridged_distance",
    "rotate",
    "solve_ahead",
    "solved_row",
    "solved_score",
    "within",
]

ROUNDING = 1e-9
"""What rounding can make of a squared distance from the span, as a part of k(x, x)."""

MOST_DRIFT = 1e-12
"""L L^T may be this far, relative to its largest entry, from what it should be."""

PIECE = 256
"""Rows and columns of a matrix that is looked at in pieces."""

NEARLY = 0.05
"""An update is likely if the margin is at most this far above the threshold."""


def solve_ahead(f, labels, threshold, room):
    """Solve for the shares of the block's likely updates, in a `Buffer` for the columns."""
    size = int(f.kept.counts[SIZE])
    f.ahead.solved[:] = -1
    if size == 0:
        return
    rehearse(f, labels, threshold)
    likely = np.flatnonzero(f.ahead.solved >= 0)
    if len(likely) > 0:
        f.ahead.solved[likely] = np.arange(len(likely))
        columns = room.shaped(size, -(-len(likely) // LANES) * LANES)
        _gather(f.kept.order, f.ahead.values, likely, columns)
        solve_lower(f.kept.gram, columns)
        solve_upper(f.kept.gram, columns)
        _transpose(columns, f.ahead.shares[: len(likely)])


@by_class
def rehearse(f, labels, threshold):
    """Rehearse the walk with the Perceptron's steps in place of projected ones.

    Near the supports' span the two are alike, and a wrong guess costs time only. Likely updates are
    put at 0 in `f.ahead.solved`.
    """
    foresee = plain(_foresee) if isinstance(f.kernel, OwnKernel) else _foresee
    scores = f.ahead.scores.copy()
    foresee(f.kernel, f.ahead.block, labels, threshold, scores, f.ahead.solved)


@compiled_in_place
def _foresee(kernel, block, labels, threshold, scores, likely):
    for t in range(len(labels)):
        y = copysign(1.0, labels[t])
        margin = y * scores[t]
        if margin < threshold + NEARLY:
            likely[t] = 0
        if margin < threshold or margin <= 0:
            k = of_itself(kernel, block.norms[t])
            step = min(1.0, (1 - margin) / k) if k > 0 else 0.0
            look_ahead(kernel, block, t)
            correct(scores[t + 1 :], y * step, block.own[t, t + 1 :])


def refresh(kernel, kept, ridge):
    """After many removals, see how far L has drifted; if too far, factorise again.

    Where rounding has left no positive definite matrix, as it does to rows far from the origin, L
    stays as it is. The weights are solved for afresh in any case, from the labels in `kept.echoes`.
    """
    slots = kept.order[: kept.counts[SIZE]]
    if _has_drifted(kernel, kept, ridge):
        with suppress(np.linalg.LinAlgError):
            _factorise(kernel, kept, ridge)
    weights = np.zeros((len(slots), LANES))
    weights[:, 0] = kept.echoes[slots]
    solve_lower(kept.gram, weights)
    solve_upper(kept.gram, weights)
    kept.weights[slots] = weights[:, 0] / kept.numbers[SCALE]


def _has_drifted(kernel, kept, ridge):
    """Whether L L^T is far from the matrix that L should be the factor of."""
    largest, drift = 0.0, 0.0
    for rows, columns, wanted in _wanted(kernel, kept, ridge):
        L, M = kept.gram[rows, : columns.stop], kept.gram[columns, : columns.stop]
        found = np.tril(L, rows.start) @ np.tril(M, columns.start).T
        drift = max(drift, np.abs(found - wanted).max())
        largest = max(largest, np.abs(wanted).max())
    return drift > MOST_DRIFT * largest


def _factorise(kernel, kept, ridge):
    size = int(kept.counts[SIZE])
    L = np.zeros((size, size), order="F")
    for rows, columns, wanted in _wanted(kernel, kept, ridge):
        L[rows, columns] = wanted
    kept.gram[:size, :size] = cholesky(L, lower=True, overwrite_a=True)


def _wanted(kernel, kept, ridge):
    """The lower half of the kernel matrix with its ridge, a piece at a time."""
    size = int(kept.counts[SIZE])
    pieces = [slice(i, min(i + PIECE, size)) for i in range(0, size, PIECE)]
    for rows in pieces:
        X = kept.rows.matrix(kept.order[rows])
        for columns in pieces[: pieces.index(rows)]:
            yield rows, columns, kernel(X, kept.rows.matrix(kept.order[columns]))
        wanted = kernel(X, X)
        diagonal = np.diag_indices_from(wanted)
        wanted[diagonal] += np.maximum(ridge, ROUNDING * wanted[diagonal])
        yield rows, rows, wanted


@compiled_in_place
def _gather(order, values, examples, columns):
    for i in range(len(columns)):
        row, column = values[order[i]], columns[i]
        for c in range(len(examples)):
            column[c] = row[examples[c]]
        for c in range(len(examples), len(column)):
            column[c] = 0


@compiled_in_place
def _transpose(columns, rows):
    for first in range(0, len(columns), 8):  # a cache line of each row at a time
        last = min(first + 8, len(columns))
        for c in range(len(rows)):
            for i in range(first, last):
                rows[c, i] = columns[i, c]


@inlined
def solved_row(f):
    """The row of `f.ahead.shares` that holds those of the current example."""
    t = f.kept.counts[POSITION]
    if f.ahead.solved[t] < 0:
        _solve_now(f, t)
    return f.ahead.solved[t]


@inlined
def _solve_now(f, t):
    kept, ahead, size = f.kept, f.ahead, f.kept.counts[SIZE]
    row = 0
    for j in range(len(ahead.solved)):
        row = max(row, ahead.solved[j] + 1)
    ahead.solved[t] = row
    L, d = kept.gram, ahead.shares[row]
    for i in range(size):
        d[i] = (ahead.values[kept.order[i], t] - dot(L[i], d, i)) / L[i, i]
    for i in range(size - 1, -1, -1):
        d[i] /= L[i, i]
        correct(d[:i], -d[i], L[i, :i])


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


@inlined
def projection(f):
    """k^T d, and without a ridge the squared norm |P k(x, .)|^2 of the projection."""
    d, t, total = f.ahead.shares[solved_row(f)], f.kept.counts[POSITION], 0.0
    for i in range(f.kept.counts[SIZE]):
        total += d[i] * f.ahead.values[f.kept.order[i], t]
    return multiplicity(f) * total


@inlined
def within(f, squared_distance, limit):
    """Whether the current example is, up to rounding, within `limit` of the supports' span."""
    return squared_distance <= max(0.0, limit) ** 2 + ROUNDING * own_value(f)


@inlined
def in_span(f, squared_distance):
    """Whether rounding cannot tell the current example from the span of the supports."""
    return within(f, squared_distance, 0.0)


@inlined
def ridged_distance(f, ridge):
    """The squared distance of the current example from the span, and the ridge, together.

    A ridge that would be lost in the rounding of the distance is as large as that rounding.
    """
    k = own_value(f)
    return max(ridge, ROUNDING * k) + abs(k - projection(f))


@inlined
def project(f, weight):
    """Add `weight` times the current example's projection onto the span of the supports."""
    reweigh_all(f, weight, f.ahead.shares[solved_row(f)])


@inlined
def add_independent(f, weight, squared_distance):
    """Add the current example, whose squared distance from the span (and the ridge) is given."""
    kept, ahead, t = f.kept, f.ahead, f.kept.counts[POSITION]
    d, size = f.ahead.shares[solved_row(f)], f.kept.counts[SIZE]
    pivot = squared_distance / multiplicity(f)
    _append(kept.gram, size, d, pivot)
    for i in range(size):
        ahead.exact[i] = ahead.values[kept.order[i], t]
    slot = add(f, weight)
    for j in range(t + 1, len(ahead.solved)):
        if ahead.solved[j] >= 0:
            later = ahead.shares[ahead.solved[j]]
            newest = (ahead.values[slot, j] - dot(ahead.exact, later, size)) / pivot
            correct(later[:size], -newest, d)
            later[size] = newest
    return slot


@inlined
def _append(L, size, d, pivot):
    """The row [L^T d, sqrt(pivot)]."""
    L[size, :] = 0
    for i in range(size):
        correct(L[size, : i + 1], d[i], L[i, : i + 1])
    L[size, size] = sqrt(pivot)


@inlined
def solved_score(f):
    """f(x) of the current example, summed again after an edit that changed it."""
    kept, t, total = f.kept, f.kept.counts[POSITION], 0.0
    for i in range(kept.counts[SIZE]):
        slot = kept.order[i]
        total += kept.weights[slot] * f.ahead.values[slot, t]
    return kept.numbers[SCALE] * total


@inlined
def discard(f, i):
    """Forget support `i` and give the others the weights that solve the smaller system.

    With c the i-th column of the inverse, a solution w of the whole system becomes
    w - (w_i / c_i) c; so do the shares of the examples that are still to come.
    """
    kept, ahead, t = f.kept, f.ahead, f.kept.counts[POSITION]
    size, c = kept.counts[SIZE], f.ahead.exact
    _column_of_inverse(kept.gram, size, i, c)
    reweigh_all(f, -weight(f, i) / c[i], c)
    kept.weights[kept.order[i]] = 0
    for later in range(t, len(ahead.solved)):
        if ahead.solved[later] >= 0:
            d = ahead.shares[ahead.solved[later]]
            correct(d[:size], -d[i] / c[i], c)
            for j in range(i, size - 1):
                d[j] = d[j + 1]
    _delete(kept.gram, size, i, c)
    remove(f, i)


@inlined
def _column_of_inverse(L, size, i, out):
    for j in range(i):
        out[j] = 0
    out[i] = 1 / L[i, i]
    for j in range(i + 1, size):
        out[j] = -dot(L[j, i:], out[i:], j - i) / L[j, j]
    for j in range(size - 1, -1, -1):
        out[j] /= L[j, j]
        correct(out[:j], -out[j], L[j, :j])


@inlined
def _delete(L, size, i, cosines):
    """Delete row `i`: the rows below it take its column in by rotations, which only add."""
    for j in range(i, size - 1):
        below, row = L[j + 1], L[j]
        for k in range(i):
            row[k] = below[k]
        extra = below[i]
        for k in range(i, j):
            cosine = cosines[k]
            sine = L[k, size - 1]
            row[k] = cosine * below[k + 1] + sine * extra
            extra = cosine * extra - sine * below[k + 1]
        pivot = sqrt(below[j + 1] ** 2 + extra**2)
        cosines[j] = below[j + 1] / pivot
        row[j] = pivot
        L[j, size - 1] = extra / pivot
