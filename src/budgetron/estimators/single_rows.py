"""Single rows, without the validation that costs more than learning them does."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from numbers import Real
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..core.platt import calibrate
from ..core.state import WAS_UPDATE
from ..engine import Learner, OneVsRest, Record, RowBuffer, SingleRow, SpanLearner, first_highest
from .stream_classifier import StreamClassifier

__all__ = ["SingleRows", "checked_weight"]


class RowCache:
    """Where a classifier has single rows before it: a buffer, and a machine for each class."""

    def __init__(self, classifier: Any) -> None:
        learner = classifier._learner
        self.labels = [*classifier._codes]
        self.machines = learner.machines if isinstance(learner, OneVsRest) else [learner]
        self.buffer = RowBuffer(self.machines[0])
        self.is_plain = type(self.machines[0]) in (Learner, SpanLearner) and not (
            getattr(classifier, "average", False) or getattr(classifier, "_warm_up", None)
        )
        self.rows = [SingleRow(machine, self.buffer) for machine in self.machines if self.is_plain]

    def errors(self) -> list[float]:
        """How far the scores can be off; if they come from a block, they are leveled already."""
        if self.is_plain:
            return [row.errors.item(0) for row in self.rows]
        return [0.0] * len(self.labels)


class SingleRows(StreamClassifier):
    """`learn_one` and `predict_one`: a row at a time, in a hundredth of the time of `partial_fit`.

    They learn and predict the same as `partial_fit` and `predict` of one row. What is checked is
    that the row has the right number of features and that these are finite numbers; what is left
    out is what scikit-learn offers beyond that: frames, feature names, conversions. Not to be
    called from several threads at once.
    """

    _learner: Any
    _rows_cached: RowCache
    _calibration: np.ndarray
    probability: bool

    def learn_one(self, x: Any, y: Any, sample_weight: float = 1.0) -> Self:
        """Learn one more example.

        Parameters
        ----------
        x : array of shape (n_features,)
        y : label
        sample_weight : float, default=1.0

        Returns
        -------
        self
        """
        code = self._codes.get(y) if self.__sklearn_is_fitted__() else None
        if code is None:
            weight = checked_weight(sample_weight)
            return self.partial_fit(np.asarray(x)[None], [y], sample_weight=[weight])
        self._row_cache().buffer.put(x)
        self._learn_row(code, sample_weight)
        return self

    def predict_one(self, x: Any) -> Any:
        """The class of one example.

        Parameters
        ----------
        x : array of shape (n_features,)

        Returns
        -------
        label
        """
        cache = self._row_cache()
        cache.buffer.put(x)
        return cache.labels[self._choice_of_row(cache)]

    def predict_proba_one(self, x: Any) -> dict[Any, float]:
        """The probability of each class; needs `probability=True`.

        Parameters
        ----------
        x : array of shape (n_features,)

        Returns
        -------
        dict of label to float
        """
        cache = self._row_cache()
        cache.buffer.put(x)
        return self._probabilities_of_row(cache)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        state.pop("_rows_cached", None)
        return state

    def _row_cache(self) -> RowCache:
        try:
            return self._rows_cached
        except AttributeError:
            check_is_fitted(self)
            self._rows_cached = RowCache(self)
            return self._rows_cached

    def _learn_row(self, code: int, weight: float) -> None:
        """Learn the row at the cache."""
        cache = self._row_cache()
        weight = checked_weight(weight)
        if not cache.is_plain or len(cache.labels) == 1:
            record = Record(1, len(cache.labels) if len(cache.labels) > 2 else None)
            cache.buffer.check()
            X = cache.buffer.matrix()
            self._advance(X, np.array([code]), np.array([float(weight)]), record)
            self._count(record)
            return
        heavy = weight * self._weight_of_class(code)
        if len(cache.rows) == 1:
            score = cache.rows[0].learn(heavy if code == 1 else -heavy)
            if self.probability:
                label = np.array([float(weight if code == 1 else -weight)])
                calibrate(self._calibration[0], np.array([score]), label)
        else:
            scores = [
                row.learn(heavy if own == code else -heavy) for own, row in enumerate(cache.rows)
            ]
            self._learner.mistakes += first_highest(scores, cache.errors()) != code
            self._learner.updates += any(row.events.item(0, WAS_UPDATE) for row in cache.rows)
            if self.probability:
                labels = np.full((len(scores), 1), -float(weight))
                labels[code] *= -1
                for state, own, sign in zip(self._calibration, scores, labels, strict=True):
                    calibrate(state, np.array([own]), sign)

    def _weight_of_class(self, code: int) -> float:
        return 1.0

    def _scores_of_row(self, cache: RowCache) -> Sequence[float]:
        if cache.is_plain:
            return [row.score() for row in cache.rows]
        cache.buffer.check()
        return self._scores(cache.buffer.matrix()).ravel().tolist()

    def _choice_of_row(self, cache: RowCache) -> int:
        scores = self._scores_of_row(cache)
        if len(scores) == 1:
            return len(cache.labels) - 1 if scores[0] >= 0 else 0
        return first_highest(scores, cache.errors())

    def _probabilities(self, scores: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def _probabilities_of_row(self, cache: RowCache) -> dict[Any, float]:
        if not self.probability:
            raise AttributeError("probabilities need probability=True")
        scores = np.array(self._scores_of_row(cache))
        scores = scores if len(scores) == 1 else scores[None]
        return dict(zip(cache.labels, self._probabilities(scores)[0].tolist(), strict=True))


def checked_weight(weight: Any) -> float:
    """The weight of an example, if this can be one."""
    if type(weight) is float and 0 <= weight < inf:
        return weight
    try:
        number = float(weight) if isinstance(weight, Real) else None
    except OverflowError:
        number = inf
    if number is None:
        raise TypeError(f"sample_weight must be a number, got {type(weight).__name__}")
    if not 0 <= number < inf:
        raise ValueError(f"sample_weight must be finite and at least 0, got {number}")
    return number
