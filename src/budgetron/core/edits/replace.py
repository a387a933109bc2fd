"""Rules that take a newcomer in for a support, and give it what it can of the support's part."""

from __future__ import annotations

import numpy as np

from ..compiled import inlined
from ..kernel import diagonal_value
from ..state import SCALE, SIZE, slot_of
from .supports import add, k_xx, multiplicity, own_weight, remove

__all__ = ["most_replaceable", "replace"]

NEGLIGIBLE = 1e-9
"""What is less, beside the numbers that it comes from, is nothing."""


@inlined
def most_replaceable(f):
    """The support of which the least is lost if the current example inherits; the oldest of equals.

    The part a of f, with weight and support, is a = p + q with p along the current example: |q|^2
    is lost. The example's column has been loaded.
    """
    state, k, best, least = f.state, k_xx(f), 0, np.inf
    largest = 0.0
    for i in range(state.counts[SIZE]):
        largest = max(largest, _squared_part(f, slot_of(f, i)))
    for i in range(state.counts[SIZE]):
        slot = slot_of(f, i)
        along = own_weight(f, slot) * f.ahead.column[slot]
        lost = _squared_part(f, slot) - along * (along / k)
        if lost < least - NEGLIGIBLE * largest:
            best, least = i, lost
    return best


@inlined
def _squared_part(f, slot):
    k = multiplicity(f) * diagonal_value(f.kernel, f.state.rows.norms[slot])
    return own_weight(f, slot) ** 2 * k


@inlined
def replace(f, i, step):
    """Remove support `i` and add the current example with its part and a step beside.

    The example's column has been loaded. What rounding leaves of two that cancel is nothing: its
    sign would decide about later examples.
    """
    slot = slot_of(f, i)
    along = f.state.numbers[SCALE] * own_weight(f, slot) * f.ahead.column[slot]
    inherited = along / k_xx(f)
    weight = inherited + step
    remove(f, i)
    add(f, weight if abs(weight) > NEGLIGIBLE * abs(step) else 0.0)
