"""A plan, inferred from the first rows."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from difflib import get_close_matches
from math import inf, isfinite, nan
from typing import Any

import numpy as np

from .errors import ReadingError
from .plan import Column, Format, Kind, Labels, Plan, ReadOptions

__all__ = ["MISSING", "column_named", "infer_plan", "kind_of_field", "kind_of_value"]

MISSING = (
    *("", "?", "NA", "N/A", "n/a", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None"),
    *("#N/A", "#N/A N/A", "#NA", "<NA>", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"),
)

_USUAL_TARGETS = ("label", "target", "y", "class")
_WHOLE = re.compile(r"\s*[-+]?\d{1,18}\s*", re.ASCII)
_NUMBER = re.compile(r"\s*[-+]?((\d+\.?\d*|\.\d+)(e[-+]?\d+)?|inf(inity)?)\s*", re.ASCII | re.I)
_DATE = re.compile(r"\s*\d{4}-\d\d-\d\d([ T]\d\d:\d\d.*)?\s*", re.ASCII)
_MAJORITY = 0.9
_MAX_COLUMNS = 1 << 16
_WORDS_OF_A_TEXT = 3
_NAMES_SHOWN = 20


def kind_of_field(field: str) -> str:
    """What a field of CSV is."""
    if field in MISSING:
        return "missing"
    if _WHOLE.fullmatch(field):
        return "integer"
    if _NUMBER.fullmatch(field):
        return "number"
    return (
        "boolean" if field in ("true", "True", "TRUE", "false", "False", "FALSE") else _text(field)
    )


def kind_of_value(value: Any) -> str:
    """What a value of a format with types is."""
    match value:
        case None | "":
            return "missing"
        case bool():
            return "boolean"
        case int():
            return "integer" if abs(value) < 2**63 else "number"
        case float() | Decimal():
            return "number"
        case dt.date():
            return "date"
        case str():
            return _text(value)
    return "nested"


def _text(text: str) -> str:
    return "date" if _DATE.fullmatch(text) else "text"


def column_named(column: str | int, names: Sequence[str]) -> str:
    """Name of a column that is given by its name or its position."""
    if isinstance(column, int) and -len(names) <= column < len(names):
        return names[column]
    if column in names:
        return str(column)
    near = get_close_matches(str(column), names, 1)
    meant = f" (did you mean {near[0]!r}?)" if near else ""
    shown = [*map(repr, names[:_NAMES_SHOWN]), *["..."] * (len(names) > _NAMES_SHOWN)]
    raise ReadingError(f"there is no column {column!r}{meant}; there are {', '.join(shown)}")


def infer_plan(
    format: Format,
    sample: Mapping[str, Sequence[Any]],
    kind_of: Callable[[Any], str],
    options: ReadOptions,
    labelled: bool,
) -> Plan:
    """A plan for an input whose first rows have these columns."""
    names = list(sample)
    if len(names) > _MAX_COLUMNS:
        raise ReadingError(f"{len(names):,} columns are too many: use svmlight")
    target = _target(names, options, labelled)
    for name in options.kinds:
        column_named(name, names)
    ignored = {column_named(column, names) for column in options.ignore} | {target}
    columns = [
        _column(name, values, kind_of, options)
        for name, values in sample.items()
        if name not in ignored
    ]
    labels = options.labels
    if labels is None and target is not None:
        labels = _labels({kind_of(value) for value in sample[target]} - {"missing"})
    return Plan(format, tuple(columns), target, labels or "text", options.missing)


def _target(names: list[str], options: ReadOptions, labelled: bool) -> str | None:
    if options.target is not None:
        return column_named(options.target, names)
    usual = [name for name in names if name.lower() in _USUAL_TARGETS]
    if len(usual) == 1:
        return usual[0]
    return names[-1] if labelled else None


def _labels(kinds: set[str]) -> Labels:
    if kinds == {"integer"}:
        return "integer"
    if kinds == {"boolean"}:
        return "boolean"
    return "number" if kinds and kinds <= {"integer", "number"} else "text"


def _column(
    name: str, values: Sequence[Any], kind_of: Callable[[Any], str], options: ReadOptions
) -> Column:
    kind = options.kinds.get(name) or _kind(name, values, kind_of, options)
    if kind == "one-hot":
        texts = Counter(str(value) for value in values if kind_of(value) != "missing")
        common = (text for text, _ in texts.most_common(options.categories))
        categories = tuple(sorted(common))
        return Column(name, kind, len(categories) + 1, categories)
    if options.standardize and kind in _TO_NUMBER:
        number, kinds = _TO_NUMBER[kind]
        numbers = [number(value) for value in values if kind_of(value) in kinds]
        return Column(name, kind, 1, (), *_center_and_spread(np.array(numbers)))
    return Column(name, kind, options.buckets if kind in ("hashed", "words") else 1)


def _number(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return inf


def _seconds(value: Any) -> float:
    """Since 1970; in UTC, unless a zone is given."""
    try:
        time = dt.datetime.fromisoformat(str(value).strip())
    except ValueError:
        return nan
    return (time if time.tzinfo else time.replace(tzinfo=dt.UTC)).timestamp()


_TO_NUMBER = {"number": (_number, ("integer", "number")), "seconds": (_seconds, ("date",))}


def _center_and_spread(numbers: np.ndarray) -> tuple[float, float]:
    """Mean and deviation, as far as there are such."""
    numbers = numbers[np.isfinite(numbers)]
    if not len(numbers):
        return 0.0, 1.0
    if numbers.min() == numbers.max():
        return float(numbers[0]), 1.0
    with np.errstate(over="ignore", invalid="ignore"):
        center, spread = float(numbers.mean()), float(numbers.std())
    return (center, spread) if isfinite(center) and 0 < spread < inf else (0.0, 1.0)


def _kind(
    name: str, values: Sequence[Any], kind_of: Callable[[Any], str], options: ReadOptions
) -> Kind:
    kinds = Counter("number" if kind == "integer" else kind for kind in map(kind_of, values))
    del kinds["missing"]
    enough = _MAJORITY * kinds.total()
    if kinds["nested"]:
        raise ReadingError(f"column {name!r} holds lists or objects: ignore it")
    if kinds["number"] >= enough:
        return "number"
    if kinds["boolean"] >= enough:
        return "boolean"
    if kinds["date"] >= enough:
        raise ReadingError(f"column {name!r} holds dates: ignore it, or ask for seconds")
    texts = [value for value in values if isinstance(value, str)]
    if len(set(texts)) <= min(options.categories, len(texts) / 2):
        return "one-hot"
    words = sum(len(text.split()) for text in texts)
    return "words" if words >= _WORDS_OF_A_TEXT * len(texts) else "hashed"
