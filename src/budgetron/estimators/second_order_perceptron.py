"""The second-order Perceptrons as scikit-learn classifiers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..parameters import checked
from ..rules import second_order_perceptron as rules
from ..rules.adaptive_second_order_perceptron import AdaptiveSecondOrderPerceptron as _Adaptive
from ..rules.pseudoinverse_second_order_perceptron import (
    PseudoinverseSecondOrderPerceptron as _Pseudoinverse,
)
from .averaging_classifier import AveragingClassifier
from .documentation import documented
from .kernel_classifier import KernelClassifier

__all__ = [
    "AdaptiveSecondOrderPerceptron",
    "LeastRecentBudgetSecondOrderPerceptron",
    "PseudoinverseSecondOrderPerceptron",
    "RandomizedBudgetSecondOrderPerceptron",
    "SecondOrderPerceptron",
]

MOST_PRIMAL_FEATURES = 1000
"""Up to so many features the linear kernel is learned in the primal form."""


@documented
@dataclass(eq=False, repr=False)
class SecondOrderPerceptron(AveragingClassifier):
    """The Perceptron in a space that is whitened by its own mistakes.

    For the linear kernel with few features it works in the span of independent mistakes, which
    makes the same predictions with fewer supports.

    Parameters
    ----------
    a : float, default=1.0
        The larger, the closer to the Perceptron; above 0.

    Examples
    --------
    >>> from budgetron import SecondOrderPerceptron
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> learner = SecondOrderPerceptron(gamma=2).fit(X, y)
    >>> learner.predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    N. Cesa-Bianchi, A. Conconi and C. Gentile, "A second-order Perceptron algorithm", SIAM
    Journal on Computing 34 (2005) 640-668, Fig. 3.1.
    """

    a: float = 1.0

    def _rule(self) -> rules.SecondOrderPerceptron | rules.SpanSecondOrderPerceptron:
        if self.kernel == "linear" and self.n_features_in_ <= MOST_PRIMAL_FEATURES:
            return checked(rules.SpanSecondOrderPerceptron, a=self.a)
        return checked(rules.SecondOrderPerceptron, a=self.a)


@documented
@dataclass(eq=False, repr=False)
class AdaptiveSecondOrderPerceptron(AveragingClassifier):
    """The second-order Perceptron whose parameter grows with its mistakes: a_k = c R^2 k.

    Parameters
    ----------
    c : float, default=1.0
        Above 0.
    radius : float, default=1.0
        R in the paper: an upper bound on sqrt(k(x, x)), above 0.

    Examples
    --------
    >>> from budgetron import AdaptiveSecondOrderPerceptron
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> learner = AdaptiveSecondOrderPerceptron(gamma=2).fit(X, y)
    >>> learner.predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    N. Cesa-Bianchi, A. Conconi and C. Gentile, "A second-order Perceptron algorithm", SIAM
    Journal on Computing 34 (2005) 640-668, Fig. 4.1.
    """

    c: float = 1.0
    radius: float = 1.0

    _rule_class = _Adaptive


@documented
@dataclass(eq=False, repr=False)
class PseudoinverseSecondOrderPerceptron(AveragingClassifier):
    """The second-order Perceptron without a parameter: the pseudoinverse takes the place of a.

    It predicts with 0 wherever an example is outside the span of its mistakes, so it is made for
    kernels of few dimensions, such as the linear one.

    Parameters
    ----------
    kernel : {"linear", "poly", "rbf"} or callable, default="linear"
        `<x, y>`, `(gamma <x, y> + coef0)^degree`, `exp(-gamma |x - y|^2)`, or a function of two
        matrices of rows that returns the matrix of kernel values. With the Gaussian one nearly
        every example becomes a support.

    Examples
    --------
    >>> from budgetron import PseudoinverseSecondOrderPerceptron
    >>> X, y = [[1, 2], [2, 1], [-1, 1], [1, -1]] * 5, [1, -1, 1, -1] * 5
    >>> learner = PseudoinverseSecondOrderPerceptron().fit(X, y)
    >>> learner.predict([[0, 1], [1, 0]])
    array([ 1, -1])

    References
    ----------
    N. Cesa-Bianchi, A. Conconi and C. Gentile, "A second-order Perceptron algorithm", SIAM
    Journal on Computing 34 (2005) 640-668, Fig. 4.2.
    """

    kernel: Any = field(default="linear", kw_only=True)

    _rule_class = _Pseudoinverse


@documented
@dataclass(eq=False, repr=False)
class RandomizedBudgetSecondOrderPerceptron(KernelClassifier):
    """The second-order Perceptron on a budget: when it is full, a random support makes room.

    Parameters
    ----------
    budget : int, default=100
        The largest number of supports.
    a : float, default=1.0
        The larger, the closer to the Perceptron; above 0.

    Examples
    --------
    >>> from budgetron import RandomizedBudgetSecondOrderPerceptron
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> learner = RandomizedBudgetSecondOrderPerceptron(budget=8, gamma=2, random_state=0).fit(X, y)
    >>> learner.predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    G. Cavallanti, N. Cesa-Bianchi and C. Gentile, "Tracking the best hyperplane with a simple
    budget Perceptron", Machine Learning 69 (2007) 143-167, Sec. 4 (RBSOP).
    """

    budget: int = 100
    a: float = 1.0

    _rule_class = rules.RandomizedBudgetSecondOrderPerceptron


@documented
@dataclass(eq=False, repr=False)
class LeastRecentBudgetSecondOrderPerceptron(KernelClassifier):
    """The second-order Perceptron on a budget: when it is full, the oldest support makes room.

    Parameters
    ----------
    budget : int, default=100
        The largest number of supports.
    a : float, default=1.0
        The larger, the closer to the Perceptron; above 0.

    Examples
    --------
    >>> from budgetron import LeastRecentBudgetSecondOrderPerceptron
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> learner = LeastRecentBudgetSecondOrderPerceptron(budget=8, gamma=2).fit(X, y)
    >>> learner.predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    G. Cavallanti, N. Cesa-Bianchi and C. Gentile, "Tracking the best hyperplane with a simple
    budget Perceptron", Machine Learning 69 (2007) 143-167, Sec. 4 (LBSOP).
    """

    budget: int = 100
    a: float = 1.0

    _rule_class = rules.LeastRecentBudgetSecondOrderPerceptron
