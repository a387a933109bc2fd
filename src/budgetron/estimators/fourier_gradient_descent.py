"""Fourier online gradient descent (FOGD) as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.kernel import Rows
from ..engine import OneVsRest
from ..rules.fourier_gradient_descent import FourierGradientDescent as _Rule
from .documentation import documented
from .explanation import Verdict
from .kernel_classifier import KernelClassifier

__all__ = ["FourierGradientDescent"]


@documented
@dataclass(eq=False, repr=False)
class FourierGradientDescent(KernelClassifier):
    """Gradient descent on the hinge loss, with random Fourier features for the Gaussian kernel.

    It keeps no examples, and so has no supports: `frequencies_` and `coef_` are what it knows.

    Parameters
    ----------
    budget : int, default=100
        The number of frequencies, D in the paper: each has a weight for its cosine and one for its
        sine, and as many numbers as there are features.
    step : float, default=0.2
        The length of a step, eta in the paper, above 0.
    kernel : {"rbf"}, default="rbf"
        `exp(-gamma |x - y|^2)`; there is no other.
    random_state : int, RandomState or None, default=None
        For the frequencies, which are drawn.

    Attributes
    ----------
    support_vectors_ : array or CSR matrix of shape (0, n_features_in_)
        None: no example is kept.
    dual_coef_ : ndarray of shape (1, 0), or (n_classes, 0) for more than two classes
        None.
    frequencies_ : ndarray of shape (budget, n_features_in_)
    coef_ : ndarray of shape (1, 2 budget), or (n_classes, 2 budget) for more than two classes
        The weights of the cosines, and then of the sines.

    Examples
    --------
    >>> from budgetron import FourierGradientDescent
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> learner = FourierGradientDescent(gamma=2, random_state=0).fit(X, y)
    >>> learner.predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    J. Lu, S. Hoi, J. Wang, P. Zhao and Z.-Y. Liu, "Large scale online kernel learning", JMLR 17
    (2016), no. 47, Algorithm 1 (FOGD).
    """

    budget: int = 100
    step: float = 0.2

    _rule_class = _Rule

    @property
    def frequencies_(self) -> np.ndarray:
        """The frequencies, a row for each."""
        return self._machines[0].state.memory.frequencies.T

    @property
    def coef_(self) -> np.ndarray:
        """The weights of the cosines and of the sines."""
        return np.stack([machine.state.memory.weights for machine in self._machines])

    def _speakers(self, X: Rows, verdict: Verdict) -> dict[str, Any]:
        return {"note": "no examples are kept: there are random features in their place"}

    @property
    def _machines(self) -> list[Any]:
        learner = self._learner
        return learner.machines if isinstance(learner, OneVsRest) else [learner]
