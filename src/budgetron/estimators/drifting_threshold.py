"""The tracker of a drifting threshold as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from scipy import sparse

from ..core.kernel import Rows
from ..core.threshold import ERRORS, EXAMPLES, INTERVAL, RESETS, TELLING, follow
from ..engine import Record
from ..parameters import real, whole
from .documentation import documented
from .stream_classifier import StreamClassifier, steady

__all__ = ["DriftingThreshold"]


@documented
@dataclass(eq=False, repr=False)
class DriftingThreshold(StreamClassifier):
    """Follows a threshold in [0, 1] on one feature that moves by at most `gamma` an example.

    It keeps the interval of all thresholds that are possible if there has been no larger shift,
    and predicts with the majority of them. An example that contradicts all of them is a shift: the
    interval becomes [0, 1] again.

    Parameters
    ----------
    gamma : float, default=0.01
        How far the threshold moves from one example to the next, at most.
    feature : int or None, default=None
        The column that the threshold is on; None for the only one.
    random_state : int, RandomState or None, default=None
        For `shuffle`.

    Attributes
    ----------
    classes_ : ndarray
        The two classes; the second is on the threshold and above it.
    interval_ : tuple of two floats
        Between which the threshold is, if there has been no shift lately.
    threshold_ : float
        Where it is thought to be: the middle of the interval.
    n_features_in_ : int
    n_seen_, n_mistakes_, n_updates_, n_resets_ : int
        Examples seen, predictions that were wrong, examples that told something about the
        threshold, and those that told of a shift.

    Examples
    --------
    >>> import numpy as np
    >>> from budgetron import DriftingThreshold
    >>> x = np.random.default_rng(0).random(1000)
    >>> threshold = np.linspace(0.2, 0.7, 1000)
    >>> learner = DriftingThreshold(gamma=0.0006).fit(x[:, None], x >= threshold)
    >>> learner.n_mistakes_, learner.n_resets_, round(learner.threshold_, 2)
    (19, 0, 0.69)

    References
    ----------
    K. Crammer, E. Even-Dar, Y. Mansour and J. Wortman Vaughan, "Regret minimization with concept
    drift", COLT 2010, Sec. 5.1.
    """

    gamma: float = 0.01
    feature: int | None = None
    _: KW_ONLY
    random_state: Any = None

    @steady
    def interval_(self) -> tuple[float, float]:
        """Between which the threshold is, if there has been no shift lately."""
        return float(self._ends[0]), float(self._ends[1])

    @steady
    def threshold_(self) -> float:
        """The middle of the interval."""
        return sum(self.interval_) / 2

    @steady
    def n_seen_(self) -> int:
        """Examples seen."""
        return int(self._counts[EXAMPLES])

    @steady
    def n_mistakes_(self) -> int:
        """Predictions that were wrong."""
        return int(self._counts[ERRORS])

    @steady
    def n_updates_(self) -> int:
        """Examples that told something about the threshold."""
        return int(self._counts[TELLING])

    @steady
    def n_resets_(self) -> int:
        """Examples that told of a shift."""
        return int(self._counts[RESETS])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # on data that is not about a threshold in [0, 1]
        return tags

    def _begin(self, X: Rows) -> None:
        self._gamma = real("gamma", self.gamma, above=0)
        self._column = 0 if self.feature is None else whole("feature", self.feature, least=0)
        self._ends, self._counts = np.array(INTERVAL), np.zeros(4, np.int64)

    def _draft(self) -> Self:
        draft = super()._draft()
        if self.__sklearn_is_fitted__():
            draft._ends, draft._counts = self._ends.copy(), self._counts.copy()
        return draft

    def _check(self, X: Rows) -> None:
        if self.feature is None and X.shape[1] != 1:
            raise ValueError(f"a threshold is on one of the {X.shape[1]} features: say feature=")
        if self._column >= X.shape[1]:
            raise ValueError(f"feature {self._column} is not one of {X.shape[1]}, counted from 0")

    def _go_over(self, X: Rows, labels: np.ndarray, record: Record) -> None:
        scores, events = np.empty(len(labels)), record.events_of(0, len(labels))
        x = self._values(X)
        follow(x, labels, self._gamma, self._ends, self._counts, scores, events)
        record.keep(0, scores)

    def _scores(self, X: Rows) -> np.ndarray:
        return self._values(X) - self.threshold_

    def _values(self, X: Rows) -> np.ndarray:
        column = X[:, [self._column]]
        values = column.toarray() if sparse.issparse(column) else column
        return np.ascontiguousarray(values[:, 0], np.float64)
