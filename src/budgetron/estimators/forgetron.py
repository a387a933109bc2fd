"""The Forgetron as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..core.triggers import ZeroScore
from ..rules.forgetron import Forgetron as _Rule
from .documentation import documented
from .kernel_classifier import KernelClassifier

__all__ = ["Forgetron"]


@documented
@dataclass(eq=False, repr=False)
class Forgetron(KernelClassifier):
    """The self-tuned Forgetron: on a budget, with a bound on its mistakes.

    It shrinks its weights just enough for the oldest support to be removed without harm. The bound
    wants k(x, x) <= 1: use the Gaussian kernel or `normalize=True`. The shrinking amplifies
    rounding: in float32, runs over the same long and noisy stream, cut differently, can part. In
    float64 they never do.

    Parameters
    ----------
    budget : int, default=100
        The largest number of supports, B in the paper.
        The bound wants 83 or more.
    zero_score : {"positive", "mistake"}, default="mistake"
        A score of zero is a mistake whatever the label, as in the paper, or predicts +1.

    Examples
    --------
    >>> from budgetron import Forgetron
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> Forgetron(budget=8, gamma=2).fit(X, y).predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    O. Dekel, S. Shalev-Shwartz and Y. Singer, "The Forgetron: A kernel-based Perceptron on a fixed
    budget", NIPS 2005, Fig. 1.
    """

    budget: int = 100
    zero_score: ZeroScore = field(default="mistake", kw_only=True)

    _rule_class = _Rule
