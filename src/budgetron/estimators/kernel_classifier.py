"""What all learners share that are a rule and a kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state

from ..engine import Learner, Record, decide, one_by_one, together
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
from .stream_classifier import StreamClassifier

__all__ = ["KernelClassifier", "learn_together"]

FEW = 4
"""So many examples at once are learned faster one by one than as a block."""


@dataclass(eq=False, repr=False, kw_only=True)
class KernelClassifier(StreamClassifier):
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

    @property
    def _kernel_of_instances(self) -> Kernel | OwnKernel:
        """The kernel whose space the hypotheses for the user's instances are in."""
        return self._learner.kernel

    def _begin(self, X: Rows) -> None:
        self._learner = self._new_learner(X)

    def _check(self, X: Rows) -> None:
        _refuse_overflow(X, self._learner.kernel, self._learner.dtype)

    def _seed(self) -> None:
        self._learner.reseed(check_random_state(self.random_state).randint(2**31))

    def _go_over(self, X: Rows, labels: np.ndarray, record: Record) -> None:
        learn_together([self], X, labels, [record])

    def _scores(self, X: Rows) -> np.ndarray:
        return decide(self._learner, X)

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


def learn_together(
    classifiers: Sequence[KernelClassifier], X: Rows, labels: np.ndarray, records: Sequence[Record]
) -> None:
    """Let classifiers that began together go over the same examples: all of them, or none.

    Where their kernels are the same, it is evaluated once for all.
    """
    learners = [classifier._learner for classifier in classifiers]
    with _unharmed(learners):
        if len(labels) <= FEW:
            for learner, record in zip(learners, records, strict=True):
                one_by_one(learner, X, labels, record)
        else:
            together(learners, X, [labels] * len(learners), records)


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


@contextmanager
def _unharmed(learners: Sequence[Learner]) -> Iterator[None]:
    """Leave learners as they were if a user's kernel fails in the middle of the stream."""
    if not any(isinstance(learner.kernel, OwnKernel) for learner in learners):
        yield
        return
    before = [deepcopy(learner.kept) for learner in learners]
    try:
        yield
    except BaseException:
        for learner, kept in zip(learners, before, strict=True):
            learner.kept = kept
        raise
