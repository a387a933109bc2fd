"""What happened to the supports within a block, for a factor that is told at the block's end.

To change L at every update is to go over all of it several times, and it does not fit into a cache.
So it stays as it was when the block began, and updates are *steps* in a journal: a support left, a
newcomer came. Each step brings the coefficients of the examples to come up to date, and the columns
of the inverse that those who are going to leave will need: all are solved for together, before the
block. What nobody has foreseen is solved for as if the block began, and taken through the journal.
At the end L is told of all steps at once, by matrix products.

A block of one example has no journal: L is told at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..compiled import inlined
from ..linalg.cholesky import append_rows, delete_rows, solve
from ..linalg.vectors import axpy, dot
from ..state import POSITION, SIZE, by_age, slot_of

__all__ = [
    "bring_factor_up_to_date",
    "extend",
    "foresee_leavers",
    "has_journal",
    "note_leaver",
    "note_newcomer",
    "open_journal",
    "shrink",
    "solve_for_leaver",
    "solve_from_journal",
    "taken_out",
    "with_leavers",
]

# places in `Journal.counts`
BEGAN, STEPS, CAME, LEFT, FORESEEN = range(5)

CAME_HERE = -1
"""In the place of a support that left."""


def open_journal(f: Any) -> None:
    """Begin a block with nothing foreseen."""
    journal, n = f.ahead.plan.journal, int(f.state.counts[SIZE])
    journal.counts[:] = n, 0, 0, 0, 0
    journal.origins[:n] = np.arange(n)


def foresee_leavers(f: Any, leavers: np.ndarray) -> None:
    """Name those whose columns of the inverse are, or will be, in the rows after the examples."""
    journal, many = f.ahead.plan.journal, len(leavers)
    journal.leavers[:many], journal.counts[FORESEEN] = leavers, many


@inlined
def has_journal(f):
    """Whether the factor is told at the end of the block."""
    return len(f.ahead.plan.row_of) > 1


@inlined
def taken_out(number, i, c):
    """How much of the i-th column of the inverse takes a number out of the i-th place.

    Its own entry is positive, unless rounding has left nothing of the column.
    """
    return -number / c[i] if c[i] > 0 else 0.0


@inlined
def shrink(d, n, i, c):
    """Make the first `n` coefficients those without support `i`, by its column of the inverse."""
    a = taken_out(d[i], i, c)
    axpy(d[:i], a, c)
    earlier, later, rest = d[i : n - 1], d[i + 1 : n], c[i + 1 : n]
    for j in range(len(earlier)):  # of views, several at once
        earlier[j] = later[j] + a * rest[j]


@inlined
def extend(d, n, newest, newcomer):
    """Add a newcomer's coefficient; its own projection takes that away from the others."""
    axpy(d[:n], -newest, newcomer)
    d[n] = newest


@inlined
def with_leavers(f, n, newcomer, values, pivot):
    """Bring the columns of those who will leave up to date after a newcomer."""
    plan, counts = f.ahead.plan, f.ahead.plan.journal.counts
    for k in range(counts[LEFT], counts[FORESEEN]):
        if plan.journal.leavers[k] >= 0:
            c = plan.coefficients[len(plan.row_of) + k]
            extend(c, n, -dot(values, c, n) / pivot, newcomer)


@inlined
def note_newcomer(f, row, pivot, square):
    """Note that the current example became the newest support, with its coefficients in a row."""
    journal = f.ahead.plan.journal
    counts, n = journal.counts, f.state.counts[SIZE]
    step, came = counts[STEPS], counts[CAME]
    journal.steps[step, 0], journal.steps[step, 1] = CAME_HERE, row
    journal.pivots[came], journal.squares[came] = pivot, square
    journal.examples[came] = f.ahead.cursor[POSITION]
    journal.origins[n] = counts[BEGAN] + came
    counts[STEPS], counts[CAME] = step + 1, came + 1


@inlined
def note_leaver(f, i, row):
    """Note that support `i` leaves, whose column of the inverse is in a row."""
    plan, n = f.ahead.plan, f.state.counts[SIZE]
    journal, column = plan.journal, plan.coefficients[row]
    counts = journal.counts
    step = counts[STEPS]
    journal.steps[step, 0], journal.steps[step, 1] = i, row
    for j in range(i, n - 1):
        journal.origins[j] = journal.origins[j + 1]
    counts[STEPS], counts[LEFT] = step + 1, counts[LEFT] + 1
    for k in range(counts[LEFT], counts[FORESEEN]):
        if journal.leavers[k] >= 0:
            shrink(plan.coefficients[len(plan.row_of) + k], n, i, column)


@inlined
def solve_for_leaver(f, i):
    """The row with support `i`'s column of the inverse."""
    plan = f.ahead.plan
    journal = plan.journal
    counts, origin = journal.counts, journal.origins[i]
    left = counts[LEFT]
    row = len(plan.row_of) + left
    if left >= counts[FORESEEN] or journal.leavers[left] != origin:
        journal.rhs[: counts[BEGAN] + counts[CAME]] = 0
        journal.rhs[origin] = 1
        _take_through(f, plan.coefficients[row])
    return row


@inlined
def solve_from_journal(f, t, d):
    """Solve for the coefficients of example `t`."""
    state, journal = f.state, f.ahead.plan.journal
    journal.rhs[: journal.counts[BEGAN] + journal.counts[CAME]] = 0
    for i in range(state.counts[SIZE]):
        journal.rhs[journal.origins[i]] = f.ahead.values[slot_of(f, i), t]
    _take_through(f, d)


@inlined
def _take_through(f, d):
    """Solve for the right-hand side by origin, and take all steps since the block began.

    With d of a newcomer, k^T A^-1 v = d^T v, whatever the right-hand side v is. What those who left
    have in v is of no consequence.
    """
    plan, journal = f.ahead.plan, f.ahead.plan.journal
    rhs, v, n, came = journal.rhs, journal.room, journal.counts[BEGAN], 0
    for i in range(n):
        d[i], v[i] = rhs[i], rhs[i]
    solve(f.state.memory.L, n, d)
    for step in range(journal.counts[STEPS]):
        i, row = journal.steps[step, 0], journal.steps[step, 1]
        other = plan.coefficients[row]
        if i == CAME_HERE:
            v[n] = rhs[journal.counts[BEGAN] + came]
            extend(d, n, (v[n] - dot(other, v, n)) / journal.pivots[came], other)
            n, came = n + 1, came + 1
        else:
            shrink(d, n, i, other)
            for j in range(i, n - 1):
                v[j] = v[j + 1]
            n -= 1


def bring_factor_up_to_date(f: Any) -> None:
    """Tell L of all that is in the journal."""
    state, values, journal = f.state, f.ahead.values, f.ahead.plan.journal
    if not has_journal(f) or journal.counts[STEPS] == 0:
        return
    began = int(journal.counts[BEGAN])
    n, L = int(state.counts[SIZE]), state.memory.L
    origins, slots = journal.origins[:n], by_age(f)[:n]
    stay = int(np.searchsorted(origins, began))
    if stay < began:
        delete_rows(L, began, np.delete(np.arange(began), origins[:stay]))
    if stay < n:
        newcomers = origins[stay:] - began
        examples = journal.examples[newcomers]
        inner = values[np.ix_(slots[stay:], examples)].T.astype(float)
        np.fill_diagonal(inner, journal.squares[newcomers])
        outer = values[np.ix_(slots[:stay], examples)].astype(float)
        append_rows(L, stay, outer, inner, journal.pivots[newcomers])
    open_journal(f)
