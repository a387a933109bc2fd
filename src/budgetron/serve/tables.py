"""Rows as tables of Arrow: a column for each feature, and y, weight and key if they are there.

A table is looked at before it is unpacked, so that a small body is not a large one in memory.
"""

from __future__ import annotations

import struct
from typing import Any

import msgspec
import numpy as np

from .bodies import ARROW, LONGEST_TEXT, Table, checked_matrix, keys_of, labels_of, weights_of
from .model import Model
from .records import Key, Label
from .refusal import Refusal

__all__ = ["read_table", "written_table"]

OWN: dict[str, Any] = {
    "y": list[Label | None],
    "weight": list[float | None],
    "id": list[str | None],
    "key": list[Key | None],
}
"""Columns that are no features, and what is in them."""


def read_table(model: Model, body: bytes, media: str, most: int, *, labelled: bool) -> Table:
    """The rows of an Arrow stream or a Parquet file."""
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError:
        raise Refusal(415, "no_arrow", "pyarrow is not installed on the server") from None
    try:
        table = _stream(body) if media == ARROW else _parquet(body, most, model.limits.body)
        table.validate(full=True)
    except (pa.ArrowException, OSError, ValueError, struct.error) as error:
        raise Refusal(400, "bad_body", f"the table cannot be read: {error}") from None
    if table.num_rows == 0:
        raise Refusal(400, "bad_body", "there are no rows")
    _check_size(table.num_rows, table.num_columns, most, model.limits.body)
    if len(set(table.column_names)) < table.num_columns:
        raise Refusal(400, "bad_body", "two columns have the same name")
    own = {name: _plain(table, name) for name in OWN if name in table.column_names}
    nobody = [None] * table.num_rows
    if "id" in own:
        raise Refusal(400, "bad_body", "rows of a table do not wait: send those with id as JSON")
    return Table(
        X=_matrix(model, table),
        y=labels_of(model, own.get("y", nobody)) if labelled else None,
        weight=weights_of(own.get("weight", nobody)),
        id=None,
        key=keys_of(model, own.get("key", nobody)),
    )


def _stream(body: bytes) -> Any:
    import pyarrow as pa

    for message in pa.ipc.MessageReader.open_stream(pa.BufferReader(body)):
        if _is_compressed(message.metadata.to_pybytes()):
            raise _packed_otherwise("not compressed")
    return pa.ipc.open_stream(pa.BufferReader(body)).read_all()


def _parquet(body: bytes, most: int, largest: int) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = pq.ParquetFile(pa.BufferReader(body))
    about = file.metadata
    _check_size(about.num_rows, about.num_columns, most, largest)
    for group in map(about.row_group, range(about.num_row_groups)):
        for column in map(group.column, range(about.num_columns)):
            if column.compression not in ("UNCOMPRESSED", "SNAPPY"):  # others unpack to anything
                raise _packed_otherwise("compressed by Snappy or not at all")
    texts = [name for name in file.schema_arrow.names if name in ("y", "key")]
    return pq.ParquetFile(pa.BufferReader(body), read_dictionary=texts).read(use_threads=False)


def _check_size(rows: int, columns: int, most: int, largest: int) -> None:
    if rows > most:
        raise Refusal(413, "too_many_rows", f"a request has at most {most} rows")
    if 8 * rows * columns > largest:
        raise Refusal(413, "too_large", f"a table has at most {largest} bytes, unpacked")


def _packed_otherwise(what: str) -> Refusal:
    message = f"columns of this form are {what}; the whole body may be packed by gzip"
    return Refusal(415, "bad_packing", message)


def _is_compressed(message: bytes) -> bool:
    """Whether a message of Arrow is a batch of compressed columns.

    Message.fbs of Arrow has it: field 2 of a message is a batch, or field 1 of a dictionary's is
    it; field 3 of a batch says how it is compressed.
    """
    root = _table_at(message, 0)
    kind, header = _field(message, root, 1), _field(message, root, 2)
    if kind is None or header is None:
        return False
    batch: int | None = _table_at(message, header)
    if message[kind] == DICTIONARY and batch is not None:
        data = _field(message, batch, 1)
        batch = None if data is None else _table_at(message, data)
    elif message[kind] != BATCH:
        return False
    return batch is not None and _field(message, batch, 3) is not None


DICTIONARY, BATCH = 2, 3


def _table_at(data: bytes, place: int) -> int:
    """Where the table of a flatbuffer is that is referred to at a place."""
    return place + int(struct.unpack_from("<I", data, place)[0])


def _field(data: bytes, table: int, number: int) -> int | None:
    """Where a field of a table of a flatbuffer is, if it is there."""
    fields = table - struct.unpack_from("<i", data, table)[0]
    (length,) = struct.unpack_from("<H", data, fields)
    place = 4 + 2 * number
    offset = struct.unpack_from("<H", data, fields + place)[0] if place < length else 0
    return table + offset if offset else None


def _plain(table: Any, name: str) -> list[Any]:
    """A column that is no feature, as values of Python of the kind that it has in JSON."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = table[name]
    for chunk in column.chunks:
        values = chunk.dictionary if pa.types.is_dictionary(chunk.type) else chunk
        is_text = pa.types.is_string(values.type) or pa.types.is_large_string(values.type)
        if is_text and (pc.max(pc.binary_length(values)).as_py() or 0) > 4 * LONGEST_TEXT:
            message = f"a text has at most {LONGEST_TEXT} characters"
            raise Refusal(400, "bad_row", message, field=name)
        if not is_text and not _is_number(values.type):
            message = f"a column of {str(values.type)[:100]} is no {name}"
            raise Refusal(400, "bad_row", message, field=name)
    try:
        plain: list[Any] = msgspec.convert(column.to_pylist(), OWN[name])
    except msgspec.ValidationError as error:
        raise Refusal(400, "bad_row", str(error), field=name) from None
    return plain


def _is_number(kind: Any) -> bool:
    import pyarrow as pa

    types = pa.types
    return bool(
        types.is_integer(kind)
        or types.is_floating(kind)
        or types.is_boolean(kind)
        or types.is_decimal(kind)
        or types.is_null(kind)
    )


def _matrix(model: Model, table: Any) -> np.ndarray:
    import pyarrow as pa

    names = [name for name in table.column_names if name not in OWN]
    known = model.names
    if known is not None and set(names) != set(known):
        strange = sorted(set(names) ^ set(known))
        raise Refusal(400, "bad_body", f"the columns are other ones: {strange[:5]}", field="x")
    if model.width is not None and len(names) != model.width:
        message = f"the table has {len(names)} features, and {model.name} has {model.width}"
        raise Refusal(400, "bad_body", message, field="x")
    if not 0 < len(names) <= model.limits.width:
        raise Refusal(400, "bad_body", "the table has too few or too many columns", field="x")
    for name in names:
        if not _is_number(table.schema.field(name).type):
            message = f"{name[:100]!r} is no column of numbers"
            raise Refusal(400, "bad_body", message, field="x")
    numbers = [table[name].cast(pa.float64(), safe=False) for name in known or names]  # as in JSON
    columns = [each.to_numpy(zero_copy_only=False) for each in numbers]
    return checked_matrix(model, np.ascontiguousarray(np.column_stack(columns)))


def written_table(rows: list[dict[str, Any]]) -> bytes:
    """Answers as an Arrow stream."""
    import pyarrow as pa

    table = pa.Table.from_pylist(rows)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())
