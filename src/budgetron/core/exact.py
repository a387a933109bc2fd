"""Exact evaluation: what a score is in float64, how far off it can be, and what all ways agree on.

The one-by-one algorithm is made of these functions; a run in blocks asks them where the rounding of
its own scores could decide.
"""

from __future__ import annotations

import math

from .blocks import column, filled_terms, terms
from .compiled import by_class, compiled_in_place, inlined
from .kernel import error_scale, is_relative
from .state import LARGEST_NORM, LARGEST_WEIGHT, OLDEST, POSITION, SCALE, SIZE, USED, WEIGHT_ERROR

__all__ = [
    "UNIT_ROUNDOFF",
    "exact_column",
    "exact_score",
    "exact_values",
    "is_between",
    "load_column",
    "load_quantized_column",
    "nearest",
    "quantized",
    "rounding",
    "to_joint_products",
]

UNIT_ROUNDOFF = 2.0**-53

CELLS = 128
"""How many times wider than the error of a kernel value a cell is, at least."""

AGAIN = 8
"""So many of a newcomer's kernel values, at most, are evaluated again in the mean, if cells can be
that wide."""


@by_class
def exact_score(f):
    """f(x) of the current example, evaluated afresh in float64, and a bound on its rounding error.

    Each kernel value is off by at most (n + 8) u R, with `kernel.error_scale` for R, and a sum of m
    products adds at most m u sum |weight_i k_i|; with |k_i| <= R this is together
    (n + m + 8) u R sum |weight_i|. Weights that are solved for carry an error of their own, in
    proportion to the largest weight or change of a weight so far.
    """
    state, ahead, t = f.state, f.ahead, f.ahead.cursor[POSITION]
    supports = state.counts[SIZE]
    exact_column(f)
    order = f.ahead.order[f.ahead.cursor[OLDEST] :]
    total, mass, values, relative = 0.0, 0.0, 0.0, is_relative(f.kernel)
    for i in range(supports):
        slot = order[i]
        total += state.weights[slot] * ahead.column[slot]
        mass += abs(state.weights[slot]) * (abs(ahead.column[slot]) if relative else 1.0)
        values += abs(ahead.column[slot])
    R = error_scale(f.kernel, state.numbers[LARGEST_NORM], ahead.block.norms[t])
    roundings = terms(ahead.block, t) + supports + 8
    solved = ahead.bounds[WEIGHT_ERROR] * state.numbers[LARGEST_WEIGHT] * values
    noise = roundings * UNIT_ROUNDOFF * R * mass + solved
    return state.numbers[SCALE] * total, state.numbers[SCALE] * noise


@inlined
def exact_column(f):
    """Evaluate the current example's kernel values afresh in float64."""
    state, ahead, t = f.state, f.ahead, f.ahead.cursor[POSITION]
    used = state.counts[USED]
    column(f.kernel, state.rows, 0, used, ahead.block, t, ahead.column)
    for slot in range(used):
        ahead.values[slot, t] = ahead.column[slot]


@by_class
def to_joint_products(f):
    """Make inner products of the supports with the current example of the values in `column`."""


@inlined
def load_column(f):
    """Put the supports' inner products with the current example into `column`.

    In float32 they are evaluated afresh: a weight that comes from them needs more than seven
    digits.
    """
    if f.ahead.values.itemsize == 8:
        for slot in range(f.state.counts[USED]):
            f.ahead.column[slot] = f.ahead.values[slot, f.ahead.cursor[POSITION]]
    else:
        exact_column(f)
    to_joint_products(f)


@inlined
def load_quantized_column(f):
    """Put the current example's kernel values, the same however the stream is cut, into `column`.

    A value of the look-ahead and the exact one are off by at most (n + 8) u R each, with
    `kernel.error_scale` for R and n for the features that are not 0, which dense and sparse rows
    agree on. Both are rounded to a multiple of a cell that is wide beside this error; where the
    error leaves two multiples, the exact value decides. A rule whose steps depend on sums of such
    values would otherwise amplify the last digit until its runs part. In float32 all of them are
    evaluated afresh.
    """
    state, ahead, t, values = f.state, f.ahead, f.ahead.cursor[POSITION], f.ahead.column
    used = state.counts[USED]
    if ahead.values.itemsize == 8:
        for slot in range(used):
            values[slot] = ahead.values[slot, t]
    else:
        exact_column(f)
    cell, near = rounding(f)
    for slot in range(used):
        values[slot] = quantized(f, slot, t, values[slot], cell, near)


@inlined
def rounding(f):
    """How far apart the numbers are that the current example's kernel values are rounded to.

    And how near to the middle of two, in these units, a value's error could decide. The more
    supports there are, the wider cells are, and the fewer values are so near.
    """
    ahead, t = f.ahead, f.ahead.cursor[POSITION]
    R = error_scale(f.kernel, f.state.numbers[LARGEST_NORM], ahead.block.norms[t])
    error = 2 * (filled_terms(ahead.block, t) + 8) * UNIT_ROUNDOFF * R
    cells = max(CELLS, 2 * f.state.counts[SIZE] / AGAIN)
    cell = math.ldexp(1.0, math.frexp(cells * error)[1])
    return cell, error / cell


@inlined
def quantized(f, slot, t, value, cell, near):
    """The kernel value of a support with example `t`, the same however the stream is cut."""
    place = value / cell
    if is_between(place, near):
        column(f.kernel, f.state.rows, slot, slot + 1, f.ahead.block, t, f.ahead.column)
        place = f.ahead.column[slot] / cell
    return nearest(place) * cell


@inlined
def is_between(place, near):
    """Whether a value is so near to the middle of two cells that its error could decide."""
    return abs(abs(place - nearest(place)) - 0.5) <= near


@compiled_in_place
def exact_values(kernel, rows, block, slots, examples, column_of_one, out):
    """Kernel values of pairs of a support and an example of the block, in float64."""
    for i in range(len(slots)):
        slot, t = slots[i], examples[i]
        column(kernel, rows, slot, slot + 1, block, t, column_of_one)
        out[i] = column_of_one[slot]


@inlined
def nearest(number):
    """The nearest whole number of one below 2^51: a sum of this size has no room for fractions."""
    return (number + 1.5 * 2.0**52) - 1.5 * 2.0**52
