"""One JSON object in each line."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pyarrow as pa

from .chunk import Encoded
from .encoding import encode, type_of
from .errors import ReadingError
from .inference import infer_plan, kind_of_value
from .plan import Kind, Labels, Plan, ReadOptions
from .text import TextInput

__all__ = ["JsonLines"]

_TYPES: dict[str, set[type]] = {
    "number": {int, float, bool, type(None)},
    "integer": {int, type(None)},
    "boolean": {bool, type(None)},
}
_TEXT = {str, type(None)}


class JsonLines(TextInput):
    """Lines of objects."""

    def plan(self, options: ReadOptions, labelled: bool) -> Plan:
        """How to read it."""
        objects = []
        for line in self.head(options.sample):
            try:
                objects += _objects(line)
            except ReadingError:
                continue  # and found again when it is read
        names = list(dict.fromkeys(name for each in objects for name in each))
        if not names:
            raise ReadingError(f"{self.source.path} has no rows")
        sample = {name: [each.get(name) for each in objects] for name in names}
        return infer_plan("jsonl", sample, kind_of_value, options, labelled)

    def parser(self, plan: Plan, labelled: bool) -> Callable[[bytes], Encoded]:
        """What parses a block of rows."""
        kinds = plan.kinds(labelled)

        def parse(block: bytes) -> Encoded:
            objects = _objects(block)
            try:
                columns = [
                    _array(name, kind, [each.get(name) for each in objects], name == plan.id)
                    for name, kind in kinds.items()
                ]
                return encode(pa.table(columns, names=list(kinds)), plan, labelled)
            except (pa.ArrowException, UnicodeError, OverflowError) as error:
                raise ReadingError(str(error)) from error

        return parse


def _objects(block: bytes) -> list[dict[str, Any]]:
    try:
        objects = [json.loads(line) for line in block.decode().split("\n") if line.strip()]
    except (ValueError, RecursionError) as error:
        raise ReadingError(f"it is not JSON: {error}") from error
    if not all(type(each) is dict for each in objects):
        raise ReadingError("it is not an object")
    return objects


def _array(name: str, kind: Kind | Labels, values: list[Any], is_id: bool) -> pa.Array:
    if is_id:
        values = [str(value) if isinstance(value, int) else value for value in values]
    if not set(map(type, values)) <= _TYPES.get(kind, _TEXT):
        raise ReadingError(f"column {name!r} is no {kind if kind in _TYPES else 'text'}")
    if kind == "number":
        values = [None if value is None else float(value) for value in values]
    return pa.array(values, type_of(kind))
