"""The experts of a drifting stream as a classifier of River."""

from __future__ import annotations

from typing import Any

from .. import estimators
from .classifier import StreamLearner

__all__ = ["RestartingExperts"]


class RestartingExperts(StreamLearner, learns_with=estimators.RestartingExperts):
    """Its experts may be River's.

    Parameters
    ----------
    experts : sequence, default=None
        Each is a learner of this package that has not learned yet, of `budgetron.river` or of
        `budgetron`; the latter is copied, and the copy learns. Or a function from a sparse matrix
        of examples to their classes, with columns numbered as names appear. None for four learners
        on a budget of 100.
    """

    experts: Any

    def _given_to_estimator(self) -> dict[str, Any]:
        given = super()._given_to_estimator()
        if self.experts is not None:
            given["experts"] = [
                one.estimator if isinstance(one, StreamLearner) else one for one in self.experts
            ]
        return given

    def predict_proba_one(self, x: Any) -> dict[Any, float]:
        """The probability with which each label would be drawn.

        Parameters
        ----------
        x
            A dict of numbers.
        """
        shares = super().predict_proba_one(x)
        if shares.keys() <= {False, True}:  # what River's classifiers of two classes begin with
            shares = dict.fromkeys((False, True), 0.0 if shares else 0.5) | shares
        return shares
