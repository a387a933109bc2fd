"""Rules that take a newcomer in for a support, and give it what it can of the support's part."""

from __future__ import annotations

import numpy as np

from ..compiled import inlined
from ..expansion import (
    POSITION,
    SCALE,
    SIZE,
    USED,
    add,
    couple,
    exact_column,
    multiplicity,
    own_value,
    own_weight,
    remove,
)
from ..kernel import of_itself

__all__ = ["meet", "most_replaceable", "replace"]

ROUNDING = 1e-9
"""What is less, beside the numbers that it comes from, is nothing."""


@inlined
def meet(f):
    """Put the supports' inner products with the current example into `exact`.

    In float32 they are evaluated afresh: a weight that is inherited needs more than seven digits.
    """
    if f.ahead.values.itemsize == 8:
        for slot in range(f.kept.counts[USED]):
            f.ahead.exact[slot] = f.ahead.values[slot, f.kept.counts[POSITION]]
    else:
        exact_column(f)
    couple(f)


@inlined
def most_replaceable(f):
    """The support of which the least is lost if the current example inherits; the oldest of equals.

    The part a of f, with weight and support, is a = p + q with p along the current example: |q|^2
    is lost. The example has been met.
    """
    kept, k, best, least = f.kept, own_value(f), 0, np.inf
    largest = 0.0
    for i in range(kept.counts[SIZE]):
        largest = max(largest, _squared_part(f, kept.order[i]))
    for i in range(kept.counts[SIZE]):
        slot = kept.order[i]
        along = own_weight(f, slot) * f.ahead.exact[slot]
        lost = _squared_part(f, slot) - along**2 / k
        if lost < least - ROUNDING * largest:
            best, least = i, lost
    return best


@inlined
def _squared_part(f, slot):
    k = multiplicity(f) * of_itself(f.kernel, f.kept.rows.norms[slot])
    return own_weight(f, slot) ** 2 * k


@inlined
def replace(f, i, step):
    """Remove support `i` and add the current example, once met, with its part and a step beside.

    What rounding leaves of two that cancel is nothing: its sign would decide about later examples.
    """
    slot = f.kept.order[i]
    along = f.kept.numbers[SCALE] * own_weight(f, slot) * f.ahead.exact[slot]
    inherited = along / own_value(f)
    weight = inherited + step
    remove(f, i)
    add(f, weight if abs(weight) > ROUNDING * abs(step) else 0.0)
