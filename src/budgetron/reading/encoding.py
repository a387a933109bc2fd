"""From the columns of a table to features and labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction import FeatureHasher
from sklearn.feature_extraction.text import HashingVectorizer

from .chunk import Chunk, Encoded
from .errors import ReadingError
from .plan import DATES, Column, Kind, Labels, Plan
from .trends import hour_of, weekday_of

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
        return Encoded(Chunk(np.zeros((0, plan.width)), None, np.arange(0)), {})
    dense = np.zeros((rows, plan.width - sum(c.width for c in plan.columns if c.sparse)))
    sparse: list[csr_matrix] = []
    problems: dict[int, str] = {}
    at = 0
    gaps = np.zeros((rows, len(plan.columns)), bool)
    for place, column in enumerate(plan.columns):
        try:
            features, missing = _features(column, table.column(column.name))
        except pa.ArrowException as error:
            raise ReadingError(f"column {column.name!r} is no {column.kind}: {error}") from error
        gaps[:, place] = missing
        if column.sparse:
            sparse.append(features)
        else:
            dense[:, at : at + column.width] = features
            if plan.is_scaled(column) and plan.missing != "error":
                dense[missing, at] = np.nan  # which becomes the mean
            at += column.width
        if plan.missing == "indicator":
            dense[:, at] = missing
            at += 1
    X = hstack([csr_matrix(dense), *sparse], format="csr") if plan.sparse else dense
    ids = y = is_labelled = is_bare = weights = None
    if plan.id is not None:
        ids = np.array(pc.fill_null(table.column(plan.id), "").to_pylist(), dtype=object)
        for index in np.flatnonzero(ids == ""):
            problems.setdefault(int(index), f"column {plan.id!r} has no id")
    if labelled and plan.target is not None:
        y, unknown = _labels(plan.labels, table.column(plan.target))
        is_labelled = ~unknown
        for index in np.flatnonzero(unknown) if not plan.unlabelled else ():
            problems.setdefault(int(index), "it has no label")
        if ids is not None:
            is_bare = gaps.all(axis=1) & is_labelled
    if plan.missing == "error":
        empty = gaps if is_bare is None else gaps & ~is_bare[:, np.newaxis]
        for index, place in zip(*np.nonzero(empty), strict=True):
            problems.setdefault(int(index), f"column {plan.columns[place].name!r} has no value")
    if plan.weight is not None:
        weights, missing = _number(table.column(plan.weight))
        if is_bare is not None:
            missing &= ~is_bare
        for index in np.flatnonzero(missing | (weights < 0)):
            problems.setdefault(int(index), f"column {plan.weight!r} has no weight from 0 on")
    return Encoded(Chunk(X, y, np.arange(rows), is_labelled, is_bare, weights, ids), problems)


def _features(column: Column, values: pa.ChunkedArray) -> tuple[Any, np.ndarray]:
    """Features of a column, zero where it is missing, and where that is."""
    if column.kind in ("number", "boolean"):
        numbers, missing = _number(values)
        return numbers[:, np.newaxis], missing
    if column.kind in DATES:
        return _date(column, values)
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


def _number(values: pa.ChunkedArray) -> tuple[np.ndarray, np.ndarray]:
    """Numbers, zero where they are missing, and where that is."""
    numbers = values.cast(pa.float64()).to_numpy()
    missing = ~np.isfinite(numbers)
    return np.where(missing, 0, numbers) if missing.any() else numbers, missing


def _date(column: Column, values: pa.ChunkedArray) -> tuple[np.ndarray, np.ndarray]:
    """Seconds since the first row, and points on two circles for the hour and the weekday."""
    seconds, missing = _number(_seconds(values, column.format))
    parts = {
        "seconds": (seconds - column.origin,),
        "hour": hour_of(seconds),
        "weekday": weekday_of(seconds),
    }
    features = np.column_stack([each for part in DATES[column.kind] for each in parts[part]])
    features[missing] = 0
    return features, missing


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


def _seconds(values: pa.ChunkedArray, format: str) -> pa.ChunkedArray:
    """Seconds since 1970; in UTC, unless a zone is given."""
    if pa.types.is_string(values.type):
        values = pc.utf8_trim_whitespace(values)
        values = pc.if_else(pc.equal(values, ""), None, values)
        if format:
            values = pc.strptime(values, format=format, unit="us")
        else:
            zoned = pc.match_substring_regex(values, _ZONE)
            local = pc.if_else(zoned, None, values).cast(pa.timestamp("us"))
            there = pc.if_else(zoned, values, None).cast(pa.timestamp("us", "UTC"))
            values = pc.coalesce(there.cast(pa.timestamp("us")), local)
    return pc.divide(values.cast(pa.timestamp("us")).cast(pa.int64()).cast(pa.float64()), 1e6)
