"""Examples that have been predicted, and whose labels have not come yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ..core.kernel import Rows
from .classes import comparable

__all__ = ["NOBODY_WAITS", "Waiting"]


@dataclass(frozen=True, eq=False)
class Waiting:
    """What `prequential` goes on with: the rows whose labels are still to come, oldest first.

    Attributes
    ----------
    X : array or CSR matrix of shape (n_waiting, n_features)
    y : ndarray of shape (n_waiting,)
        Their labels, which the learner does not know yet.
    sample_weight : ndarray of shape (n_waiting,)
    due : ndarray of shape (n_waiting,)
        When each label comes: after the prediction of row floor(due) of the next call.
    predictions : ndarray of shape (n_waiting,)
        What was predicted.
    advice : ndarray of shape (n_waiting, m)
        What the learner noted when it predicted them; m is 0 if it notes nothing.
    """

    X: Any
    y: np.ndarray
    sample_weight: np.ndarray
    due: np.ndarray
    predictions: np.ndarray
    advice: np.ndarray

    def and_then(self, X: Rows, y: np.ndarray, weights: np.ndarray) -> tuple[Rows, Any, Any]:
        """These examples and others after them: rows, labels and weights."""
        if len(self) == 0:
            return X, y, weights
        if self.X.shape[1] != X.shape[1]:
            raise ValueError(
                f"rows with {self.X.shape[1]} features wait, and others have {X.shape[1]}"
            )
        if not comparable(self.y, y):
            raise ValueError(f"labels wait that are of another kind than {y[0]!r}")
        own = self.X
        if sparse.issparse(X):
            rows = sparse.csr_array(sparse.vstack([sparse.csr_array(own), X]))
        else:
            rows = np.concatenate([own.toarray() if sparse.issparse(own) else own, X])
        return rows, np.concatenate([self.y, y]), np.concatenate([self.sample_weight, weights])

    def __len__(self) -> int:
        return len(self.y)

    def __repr__(self) -> str:
        return f"Waiting({len(self)} rows)"


NONE = np.zeros(0)
NOBODY_WAITS = Waiting(np.zeros((0, 0)), NONE, NONE, NONE, NONE, np.zeros((0, 0)))
