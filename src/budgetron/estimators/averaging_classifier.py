"""Learners that can predict with the average of all their hypotheses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.kernel import Rows
from .documentation import documented
from .kernel_classifier import KernelClassifier
from .stream_classifier import steady

__all__ = ["AveragingClassifier"]


@documented
@dataclass(eq=False, repr=False, kw_only=True)
class AveragingClassifier(KernelClassifier):
    """A learner that evicts nobody, so that its hypotheses can be averaged in the same memory.

    Parameters
    ----------
    average : bool, default=False
        Whether to predict with the average of the hypotheses that predicted the examples so far,
        which errs less on new examples of the same kind than the last one does. Learning, and
        `prequential`, go on with the last one.
    """

    average: bool = False

    def _begin(self, X: Rows) -> None:
        if self.average and self.probability:
            raise ValueError("probabilities are of the last hypothesis: probability or average")
        super()._begin(X)

    @steady
    def dual_coef_(self) -> np.ndarray:
        """The weights of the supports that `predict` uses."""
        if self.average:
            return np.atleast_2d(self._learner.average_weights)
        return super().dual_coef_

    def _scores(self, X: Rows) -> np.ndarray:
        return self._decide(X, average=bool(self.average))
