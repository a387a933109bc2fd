"""CSV, and whatever else has one delimiter."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
from pyarrow import csv as arrow_csv

from .chunk import Encoded
from .encoding import encode, type_of
from .errors import ReadingError
from .inference import MISSING, infer_plan, kind_of_field
from .plan import Kind, Labels, Plan, ReadOptions
from .text import TextInput

__all__ = ["Delimited"]

_DELIMITERS = ",;\t|"
_FIELDS = re.compile(r"Expected (\d+) columns, got (\d+)")
_COMMA = re.compile(r"\s*[-+]?\d*,\d+\s*", re.ASCII)
_POINT = re.compile(r"\s*[-+]?\d*\.\d+\s*", re.ASCII)
_VALUE = re.compile(r"In CSV column #(\d+): .*?conversion error to \w+: (.*)", re.DOTALL)


NOT_UTF8 = "give its --encoding, such as latin-1"


class Delimited(TextInput):
    """Lines of fields."""

    def plan(self, options: ReadOptions, labelled: bool) -> Plan:
        """How to read it."""
        dialect, sample = self.dialect(options)
        kind_of = _kinds_with(dialect["decimal"])
        return replace(infer_plan("csv", sample, kind_of, options, labelled), **dialect)

    def dialect(self, options: ReadOptions) -> tuple[dict[str, Any], dict[str, Sequence[str]]]:
        """What a plan has to know of CSV, and the fields of the first rows, by column."""
        head = self.head(options.sample + 1)
        if not head:
            raise ReadingError(f"{self.source.path} has no rows")
        delimiter = options.delimiter or max(_DELIMITERS, key=head[0].decode("latin-1").count)
        rows = [fields for row in head if (fields := _fields(row, delimiter, options.quote))]
        header = options.header
        if header is None and rows:
            header = {"text", "missing"}.issuperset(map(kind_of_field, rows[0]))
        if header:
            names = self._header(head[0], delimiter, options.quote)
            rows = rows[1:]
        else:
            width, _ = Counter(map(len, rows)).most_common(1)[0] if rows else (0, 0)
            names = [str(index) for index in range(width)]
        rows = [row for row in rows if len(row) == len(names)]
        if not rows:
            raise ReadingError(f"{self.source.path} has no rows")
        sample: dict[str, Sequence[str]] = dict(zip(names, zip(*rows, strict=True), strict=True))
        dialect = {
            "names": () if header else tuple(names),
            "delimiter": delimiter,
            "quote": options.quote,
            "decimal": options.decimal or _decimal(delimiter, sample),
        }
        return dialect, sample

    def parser(self, plan: Plan, labelled: bool) -> Callable[[bytes], Encoded]:
        """What parses a block of rows."""
        names = self._names(plan, labelled)
        kinds = plan.kinds(labelled)
        types = {name: type_of(kind) for name, kind in kinds.items()}
        if absent := [repr(name) for name in types if name not in names]:
            raise ReadingError(
                f"{self.source.path} has no column {', '.join(absent)}; it has"
                f" {', '.join(map(repr, names[:20]))}"
            )
        parsing = arrow_csv.ParseOptions(delimiter=plan.delimiter, quote_char=plan.quote or False)
        converting = arrow_csv.ConvertOptions(
            column_types=types,
            include_columns=list(types),
            null_values=MISSING,
            decimal_point=plan.decimal,
        )
        # A row at the end, which a quote that is not closed would swallow.
        last = f"\n{plan.delimiter * (len(names) - 1) or 0}\n".encode()

        def parse(block: bytes) -> Encoded:
            reading = arrow_csv.ReadOptions(
                column_names=names, use_threads=False, block_size=len(block) + len(last)
            )
            try:
                table = arrow_csv.read_csv(
                    pa.BufferReader(block + last), reading, parsing, converting
                )
                return encode(table.slice(0, table.num_rows - 1), plan, labelled)
            except pa.ArrowException as error:
                raise ReadingError(_reason(str(error), names, kinds)) from error

        return parse

    def _names(self, plan: Plan, labelled: bool) -> list[str]:
        first = self.head(1)
        if plan.names:
            names = list(plan.names)
            if first and not labelled and plan.target in names:
                fields = _fields(first[0], plan.delimiter, plan.quote)
                if fields is not None and len(fields) == len(names) - 1:
                    names.remove(plan.target)
            return names
        if not first:
            raise ReadingError(f"{self.source.path} has no header")
        self.skip_first()
        return self._header(first[0], plan.delimiter, plan.quote)

    def _header(self, row: bytes, delimiter: str, quote: str) -> list[str]:
        names = _fields(row, delimiter, quote)
        if names is None:
            raise ReadingError(f"the first line of {self.source.path} cannot be read")
        if "\ufffd" in "".join(names):
            raise ReadingError(f"{self.source.path} is not in UTF-8: {NOT_UTF8}")
        for name, times in Counter(names).items():
            if times > 1:
                raise ReadingError(
                    f"{self.source.path} has {times} columns called {name!r}: if the first line"
                    " names none, give --no-header"
                )
        return names


def _fields(row: bytes, delimiter: str, quote: str) -> list[str] | None:
    """The fields of one row; None if it has none that can be read."""
    text = io.StringIO(row.decode("utf-8", errors="replace").rstrip("\r\n"), newline="")
    try:
        if quote:
            fields = next(csv.reader(text, delimiter=delimiter, quotechar=quote), [])
        else:
            fields = next(csv.reader(text, delimiter=delimiter, quoting=csv.QUOTE_NONE), [])
    except csv.Error:
        return None
    return fields or None


def _decimal(delimiter: str, sample: Mapping[str, Sequence[str]]) -> str:
    """A comma, if there are numbers with commas and none with points."""
    if delimiter == ",":
        return "."
    fields = [field for values in sample.values() for field in values]
    commas = any(map(_COMMA.fullmatch, fields)) and not any(map(_POINT.fullmatch, fields))
    return "," if commas else "."


def _kinds_with(decimal: str) -> Callable[[str], str]:
    """What a field is, where numbers are written in this way."""
    if decimal == ".":
        return kind_of_field
    return lambda field: kind_of_field(
        field.replace(",", ".") if _COMMA.fullmatch(field) else field
    )


def _reason(message: str, names: list[str], kinds: dict[str, Kind | Labels]) -> str:
    """What pyarrow says, in the words of the plan."""
    if fields := _FIELDS.search(message):
        return f"it has {fields[2]} fields instead of {fields[1]}"
    if "invalid UTF8" in message:
        return f"it is not in UTF-8: {NOT_UTF8}"
    if value := _VALUE.search(message):
        name = names[int(value[1])]
        return f"column {name!r} is no {kinds[name]}: {value[2]}"
    return message
