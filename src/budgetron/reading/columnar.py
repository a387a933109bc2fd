"""Parquet and Arrow, which are tables already."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import chain

import pyarrow as pa
from pyarrow import ipc
from pyarrow.parquet import ParquetFile

from .chunk import Chunk, Encoded
from .encoding import encode, type_of
from .errors import BadRow, ReadingError
from .inference import infer_plan, kind_of_value
from .plan import DATES, Format, Kind, Labels, Plan, ReadOptions
from .source import STDIN, Source

__all__ = ["Arrow", "Parquet"]

_BATCH_ROWS = 1 << 13
_BUFFER_BYTES = 1 << 16
_ARROW_ERRORS = (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError)


class _Columnar(ABC):
    """Batches of columns, each of one type."""

    format: Format

    def __init__(self, source: Source) -> None:
        self.source = source
        try:
            self._open()
        except _ARROW_ERRORS as error:
            raise source.failed(error) from error

    @abstractmethod
    def _open(self) -> None:
        """Find out what is in it."""

    @abstractmethod
    def _head(self, rows: int) -> pa.RecordBatch | None:
        """The first rows, which are not taken away by that."""

    @abstractmethod
    def _batches(self, names: list[str]) -> Iterator[pa.RecordBatch]:
        """All rows, with at least these columns."""

    def plan(self, options: ReadOptions, labelled: bool) -> Plan:
        """How to read it."""
        try:
            head = self._head(options.sample)
            if head is None:
                raise ReadingError("it has no rows")
            head.validate(full=True)
            sample = head.to_pydict()
        except _ARROW_ERRORS as error:
            raise self.source.failed(error) from error
        return infer_plan(self.format, sample, kind_of_value, options, labelled)

    def pieces(self, plan: Plan, labelled: bool, row: int) -> Iterator[Chunk | BadRow]:
        """All rows, the first of which has this number."""
        for encoded in self._encoded(plan, labelled):
            bad = [
                BadRow(self.source.path, None, row + index, encoded.problems[index])
                for index in sorted(encoded.problems)
            ]
            yield from encoded.pieces(row, bad)
            row += len(encoded.chunk)

    def _encoded(self, plan: Plan, labelled: bool) -> Iterator[Encoded]:
        kinds = plan.kinds(labelled)
        try:
            for batch in self._batches(list(kinds)):
                batch.validate(full=True)
                for start in range(0, batch.num_rows, _BATCH_ROWS):
                    some = batch.slice(start, _BATCH_ROWS)
                    columns = [_typed(some, name, kind) for name, kind in kinds.items()]
                    yield encode(pa.table(columns, names=list(kinds)), plan, labelled)
        except _ARROW_ERRORS as error:
            raise self.source.failed(error) from error


class Parquet(_Columnar):
    """A Parquet file."""

    format = "parquet"

    def _open(self) -> None:
        if not self.source.stream.seekable():
            raise ReadingError("Parquet is read from its end: store it in a file")
        self._file = ParquetFile(self.source.stream, buffer_size=_BUFFER_BYTES, pre_buffer=False)

    def _head(self, rows: int) -> pa.RecordBatch | None:
        return next(self._file.iter_batches(rows, use_threads=False), None)

    def _batches(self, names: list[str]) -> Iterator[pa.RecordBatch]:
        return self._file.iter_batches(_BATCH_ROWS, columns=names, use_threads=False)


class Arrow(_Columnar):
    """An Arrow file, also called Feather, or an Arrow stream."""

    format = "arrow"

    def _open(self) -> None:
        source = self.source
        if source.head.startswith(b"ARROW1"):
            file = ipc.open_file(
                source.stream if source.path == STDIN else pa.memory_map(source.path)
            )
            batches = map(file.get_batch, range(file.num_record_batches))
        else:
            batches = iter(ipc.open_stream(source.stream))
        self._left: Iterator[pa.RecordBatch] = (batch for batch in batches if batch.num_rows)

    def _head(self, rows: int) -> pa.RecordBatch | None:
        first = next(self._left, None)
        if first is None:
            return None
        self._left = chain([first], self._left)
        return first.slice(0, rows)

    def _batches(self, names: list[str]) -> Iterator[pa.RecordBatch]:
        return self._left


def _typed(batch: pa.RecordBatch, name: str, kind: Kind | Labels) -> pa.Array:
    """A column in the type of its kind; dates as they are."""
    if batch.schema.get_field_index(name) < 0:
        raise ReadingError(f"it has no column {name!r}, or several")
    values = batch.column(name)
    if kind in DATES and pa.types.is_temporal(values.type):
        return values
    try:
        return values.cast(type_of(kind), safe=kind != "number")
    except pa.ArrowException as error:
        raise ReadingError(f"column {name!r} is no {kind}: {error}") from error
