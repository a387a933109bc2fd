"""Budgeted Passive-Aggressive (BPA-S) as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.budgeted_passive_aggressive import BudgetedPassiveAggressive as _Rule
from .documentation import documented
from .kernel_classifier import KernelClassifier

__all__ = ["BudgetedPassiveAggressive"]


@documented
@dataclass(eq=False, repr=False)
class BudgetedPassiveAggressive(KernelClassifier):
    """Passive-Aggressive I on a budget: a newcomer takes the place of the support it can best fill.

    Parameters
    ----------
    budget : int, default=100
        The largest number of supports, B in the paper.
    C : float, default=1.0
        The largest step, above 0.

    Examples
    --------
    >>> from budgetron import BudgetedPassiveAggressive
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> BudgetedPassiveAggressive(budget=8, gamma=2).fit(X, y).predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    Z. Wang and S. Vucetic, "Online passive-aggressive algorithms on a budget", AISTATS 2010, the
    simple version (BPA-S).
    """

    budget: int = 100
    C: float = 1.0

    _rule_class = _Rule
