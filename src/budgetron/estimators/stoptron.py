"""The Stoptron as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.stoptron import Stoptron as _Rule
from .averaging_classifier import AveragingClassifier
from .documentation import documented

__all__ = ["Stoptron"]


@documented
@dataclass(eq=False, repr=False)
class Stoptron(AveragingClassifier):
    """The Perceptron that stops learning when its budget is full: a baseline.

    Parameters
    ----------
    budget : int, default=100
        The largest number of supports, B in the paper.

    Examples
    --------
    >>> from budgetron import Stoptron
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> Stoptron(budget=8, gamma=2).fit(X, y).predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    F. Orabona, J. Keshet and B. Caputo, "The Projectron: a bounded kernel-based Perceptron",
    ICML 2008, Sec. 5.
    """

    budget: int = 100

    _rule_class = _Rule
