"""The Shifting Perceptron as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.shifting_perceptron import ShiftingPerceptron as _Rule
from .averaging_classifier import AveragingClassifier
from .documentation import documented

__all__ = ["ShiftingPerceptron"]


@documented
@dataclass(eq=False, repr=False)
class ShiftingPerceptron(AveragingClassifier):
    """The Perceptron that shrinks its past at each mistake, less and less: for targets that shift.

    Parameters
    ----------
    decay : float, default=0.1
        lambda in the paper, at least 0: after k mistakes, the next one shrinks the past by
        1 - lambda/(lambda + k).

    Examples
    --------
    >>> from budgetron import ShiftingPerceptron
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> ShiftingPerceptron(gamma=2).fit(X, y).predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    G. Cavallanti, N. Cesa-Bianchi and C. Gentile, "Tracking the best hyperplane with a simple
    budget Perceptron", Machine Learning 69 (2007) 143-167, Fig. 1.
    """

    decay: float = 0.1

    _rule_class = _Rule
