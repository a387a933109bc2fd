"""Bodies of requests: rows as JSON, lines of JSON, Arrow or Parquet, checked one by one."""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np

from ..parameters import LARGEST_WEIGHT
from .model import Model
from .records import Key, Label
from .refusal import Refusal

__all__ = [
    "ARROW",
    "JSON",
    "LONGEST_TEXT",
    "NDJSON",
    "PARQUET",
    "Many",
    "Row",
    "Table",
    "object_of",
    "rows_of",
    "table_of",
    "weights_of",
    "whole_body",
    "why_no_label",
]

T = TypeVar("T")

JSON = "application/json"
NDJSON = "application/x-ndjson"
ARROW = "application/vnd.apache.arrow.stream"
PARQUET = "application/vnd.apache.parquet"

LONGEST_TEXT = 1000
"""Characters of a label, an id or a key."""

LARGEST_INT = 2**63


class Row(msgspec.Struct, forbid_unknown_fields=True):
    """One row of a request; a label that comes late has no features."""

    x: list[float | None] | dict[str, float | None] | None = None
    y: Label | None = None
    weight: float | None = None
    id: str | None = None
    key: Key | None = None


class Many(msgspec.Struct, forbid_unknown_fields=True):
    """Several rows."""

    rows: list[Row]


class Either(msgspec.Struct, forbid_unknown_fields=True):
    """One row, or several."""

    x: list[float | None] | dict[str, float | None] | None = None
    y: Label | None = None
    weight: float | None = None
    id: str | None = None
    key: Key | None = None
    rows: list[Row] | msgspec.UnsetType = msgspec.UNSET


class Table(NamedTuple):
    """Rows that can be predicted or learned.

    Attributes
    ----------
    X : ndarray of shape (n_rows, n_features), or None
    y, weight, id, key : lists, or None
        Of what all rows have.
    """

    X: Any
    y: list[Label] | None
    weight: list[float | None] | None
    id: list[str] | None
    key: list[Key] | None


_either, _row = msgspec.json.Decoder(Either), msgspec.json.Decoder(Row)


async def whole_body(headers: Mapping[bytes, bytes], receive: Any, most: int) -> bytes:
    """All of a body, unpacked, if it is not too much."""
    parts, length, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refusal(400, "bad_body", "the body is not whole")
        parts.append(message.get("body", b""))
        length += len(parts[-1])
        if length > most:
            raise Refusal(413, "too_large", f"a body has at most {most} bytes")
        more = message.get("more_body", False)
    body = parts[0] if len(parts) == 1 else b"".join(parts)
    packing = headers.get(b"content-encoding", b"identity").lower()
    if packing == b"gzip":
        return _unzipped(body, most)
    if packing != b"identity":
        raise Refusal(415, "bad_packing", "a body is packed by gzip, or not at all")
    return bytes(body)


def _unzipped(body: bytes, most: int) -> bytes:
    """What was packed by gzip, if it is not too much."""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        data = unpacker.decompress(body, most + 1)
    except zlib.error as error:
        raise Refusal(400, "bad_body", f"the body is no gzip: {error}") from None
    if len(data) > most:
        raise Refusal(413, "too_large", f"a body has at most {most} bytes")
    if not unpacker.eof or unpacker.unused_data:
        raise Refusal(400, "bad_body", "the body is no whole gzip")
    return data


def object_of(body: bytes, kind: type[T]) -> T:
    """What a body says that is one object of JSON."""
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.MsgspecError as error:
        raise Refusal(400, "bad_body", str(error)) from None
    except (UnicodeDecodeError, RecursionError) as error:
        raise Refusal(400, "bad_body", f"the body is no JSON: {error}") from None


