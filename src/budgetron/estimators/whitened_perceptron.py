"""The whitened Perceptron as a scikit-learn classifier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from scipy import sparse
from sklearn.utils.metaestimators import available_if

from ..core.kernel import LARGEST_VALUE, SMALLEST_DIAGONAL, Kernel, OwnKernel, Rows
from .documentation import documented
from .explanation import Verdict
from .perceptron import Perceptron

__all__ = ["WhitenedPerceptron", "Whitening"]

RANK_TOLERANCE = 1e-10
"""Directions with less than this part of the largest eigenvalue are taken for empty."""


@documented
@dataclass(eq=False, repr=False)
class WhitenedPerceptron(Perceptron):
    """The Perceptron after whitening all instances, which it has to see beforehand.

    The instances are multiplied by the inverse square root of their own correlation matrix, in
    the feature space of the kernel. This is transductive: there is `fit`, and no `partial_fit`.

    Examples
    --------
    >>> from budgetron import WhitenedPerceptron
    >>> X, y = [[0, 0], [1, 0], [1, 1], [0, 1]] * 5, [-1, 1, -1, 1] * 5
    >>> learner = WhitenedPerceptron(gamma=2).fit(X, y)
    >>> learner.predict([[0, 0], [1, 0]])
    array([-1,  1])

    References
    ----------
    N. Cesa-Bianchi, A. Conconi and C. Gentile, "A second-order Perceptron algorithm", SIAM
    Journal on Computing 34 (2005) 640-668, Sec. 2.
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Whiten the examples, and learn from one pass over them.

        Parameters
        ----------
        X : array or CSR matrix of shape (n_examples, n_features)
        y : array of shape (n_examples,)
        sample_weight : array of shape (n_examples,), optional
            By what the step of each example is multiplied; at least 0.

        Returns
        -------
        self
        """
        fresh = self._unfitted()
        X = fresh._rows(X, reset=True)
        fresh._whiten_by(Whitening.of(fresh._kernel(X), X))
        inner = Perceptron(
            kernel="linear",
            zero_score=self.zero_score,
            dtype=self.dtype,
            class_weight=self.class_weight,
            probability=self.probability,
            epochs=self.epochs,
            shuffle=self.shuffle,
            random_state=self.random_state,
            device=self.device,
        )
        inner.fit(fresh._whitening(X), y, sample_weight)
        fresh._learner, fresh.classes_ = inner._learner, inner.classes_
        fresh._calibration, fresh._codes = inner._calibration, inner._codes
        with self._access.learning:
            self._commit(fresh)
        return self

    @available_if(lambda self: False)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Not to be had: whitening needs all instances at once."""
        return self

    @available_if(lambda self: False)  # type: ignore[untyped-decorator]
    def learn_one(
        self, x: Any, y: Any, prediction: Any = None, *, sample_weight: float = 1.0
    ) -> Self:
        """Not to be had either."""
        return self

    @available_if(lambda self: False)  # type: ignore[untyped-decorator]
    def ask_one(self, x: Any) -> Any:
        """Not to be had: no label is learned later."""

    def predict_one(self, x: Any) -> Any:
        """The class of one example.

        Parameters
        ----------
        x : array of shape (n_features,)

        Returns
        -------
        label
        """
        return self.predict(np.asarray(x)[None]).tolist()[0]

    def predict_proba_one(self, x: Any) -> dict[Any, float]:
        """The probability of each class; needs `probability=True`.

        Parameters
        ----------
        x : array of shape (n_features,)

        Returns
        -------
        dict of label to float
        """
        chances = self.predict_proba(np.asarray(x)[None])[0].tolist()
        return dict(zip(self.classes_.tolist(), chances, strict=True))

    def _whiten_by(self, whitening: Whitening) -> None:
        self._whitening = whitening

    @property
    def _kernel_of_instances(self) -> Kernel | OwnKernel:
        return self._whitening.kernel

    def _scores(self, X: Rows) -> np.ndarray:
        return super()._scores(self._whitening(X))

    def _speakers(self, X: Rows, verdict: Verdict) -> dict[str, Any]:
        told = super()._speakers(self._whitening(X), verdict)
        rows = [each.row for each in told["supports"]]
        return told | {"instances": self._whitening.rows[rows]}


class Whitening(NamedTuple):
    """x -> M^(-1/2) x, with M the correlation matrix of some rows in a kernel's feature space.

    With the eigenvectors Q and eigenvalues e of the rows' kernel matrix, the coordinates of the
    i-th row are the i-th row of Q, and those of any x are k(x) Q / e.
    """

    kernel: Kernel | OwnKernel
    rows: Rows
    map: np.ndarray

    @classmethod
    def of(cls, kernel: Kernel | OwnKernel, rows: Rows) -> Whitening:
        """What whitens these rows."""
        rows = rows.copy() if sparse.issparse(rows) else np.array(rows, order="C")
        with np.errstate(over="ignore", invalid="ignore"):
            gram = kernel(rows, rows)
        if not float(np.abs(gram).max()) <= LARGEST_VALUE:
            raise ValueError("the examples are too large for the kernel; scale the data")
        values, vectors = np.linalg.eigh(gram)
        if values[-1] < SMALLEST_DIAGONAL:
            raise ValueError("the examples have no length that could be whitened: all are zero")
        real = values > RANK_TOLERANCE * values[-1]
        return cls(kernel, rows, np.ascontiguousarray(vectors[:, real] / values[real]))

    def __call__(self, X: Rows) -> np.ndarray:
        """The coordinates of each row."""
        return self.kernel(X, self.rows) @ self.map
