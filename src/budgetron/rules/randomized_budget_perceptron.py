"""Randomized Budget Perceptron: when the budget is full, forget at random.

G. Cavallanti, N. Cesa-Bianchi and C. Gentile, "Tracking the best hyperplane with a simple budget
Perceptron", Machine Learning 69 (2007) 143-167, Fig. 2.
"""

from __future__ import annotations

from typing import NamedTuple

from ..core.edits.supports import add, draw, remove, size
from ..core.rule import Forgets, updates
from ..core.triggers import MISTAKE
from ..parameters import Budget

__all__ = ["RandomizedBudgetPerceptron"]


class RandomizedBudgetPerceptron(NamedTuple):
    """The Perceptron with at most `budget` supports."""

    budget: Budget  # B in the paper


@updates(RandomizedBudgetPerceptron, on=MISTAKE, multiclass=True, forgets=Forgets.DRAWN)
def forget_at_random(rule, f, y):
    if size(f) == rule.budget:
        remove(f, draw(f, rule.budget))  # any old support, equally likely
    add(f, weight=y)
