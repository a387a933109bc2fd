"""Examples, dense or sparse, as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ..core.kernel import Rows
from ..core.missing import values_in
from .arrays import Arrays
from .checking import demand, fields, finite, text

__all__ = ["describe_rows", "restore_rows"]

DENSE, SPARSE = "dense", "sparse"


def describe_rows(X: Rows, arrays: Arrays) -> dict[str, Any]:
    """How the examples are stored and in which dtype."""
    if sparse.issparse(X):
        X = sparse.csr_array(X)
        arrays.put(X.indptr.astype(np.int64), X.indices.astype(np.int64))
        arrays.put(X.data, missing=True)
        return {"rows": SPARSE, "dtype": X.dtype.name}
    arrays.put(X, missing=True)
    return {"rows": DENSE, "dtype": X.dtype.name}


def restore_rows(
    document: Any, what: str, arrays: Arrays, shape: tuple[int, int], *, missing: bool
) -> Rows:
    """So many examples and features, of which values may be missing or not."""
    fields(document, what, ("rows", "dtype"))
    kind, dtype = text(document["rows"], "the rows"), text(document["dtype"], "their dtype")
    demand(kind in (DENSE, SPARSE), f"rows cannot be {kind[:30]!r}")
    demand(dtype in ("float64", "float32"), f"rows cannot be of {dtype[:30]!r}")
    if kind == DENSE:
        X = arrays.take("values", dtype, *shape)
    else:
        X = _sparse_rows(arrays, dtype, shape)
    values = values_in(X)
    finite(values[~np.isnan(values)] if missing else values, "examples")
    return X


def _sparse_rows(arrays: Arrays, dtype: str, shape: tuple[int, int]) -> sparse.csr_array:
    starts = arrays.take("starts", np.int64, shape[0] + 1)
    features = arrays.take("features", np.int64, None)
    values = arrays.take("values", dtype, len(features))
    demand(starts[0] == 0 and starts[-1] == len(values), "examples do not fill their place")
    demand((np.diff(starts) >= 0).all(), "an example ends before it starts")
    demand(((features >= 0) & (features < shape[1])).all(), "an example has an unknown feature")
    X = sparse.csr_array((values, features, starts), shape=shape)
    demand(X.has_canonical_format, "the features of an example are not in order")
    return X
