"""The Perceptron as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.perceptron import Perceptron as _Rule
from .averaging_classifier import AveragingClassifier
from .documentation import documented

__all__ = ["Perceptron"]


@documented
@dataclass(eq=False, repr=False)
class Perceptron(AveragingClassifier):
    """The kernel Perceptron: each mistake becomes a support, for ever.

    Examples
    --------
    >>> from budgetron import Perceptron
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> Perceptron().fit(X, y).predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    F. Rosenblatt, "The Perceptron: A probabilistic model for information storage and organization
    in the brain", Psychological Review 65 (1958) 386-407.
    """

    _rule_class = _Rule
