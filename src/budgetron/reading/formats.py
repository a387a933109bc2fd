"""The formats, by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Protocol

from .chunk import Chunk
from .columnar import Arrow, Parquet
from .delimited import Delimited
from .errors import BadRow, ReadingError
from .jsonl import JsonLines
from .plan import Format, Plan, ReadOptions
from .source import Source
from .svmlight import SvmLight

__all__ = ["Input", "format_of", "open_input"]

_ENDINGS: dict[str, Format] = {
    **dict.fromkeys((".csv", ".tsv", ".tab", ".psv", ".txt"), "csv"),
    **dict.fromkeys((".jsonl", ".ndjson", ".json"), "jsonl"),
    **dict.fromkeys((".svmlight", ".svm", ".libsvm"), "svmlight"),
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
    **dict.fromkeys((".arrow", ".arrows", ".feather", ".ipc"), "arrow"),
}
_PACKED = (".gz", ".bz2", ".xz", ".zst")


class Input(Protocol):
    """An input in some format."""

    source: Source

    def plan(self, options: ReadOptions, labelled: bool) -> Plan:
        """How to read it, decided from its first rows, which are not taken away by that."""

    def pieces(self, plan: Plan, labelled: bool, row: int) -> Iterator[Chunk | BadRow]:
        """All rows, the first of which has this number."""


def open_input(path: str, format: Format, quote: str) -> Input:
    """An input that is being read."""
    source = Source(path)
    try:
        match format:
            case "csv":
                return Delimited(source, quote)
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
        raise ReadingError(f"the name {path!r} does not tell the format: say which it is")
    return _ENDINGS[name.suffix]
