"""Rules that project or solve, by the Cholesky factor L of the supports' kernel matrix.

L L^T = K + ridge I, its rows from the oldest support to the newest. The *coefficients* d of an
example x solve (K + ridge I) d = k, where k_i = k(x_i, x): without a ridge, sum_i d_i k(x_i, .) is
the projection of k(x, .) onto the span of the supports. For the likely updates of a block they are
solved for together, and each edit brings those of the later examples up to date. L itself is told
at once, or where updates are frequent, at the end of the block: see `journal`.

A newcomer that is numerically in the span of the supports is never appended, so L stays
invertible; there is no inverse to be kept up to date.

Of supports that are nearly dependent the coefficients are huge, and k^T d has no digit left that a
distance could be told by. The *coordinates* z = L^-1 k are never longer than x itself: where nobody
leaves they are kept, |z|^2 is the squared norm of the projection, and z is the newcomer's row of L.
"""

from __future__ import annotations

from contextlib import suppress
from math import copysign, isnan, sqrt

import numpy as np
from scipy.linalg import cholesky

from ..blocks import look_ahead
from ..compiled import by_class, compiled_in_place, inlined, plain
from ..kernel import OwnKernel, diagonal_value
from ..linalg.cholesky import (
    append_row,
    column_of_inverse,
    delete_row,
    solve,
    solve_backward,
    solve_forward,
)
from ..linalg.triangular import solve_lower, solve_upper
from ..linalg.vectors import axpy, dot
from ..memory import ImagedProjections, LabelledFactor
from ..state import POSITION, SCALE, SIZE, by_age, slot_of
from .journal import (
    extend,
    foresee_leavers,
    has_journal,
    note_leaver,
    note_newcomer,
    open_journal,
    shrink,
    solve_for_leaver,
    solve_from_journal,
    taken_out,
    with_leavers,
)
from .supports import (
    add,
    axpy_many,
    change_weights,
    k_xx,
    multiplicity,
    remove,
    reweigh_all,
    weight,
)

__all__ = [
    "LIKELY",
    "SPAN_ROUNDING",
    "add_independent",
    "add_labelled_independent",
    "discard",
    "in_span",
    "project",
    "projection",
    "refactor",
    "rehearse",
    "ridged_distance",
    "row_of_current",
    "solve_ahead",
    "solve_likely",
    "solved_score",
    "within",
]

SPAN_ROUNDING = 1e-9
"""What rounding can make of a squared distance from the span, as a part of k(x, x)."""

FARTHEST = 1e150
"""A limit that nothing is beyond, and that can be squared."""

MOST_DRIFT = 1e-12
"""L L^T may be this far, relative to its largest entry, from what it should be."""

PIECE = 256
"""Rows and columns of a matrix that is looked at in pieces."""

LIKELY = 0.05
"""How far above the threshold the margin of a likely update is, at most."""

SOLVED_TOGETHER, SOLVED_AT_ONCE = 48, 2e7
"""So many columns, and so many multiplications, are worth a thread: together they take less."""

EXPECTED = 1
"""What an update is put at that happens if all goes as it is rehearsed."""


def solve_ahead(f, labels, threshold, likely, solve, leaving):
    """Solve for the coefficients of the block's likely updates, by `solve_likely` or another.

    An update is likely if the rehearsed margin is at most `likely` above the threshold. Given a
    number of updates, `leaving` says which supports leave by them, one after the other: see
    `foresight.leavers`. Their columns of the inverse are solved for, too.
    """
    plan = f.ahead.plan
    plan.row_of[:] = -1
    open_journal(f)
    if f.state.counts[SIZE] == 0:
        return
    rehearse(f, labels, threshold, likely)
    examples = np.flatnonzero(plan.row_of >= 0)
    updates = np.count_nonzero(plan.row_of == EXPECTED)
    if len(examples) > 0:
        plan.row_of[examples] = np.arange(len(examples))
        leavers = leaving(int(updates) if has_journal(f) else 0)
        solve(f, examples, leavers)
        foresee_leavers(f, leavers)


