"""Stoptron: a Perceptron that stops learning when the budget is full.

F. Orabona, J. Keshet and B. Caputo, "The Projectron: a bounded kernel-based Perceptron", ICML 2008,
Sec. 5, as a baseline.
"""

from __future__ import annotations

from typing import NamedTuple

from ..core.edits.supports import add, size
from ..core.rule import Forgets, updates
from ..core.triggers import MISTAKE
from ..parameters import Budget

__all__ = ["Stoptron"]


class Stoptron(NamedTuple):
    """The Perceptron of the first `budget` mistakes."""

    budget: Budget  # B in the paper


@updates(Stoptron, on=MISTAKE, multiclass=True, forgets=Forgets.NOBODY)
def store_while_there_is_room(rule, f, y):
    if size(f) < rule.budget:
        add(f, weight=y)
