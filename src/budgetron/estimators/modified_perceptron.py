"""The Modified Perceptron as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.modified_perceptron import ModifiedPerceptron as _Rule
from .averaging_classifier import AveragingClassifier

__all__ = ["ModifiedPerceptron"]


@dataclass(eq=False, repr=False)
class ModifiedPerceptron(AveragingClassifier):
    """The Perceptron that reflects its hypothesis at each mistake, and so never changes its norm.

    Parameters
    ----------
    kernel, gamma, degree, coef0, normalize, zero_score, random_state, dtype, average
        As in `KernelClassifier` and `AveragingClassifier`.

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

    def _rule(self) -> _Rule:
        return _Rule()
