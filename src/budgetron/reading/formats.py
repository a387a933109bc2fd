"""The formats, by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import PurePath
from typing import Any, Protocol, cast

from .chunk import Chunk
from .columnar import Arrow, Parquet
from .delimited import Delimited
from .errors import BadRow, ReadingError
from .jsonl import JsonLines
from .plan import Format, Plan, ReadOptions
from .scales import RunningScales
from .source import STDIN, Source
from .svmlight import SvmLight

__all__ = ["Input", "RunningScales", "adapted", "format_of", "open_input"]

_ENDINGS: dict[str, Format] = {
    **dict.fromkeys((".csv", ".tsv", ".tab", ".psv", ".txt"), "csv"),
    **dict.fromkeys((".jsonl", ".ndjson", ".json"), "jsonl"),
    **dict.fromkeys((".svmlight", ".svm", ".libsvm"), "svmlight"),
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
    **dict.fromkeys((".arrow", ".arrows", ".feather", ".ipc"), "arrow"),
}
_TEXTS = ("csv", "jsonl", "svmlight")
_PACKED = (".gz", ".bz2", ".xz", ".zst")


class Input(Protocol):
    """An input in some format."""

    source: Source

    def plan(self, options: ReadOptions, labelled: bool) -> Plan:
        """How to read it, decided from its first rows, which are not taken away by that."""

    def pieces(self, plan: Plan, labelled: bool, row: int) -> Iterator[Chunk | BadRow]:
        """All rows, the first of which has this number."""


def open_input(path: str, how: Plan | ReadOptions, format: Format) -> Input:
    """An input that is being read."""
    source = Source(path, how.encoding if format in _TEXTS else None)
    try:
        match format:
            case "csv":
                return Delimited(source, how.quote)
            case "jsonl":
                return JsonLines(source)
            case "svmlight":
                return SvmLight(source)
            case "parquet":
                return Parquet(source)
            case "arrow":
                return Arrow(source)
    except ReadingError:
        source.close()
        raise


def adapted(plan: Plan, paths: Sequence[str], options: ReadOptions) -> Plan:
    """The same plan for inputs that are written otherwise.

    Parameters
    ----------
    plan : Plan
    paths : sequence of str
    options : ReadOptions
        What is known of their format, delimiter, encoding and decimal.
    """
    try:
        format = options.format or format_of(paths)
    except ReadingError:
        format = plan.format
    given = {name: getattr(options, name) for name in ("delimiter", "encoding", "decimal")}
    given = {name: value for name, value in given.items() if value is not None}
    if format == plan.format and (not given or STDIN in paths):  # a pipe is not looked at twice
        return replace(plan, **given)
    if format != plan.format and "svmlight" in (format, plan.format):
        raise ReadingError(f"what was learned from {plan.format} is no use for {format}")
    dialect: dict[str, Any] = {}
    if format == "csv" and STDIN in paths:
        raise ReadingError(f"what was learned from {plan.format} takes CSV from a file, not a pipe")
    if format == "csv":
        opened = open_input(paths[0], options, format)
        with closing(opened.source):
            dialect, _ = cast(Delimited, opened).dialect(options)
    return replace(plan, format=format, encoding=options.encoding, **dialect)


def format_of(paths: Sequence[str]) -> Format:
    """The one format that the names of all of these tell."""
    formats = {_format_of(path) for path in paths}
    if len(formats) > 1:
        raise ReadingError(f"all inputs must have one format, not {' and '.join(sorted(formats))}")
    return formats.pop()


def _format_of(path: str) -> Format:
    name = PurePath(path.lower())
    if name.suffix in _PACKED:
        name = name.with_suffix("")
    if name.suffix not in _ENDINGS:
        raise ReadingError(
            f"the name {path!r} does not tell the format: give --format, such as csv"
        )
    return _ENDINGS[name.suffix]