def rows_of(body: bytes, media: str, most: int) -> tuple[list[Row], bool]:
    """The rows of a body, and whether it was one alone."""
    is_one = False
    try:
        if _is_many(body, media, most):
            raise Refusal(413, "too_many_rows", f"a request has at most {most} rows")
        if media == NDJSON:
            rows = _lines(body)
        else:
            either = _either.decode(body)
            is_one = either.rows is msgspec.UNSET
            own = Row(either.x, either.y, either.weight, either.id, either.key)
            if not is_one and own != Row():
                raise Refusal(400, "bad_body", "a body is one row or has rows, and not both")
            rows = [own] if isinstance(either.rows, msgspec.UnsetType) else either.rows
    except msgspec.MsgspecError as error:
        raise Refusal(400, "bad_body", str(error)) from None
    except (UnicodeDecodeError, RecursionError) as error:
        raise Refusal(400, "bad_body", f"the body is no JSON: {error}") from None
    if not rows:
        raise Refusal(400, "bad_body", "there are no rows")
    if len(rows) > most:
        raise Refusal(413, "too_many_rows", f"a request has at most {most} rows")
    return rows, is_one


def _is_many(body: bytes, media: str, most: int) -> bool:
    """Whether there are far more rows than there may be, found without having them."""
    if media == NDJSON:
        return body.count(b"\n") > most
    return body.count(b"{") > 8 * most + 1  # a row has one or two, and some may be in texts


def _lines(body: bytes) -> list[Row]:
    try:
        return _row.decode_lines(body)
    except msgspec.MsgspecError:
        pass
    rows = []  # once more, to say which line it is
    for at, line in enumerate(line for line in body.split(b"\n") if line.strip()):
        try:
            rows.append(_row.decode(line))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise Refusal(400, "bad_row", str(error), row=at) from None
    return rows


def table_of(model: Model, rows: list[Row], *, labelled: bool, features: bool = True) -> Table:
    """Rows as a model can take them; Refusal for the first that it cannot."""
    if not features:
        _refuse_features(rows)
    return Table(
        X=_features(model, [row.x for row in rows]) if features else None,
        y=labels_of(model, [row.y for row in rows]) if labelled else None,
        weight=weights_of([row.weight for row in rows]),
        id=_texts([row.id for row in rows]),
        key=keys_of(model, [row.key for row in rows]) if features else None,
    )


def weights_of(weights: list[float | None]) -> list[float | None] | None:
    """Weights of rows, if any has one."""
    if all(weight is None for weight in weights):
        return None
    for at, weight in enumerate(weights):
        if weight is not None and not 0 <= weight <= LARGEST_WEIGHT:
            message = f"weight must be from 0 to {LARGEST_WEIGHT:g}, got {weight}"
            raise Refusal(400, "bad_row", message, row=at, field="weight")
    return weights


def _refuse_features(rows: list[Row]) -> None:
    for at, row in enumerate(rows):
        if row.x is not None or row.key is not None:
            field = "x" if row.x is not None else "key"
            message = f"a label that comes late has an id and no {field}"
            raise Refusal(400, "bad_row", message, row=at, field=field)
        if row.id is None:
            raise Refusal(400, "bad_row", "an id is missing", row=at, field="id")


def _texts(ids: list[str | None]) -> list[str] | None:
    if all(id is None for id in ids):
        return None
    for at, id in enumerate(ids):
        if id is None:
            raise Refusal(400, "bad_row", "some rows have an id, so all need one", row=at)
        if not 0 < len(id) <= LONGEST_TEXT:
            message = f"an id has 1 to {LONGEST_TEXT} characters"
            raise Refusal(400, "bad_row", message, row=at, field="id")
    return [id for id in ids if id is not None]


def keys_of(model: Model, keys: list[Any]) -> list[Key] | None:
    """The keys of rows, if the model has keys."""
    if not model.settings.keyed:
        for at, key in enumerate(keys):
            if key is not None:
                message = f"{model.name} has no keys"
                raise Refusal(400, "bad_row", message, row=at, field="key")
        return None
    for at, key in enumerate(keys):
        if key is None:
            raise Refusal(400, "bad_row", "every row needs a key", row=at, field="key")
        if len(key) > LONGEST_TEXT if isinstance(key, str) else abs(key) >= LARGEST_INT:
            raise Refusal(400, "bad_row", "a key is too long", row=at, field="key")
    return keys


