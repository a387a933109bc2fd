"""Least recent Budget Perceptron: when the budget is full, forget the oldest.

G. Cavallanti, N. Cesa-Bianchi and C. Gentile, "Tracking the best hyperplane with a simple budget
Perceptron", Machine Learning 69 (2007) 143-167, Sec. 4 (LBP).
"""

from __future__ import annotations

from typing import NamedTuple

from ..core.edits.supports import add, remove, size
from ..core.rule import Forgets, updates
from ..core.triggers import MISTAKE
from ..parameters import Budget

__all__ = ["LeastRecentBudgetPerceptron"]


class LeastRecentBudgetPerceptron(NamedTuple):
    """The Perceptron over its last `budget` mistakes."""

    budget: Budget  # B in the paper


@updates(LeastRecentBudgetPerceptron, on=MISTAKE, multiclass=True, forgets=Forgets.OLDEST)
def forget_the_oldest(rule, f, y):
    if size(f) == rule.budget:
        remove(f, 0)
    add(f, weight=y)
