"""The Budget Perceptron (CKS) as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.budget_perceptron import BudgetPerceptron as _Rule
from .documentation import documented
from .kernel_classifier import KernelClassifier

__all__ = ["BudgetPerceptron"]


@documented
@dataclass(eq=False, repr=False)
class BudgetPerceptron(KernelClassifier):
    """The Perceptron on a budget that removes the support which the others classify best.

    Parameters
    ----------
    budget : int, default=100
        The largest number of supports, B in the paper.

    Examples
    --------
    >>> from budgetron import BudgetPerceptron
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> BudgetPerceptron(budget=8, gamma=2).fit(X, y).predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    K. Crammer, J. Kandola and Y. Singer, "Online classification on a budget", NIPS 2003, as
    described in the Forgetron paper, Sec. 5.
    """

    budget: int = 100

    _rule_class = _Rule
