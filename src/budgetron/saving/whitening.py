"""The rows that a whitened Perceptron has seen beforehand, and what whitens others like them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ..estimators.whitened_perceptron import Whitening
from .arrays import Arrays
from .checking import demand, fields, finite, flag, text
from .ingredients import describe_kernel, restore_kernel

__all__ = ["describe_whitening", "restore_whitening"]


def describe_whitening(whitening: Whitening, arrays: Arrays) -> dict[str, Any]:
    """The kernel and the kind of the rows."""
    rows = whitening.rows
    if sparse.issparse(rows):
        arrays.put(rows.data, rows.indices.astype(np.int64), rows.indptr.astype(np.int64))
    else:
        arrays.put(rows)
    arrays.put(whitening.map)
    return {
        "kernel": describe_kernel(whitening.kernel),
        "sparse": bool(sparse.issparse(rows)),
        "dtype": rows.dtype.name,
    }


def restore_whitening(document: Any, arrays: Arrays, width: int) -> Whitening:
    """What whitens rows of so many features."""
    fields(document, "the whitening", ("kernel", "sparse", "dtype"))
    dtype = text(document["dtype"], "the dtype")
    demand(dtype in ("float64", "float32"), f"the dtype must be float64 or float32: {dtype[:30]}")
    is_sparse = flag(document["sparse"], "whether rows are sparse")
    rows = (_sparse_rows if is_sparse else _dense_rows)(arrays, width, dtype)
    linear_map = finite(arrays.take("map", dtype, rows.shape[0], None), "the whitening map")
    demand(linear_map.shape[1] > 0, "the whitening map is empty")
    return Whitening(restore_kernel(document["kernel"]), rows, linear_map)


def _dense_rows(arrays: Arrays, width: int, dtype: str) -> np.ndarray:
    return finite(arrays.take("values", dtype, None, width), "whitened rows")


def _sparse_rows(arrays: Arrays, width: int, dtype: str) -> sparse.csr_array:
    values = finite(arrays.take("values", dtype, None), "whitened rows")
    features = arrays.take("features", np.int64, len(values))
    starts = arrays.take("starts", np.int64, None)
    demand(((features >= 0) & (features < width)).all(), "a whitened row has an unknown feature")
    ends = len(starts) > 0 and starts[0] == 0 and starts[-1] == len(values)
    demand(ends and (np.diff(starts) >= 0).all(), "whitened rows are not one after another")
    return sparse.csr_array((values, features, starts), shape=(len(starts) - 1, width))
