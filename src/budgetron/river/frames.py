"""Frames of any library that River's mini-batches may be in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from river.utils.dataframe import into_frame, to_native_frame, to_native_series

from .values import refuse_what_is_no_number, with_nan

__all__ = ["Frame", "listed"]


class Frame:
    """A frame of features.

    Parameters
    ----------
    X : frame of pandas, Polars, PyArrow or another library that Narwhals knows
    """

    def __init__(self, X: Any) -> None:
        self._frame = into_frame(X)
        self.names = [*self._frame.columns]
        self._columns = dict(zip(self.names, self._frame.iter_columns(), strict=True))
        if len(self._columns) < len(self.names):
            raise ValueError("two columns have the same name")

    def __len__(self) -> int:
        return len(self._frame)

    def values(self, names: Sequence[Any], *, missing: bool) -> np.ndarray:
        """The columns of these names as a matrix of numbers, 0 where there is none.

        Values may be missing, if that is said: they are NaN.
        """
        values = np.zeros((len(self), len(names)))
        for column, name in enumerate(names):
            if name in self._columns:
                values[:, column] = _numbers(name, self._columns[name], missing)
        return values

    def series(self, values: Any, name: Any) -> Any:
        """Values, one for each row, as a series of the same library with the same index."""
        return to_native_series(values, name=name, like=self._frame)

    def frame(self, values: np.ndarray, names: list[Any]) -> Any:
        """A matrix, a row for each row, as a frame of the same library with the same index."""
        if not names:
            return self._frame.drop(self.names).to_native()
        columns = {name: values[:, column] for column, name in enumerate(names)}
        return to_native_frame(columns, like=self._frame)


def listed(series: Any) -> list[Any]:
    """The values of a series, an array or a list."""
    for name in ("to_list", "tolist", "to_pylist"):
        if hasattr(series, name):
            return [*getattr(series, name)()]
    return [*series]


def _numbers(name: Any, column: Any, missing: bool) -> np.ndarray:
    if not missing and column.is_null().any():
        raise ValueError(f"feature {name!r} has missing values")
    if column.dtype.is_numeric():
        return np.asarray(column.to_numpy(), np.float64)
    values = with_nan(column.to_list()) if missing else column.to_list()
    refuse_what_is_no_number([name] * len(values), values)
    try:
        return np.array([float(value) for value in values])
    except OverflowError:
        raise ValueError(f"feature {name!r} has a number that is too large") from None
