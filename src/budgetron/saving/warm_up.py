"""The first examples of a stream, as long as the width of the kernel is not settled."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ..estimators.warm_up import MILESTONES, WarmUp
from .arrays import Arrays
from .checking import demand, fields, finite, text

__all__ = ["describe_warm_up", "restore_warm_up"]

DENSE, SPARSE = "dense", "sparse"


def describe_warm_up(warm_up: WarmUp | None, classes: np.ndarray, arrays: Arrays) -> Any:
    """How the examples are stored and in which dtype; null if the warm-up is over."""
    if warm_up is None:
        return None
    if warm_up.seen == 0:
        return {}
    X, labels, weights = warm_up.joined()
    arrays.put(codes=np.searchsorted(classes, labels).astype(np.int64), weights=weights)
    if sparse.issparse(X):
        X = sparse.csr_array(X)
        arrays.put(
            values=X.data,
            features=X.indices.astype(np.int64),
            starts=X.indptr.astype(np.int64),
        )
        return {"rows": SPARSE, "dtype": X.dtype.name}
    arrays.put(values=X)
    return {"rows": DENSE, "dtype": X.dtype.name}


def restore_warm_up(document: Any, learner: Any, arrays: Arrays) -> WarmUp | None:
    """The examples, of the learner's width and classes."""
    if document is None:
        return None
    warm_up = WarmUp()
    if document == {}:
        return warm_up
    fields(document, "the warm-up", ("rows", "dtype"))
    kind, dtype = text(document["rows"], "the rows"), text(document["dtype"], "their dtype")
    demand(kind in (DENSE, SPARSE), f"rows cannot be {kind[:30]!r}")
    demand(dtype in ("float64", "float32"), f"rows cannot be of {dtype[:30]!r}")
    codes, classes = arrays.take("codes", np.int64, None), learner.classes_
    demand(0 < len(codes) < MILESTONES[-1], "a warm-up is too long")
    demand(((codes >= 0) & (codes < len(classes))).all(), "an example is of an unknown class")
    weights = finite(arrays.take("weights", float, len(codes)), "weights", least=0)
    shape = len(codes), learner.n_features_in_
    if kind == DENSE:
        X = finite(arrays.take("values", dtype, *shape), "examples")
    else:
        X = _sparse_rows(arrays, dtype, shape)
    warm_up.parts = ((X, classes[codes], weights),)
    return warm_up


def _sparse_rows(arrays: Arrays, dtype: str, shape: tuple[int, int]) -> sparse.csr_array:
    values = finite(arrays.take("values", dtype, None), "examples")
    features = arrays.take("features", np.int64, len(values))
    starts = arrays.take("starts", np.int64, shape[0] + 1)
    demand(starts[0] == 0 and starts[-1] == len(values), "examples do not fill their place")
    demand((np.diff(starts) >= 0).all(), "an example ends before it starts")
    demand(((features >= 0) & (features < shape[1])).all(), "an example has an unknown feature")
    X = sparse.csr_array((values, features, starts), shape=shape)
    demand(X.has_canonical_format, "the features of an example are not in order")
    return X
