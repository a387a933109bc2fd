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

from .errors import NoClassesError, ReadingError
from .plan import DATES, Column, Format, Kind, Labels, LeftOut, Plan, ReadOptions
from .trends import FEWEST, leaves_its_range, parts_that_tell, tells_rows_apart

__all__ = [
    "MISSING",
    "check_labels",
    "column_named",
    "infer_plan",
    "kind_of_field",
    "kind_of_value",
]

MISSING = (
    *("", "?", "NA", "N/A", "n/a", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None"),
    *("#N/A", "#N/A N/A", "#NA", "<NA>", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"),
)

_USUAL_TARGETS = ("label", "target", "y", "class")
_WHOLE = re.compile(r"\s*[-+]?\d{1,18}\s*", re.ASCII)
_NUMBER = re.compile(r"\s*[-+]?((\d+\.?\d*|\.\d+)(e[-+]?\d+)?|inf(inity)?)\s*", re.ASCII | re.I)
_DATE = re.compile(r"\s*\d{4}-\d\d-\d\d([ T]\d\d:\d\d.*)?\s*", re.ASCII)
_OTHER_DATE = re.compile(
    r"(?P<first>\d\d?)(?P<mark>[./])(?P<second>\d\d?)(?P=mark)\d{4}(?P<time> \d\d?:\d\d(:\d\d)?)?",
    re.ASCII,
)
_MAJORITY = 0.9
_MAX_COLUMNS = 1 << 16
_WORDS_OF_A_TEXT = 3
_NAMES_SHOWN = 20
_EXAMPLES, _LONGEST = 5, 30
_FEW, _MANY = 20, 100


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
    is_date = _DATE.fullmatch(text) or _OTHER_DATE.fullmatch(text.strip())
    return "date" if is_date else "text"


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
    for name in options.kinds:
        column_named(name, names)
    ignored = {column_named(column, names) for column in options.ignore}
    id, weight = (
        None if name is None else column_named(name, names) for name in (options.id, options.weight)
    )
    apart = {id, weight} - {None}
    target = _target([name for name in names if name not in apart | ignored], options, labelled)
    labels = options.labels
    classes: tuple[str, ...] = ()
    if target is not None:
        known = [value for value in sample[target] if kind_of(value) != "missing"]
        kinds = {kind_of(value) for value in known}
        if labelled:
            _check_target(target, known, kinds, sample, kind_of, options)
        labels = labels or _labels(kinds)
        classes = tuple(dict.fromkeys(map(str, known)))
    columns: list[Column] = []
    left_out = [LeftOut(name, "as asked") for name in names if name in ignored]
    for name, values in sample.items():
        if name not in {target, *apart, *ignored}:
            column = _column(name, values, kind_of, options, sample[target] if target else ())
            (columns if isinstance(column, Column) else left_out).append(column)  # type: ignore[arg-type]
    if not columns and left_out:
        raise ReadingError(f"there are no columns to learn from: {_why(left_out)}")
    return Plan(
        *(format, tuple(columns), target, labels or "text", options.missing),
        encoding=options.encoding,
        id=id,
        weight=weight,
        unlabelled=options.unlabelled,
        standardize=options.standardize,
        sampled=len(next(iter(sample.values()))),
        left_out=tuple(left_out),
        classes=classes,
    )


def _why(left_out: list[LeftOut]) -> str:
    shown = (
        f"{each.name!r} is left out, {each.reason}"
        + (f" (--kind {each.name}={each.kind} keeps it)" if each.kind else "")
        for each in left_out[:_NAMES_SHOWN]
    )
    return "; ".join(shown)


def _target(names: list[str], options: ReadOptions, labelled: bool) -> str | None:
    if options.target is not None:
        return column_named(options.target, names)
    usual = [name for name in names if name.lower() in _USUAL_TARGETS]
    if len(usual) == 1:
        return usual[0]
    return names[-1] if labelled and names else None


def _check_target(
    target: str,
    known: Sequence[Any],
    kinds: set[str],
    sample: Mapping[str, Sequence[Any]],
    kind_of: Callable[[Any], str],
    options: ReadOptions,
) -> None:
    """Raise NoClassesError if these can hardly be classes."""
    if not known and options.id is None:
        raise NoClassesError(f"no row has a label in column {target!r}: {_another(options)}")
    try:
        check_labels(target, known, _labels(kinds) if kinds != {"date"} else "date", options)
    except NoClassesError as error:
        others = [
            name
            for name, values in sample.items()
            if name != target
            and 2 <= len(set(values)) <= min(_FEW, len(values) / 2)
            and not {kind_of(value) for value in values} & {"number", "date", "nested"}
        ]
        perhaps = f" (perhaps {' or '.join(map(_quoted, others[:3]))})" if others else ""
        raise NoClassesError(f"{error.args[0]}: {_another(options)}{perhaps}") from None


def check_labels(target: str, known: Sequence[Any], kind: str, options: ReadOptions) -> None:
    """Raise NoClassesError if the labels of the first rows can hardly be classes."""
    if options.labels is not None or len(known) < FEWEST:
        return
    different, rows = len(set(known)), len(known)
    guessed = "is taken for the label, since none is named," if options.target is None else ""
    name = f"column {target!r} {guessed}".rstrip()
    link = "and has" if guessed else "has"
    if kind == "date":
        raise NoClassesError(f"{name} {link} dates")
    if kind == "number" and different > _FEW:
        raise NoClassesError(
            f"{name} {link} broken numbers, {different} different ones in {rows:,} rows"
        )
    if kind == "text" and different > _FEW and _is_long(list(map(str, known))):
        raise NoClassesError(f"{name} {link} free text, such as {_short(str(known[0]))}")
    if different > rows / 2 or (options.target is None and different > _MANY):
        raise NoClassesError(f"{name} {link} {different} different values in {rows:,} rows")


def _another(options: ReadOptions) -> str:
    if options.target is None:
        return "name the column of the classes with --target COLUMN"
    return "name another --target, or say by --labels text, integer or number that it is one"


def _quoted(name: str) -> str:
    return f"--target {name!r}" if re.search(r"[^\w.-]", name) else f"--target {name}"


def _labels(kinds: set[str]) -> Labels:
    if kinds == {"integer"}:
        return "integer"
    if kinds == {"boolean"}:
        return "boolean"
    return "number" if kinds and kinds <= {"integer", "number"} else "text"


def _column(
    name: str,
    values: Sequence[Any],
    kind_of: Callable[[Any], str],
    options: ReadOptions,
    labels: Sequence[Any],
) -> Column | LeftOut:
    asked = options.kinds.get(name)
    kind = asked or _kind(name, values, kind_of, options)
    there = [value for value in values if kind_of(value) != "missing"]
    if kind == "one-hot":
        texts = Counter(map(str, there))
        common = (text for text, _ in texts.most_common(options.categories))
        categories = tuple(sorted(common))
        return Column(name, kind, len(categories) + 1, categories, seen=_some(categories))
    if kind in ("hashed", "words"):
        seen = _some(list(dict.fromkeys(map(str, there)))[:3])
        if not asked and kind == "hashed" and tells_rows_apart(name, there, numbers=False):
            return LeftOut(name, "no value comes twice", kind, seen)
        return Column(name, kind, options.buckets, seen=seen)
    if kind == "boolean":
        return Column(name, kind, seen="false, true")
    if kind == "number":
        numbers = np.array([_number(value) for value in there if kind_of(value) != "text"])
        seen = _range(numbers, "{:g}".format)
        trend = leaves_its_range(numbers)
        if trend is None and tells_rows_apart(name, there, numbers=True):
            trend = "no value comes twice"
        if trend is not None and not asked:
            return LeftOut(name, trend, kind, seen)
        center, spread = _center_and_spread(numbers) if options.standardize else (0.0, 1.0)
        return Column(name, kind, center=center, spread=spread, seen=seen)
    return _date_column(name, asked, values, kind_of, options.standardize, labels)


def _date_column(
    name: str,
    kind: Kind | None,
    values: Sequence[Any],
    kind_of: Callable[[Any], str],
    standardize: bool,
    labels: Sequence[Any],
) -> Column | LeftOut:
    """A date: what is not asked for is taken if it stays in its range, or tells the label."""
    which = [place for place, value in enumerate(values) if kind_of(value) == "date"]
    dates = [values[place] for place in which]
    format = date_format(name, dates)
    seconds = np.array([_seconds(value, format) for value in dates])
    seen = _range(seconds, _as_date)
    is_known = np.isfinite(seconds)
    if kind is None:
        told = [labels[which[t]] for t in np.flatnonzero(is_known)] if labels else []
        tells = parts_that_tell(seconds[is_known], told)
        kind = _kind_of_date(leaves_its_range(seconds) is not None, tells)
    if kind is None:
        reason = "it only grows, and the label does not depend on hour or weekday"
        return LeftOut(name, reason, "date", seen)
    origin = float(seconds[is_known][0]) if is_known.any() else 0.0
    scale = 0.0, 1.0
    if standardize and "seconds" in DATES[kind]:
        scale = _center_and_spread(seconds - origin)
    width = sum(1 if part == "seconds" else 2 for part in DATES[kind])
    return Column(name, kind, width, (), *scale, origin, format, seen)


def _kind_of_date(leaves: bool, tells: list[str]) -> Kind | None:
    if not leaves:
        return "date" if tells else "seconds"
    found: dict[int, Kind | None] = {0: None, 1: "hour", 2: "clock"}
    return "weekday" if tells == ["weekday"] else found[len(tells)]


def date_format(name: str, dates: Sequence[Any]) -> str:
    """How dates are written, for strptime; "" if they begin with the year, or are dates already."""
    texts = [date.strip() for date in dates if isinstance(date, str)]
    found = [match for match in map(_OTHER_DATE.fullmatch, texts) if match]
    if not found:
        return ""
    mark = found[0]["mark"]
    first, second = (max(int(match[group]) for match in found) for group in ("first", "second"))
    if mark == "/" and first <= 12 and second <= 12:
        raise ReadingError(
            f"column {name!r} holds dates such as {texts[0]}, of which day or month may be first:"
            f" --ignore {name}"
        )
    day_first = mark == "." or first > 12
    time = found[0]["time"] or ""
    clock = {0: "", 1: " %H:%M", 2: " %H:%M:%S"}[time.count(":")]
    return (f"%d{mark}%m{mark}%Y" if day_first else f"%m{mark}%d{mark}%Y") + clock


def _as_date(seconds: float) -> str:
    try:
        return f"{dt.datetime.fromtimestamp(seconds, dt.UTC):%Y-%m-%d %H:%M}"
    except (OverflowError, ValueError, OSError):
        return f"{seconds:g}"


def _range(numbers: np.ndarray, show: Callable[[float], str]) -> str:
    numbers = numbers[np.isfinite(numbers)]
    if not len(numbers):
        return ""
    low, high = show(float(numbers.min())), show(float(numbers.max()))
    return low if low == high else f"{low} to {high}"


def _some(texts: Sequence[str]) -> str:
    more = ", ..." if len(texts) > _EXAMPLES else ""
    return ", ".join(map(_short, texts[:_EXAMPLES])) + more


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _number(value: Any) -> float:
    try:
        return float(value.replace(",", ".") if isinstance(value, str) else value)
    except OverflowError:
        return inf
    except ValueError:
        return nan


def _seconds(value: Any, format: str) -> float:
    """Since 1970; in UTC, unless a zone is given."""
    text = str(value).strip()
    try:
        time = dt.datetime.strptime(text, format) if format else dt.datetime.fromisoformat(text)
    except ValueError:
        return nan
    return (time if time.tzinfo else time.replace(tzinfo=dt.UTC)).timestamp()


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
        raise ReadingError(f"column {name!r} holds lists or objects: --ignore {name}")
    if kinds["number"] >= enough:
        return "number"
    if kinds["boolean"] >= enough:
        return "boolean"
    if kinds["date"] >= enough:
        return "date"
    texts = [value for value in values if isinstance(value, str)]
    if len(set(texts)) <= min(options.categories, len(texts) / 2):
        return "one-hot"
    return "words" if _is_long(texts) else "hashed"


def _is_long(texts: Sequence[str]) -> bool:
    return sum(len(text.split()) for text in texts) >= _WORDS_OF_A_TEXT * len(texts)
