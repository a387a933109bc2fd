"""Values that are missing: NaN, until the center of the feature stands in their place."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from .kernel import Rows

__all__ = ["filled", "medians", "values_in"]


def values_in(X: Rows) -> np.ndarray:
    """All values, or those that are stored."""
    values: np.ndarray = X.data if sparse.issparse(X) else X
    return values


def filled(X: Rows, center: np.ndarray | float) -> Rows:
    """The examples with the center where a value is missing; that of sparse ones is 0."""
    values = values_in(X)
    missing = np.isnan(values)
    if not missing.any():
        return X
    if not sparse.issparse(X):
        return np.where(missing, center, X)
    return sparse.csr_array((np.where(missing, 0.0, values), X.indices, X.indptr), shape=X.shape)


def medians(X: np.ndarray) -> np.ndarray:
    """The median of each feature, of the values that are not missing; 0 if all of them are."""
    center: np.ndarray = np.median(X, axis=0)
    for j in np.flatnonzero(np.isnan(center)):
        there = X[~np.isnan(X[:, j]), j]
        center[j] = np.median(there) if len(there) > 0 else 0.0
    return center
