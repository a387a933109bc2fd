"""How the fields of a row become features: what a user asks for, and what was decided."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from math import isfinite
from typing import Any, Literal, get_args

from .errors import ReadingError

__all__ = ["Column", "Format", "Kind", "Labels", "Missing", "Plan", "ReadOptions"]

Format = Literal["csv", "jsonl", "svmlight", "parquet", "arrow"]
Kind = Literal["number", "boolean", "seconds", "one-hot", "hashed", "words", "indexed"]
Labels = Literal["integer", "number", "boolean", "text"]
Missing = Literal["error", "zero", "indicator"]

_NUMERIC = ("number", "seconds")
_SPARSE = ("hashed", "words", "indexed")


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
    target : str or int, optional
        Name or position of the labels; if not given, the one column called label, target, y or
        class, else the last.
    ignore : tuple of str or int
        Columns to leave out.
    kinds : mapping of str to kind
        How to read a column, by name: "number", "boolean" (0 or 1), "seconds" (a date, since
        1970), "one-hot" (a feature for each category and one for all later ones), "hashed" (a
        category) or "words" (a text, as a bag of hashed words). If not given, a column is what
        nine tenths of its values are; texts are one-hot if few of them differ, words if they are
        long, else hashed; dates are refused.
    labels : {"integer", "number", "boolean", "text"}, optional
        What labels are.
    missing : {"error", "zero", "indicator"}, default="error"
        A row with a missing value (an empty text, null, NaN, an infinite number; NA, ? and the
        like where CSV should have a number) is bad; or the value counts as 0; or as 0 with a
        further feature for each column, which is 1 where it is missing. Means are not filled in:
        they would make a row depend on those before it.
    standardize : bool, default=False
        Whether numbers and seconds are to have mean 0 and deviation 1 in the first rows; later
        ones are shifted and scaled alike, and a missing value that counts as 0 is then the mean.
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
    target: str | int | None = None
    ignore: tuple[str | int, ...] = ()
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    labels: Labels | None = None
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
        Those with a feature of their own, if it is one-hot.
    center, spread : float
        A number x becomes (x - center) / spread.
    """

    name: str
    kind: Kind
    width: int = 1
    categories: tuple[str, ...] = ()
    center: float = 0.0
    spread: float = 1.0

    def __post_init__(self) -> None:
        _one_of(f"the kind of {self.name!r}", self.kind, Kind)
        expected = len(self.categories) + 1 if self.kind == "one-hot" else self.width
        if self.width < 1 or self.width != expected:
            raise ReadingError(f"column {self.name!r} cannot have {self.width} features")
        if self.standardized and self.kind not in _NUMERIC:
            raise ReadingError(f"column {self.name!r} is no number to be standardized")
        if not (isfinite(self.center) and isfinite(self.spread) and self.spread > 0):
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
class Plan:
    """How an input is read: decided once, and the same for ever after.

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
    names : tuple of str
        Of all fields of a line of CSV, if no header says.
    delimiter, quote : str
        Of CSV.
    """

    format: Format
    columns: tuple[Column, ...]
    target: str | None
    labels: Labels = "text"
    missing: Missing = "error"
    names: tuple[str, ...] = ()
    delimiter: str = ","
    quote: str = '"'

    def __post_init__(self) -> None:
        _one_of("format", self.format, Format)
        _one_of("labels", self.labels, Labels)
        _one_of("missing", self.missing, Missing)
        _characters(self.delimiter, self.quote)
        names = {column.name for column in self.columns} - {self.target}
        if not names:
            raise ReadingError("there are no columns to learn from")
        if len(names) != len(self.columns):
            raise ReadingError("a column is there twice, or also the target")
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

    def kinds(self, labelled: bool) -> dict[str, Kind | Labels]:
        """The columns that are read, that of the labels if they are wanted, and their kinds."""
        kinds: dict[str, Kind | Labels] = {column.name: column.kind for column in self.columns}
        if labelled and self.target is not None:
            kinds[self.target] = self.labels
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
            return cls(columns=columns, names=tuple(stored.pop("names")), **stored)
        except ReadingError:
            raise
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ReadingError(f"this is no plan: {error}") from error


def _column(categories: list[str], **rest: Any) -> Column:
    return Column(categories=tuple(categories), **rest)


def _one_of(name: str, value: object, known: Any) -> None:
    if value not in get_args(known):
        raise ReadingError(f"{name} must be one of {', '.join(get_args(known))}; got {value!r}")


def _characters(delimiter: str | None, quote: str) -> None:
    for name, value, shortest in (("delimiter", delimiter, 1), ("quote", quote, 0)):
        if value is not None and not (
            shortest <= len(value) <= 1 and value.isascii() and value not in ("\r", "\n")
        ):
            raise ReadingError(f"the {name} must be one ASCII character, got {value!r}")
