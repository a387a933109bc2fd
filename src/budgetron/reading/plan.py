"""How the fields of a row become features: what a user asks for, and what was decided."""

from __future__ import annotations

import codecs
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from math import inf, isfinite
from typing import Any, Literal, get_args

from .errors import ReadingError

__all__ = [
    "Column",
    "Format",
    "Kind",
    "Labels",
    "LeftOut",
    "Missing",
    "Plan",
    "ReadOptions",
    "Seen",
]

Format = Literal["csv", "jsonl", "svmlight", "parquet", "arrow"]
Kind = Literal[
    "number",
    "boolean",
    "date",
    "seconds",
    "clock",
    "hour",
    "weekday",
    "one-hot",
    "hashed",
    "words",
    "indexed",
]
Labels = Literal["integer", "number", "boolean", "text"]
Missing = Literal["error", "zero", "indicator"]

_NUMERIC = ("number", "date", "seconds")
_SPARSE = ("hashed", "words", "indexed")
DATES: dict[str, tuple[str, ...]] = {
    "date": ("seconds", "hour", "weekday"),
    "seconds": ("seconds",),
    "clock": ("hour", "weekday"),
    "hour": ("hour",),
    "weekday": ("weekday",),
}
"""What is taken from a date, by kind; a point on a circle is two features."""
_WIDTHS = {"number": 1, "boolean": 1} | {
    kind: sum(1 if part == "seconds" else 2 for part in parts) for kind, parts in DATES.items()
}


@dataclass(frozen=True)
class ReadOptions:
    """What is known beforehand; the rest is decided from the first rows.

    Attributes
    ----------
    format : {"csv", "jsonl", "svmlight", "parquet", "arrow"}, optional
        Told from the name of the input if not given.
    delimiter : str, optional
        Between the fields of a line of CSV; the commonest of `, ; | tab` if not given.
    quote : str, default='"'
        Around a field of CSV that contains delimiters or line ends; "" if quotes mean nothing.
    header : bool, optional
        Whether the first line of CSV names the columns; if not given, it does unless one of its
        fields is a number, a boolean or a date. Without one they are called "0", "1", ...
    encoding : str, optional
        Of CSV, JSONL and svmlight, such as "latin-1"; UTF-8 if not given.
    decimal : {".", ","}, optional
        Before the digits of a broken number of CSV; if not given, a comma where the delimiter is
        another one and numbers have it.
    target : str or int, optional
        Name or position of the labels; if not given, the one column called label, target, y or
        class, else the last, unless what is there can hardly be classes.
    id : str, optional
        Column that tells which row is which; nothing is learned from it.
    weight : str, optional
        Column of the weights of rows; nothing else is learned from it.
    ignore : tuple of str or int
        Columns to leave out.
    kinds : mapping of str to kind
        How to read a column, by name: "number", "boolean" (0 or 1), "seconds" (a date, since
        that of the first row), "hour" and "weekday" (of a date, as a point on a circle), "clock"
        (both), "date" (all three), "one-hot" (a feature for each category and one for all later
        ones), "hashed" (a category) or "words" (a text, as a bag of hashed words). If not given, a
        column is what nine tenths of its values are; texts are one-hot if few of them differ, words
        if they are long, else hashed. A column that counts rows, leaves its range all the time or
        has no value twice is then left out. Of a date, hour and weekday are taken if the labels of
        the first rows depend on them.
    labels : {"integer", "number", "boolean", "text"}, optional
        What labels are; if given, there may be as many as there are rows.
    unlabelled : bool, default=False
        Whether a row without a label is one like others, of which a chunk says that it has none;
        or a bad one.
    missing : {"error", "zero", "indicator"}, default="error"
        A row with a missing value (an empty text, null, NaN, an infinite number; NA, ? and the
        like where CSV should have a number) is bad; or the value counts as 0; or as 0 with a
        further feature for each column, which is 1 where it is missing.
    standardize : bool, default=False
        Whether numbers and seconds are to have mean 0 and deviation 1: those of the first rows,
        and then, now and then, those of all rows so far. A missing value that counts as 0 is then
        the mean.
    categories : int, default=32
        How many categories a one-hot column may have.
    buckets : int, default=65536
        Features of a hashed column and of a column of words.
    features : int, optional
        Features of an svmlight file, one more than the largest index; if not given, the next
        power of two above those of the first rows.
    sample : int, default=1000
        How many rows to decide from.
    """

    format: Format | None = None
    delimiter: str | None = None
    quote: str = '"'
    header: bool | None = None
    encoding: str | None = None
    decimal: str | None = None
    target: str | int | None = None
    id: str | None = None
    weight: str | None = None
    ignore: tuple[str | int, ...] = ()
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    labels: Labels | None = None
    unlabelled: bool = False
    missing: Missing = "error"
    standardize: bool = False
    categories: int = 32
    buckets: int = 2**16
    features: int | None = None
    sample: int = 1000

    def __post_init__(self) -> None:
        if self.format is not None:
            _one_of("format", self.format, Format)
        if self.labels is not None:
            _one_of("labels", self.labels, Labels)
        _one_of("missing", self.missing, Missing)
        for name, kind in self.kinds.items():
            _one_of(f"the kind of {name!r}", kind, Kind)
            if kind == "indexed":
                raise ReadingError("only all of svmlight can and must be indexed")
        for name in ("categories", "buckets", "features", "sample"):
            if getattr(self, name) is not None and getattr(self, name) < 1:
                raise ReadingError(f"{name} must be at least 1, got {getattr(self, name)}")
        _characters(self.delimiter, self.quote)
        _written(self.encoding, self.decimal)


