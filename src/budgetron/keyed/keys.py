"""Keys: whole numbers and strings, taken from a column or given apart."""

from __future__ import annotations

from collections.abc import Mapping, Set
from hashlib import blake2b
from typing import Any

import numpy as np
from scipy import sparse

__all__ = ["Key", "checked_key", "from_bytes", "seed_of", "taken_apart", "to_bytes"]

Key = int | str

NUMBER, TEXT = b"#", b"'"

DIGITS = 600
"""More may be too many for Python to write down."""

LARGEST = 10**DIGITS


def checked_key(key: Any) -> Key:
    """A key as Python has it; ValueError for what can be none."""
    if isinstance(key, float | np.floating) and key.is_integer():
        if abs(float(key)) >= _first_inexact(getattr(key, "dtype", float)):
            raise ValueError(f"the key {key!r} may be rounded: give whole numbers or strings")
        return int(key)  # in a table of numbers, or beside keys that are missing
    if isinstance(key, np.generic):
        key = key.item()
    if type(key) is int and abs(key) >= LARGEST:
        raise ValueError(f"a key of more than {DIGITS} digits is a string")
    if type(key) is int or type(key) is str:
        return key
    if isinstance(key, str):
        return str(key)
    if _is_missing(key):
        raise ValueError("a key is missing: every row needs one")
    raise ValueError(f"a key is a whole number or a string, got {key!r}")


def _first_inexact(kind: Any) -> float:
    """The least whole number that might be another one, rounded to floats of this kind."""
    return min(2 / float(np.finfo(kind).eps), 2.0**53)


def _is_missing(key: Any) -> bool:
    try:
        return key is None or bool(key != key)
    except TypeError:  # as of pandas.NA, which is neither
        return True


def to_bytes(key: Key) -> bytes:
    """The same for the same key, everywhere and for ever."""
    if isinstance(key, str):
        return TEXT + key.encode("utf-8", "surrogatepass")
    return NUMBER + str(key).encode()


def from_bytes(data: bytes) -> Key:
    """The key that these bytes are of; ValueError if there is none."""
    text = data[1:].decode("utf-8", "surrogatepass")
    key = text if data[:1] == TEXT else int(text)
    if to_bytes(key) != data:
        raise ValueError("a key is damaged")
    return key


def seed_of(seed: int, key: Key) -> int:
    """The seed of a key's own learner."""
    digest = blake2b(to_bytes(key), digest_size=4, key=seed.to_bytes(8, "little")).digest()
    return int.from_bytes(digest, "little") % 2**31


def taken_apart(X: Any, column: Any, keys: Any) -> tuple[Any, list[Key]]:
    """The features and the keys of some rows.

    Keys are given, or they are in a column: of this name in a frame, or with this number.
    """
    if keys is None:
        if column is None:
            raise ValueError("there are no keys: name their column by key=, or give keys=")
        X, keys = _without(X, column)
    values = _as_list(keys)
    exact = {type(value) for value in values}
    are_whole = exact == {int} and max(map(abs, values)) < LARGEST
    own = values if are_whole or exact <= {str} else [checked_key(it) for it in values]
    rows = X.shape[0] if hasattr(X, "shape") else len(X)
    if len(own) != rows:
        raise ValueError(f"there are {len(own)} keys for {rows} rows")
    return X, own


def _as_list(keys: Any) -> list[Any]:
    is_table = hasattr(keys, "columns") or getattr(keys, "ndim", 1) != 1
    if is_table or isinstance(keys, str | bytes | Mapping | Set) or not hasattr(keys, "__iter__"):
        raise ValueError("keys must be a sequence with one for each row")
    if type(keys) is np.ndarray and keys.dtype.kind == "f":
        are_exact = np.abs(keys) < _first_inexact(keys.dtype)
        are_whole = bool((are_exact & (np.floor(keys) == keys)).all())
        return keys.astype(np.int64).tolist() if are_whole else [*keys]
    for name in ("to_pylist", "to_list", "tolist"):
        if hasattr(keys, name):
            values: list[Any] = getattr(keys, name)()
            return values
    return list(keys)


def _without(X: Any, column: Any) -> tuple[Any, Any]:
    """The rows without a column, and the column."""
    if isinstance(column, str):
        names = [*getattr(X, "column_names", getattr(X, "columns", ()))]
        if not names:
            raise ValueError(f"key={column!r} names a column, and {type(X).__name__} has no names")
        if column not in names:
            raise ValueError(f"there is no column {column!r} for the keys, but {names[:20]}")
        values = X[column]
        if hasattr(X, "drop_columns"):
            return X.drop_columns([column]), values
        return (X.drop(columns=column) if hasattr(X, "iloc") else X.drop(column)), values
    if hasattr(X, "columns") or hasattr(X, "column_names"):
        raise ValueError(f"key={column!r} is a number, and a frame's columns have names")
    if sparse.issparse(X):
        X = sparse.csr_array(X)
        width = X.shape[1]
    else:
        X = np.asarray(X)
        width = X.shape[1] if X.ndim == 2 else 0
    if not -width <= column < width:
        raise ValueError(f"there is no column {column} for the keys in rows of {width}")
    rest = np.delete(np.arange(width), column)
    values = X[:, [column]].toarray()[:, 0] if sparse.issparse(X) else X[:, column]
    return X[:, rest], values
