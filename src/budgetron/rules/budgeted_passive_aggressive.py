"""Budgeted Passive-Aggressive (BPA-S): the newcomer takes the place of one support, and its part.

Z. Wang and S. Vucetic, "Online passive-aggressive algorithms on a budget", AISTATS 2010, the simple
version: at a full budget, w' = w - a_r x_r + b x with r and b such that |w' - w|^2 / 2 + C loss(w')
is the smallest. For each r, the best b is that of the projection of a_r x_r onto x, and PA-I's step
on top, which is the same for all r.
"""

from __future__ import annotations

from typing import NamedTuple

from ..core.edits.replace import most_replaceable, replace
from ..core.edits.supports import add, k_xx, loss, size
from ..core.exact import load_column
from ..core.rule import updates
from ..core.triggers import MARGIN_BELOW_ONE
from ..parameters import Budget, Positive

__all__ = ["BudgetedPassiveAggressive"]


class BudgetedPassiveAggressive(NamedTuple):
    """PA-I with at most `budget` supports."""

    budget: Budget  # B in the paper
    C: Positive


@updates(BudgetedPassiveAggressive, on=MARGIN_BELOW_ONE, multiclass=True)
def repair_and_inherit(rule, f, y):
    k = k_xx(f)
    if k > 0:
        step = y * min(rule.C, loss(f, y) / k)
        if size(f) < rule.budget:
            add(f, weight=step)
        else:
            load_column(f)
            replace(f, most_replaceable(f), step)