def why_no_label(label: Label) -> str | None:
    """Why something cannot be a label; None if it can."""
    if isinstance(label, str) and ("\0" in label or len(label) > LONGEST_TEXT):
        return f"a label has at most {LONGEST_TEXT} characters, none of them NUL"
    if isinstance(label, int) and not -LARGEST_INT <= label < LARGEST_INT:
        return "a label is too large a number"
    return None


def labels_of(model: Model, labels: list[Any]) -> list[Label]:
    """Labels that the model can learn."""
    known = model.classes
    is_text = isinstance(known[0], str) if known else isinstance(labels[0], str)
    closed = set(known) if model.is_closed else None
    told: list[Label] = []
    for at, label in enumerate(labels):
        if label is None:
            raise Refusal(400, "bad_row", "there is no label y", row=at, field="y")
        if isinstance(label, float) and label.is_integer():
            label = int(label)
        reason = None
        if isinstance(label, str) != is_text:
            kind = "text" if is_text else "a number"
            reason = f"label {label!r} is of another kind than others, which are {kind}"
        elif closed is not None and label not in closed:
            reason = f"label {label!r} is not one of the classes {known[:20]}"
        elif isinstance(label, float) and label not in known:
            reason = f"label {label!r} is no class, but a number"
        else:
            reason = why_no_label(label)
        if reason is not None:
            raise Refusal(400, "bad_label", reason, row=at, field="y")
        told.append(label)
    if closed is None and len({*known, *told}) > model.limits.classes:
        raise Refusal(409, "too_many", f"a model has at most {model.limits.classes} classes")
    return told


def _features(model: Model, given: list[Any]) -> np.ndarray:
    """A matrix of features."""
    width, names = model.width, model.names
    places: dict[str, int] | None = None
    rows = []
    for at, x in enumerate(given):
        if isinstance(x, dict):
            if names is None:
                message = f"the features of {model.name} have no names: x is a list"
                raise Refusal(400, "bad_row", message, row=at, field="x")
            if places is None:
                places = {name: place for place, name in enumerate(names)}
            row = [0.0] * len(names)
            for name, value in x.items():
                place = places.get(name)
                if place is None:
                    message = f"there is no feature {name[:100]!r}"
                    raise Refusal(400, "bad_row", message, row=at, field="x")
                row[place] = value
            x = row
        if x is None:
            raise Refusal(400, "bad_row", "there are no features x", row=at, field="x")
        if width is None:
            width = len(x)
            if not 0 < width <= model.limits.width:
                message = f"a row has 1 to {model.limits.width} features, got {width}"
                raise Refusal(400, "bad_row", message, row=at, field="x")
        if len(x) != width:
            message = f"x has {len(x)} features, and {model.name} has {width}"
            raise Refusal(400, "bad_row", message, row=at, field="x")
        rows.append(x)
    return checked_matrix(model, np.array(rows, np.float64))


def checked_matrix(model: Model, X: np.ndarray) -> np.ndarray:
    """Features that the model can take: none is missing, unless it says otherwise."""
    with np.errstate(over="ignore", invalid="ignore"):
        if math.isfinite(X.sum()):
            return X
    classifier = model.learned.classifier
    learner = classifier.estimator if model.settings.keyed else classifier
    allowed = ~np.isinf(X) if learner._finite == "allow-nan" else np.isfinite(X)
    if not allowed.all():
        at = int(np.argmin(allowed.all(axis=1)))
        raise Refusal(
            400, "bad_row", "x has a value that is missing or not finite", row=at, field="x"
        )
    return X
