"""Bounded online gradient descent (BOGD) as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..parameters import checked
from ..rules.budgeted_gradient_descent import BudgetedGradientDescent as _Rule
from .documentation import documented
from .kernel_classifier import KernelClassifier
from .norma import regularization_of

__all__ = ["BudgetedGradientDescent"]


@documented
@dataclass(eq=False, repr=False)
class BudgetedGradientDescent(KernelClassifier):
    """Gradient descent on the regularized hinge loss: when the budget is full, any support goes.

    The others are made longer by as much as they are fewer, so that on average over the draws
    nothing is lost; and no weight grows beyond a bound.

    Parameters
    ----------
    budget : int, default=100
        The largest number of supports, B in the paper.
    step : float, default=0.5
        The length of a step, eta in the paper, above 0.
    regularization : float or None, default=None
        Lambda in the paper, at least 0. With each example weights fade by step * regularization,
        which has to be below 1. None for 1/(4 step budget), so that a fifth of a weight is gone
        after `budget` examples.
    bound : float, default=1.0
        Gamma in the paper, above 0: no weight is larger than `bound` steps.

    Examples
    --------
    >>> from budgetron import BudgetedGradientDescent
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> learner = BudgetedGradientDescent(budget=8, gamma=2, random_state=0).fit(X, y)
    >>> learner.predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    P. Zhao, J. Wang, P. Wu, R. Jin and S. Hoi, "Fast bounded online gradient descent algorithms
    for scalable kernel-based online learning", ICML 2012 (BOGD).
    """

    budget: int = 100
    step: float = field(default=0.5, kw_only=True)
    regularization: float | None = field(default=None, kw_only=True)
    bound: float = field(default=1.0, kw_only=True)

    def _rule(self) -> _Rule:
        fading = regularization_of(self)
        return checked(
            _Rule, budget=self.budget, step=self.step, regularization=fading, bound=self.bound
        )
