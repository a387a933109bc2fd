"""Nystrom online gradient descent (NOGD) as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import dataclass

from ..parameters import checked, whole
from ..rules.nystrom_gradient_descent import NystromGradientDescent as _Rule
from .averaging_classifier import AveragingClassifier
from .documentation import documented

__all__ = ["NystromGradientDescent"]


@documented
@dataclass(eq=False, repr=False)
class NystromGradientDescent(AveragingClassifier):
    """Gradient descent on the hinge loss, in the leading directions of the first supports.

    Until the budget is full, every margin below 1 makes a support. From then on there are no new
    ones: steps change the weights, in the space of the `rank` leading eigenvectors of the supports'
    kernel matrix.

    Parameters
    ----------
    budget : int, default=100
        The number of supports, B in the paper.
    rank : int or None, default=None
        The number of directions, k in the paper, at most `budget`; None for a fifth of it.
    step : float, default=0.2
        The length of a step, eta in the paper, above 0.

    Examples
    --------
    >>> from budgetron import NystromGradientDescent
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> learner = NystromGradientDescent(budget=8, rank=4, gamma=2).fit(X, y)
    >>> learner.predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    J. Lu, S. Hoi, J. Wang, P. Zhao and Z.-Y. Liu, "Large scale online kernel learning", JMLR 17
    (2016), no. 47, Algorithm 2 (NOGD).
    """

    budget: int = 100
    rank: int | None = None
    step: float = 0.2

    def _rule(self) -> _Rule:
        rank = self.rank
        if rank is None:
            rank = -(-whole("budget", self.budget, least=1) // 5)
        return checked(_Rule, budget=self.budget, rank=rank, step=self.step)
