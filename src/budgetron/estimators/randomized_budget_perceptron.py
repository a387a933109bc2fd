"""The Randomized Budget Perceptron as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.randomized_budget_perceptron import RandomizedBudgetPerceptron as _Rule
from .documentation import documented
from .kernel_classifier import KernelClassifier

__all__ = ["RandomizedBudgetPerceptron"]


@documented
@dataclass(eq=False, repr=False)
class RandomizedBudgetPerceptron(KernelClassifier):
    """The Perceptron on a budget: when it is full, a random support makes room.

    Parameters
    ----------
    budget : int, default=100
        The largest number of supports, B in the paper.

    Examples
    --------
    >>> from budgetron import RandomizedBudgetPerceptron
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> learner = RandomizedBudgetPerceptron(budget=8, gamma=2, random_state=0).fit(X, y)
    >>> learner.predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    G. Cavallanti, N. Cesa-Bianchi and C. Gentile, "Tracking the best hyperplane with a simple
    budget Perceptron", Machine Learning 69 (2007) 143-167, Fig. 2.
    """

    budget: int = 100

    _rule_class = _Rule