def solve_likely(f, likely, leavers, buffers, each):
    """Solve for the coefficients of these examples, into as many rows of the plan.

    Behind the rows of all examples, there are those of supports that leave and are there already.
    Many are solved for in parts, which can be shared out among threads: `each` is told the parts,
    whoever is there to do them, and what to do with one.
    """
    n, plan, L = int(f.state.counts[SIZE]), f.ahead.plan, f.state.memory.L
    old = np.flatnonzero(leavers >= 0)
    many = len(likely) + len(old)
    rows = np.concatenate([np.arange(len(likely)), len(plan.row_of) + old])
    length = -(-many // max(1, min(many // SOLVED_TOGETHER, int(n * n * many / SOLVED_AT_ONCE))))
    parts = [range(start, min(start + length, many)) for start in range(0, many, length)]
    rooms = {
        part: buffers.shaped(f"columns {k}", float, n, len(part)) for k, part in enumerate(parts)
    }

    def solve_some(part):
        columns, own = rooms[part], rows[part.start : part.stop]
        _gather(by_age(f), f.ahead.values, likely[part.start : part.stop], columns)
        if part.stop > len(likely):
            first = max(part.start, len(likely))
            left = leavers[old[first - len(likely) : part.stop - len(likely)]]
            columns[left, first - part.start + np.arange(len(left))] = 1
        solve_lower(L, columns)
        if not f.state.memory.forgets:
            _transpose(columns, plan.coordinates, own)
        solve_upper(L, columns)
        _transpose(columns, plan.coefficients, own)

    each(parts, solve_some)


@by_class
def rehearse(f, labels, threshold, likely):
    """Rehearse the walk with the Perceptron's steps in place of projected ones.

    Near the supports' span the two are alike; those of who solves for all weights anew are much
    smaller, and left out. A wrong guess costs time only. Likely updates are put at 0 in the plan,
    or at EXPECTED.
    """
    foresee = plain(_foresee) if isinstance(f.kernel, OwnKernel) else _foresee
    longest = 0.0 if isinstance(f.state.memory, LabelledFactor) else 1.0
    scores, found = f.ahead.scores.copy(), f.ahead.plan.row_of
    foresee(f.kernel, f.ahead.block, labels, threshold, likely, longest, scores, found)


@compiled_in_place
def _foresee(kernel, block, labels, threshold, likely, longest, scores, found):
    for t in range(len(labels)):
        if isnan(labels[t]):
            continue
        y = copysign(1.0, labels[t])
        margin = y * scores[t]
        if margin < threshold + likely:
            found[t] = 0
        if margin < threshold or margin <= 0:
            found[t] = EXPECTED
            k = diagonal_value(kernel, block.norms[t])
            step = min(longest, (1 - margin) / k) if k > 0 else 0.0
            look_ahead(kernel, block, t)
            axpy(scores[t + 1 :], y * step, block.own[t, t + 1 :])


def refactor(kernel, state, ridge):
    """After many removals, see how far L has drifted; if too far, factorise again.

    Where rounding has left no positive definite matrix, as it does to rows far from the origin, L
    stays as it is. The weights are solved for afresh in any case, from the labels.
    """
    slots, L = state.order[: state.counts[SIZE]], state.memory.L
    if _has_drifted(kernel, state, ridge):
        with suppress(np.linalg.LinAlgError):
            _factorise(kernel, state, ridge)
    weights = state.memory.labels[slots, None]
    solve_lower(L, weights)
    solve_upper(L, weights)
    state.weights[slots] = weights[:, 0] / state.numbers[SCALE]


def _has_drifted(kernel, state, ridge):
    """Whether L L^T is far from the matrix that L should be the factor of."""
    largest, drift, factor = 0.0, 0.0, state.memory.L
    for rows, columns, wanted in _wanted(kernel, state, ridge):
        L, M = factor[rows, : columns.stop], factor[columns, : columns.stop]
        found = np.tril(L, rows.start) @ np.tril(M, columns.start).T
        drift = max(drift, np.abs(found - wanted).max())
        largest = max(largest, np.abs(wanted).max())
    return drift > MOST_DRIFT * largest


def _factorise(kernel, state, ridge):
    n = int(state.counts[SIZE])
    L = np.zeros((n, n), order="F")
    for rows, columns, wanted in _wanted(kernel, state, ridge):
        L[rows, columns] = wanted
    state.memory.L[:n, :n] = cholesky(L, lower=True, overwrite_a=True)


def _wanted(kernel, state, ridge):
    """The lower half of the kernel matrix with its ridge, a piece at a time."""
    n = int(state.counts[SIZE])
    pieces = [slice(i, min(i + PIECE, n)) for i in range(0, n, PIECE)]
    for rows in pieces:
        X = state.rows.matrix(state.order[rows])
        for columns in pieces[: pieces.index(rows)]:
            yield rows, columns, kernel(X, state.rows.matrix(state.order[columns]))
        wanted = kernel(X, X)
        diagonal = np.diag_indices_from(wanted)
        wanted[diagonal] += np.maximum(ridge, SPAN_ROUNDING * wanted[diagonal])
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
def _transpose(columns, out, rows):
    for first in range(0, len(columns), 8):  # a cache line of each row at a time
        last = min(first + 8, len(columns))
        for c in range(len(rows)):
            for i in range(first, last):
                out[rows[c], i] = columns[i, c]


@inlined
def row_of_current(f):
    """The row of the plan's coefficients that holds those of the current example."""
    t, plan = f.ahead.cursor[POSITION], f.ahead.plan
    if plan.row_of[t] < 0:
        row = 0
        for j in range(len(plan.row_of)):
            row = max(row, plan.row_of[j] + 1)
        plan.row_of[t] = row
        solve_now(f.state.memory, f, t, row)
    return plan.row_of[t]


@by_class
def solve_now(memory, f, t, row):
    """Solve for the coefficients of example `t`, by way of its coordinates."""
    n, d, z = f.state.counts[SIZE], f.ahead.plan.coefficients[row], f.ahead.plan.coordinates[row]
    load_column(f, t, z)
    solve_forward(memory.L, n, z)
    for i in range(n):
        d[i] = z[i]
    solve_backward(memory.L, n, d)
    make_image(f.ahead.plan, f, row)


@solve_now.register(LabelledFactor)
def _(memory, f, t, row):
    d = f.ahead.plan.coefficients[row]
    if has_journal(f):
        solve_from_journal(f, t, d)
    else:
        load_column(f, t, d)
        solve(memory.L, f.state.counts[SIZE], d)


@inlined
def load_column(f, t, out):
    """The kernel values of example `t` with the supports, from the oldest to the newest."""
    for i in range(f.state.counts[SIZE]):
        out[i] = f.ahead.values[slot_of(f, i), t]


@inlined
def projection(f):
    """k^T d, and without a ridge the squared norm |P k(x, .)|^2 of the projection."""
    return multiplicity(f) * squared_norm(f.state.memory, f, row_of_current(f))


@by_class
def squared_norm(memory, f, row):
    """That of one class, given the row of the current example: k^T d = z^T z."""
    z = f.ahead.plan.coordinates[row]
    return dot(z, z, f.state.counts[SIZE])


@squared_norm.register(LabelledFactor)
def _(memory, f, row):
    d, t, total = f.ahead.plan.coefficients[row], f.ahead.cursor[POSITION], 0.0
    for i in range(f.state.counts[SIZE]):
        total += d[i] * f.ahead.values[slot_of(f, i), t]
    return total


@inlined
def within(f, squared_distance, limit):
    """Whether the current example is, up to rounding, within `limit` of the supports' span."""
    limit = min(max(0.0, limit), FARTHEST)
    return squared_distance <= limit**2 + SPAN_ROUNDING * k_xx(f)


@inlined
def in_span(f, squared_distance):
    """Whether rounding cannot tell the current example from the span of the supports."""
    return within(f, squared_distance, 0.0)


@inlined
def ridged_distance(f, ridge):
    """The squared distance of the current example from the span, and the ridge, together.

    A ridge that would be lost in the rounding of the distance is as large as that rounding.
    """
    k = k_xx(f)
    return max(ridge, SPAN_ROUNDING * k) + abs(k - projection(f))


@by_class
def project(f, weight):
    """Add `weight` times the current example's projection onto the span of the supports."""
    step_along(f.ahead.plan, f, weight, row_of_current(f))


@inlined
def add_independent(f, weight, squared_distance):
    """Add the current example, whose squared distance from the span (and the ridge) is given."""
    row, pivot = row_of_current(f), squared_distance / multiplicity(f)
    tell_of_newcomer(f.state.memory, f, row, pivot)
    slot = add(f, weight)
    extend_later(f.state.memory, f, row, slot, pivot)
    return slot


@by_class
def tell_of_newcomer(memory, f, row, pivot):
    """Tell the factor of the current example."""
    n, z = f.state.counts[SIZE], f.ahead.plan.coordinates[row]
    z[n] = sqrt(pivot)
    for i in range(n + 1):
        memory.L[n, i] = z[i]


@tell_of_newcomer.register(LabelledFactor)
def _(memory, f, row, pivot):
    n, d, values = f.state.counts[SIZE], f.ahead.plan.coefficients[row], f.ahead.scratch[0]
    load_column(f, f.ahead.cursor[POSITION], values)
    if has_journal(f):
        with_leavers(f, n, d, values, pivot)
        note_newcomer(f, row, pivot, pivot + dot(values, d, n))
    else:
        append_row(memory.L, n, d, pivot)


@by_class
def extend_later(memory, f, row, slot, pivot):
    """Let the later examples know the current one, which is the newest support now."""
    plan, n = f.ahead.plan, f.state.counts[SIZE] - 1
    d, z = plan.coefficients[row], plan.coordinates[row]
    for j in range(f.ahead.cursor[POSITION] + 1, len(plan.row_of)):
        if plan.row_of[j] >= 0:
            later = plan.coordinates[plan.row_of[j]]
            later[n] = (f.ahead.values[slot, j] - dot(z, later, n)) / z[n]
            extend(plan.coefficients[plan.row_of[j]], n, later[n] / z[n], d)
            extend_image(plan, f, plan.row_of[j], later[n] / z[n], row, slot)


@extend_later.register(LabelledFactor)
def _(memory, f, row, slot, pivot):
    plan, n, values = f.ahead.plan, f.state.counts[SIZE] - 1, f.ahead.scratch[0]
    for j in range(f.ahead.cursor[POSITION] + 1, len(plan.row_of)):
        if plan.row_of[j] >= 0:
            later = plan.coefficients[plan.row_of[j]]
            newest = (f.ahead.values[slot, j] - dot(values, later, n)) / pivot
            extend(later, n, newest, plan.coefficients[row])


# -------------------------------------------------------- what projections are at later examples


@by_class
def step_along(plan, f, weight, row):
    """Add `weight` times the projection that a row of the plan has the coefficients of."""
    reweigh_all(f, weight, plan.coefficients[row])


@step_along.register(ImagedProjections)
def _(plan, f, weight, row):
    t = f.ahead.cursor[POSITION]
    change_weights(f, weight, plan.coefficients[row])
    axpy(f.ahead.scores[t + 1 :], weight, plan.images[row, t + 1 :])


@by_class
def make_image(plan, f, row):
    """Evaluate the projection in this row at the later examples."""


@make_image.register(ImagedProjections)
def _(plan, f, row):
    later = f.ahead.cursor[POSITION] + 1
    plan.images[row, later:] = 0
    axpy_many(f, plan.images[row], later, 1.0, plan.coefficients[row], f.state.counts[SIZE])


@by_class
def extend_image(plan, f, later, newest, row, slot):
    """Let the newcomer in `slot` have a part in a later projection, and its own take that away."""


@extend_image.register(ImagedProjections)
def _(plan, f, later, newest, row, slot):
    first = f.ahead.cursor[POSITION] + 1
    image = plan.images[later, first:]
    axpy(image, newest, f.ahead.values[slot, first:])
    axpy(image, -newest, plan.images[row, first:])


@inlined
def add_labelled_independent(f, weight, squared_distance, y):
    """The same, and keep the label."""
    f.state.memory.labels[add_independent(f, weight, squared_distance)] = y


@inlined
def solved_score(f):
    """f(x) of the current example, summed again after an edit that changed it."""
    state, t, total = f.state, f.ahead.cursor[POSITION], 0.0
    for i in range(state.counts[SIZE]):
        slot = slot_of(f, i)
        total += state.weights[slot] * f.ahead.values[slot, t]
    return state.numbers[SCALE] * total


@inlined
def discard(f, i):
    """Forget support `i` and give the others the weights that solve the smaller system.

    With c the i-th column of the inverse, a solution w of the whole system becomes
    w - (w_i / c_i) c; so do the coefficients of the examples that are still to come.
    """
    state, plan, t = f.state, f.ahead.plan, f.ahead.cursor[POSITION]
    n, row = state.counts[SIZE], len(plan.row_of)
    if has_journal(f):
        row = solve_for_leaver(f, i)
    else:
        column_of_inverse(state.memory.L, n, i, plan.coefficients[row])
    c = plan.coefficients[row]
    reweigh_all(f, taken_out(weight(f, i), i, c), c)
    state.weights[slot_of(f, i)] = 0
    for later in range(t, len(plan.row_of)):
        if plan.row_of[later] >= 0:
            shrink(plan.coefficients[plan.row_of[later]], n, i, c)
    if has_journal(f):
        note_leaver(f, i, row)
    else:
        delete_row(state.memory.L, n, i, c)
    remove(f, i)
