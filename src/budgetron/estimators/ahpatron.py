"""Ahpatron as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from ..parameters import checked, whole
from ..rules.ahpatron import Ahpatron as _Rule
from .documentation import documented
from .kernel_classifier import KernelClassifier

__all__ = ["Ahpatron"]


@documented
@dataclass(eq=False, repr=False)
class Ahpatron(KernelClassifier):
    """The Perceptron with a margin that, when full, projects half of its supports onto the others.

    Each step has the length U/√(4B), and none leaves the ball of radius U. The half with the larger
    weights stays; the sum of the others is projected onto it, and the result stretched to the
    length from before.

    Parameters
    ----------
    budget : int, default=100
        The largest number of supports, B in the paper.
    margin : float, default=0.5
        Examples with a smaller margin are learned: 1 - epsilon in the paper, above 0 and at most 1.
    norm_bound : float or None, default=None
        The largest norm of the hypothesis, U in the paper, above 0; None for √B/2.

    Examples
    --------
    >>> from budgetron import Ahpatron
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> Ahpatron(budget=8, gamma=2).fit(X, y).predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    Y. Liao, J. Li, S. Liao, Q. Hu and J. Dang, "Ahpatron: a new budgeted online kernel learning
    machine with tighter mistake bound", AAAI 2024.
    """

    budget: int = 100
    margin: float = 0.5
    norm_bound: float | None = None

    def _rule(self) -> _Rule:
        norm_bound = self.norm_bound
        if norm_bound is None:
            norm_bound = sqrt(whole("budget", self.budget, least=1)) / 2
        return checked(_Rule, budget=self.budget, margin=self.margin, norm_bound=norm_bound)
