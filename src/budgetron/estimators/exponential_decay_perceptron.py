"""The Perceptron with exponential decay as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.exponential_decay_perceptron import ExponentialDecayPerceptron as _Rule
from .averaging_classifier import AveragingClassifier
from .documentation import documented

__all__ = ["ExponentialDecayPerceptron"]


@documented
@dataclass(eq=False, repr=False)
class ExponentialDecayPerceptron(AveragingClassifier):
    """The Perceptron that shrinks its past by the same factor at each mistake.

    Parameters
    ----------
    decay : float, default=0.01
        lambda in the paper, at least 0 and below 1: each mistake shrinks the past by 1 - lambda.

    Examples
    --------
    >>> from budgetron import ExponentialDecayPerceptron
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> ExponentialDecayPerceptron(gamma=2).fit(X, y).predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    G. Cavallanti, N. Cesa-Bianchi and C. Gentile, "Tracking the best hyperplane with a simple
    budget Perceptron", Machine Learning 69 (2007) 143-167, Sec. 2.
    """

    decay: float = 0.01

    _rule_class = _Rule