@dataclass(frozen=True)
class Column:
    """One column of the input, and the features that it becomes.

    Attributes
    ----------
    name : str
        Its name.
    kind : str
        How it is read.
    width : int
        How many features it becomes, without that for missing values.
    categories : tuple of str
        Those with a feature of their own, if it is one-hot; all others share one.
    center, spread : float
        A number x becomes (x - center) / spread, at first, or at the last look.
    origin : float
        The seconds of a date are counted from there, in seconds since 1970.
    format : str
        How dates are written, for strptime; "" if they begin with the year.
    seen : str
        What was seen of it in the first rows, for people.
    """

    name: str
    kind: Kind
    width: int = 1
    categories: tuple[str, ...] = ()
    center: float = 0.0
    spread: float = 1.0
    origin: float = 0.0
    format: str = ""
    seen: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        _one_of(f"the kind of {self.name!r}", self.kind, Kind)
        if self.kind == "one-hot":
            fits = self.width == len(self.categories) + 1
        else:
            fits = self.width == _WIDTHS.get(self.kind, self.width)
        if self.width < 1 or not fits:
            raise ReadingError(f"column {self.name!r} cannot have {self.width} features")
        if self.standardized and self.kind not in _NUMERIC:
            raise ReadingError(f"column {self.name!r} is no number to be standardized")
        if not (isfinite(self.center + self.origin) and 0 < self.spread < inf):
            raise ReadingError(f"column {self.name!r} cannot have a spread of {self.spread}")

    @property
    def standardized(self) -> bool:
        """Whether its numbers are shifted or scaled."""
        return (self.center, self.spread) != (0, 1)

    @property
    def sparse(self) -> bool:
        """Whether most of its features are 0."""
        return self.kind in _SPARSE


@dataclass(frozen=True)
class LeftOut:
    """A column that nothing is learned from.

    Attributes
    ----------
    name : str
        Its name.
    reason : str
        Why.
    kind : str
        What it would be otherwise; "" if it was asked to be left out.
    seen : str
        What was seen of it in the first rows.
    """

    name: str
    reason: str
    kind: str = ""
    seen: str = ""


@dataclass(frozen=True)
class Seen:
    """What is known of the columns of numbers of a stream, from which their scales are.

    Attributes
    ----------
    rows : int
        How many have been seen.
    anchors, counts, sums, squares : tuple of float
        Of each column that is scaled: a value, how many there are, and the sums of their
        differences from it and of the squares of these.
    """

    rows: int
    anchors: tuple[float, ...]
    counts: tuple[float, ...]
    sums: tuple[float, ...]
    squares: tuple[float, ...]


