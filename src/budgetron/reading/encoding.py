"""From the columns of a table to features and labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction import FeatureHasher
from sklearn.feature_extraction.text import HashingVectorizer

from .chunk import Encoded
from .errors import ReadingError
from .plan import Column, Kind, Labels, Plan

__all__ = ["encode", "type_of"]

_ZONE = r":\d\d(\.\d+)? *(Z|[+-]\d\d(:?\d\d)?)$"


def type_of(kind: Kind | Labels) -> pa.DataType:
    """The type in which a column of this kind is encoded."""
    if kind == "number":
        return pa.float64()
    if kind == "integer":
        return pa.int64()
    return pa.bool_() if kind == "boolean" else pa.string()


def encode(table: pa.Table, plan: Plan, labelled: bool) -> Encoded:
    """Features and labels of the rows of a table, whose columns have their types."""
    rows = table.num_rows
    if rows == 0:  # which scikit-learn does not hash
        return Encoded(np.zeros((0, plan.width)), None, {})
    dense = np.zeros((rows, plan.width - sum(c.width for c in plan.columns if c.sparse)))
    sparse: list[csr_matrix] = []
    problems: dict[int, str] = {}
    at = 0
    for column in plan.columns:
        try:
            features, missing = _features(column, table.column(column.name))
        except pa.ArrowException as error:
            raise ReadingError(f"column {column.name!r} is no {column.kind}: {error}") from error
        if plan.missing == "error" and missing.any():
            for index in np.flatnonzero(missing):
                problems.setdefault(int(index), f"column {column.name!r} has no value")
        if column.sparse:
            sparse.append(features)
        else:
            dense[:, at : at + column.width] = features
            at += column.width
        if plan.missing == "indicator":
            dense[:, at] = missing
            at += 1
    X = hstack([csr_matrix(dense), *sparse], format="csr") if plan.sparse else dense
    if not labelled or plan.target is None:
        return Encoded(X, None, problems)
    y, missing = _labels(plan.labels, table.column(plan.target))
    for index in np.flatnonzero(missing):
        problems.setdefault(int(index), "it has no label")
    return Encoded(X, y, problems)


def _features(column: Column, values: pa.ChunkedArray) -> tuple[Any, np.ndarray]:
    """Features of a column, zero where it is missing, and where that is."""
    if column.kind in ("number", "boolean", "seconds"):
        numbers = _numbers(column.kind, values).to_numpy()
        if column.standardized:
            with np.errstate(over="ignore", invalid="ignore"):
                numbers = (numbers - column.center) / column.spread
        missing = ~np.isfinite(numbers)
        if missing.any():
            numbers = np.where(missing, 0, numbers)
        return numbers[:, np.newaxis], missing
    texts = pc.fill_null(values, "")
    missing = pc.equal(texts, "").to_numpy()
    if column.kind == "words":
        words = HashingVectorizer(n_features=column.width)
        return words.transform(texts.to_pylist()), missing
    if column.kind == "hashed":
        different, codes = _different(texts)
        hasher = FeatureHasher(column.width, input_type="string", alternate_sign=False)
        return hasher.transform([text] if text else [] for text in different)[codes], missing
    known = pc.index_in(texts, pa.array(column.categories, pa.string()))
    codes = pc.fill_null(known, len(column.categories)).to_numpy()
    return np.equal.outer(np.where(missing, -1, codes), np.arange(column.width)), missing


def _labels(kind: Labels, values: pa.ChunkedArray) -> tuple[np.ndarray, np.ndarray]:
    """Labels, and where they are missing."""
    if kind == "text":
        texts = pc.fill_null(values, "")
        different, codes = _different(texts)
        return np.array(different, dtype=object)[codes], pc.equal(texts, "").to_numpy()
    labels = pc.fill_null(values, False if kind == "boolean" else 0).to_numpy()
    missing = values.is_null().to_numpy()
    return labels, missing | ~np.isfinite(labels)


def _different(texts: pa.ChunkedArray) -> tuple[list[str], np.ndarray]:
    """The texts that differ, and which of them is where."""
    coded = texts.combine_chunks().dictionary_encode()
    return coded.dictionary.to_pylist(), coded.indices.to_numpy()


def _numbers(kind: Kind, values: pa.ChunkedArray) -> pa.ChunkedArray:
    if kind == "number":
        return values
    return _seconds(values) if kind == "seconds" else values.cast(pa.float64())


def _seconds(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Seconds since 1970; in UTC, unless a zone is given."""
    if pa.types.is_string(values.type):
        values = pc.if_else(pc.equal(values, ""), None, values)
        zoned = pc.match_substring_regex(values, _ZONE)
        local = pc.if_else(zoned, None, values).cast(pa.timestamp("us"))
        there = pc.if_else(zoned, values, None).cast(pa.timestamp("us", "UTC"))
        values = pc.coalesce(there.cast(pa.timestamp("us")), local)
    return pc.divide(values.cast(pa.timestamp("us")).cast(pa.int64()).cast(pa.float64()), 1e6)
