"""Rows of any kind, as the service takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

__all__ = ["Row", "one_row", "plain", "rows_of"]

Row = dict[str, Any]


def rows_of(X: Any, **columns: Any) -> tuple[list[Row], bool]:
    """Rows with what is said of each of them, and whether one row was given rather than several.

    Parameters
    ----------
    X : array-like, mapping, frame, or sequence of mappings
        One row, in one dimension or as a mapping of names to numbers, or several.
    columns : anything
        Of several rows, a sequence with a value for each; of one, the value. None is left out.
    """
    features, single = _features(X)
    rows: list[Row] = [{"x": x} for x in features]
    for name, values in columns.items():
        if values is None:
            continue
        found = [plain(values)] if single else [plain(value) for value in values]
        if len(found) != len(rows):
            raise ValueError(f"there are {len(rows)} rows, and {len(found)} values of {name}")
        for row, value in zip(rows, found, strict=True):
            row[name] = value
    return rows, single


def one_row(x: Any, **columns: Any) -> Row:
    """The only row that is given."""
    rows, single = rows_of(x, **columns)
    if not single:
        raise ValueError("one row is wanted: a mapping, or numbers in one dimension")
    return rows[0]


def plain(value: Any) -> Any:
    """A number or a text of Python."""
    return value.item() if isinstance(value, np.generic) else value


def _features(X: Any) -> tuple[list[Any], bool]:
    names = getattr(X, "column_names", getattr(X, "columns", None))
    if names is not None:
        return [dict(zip(map(str, names), row, strict=True)) for row in _numbers(X)], False
    if hasattr(X, "keys"):
        return [_named(X)], True
    if not hasattr(X, "__array__"):
        X = list(X)
        if X and hasattr(X[0], "keys"):
            return [_named(row) for row in X], False
    if (dimensions := np.ndim(X)) not in (1, 2):
        raise ValueError(f"rows have one dimension or two, and not {dimensions}")
    numbers = _numbers(X)
    return ([numbers], True) if dimensions == 1 else (numbers, False)


def _named(row: Mapping[Any, Any]) -> dict[str, float | None]:
    names = [*row.keys()]
    return dict(zip(map(str, names), _numbers([row[name] for name in names]), strict=True))


def _numbers(X: Any) -> list[Any]:
    """Nested lists, in which None is what is missing, as JSON has no other word for it."""
    numbers = np.asarray(X, dtype=np.float64)
    if np.isinf(numbers).any():
        raise ValueError("rows have numbers that are infinite")
    gaps = np.isnan(numbers)
    if gaps.any():
        numbers = numbers.astype(object)
        numbers[gaps] = None
    return numbers.tolist()
