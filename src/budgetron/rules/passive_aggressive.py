"""Passive-Aggressive, and its variants I and II: the smallest step that repairs the margin.

K. Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz and Y. Singer, "Online passive-aggressive
algorithms", JMLR 7 (2006) 551-585; PA-I is a baseline of the Projectron paper, Sec. 5.
"""

from __future__ import annotations

from typing import NamedTuple

from ..core.edits.supports import add, k_xx, loss
from ..core.rule import Forgets, updates
from ..core.triggers import MARGIN_BELOW_ONE
from ..parameters import Positive

__all__ = ["PassiveAggressive", "PassiveAggressiveI", "PassiveAggressiveII"]


class PassiveAggressive(NamedTuple):
    """The step that makes the margin 1."""


class PassiveAggressiveI(NamedTuple):
    """The same step, but at most C."""

    C: Positive


class PassiveAggressiveII(NamedTuple):
    """The same step, damped by 1/(2C)."""

    C: Positive


@updates(PassiveAggressive, on=MARGIN_BELOW_ONE, multiclass=True, forgets=Forgets.NOBODY)
def repair_the_margin(rule, f, y):
    k = k_xx(f)
    if k > 0:
        add(f, weight=y * loss(f, y) / k)


@updates(PassiveAggressiveI, on=MARGIN_BELOW_ONE, multiclass=True, forgets=Forgets.NOBODY)
def repair_with_a_cap(rule, f, y):
    k = k_xx(f)
    if k > 0:
        add(f, weight=y * min(rule.C, loss(f, y) / k))


@updates(PassiveAggressiveII, on=MARGIN_BELOW_ONE, multiclass=True, forgets=Forgets.NOBODY)
def repair_with_damping(rule, f, y):
    k = k_xx(f)
    if k > 0:
        add(f, weight=y * loss(f, y) / (k + 1 / (2 * rule.C)))
