"""What all learners share as scikit-learn classifiers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy, deepcopy
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import assert_all_finite, check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from ..engine import Learner, NoRecord, Record, blocked, decide, one_by_one
from ..expansion import MISTAKES, SEEN, UPDATES
from ..kernels import (
    Kernel,
    OwnKernel,
    Rows,
    gaussian,
    linear,
    polynomial,
    reach,
    squared_norms,
)
from ..parameters import one_of
from ..triggers import ZeroScore

__all__ = ["ACCEPTED", "KernelClassifier"]

ACCEPTED: dict[str, Any] = {"accept_sparse": "csr", "dtype": [np.float64, np.float32]}
"""What examples may look like."""

FEW = 4
"""So many examples at once are learned faster one by one than as a block."""


@dataclass(eq=False, repr=False, kw_only=True)
class KernelClassifier(ClassifierMixin, BaseEstimator):
    """A rule and a kernel, as a binary classifier with `fit`, `partial_fit` and `predict`.

    Parameters
    ----------
    kernel : {"linear", "poly", "rbf"} or callable, default="rbf"
        `<x, y>`, `(gamma <x, y> + coef0)^degree`, `exp(-gamma |x - y|^2)`, or a function of two
        matrices of rows that returns the matrix of kernel values.
    gamma : float or "scale", default="scale"
        "scale" is 1/|x|^2 for the first example x (1/n_features if that is zero).
    degree : int, default=3
    coef0 : float, default=0.0
    normalize : bool, default=False
        Whether to divide k(x, y) by sqrt(k(x, x) k(y, y)).
    zero_score : {"positive", "mistake"}, default="positive"
        What a score of exactly zero is: a prediction of the positive class, or always a mistake.
    random_state : int, RandomState or None, default=None
        For the learners that draw.
    dtype : {"float64", "float32"}, default="float64"
        In which instances are kept and the kernel is evaluated. Decisions are as exact in float32:
        a score that float32 cannot tell from a threshold is evaluated in float64. Learners that
        project or solve work in float64 in any case: seven digits are too few for that.

    Attributes
    ----------
    classes_ : ndarray
        The two classes; the second is the positive one.
    n_features_in_ : int
    support_vectors_ : array or CSR matrix of shape (size, n_features_in_)
        The supports, oldest first.
    dual_coef_ : ndarray of shape (1, size)
        Their weights.
    n_seen_, n_mistakes_, n_updates_ : int
        Examples seen, signs that were wrong, and examples that changed the learner.
    """

    kernel: Any = "rbf"
    gamma: float | Literal["scale"] = "scale"
    degree: int = 3
    coef0: float = 0.0
    normalize: bool = False
    zero_score: ZeroScore = "positive"
    random_state: Any = None
    dtype: Literal["float64", "float32"] = "float64"

    def _rule(self) -> Any:
        raise NotImplementedError

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
        fresh._forget()
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
        X = _canonical(validate_data(self, X, reset=False, **ACCEPTED))
        _refuse_overflow(X, self._learner.kernel, self._learner.dtype)
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

    @property
    def support_vectors_(self) -> Rows:
        """The supports, oldest first."""
        return self._learner.supports

    @property
    def dual_coef_(self) -> np.ndarray:
        """The weights of the supports."""
        return self._learner.weights[None]

    @property
    def n_seen_(self) -> int:
        """Examples seen."""
        return int(self._learner.kept.counts[SEEN])

    @property
    def n_mistakes_(self) -> int:
        """Signs that were wrong."""
        return int(self._learner.kept.counts[MISTAKES])

    @property
    def n_updates_(self) -> int:
        """Examples that changed the learner."""
        return int(self._learner.kept.counts[UPDATES])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_learner")

    def _learn(self, X: Any, y: Any, classes: Any, record: Record | None) -> Record:
        """Check everything first, so that bad input changes nothing; then learn."""
        checked = copy(self)
        first = not hasattr(self, "_learner")
        X = _canonical(validate_data(checked, X, reset=first, **ACCEPTED))
        y = column_or_1d(y, warn=True)
        assert_all_finite(y, input_name="y")
        check_consistent_length(X, y)
        if first:
            checked.classes_ = _two_classes(y, classes)
        elif classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise ValueError(f"classes are {self.classes_} since the first call, got {classes}")
        labels = _signs(y, checked.classes_)
        if first:
            checked._learner = checked._new_learner(X)
        _refuse_overflow(X, checked._learner.kernel, checked._learner.dtype)
        if first:
            checked._learner.reseed(check_random_state(self.random_state).randint(2**31))
        if record is None:
            record = Record(len(labels))
        run = one_by_one if len(labels) <= FEW else blocked
        with _unharmed(checked._learner):
            run(checked._learner, X, labels, record)
        self.__dict__ = checked.__dict__
        return record

    def _scores(self, X: Rows) -> np.ndarray:
        return decide(self._learner, X)

    def _forget(self) -> None:
        for name in ("_learner", "classes_", "n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)

    def _classes_of(self, scores: np.ndarray) -> np.ndarray:
        classes: np.ndarray = self.classes_[np.where(scores >= 0, len(self.classes_) - 1, 0)]
        return classes

    def _new_learner(self, X: Rows) -> Learner:
        one_of("dtype", self.dtype, ("float64", "float32"))
        zero_score = one_of("zero_score", self.zero_score, ("positive", "mistake"))
        return Learner(
            self._rule(),
            self._kernel(X),
            X.shape[1],
            sparse=sparse.issparse(X),
            dtype=self.dtype,
            zero_is_mistake=zero_score == "mistake",
        )

    def _kernel(self, X: Rows) -> Kernel | OwnKernel:
        if isinstance(self.kernel, Kernel):
            return self.kernel._replace(normalize=self.kernel.normalize or bool(self.normalize))
        if callable(self.kernel):
            return OwnKernel(self.kernel, bool(self.normalize), float(np.finfo(self.dtype).max))
        gamma = self.gamma
        if isinstance(gamma, str):
            one_of("gamma", gamma, ("scale",))
            gamma = 1 / (float(squared_norms(X[:1])[0]) or X.shape[1])
        kernels = {
            "linear": linear(normalize=bool(self.normalize)),
            "poly": polynomial(self.degree, gamma, self.coef0, normalize=bool(self.normalize)),
            "rbf": gaussian(gamma),
        }
        return kernels[one_of("kernel", self.kernel, tuple(kernels))]


def _refuse_overflow(X: Rows, kernel: Kernel | OwnKernel, dtype: np.dtype[Any]) -> None:
    with np.errstate(over="ignore", invalid="ignore"):
        largest = max(
            squared_norms(X[first : first + 1024]).max() for first in range(0, X.shape[0], 1024)
        )
        raw = kernel._replace(normalize=False)
        if not reach(raw, largest, largest) < np.finfo(dtype).max / 1e6:
            raise ValueError(
                f"an example of squared norm {largest:g} is too large for the kernel in {dtype};"
                " scale the data"
            )


def _canonical(X: Rows) -> Rows:
    if sparse.issparse(X) and not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


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
    """+1 for the last of the classes and -1 for the first, in a byte each."""
    positive = y == classes[-1]
    known = positive | (y == classes[0])
    if not np.all(known):
        unknown = y[~known][0] if np.ndim(known) else y[0]
        raise ValueError(
            f"label {unknown!r} is not one of the classes {classes}; if it comes later,"
            " name it in classes= at the first call"
        )
    return 2 * positive.astype(np.int8) - 1


@contextmanager
def _unharmed(learner: Learner) -> Iterator[None]:
    """Leave a learner as it was if the user's kernel fails in the middle of the stream."""
    if not isinstance(learner.kernel, OwnKernel):
        yield
        return
    before = deepcopy(learner.kept)
    try:
        yield
    except BaseException:
        learner.kept = before
        raise
