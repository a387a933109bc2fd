"""NORMA as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..parameters import checked, real, whole
from ..rules.norma import Norma as _Rule
from .documentation import documented
from .kernel_classifier import KernelClassifier

__all__ = ["Norma"]


@documented
@dataclass(eq=False, repr=False)
class Norma(KernelClassifier):
    """Gradient descent on the regularized hinge loss: with each example, all that was before fades.

    An example with a margin below `margin` becomes a support. When there are too many, the oldest
    goes, which has faded most.

    Parameters
    ----------
    budget : int, default=100
        The largest number of supports; the paper's truncation, tau.
    step : float, default=0.5
        The length of a step, eta in the paper, above 0.
    regularization : float or None, default=None
        Lambda in the paper, at least 0. With each example weights fade by step * regularization,
        which has to be below 1. None for 1/(4 step budget), so that a fifth of a weight is gone
        after `budget` examples.
    margin : float, default=1.0
        Rho in the paper, above 0.

    Examples
    --------
    >>> from budgetron import Norma
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> Norma(budget=8, gamma=2).fit(X, y).predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    J. Kivinen, A. Smola and R. Williamson, "Online learning with kernels", IEEE Transactions on
    Signal Processing 52 (2004) 2165-2176.
    """

    budget: int = 100
    step: float = field(default=0.5, kw_only=True)
    regularization: float | None = field(default=None, kw_only=True)
    margin: float = field(default=1.0, kw_only=True)

    def _rule(self) -> _Rule:
        fading = regularization_of(self)
        return checked(
            _Rule, budget=self.budget, step=self.step, regularization=fading, margin=self.margin
        )


def regularization_of(learner: Any) -> Any:
    """That of a learner with steps and a budget: as given, or 1/(4 step budget)."""
    if learner.regularization is not None:
        return learner.regularization
    budget = whole("budget", learner.budget, least=1)
    return 1 / (4 * real("step", learner.step, above=0) * budget)
