"""Rows as tables of Arrow: a column for each feature, and y, weight and key if they are there."""

from __future__ import annotations

from typing import Any

import numpy as np

from .bodies import ARROW, Table, checked_matrix, keys_of, labels_of
from .model import Model
from .refusal import Refusal

__all__ = ["read_table", "written_table"]

OWN = ("y", "weight", "id", "key")


def read_table(model: Model, body: bytes, media: str, most: int, *, labelled: bool) -> Table:
    """The rows of an Arrow stream or a Parquet file."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise Refusal(415, "no_arrow", "pyarrow is not installed on the server") from None
    try:
        source = pa.BufferReader(body)
        if media == ARROW:
            table = pa.ipc.open_stream(source).read_all()
        else:
            if pq.ParquetFile(source).metadata.num_rows > most:
                raise Refusal(413, "too_many_rows", f"a request has at most {most} rows")
            table = pq.read_table(pa.BufferReader(body))
        table.validate(full=True)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise Refusal(400, "bad_body", f"the table cannot be read: {error}") from None
    if table.num_rows == 0:
        raise Refusal(400, "bad_body", "there are no rows")
    if table.num_rows > most:
        raise Refusal(413, "too_many_rows", f"a request has at most {most} rows")
    own = {name: table[name].to_pylist() for name in OWN if name in table.column_names}
    nobody = [None] * table.num_rows
    if own.get("id") is not None:
        raise Refusal(400, "bad_body", "rows of a table do not wait: send those with id as JSON")
    try:
        weights: list[float | None] | None = None
        if "weight" in own:
            weights = [float(weight) for weight in own["weight"]]
    except TypeError:
        raise Refusal(400, "bad_row", "a weight is no number", field="weight") from None
    return Table(
        X=_matrix(model, table),
        y=labels_of(model, own.get("y", nobody)) if labelled else None,
        weight=weights,
        id=None,
        key=keys_of(model, own.get("key", nobody)),
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
    try:
        columns = [
            table[name].cast(pa.float64()).to_numpy(zero_copy_only=False) for name in known or names
        ]
    except (pa.ArrowException, ValueError) as error:
        raise Refusal(400, "bad_body", f"a feature is no number: {error}", field="x") from None
    return checked_matrix(model, np.ascontiguousarray(np.column_stack(columns)))


def written_table(rows: list[dict[str, Any]]) -> bytes:
    """Answers as an Arrow stream."""
    import pyarrow as pa

    table = pa.Table.from_pylist(rows)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())
