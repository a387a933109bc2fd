"""What all learners share as scikit-learn classifiers, whatever they learn with."""

from __future__ import annotations

from copy import copy
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import assert_all_finite
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from ..engine import NoRecord, Record
from ..kernels import Rows

__all__ = ["ACCEPTED", "StreamClassifier"]

ACCEPTED: dict[str, Any] = {"accept_sparse": "csr", "dtype": [np.float64, np.float32]}
"""What examples may look like."""


class StreamClassifier(ClassifierMixin, BaseEstimator):
    """A binary classifier with `fit`, `partial_fit` and `predict`.

    A subclass says how it begins, what it cannot learn from, how it goes over examples with labels
    of -1 and +1, and what its scores are.
    """

    def _begin(self, X: Rows) -> None:
        """Make what is to be learned with, for a stream that starts with these examples."""
        raise NotImplementedError

    def _check(self, X: Rows) -> None:
        """Raise ValueError for examples that cannot be learned from."""

    def _seed(self) -> None:
        """Start the random numbers, if there are any."""

    def _go_over(self, X: Rows, labels: np.ndarray, record: Record) -> None:
        """Predict each example, and then learn from it."""
        raise NotImplementedError

    def _scores(self, X: Rows) -> np.ndarray:
        raise NotImplementedError

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "classes_")

    def fit(self, X: Any, y: Any) -> Self:
        """Forget everything and learn from one pass over the examples, in their order.

        Parameters
        ----------
        X : array or CSR matrix of shape (n_examples, n_features)
        y : array of shape (n_examples,)

        Returns
        -------
        self
        """
        fresh = copy(self)
        fresh.__dict__.pop("classes_", None)
        fresh.partial_fit(X, y)
        self.__dict__ = fresh.__dict__
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn from more examples, in their order.

        However a stream is cut into calls, the updates are the same.

        Parameters
        ----------
        X : array or CSR matrix of shape (n_examples, n_features)
        y : array of shape (n_examples,)
        classes : array of two labels, optional
            Needed at the first call if `y` does not hold both.

        Returns
        -------
        self
        """
        self._learn(X, y, classes, NoRecord())
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """The scores f(x); positive for `classes_[1]`.

        Parameters
        ----------
        X : array or CSR matrix of shape (n_examples, n_features)

        Returns
        -------
        ndarray of shape (n_examples,)
        """
        check_is_fitted(self)
        X = self._rows(X, reset=False)
        self._check(X)
        return self._scores(X)

    def predict(self, X: Any) -> np.ndarray:
        """The classes, by the sign of the score; a score of zero is `classes_[1]`.

        Parameters
        ----------
        X : array or CSR matrix of shape (n_examples, n_features)

        Returns
        -------
        ndarray of shape (n_examples,)
        """
        return self._classes_of(self.decision_function(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags

    def _learn(self, X: Any, y: Any, classes: Any, record: Record | None) -> Record:
        """Check everything first, so that bad input changes nothing; then learn."""
        checked = copy(self)
        first = not self.__sklearn_is_fitted__()
        X = checked._rows(X, reset=first)
        y = column_or_1d(y, warn=True)
        assert_all_finite(y, input_name="y")
        check_consistent_length(X, y)
        if first:
            checked.classes_ = _two_classes(y, classes)
        elif classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise ValueError(f"classes are {self.classes_} since the first call, got {classes}")
        labels = _signs(y, checked.classes_)
        if first:
            checked._begin(X)
        checked._check(X)
        if first:
            checked._seed()
        if record is None:
            record = Record(len(labels))
        checked._go_over(X, labels, record)
        self.__dict__ = checked.__dict__
        return record

    def _rows(self, X: Any, *, reset: bool) -> Rows:
        X = validate_data(self, X, reset=reset, **ACCEPTED)
        if sparse.issparse(X) and not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        return X

    def _classes_of(self, scores: np.ndarray) -> np.ndarray:
        classes: np.ndarray = self.classes_[np.where(scores >= 0, len(self.classes_) - 1, 0)]
        return classes

    def _predicted(self, record: Record, y: Any) -> np.ndarray:
        """The classes that were predicted for the examples of the record, with labels `y`."""
        return self._classes_of(record.scores)


def _two_classes(y: np.ndarray, classes: Any) -> np.ndarray:
    if classes is None:
        check_classification_targets(y)
        found = np.unique(y)
    else:
        found = np.unique(classes)
    if len(found) == 0:
        raise ValueError("classes must not be empty")
    if len(found) > 2:
        raise ValueError(f"Only binary classification is supported. The classes are {found}.")
    return found


def _signs(y: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """+1 for the last of the classes and -1 for the first."""
    positive = y == classes[-1]
    known = positive | (y == classes[0])
    if not np.all(known):
        unknown = y[~known][0] if np.ndim(known) else y[0]
        raise ValueError(
            f"label {unknown!r} is not one of the classes {classes}; if it comes later,"
            " name it in classes= at the first call"
        )
    return 2.0 * positive - 1