@dataclass(frozen=True)
class Plan:
    """How an input is read: decided once, and the same for ever after, but for running scales.

    Features are those of the columns that are not sparse, in order, each followed by its indicator
    if missing values have one; then those of the sparse columns.

    Attributes
    ----------
    format : {"csv", "jsonl", "svmlight", "parquet", "arrow"}
        Of the input.
    columns : tuple of Column
        What is learnt from.
    target : str or None
        Column of the labels, if there is one.
    labels : {"integer", "number", "boolean", "text"}
        What labels are.
    missing : {"error", "zero", "indicator"}
        What becomes of missing values.
    unlabelled : bool
        Whether rows without a label are not bad.
    names : tuple of str
        Of all fields of a line of CSV, if no header says.
    delimiter, quote, decimal : str
        Of CSV.
    encoding : str or None
        Of CSV, JSONL and svmlight; None is UTF-8.
    id, weight : str or None
        Columns of what is known of rows beside features and labels.
    standardize : bool
        Whether the scales of numbers and seconds run with the stream.
    sampled : int
        How many rows it was decided from.
    seen : Seen or None
        What is known by now for the scales; None at the beginning.
    left_out : tuple of LeftOut
        Columns that are there and are not learnt from.
    classes : tuple of str
        The labels of the first rows.
    """

    format: Format
    columns: tuple[Column, ...]
    target: str | None
    labels: Labels = "text"
    missing: Missing = "error"
    names: tuple[str, ...] = ()
    delimiter: str = ","
    quote: str = '"'
    decimal: str = "."
    encoding: str | None = None
    id: str | None = None
    weight: str | None = None
    unlabelled: bool = False
    standardize: bool = False
    sampled: int = field(default=0, compare=False)
    seen: Seen | None = None
    left_out: tuple[LeftOut, ...] = field(default=(), compare=False)
    classes: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        _one_of("format", self.format, Format)
        _one_of("labels", self.labels, Labels)
        _one_of("missing", self.missing, Missing)
        _characters(self.delimiter, self.quote)
        _written(self.encoding, self.decimal)
        names = {column.name for column in self.columns} - {self.target, self.id, self.weight}
        if not names:
            raise ReadingError("there are no columns to learn from")
        if len(names) != len(self.columns):
            raise ReadingError("a column is there twice, or also the target, the id or the weight")
        indexed = sum(column.kind == "indexed" for column in self.columns)
        if indexed != (len(self.columns) if self.format == "svmlight" else 0):
            raise ReadingError("only all of svmlight can and must be indexed")

    @property
    def width(self) -> int:
        """How many features a row has."""
        indicators = len(self.columns) if self.missing == "indicator" else 0
        return sum(column.width for column in self.columns) + indicators

    @property
    def sparse(self) -> bool:
        """Whether rows are CSR matrices."""
        return any(column.sparse for column in self.columns)

    def is_scaled(self, column: Column) -> bool:
        """Whether a column is brought to a scale."""
        return column.kind in _NUMERIC and (self.standardize or column.standardized)

    def places(self) -> dict[str, int]:
        """Where the features of each column that is not sparse begin."""
        places, place = {}, 0
        for column in self.columns:
            if not column.sparse:
                places[column.name] = place
                place += column.width
            place += self.missing == "indicator"
        return places

    def kinds(self, labelled: bool) -> dict[str, Kind | Labels]:
        """The columns that are read, that of the labels if they are wanted, and their kinds."""
        kinds: dict[str, Kind | Labels] = {column.name: column.kind for column in self.columns}
        if labelled and self.target is not None:
            kinds[self.target] = self.labels
        if self.weight is not None:
            kinds[self.weight] = "number"
        if self.id is not None:
            kinds[self.id] = "text"
        return kinds

    def to_json(self) -> str:
        """As text, from which `from_json` makes an equal plan."""
        return json.dumps(asdict(self), indent=2)

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """A plan as it was stored."""
        try:
            stored = json.loads(text)
            columns = tuple(_column(**each) for each in stored.pop("columns"))
            left_out = tuple(LeftOut(**each) for each in stored.pop("left_out", ()))
            seen = stored.pop("seen", None)
            if seen is not None:
                seen = Seen(**{name: _tuple(value) for name, value in seen.items()})
            texts: dict[str, Any] = {
                name: tuple(stored.pop(name, ())) for name in ("names", "classes")
            }
            return cls(columns=columns, left_out=left_out, seen=seen, **texts, **stored)
        except ReadingError:
            raise
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ReadingError(f"this is no plan: {error}") from error


def _column(categories: list[str], **rest: Any) -> Column:
    return Column(categories=tuple(categories), **rest)


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _one_of(name: str, value: object, known: Any) -> None:
    if value not in get_args(known):
        raise ReadingError(f"{name} must be one of {', '.join(get_args(known))}; got {value!r}")


def _written(encoding: str | None, decimal: str | None) -> None:
    if decimal not in (None, ".", ","):
        raise ReadingError(f"the decimal must be a point or a comma, got {decimal!r}")
    try:
        codecs.lookup(encoding or "utf-8")
    except LookupError:
        raise ReadingError(f"there is no encoding {encoding!r}: latin-1, utf-16, ...") from None


def _characters(delimiter: str | None, quote: str) -> None:
    for name, value, shortest in (("delimiter", delimiter, 1), ("quote", quote, 0)):
        if value is not None and not (
            shortest <= len(value) <= 1 and value.isascii() and value not in ("\r", "\n")
        ):
            raise ReadingError(f"the {name} must be one ASCII character, got {value!r}")
