"""The Modified Perceptron as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..parameters import checked, one_of
from ..rules.modified_perceptron import (
    LeastRecentBudgetModifiedPerceptron,
    RandomizedBudgetModifiedPerceptron,
)
from ..rules.modified_perceptron import ModifiedPerceptron as _Rule
from .averaging_classifier import AveragingClassifier
from .documentation import documented

__all__ = ["ModifiedPerceptron"]


@documented
@dataclass(eq=False, repr=False)
class ModifiedPerceptron(AveragingClassifier):
    """The Perceptron that reflects its hypothesis at each mistake, and so never changes its norm.

    Parameters
    ----------
    budget : int or None, default=None
        The largest number of supports; None for as many as there are mistakes.
    evict : {"random", "oldest"}, default="random"
        Which support is forgotten when the budget is full. What is left is stretched back to its
        old norm, and reflected if it still errs.

    Examples
    --------
    >>> from budgetron import ModifiedPerceptron
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> ModifiedPerceptron(gamma=2).fit(X, y).predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    K. Crammer, E. Even-Dar, Y. Mansour and J. Wortman Vaughan, "Regret minimization with concept
    drift", COLT 2010, Sec. 5.2.
    """

    budget: int | None = None
    evict: Literal["random", "oldest"] = "random"

    def _rule(self) -> Any:
        oldest = one_of("evict", self.evict, ("random", "oldest")) == "oldest"
        if self.budget is None:
            return _Rule()
        if self.average:
            raise ValueError("average=True needs budget=None: evicted supports cannot be averaged")
        if oldest:
            return checked(LeastRecentBudgetModifiedPerceptron, budget=self.budget)
        return checked(RandomizedBudgetModifiedPerceptron, budget=self.budget)
