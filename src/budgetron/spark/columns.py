"""Columns of Spark's frames: which there are, what they hold, and what is made of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

from pyspark.sql import functions as sf
from pyspark.sql import types as st

__all__ = [
    "NAMING",
    "SORTED",
    "Carried",
    "Classes",
    "array_of",
    "column",
    "demand_columns",
    "demand_features",
    "demand_frame",
    "type_of",
]

WHOLE_NUMBERS = st.ByteType, st.ShortType, st.IntegerType, st.LongType
NAMING = (st.StringType, *WHOLE_NUMBERS)
"""What keys and ids can be."""
SORTED = (
    *(st.NumericType, st.StringType, st.DateType, st.TimestampType, st.TimestampNTZType),
    st.DayTimeIntervalType,
)
"""What rows can be sorted by."""
KINDS = {str: (st.StringType,), bool: (st.BooleanType,), int: WHOLE_NUMBERS}


def demand_frame(frame: Any, name: str, *, streaming: bool) -> None:
    """Raise an error for what is no frame of Spark, or not a streaming one where that is needed."""
    if not hasattr(frame, "isStreaming"):
        raise TypeError(f"{name} must be a DataFrame of Spark, got {type(frame).__name__}")
    if streaming and not frame.isStreaming:
        raise ValueError(f"{name} must be a streaming DataFrame, from spark.readStream")


def demand_columns(frame: Any, name: str, columns: Iterable[str]) -> None:
    """Raise an error for columns that a frame does not have."""
    missing = [each for each in columns if each not in frame.columns]
    if missing:
        raise ValueError(f"{name} has no column {missing[0]!r}; there are {frame.columns}")


def demand_features(features: str | Sequence[str], learner: Any) -> None:
    """Raise an error for no features, or for others than a fitted learner knows."""
    if len(features) == 0:
        raise ValueError("features must name a column or more")
    if isinstance(features, str) or not hasattr(learner, "n_features_in_"):
        return
    if len(features) != learner.n_features_in_:
        raise ValueError(f"the learner has {learner.n_features_in_} features, not {len(features)}")
    known = getattr(learner, "feature_names_in_", None)
    if known is not None and [*features] != known.tolist():
        raise ValueError(f"the learner has the features {known.tolist()}, not {[*features]}")


def column(name: str) -> Any:
    """A column by its name, whatever characters it has."""
    return sf.col("`" + name.replace("`", "``") + "`")


def type_of(frame: Any, name: str, allowed: tuple[Any, ...], what: str) -> str:
    """The type of a column in Spark's words, if it is one of these."""
    found = frame.schema[name].dataType
    if not isinstance(found, allowed):
        raise TypeError(f"{name!r} must be {what}, and is {found.simpleString()}")
    return str(found.simpleString())


def array_of(frame: Any, features: str | Sequence[str]) -> Any:
    """The features of a row as one array of float64."""
    if isinstance(features, str):
        type_of(frame, features, (st.ArrayType,), "an array of numbers")
        return column(features).cast("array<double>")
    for name in features:
        type_of(frame, name, (st.NumericType, st.BooleanType), "a number")
    return sf.array(*(column(name).cast("double") for name in features))


class Carried:
    """A column that a worker hands on, as something that pandas has no other idea of.

    To pandas whole numbers are floats where one of them is null, NaN is null, and there was nothing
    before 1677.

    Parameters
    ----------
    frame : DataFrame
    name : str
    """

    def __init__(self, frame: Any, name: str) -> None:
        self.name, self._kind = name, frame.schema[name].dataType
        self._is_moment = isinstance(self._kind, st.TimestampType)
        written = (st.NumericType, st.TimestampType, st.TimestampNTZType)
        self.type = st.StringType() if isinstance(self._kind, written) else self._kind

    def there(self) -> Any:
        """It, on the way to the worker."""
        own = column(self.name)
        return (sf.unix_micros(own) if self._is_moment else own).cast(self.type)

    def back(self, carried: str) -> Any:
        """It, from what the worker handed on."""
        if self._is_moment:
            return sf.timestamp_micros(column(carried).cast("long"))
        return column(carried).cast(self._kind)


class Classes:
    """All labels that there are, and their numbers.

    Parameters
    ----------
    classes : iterable of labels
        Strings, whole numbers or booleans.
    """

    def __init__(self, classes: Iterable[Any]) -> None:
        self.labels = [each.item() if hasattr(each, "item") else each for each in classes]
        kinds = {type(each) for each in self.labels}
        if len({*self.labels}) != len(self.labels) or len(self.labels) < 2:
            raise ValueError(f"classes must be two different labels or more, got {self.labels}")
        if len(kinds) > 1 or not kinds <= {*KINDS}:
            raise TypeError(
                f"classes must be strings, whole numbers or booleans, got {self.labels}"
            )
        self._allowed = KINDS[kinds.pop()]
        self._array = sf.array(*map(sf.lit, self.labels))

    def as_in(self, frame: Any, label: str) -> Self:
        """The same with the type of the labels in a frame."""
        type_of(frame, label, self._allowed, f"of labels such as {self.labels[0]!r}")
        self._array = self._array.cast(st.ArrayType(frame.schema[label].dataType))
        return self

    def code_of(self, label: Any) -> Any:
        """The number of a label's class: null for no label, -1 for one of no class."""
        return (sf.array_position(self._array, label) - 1).cast("int")

    def label_of(self, code: Any) -> Any:
        """The label of a class by its number; null for none."""
        return sf.when(code >= 0, sf.get(self._array, code))
