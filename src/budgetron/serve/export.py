"""What a model has learned, in a file that others can read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from .history import History, Learnt

__all__ = ["FORMS", "export"]

OWN = ("row", "version", "time", "y", "weight", "key", "id", "predicted", "score", "mistake")


def export(history: History, path: Path) -> int:
    """Write all rows; how many there were.

    Parameters
    ----------
    history : History
    path : Path
        Its ending says in which form.

    Raises
    ------
    ValueError
        If a file of this form cannot have them.
    """
    return FORMS[path.suffix](history, path)


def _as_lines(history: History, path: Path) -> int:
    """A JSON object each; features are a list, or an object if they have names."""
    encode, names, rows = msgspec.json.Encoder().encode, history.names, 0
    with open(path, "wb") as file:
        for learnt in history:
            columns = [_plain(getattr(learnt, name)) for name in OWN]
            for x, *own in zip(learnt.X.tolist(), *columns, strict=True):
                about = dict(zip(OWN, own, strict=True))
                about["x"] = x if names is None else dict(zip(names, x, strict=True))
                file.write(encode(about) + b"\n")
            rows += len(learnt)
    return rows


def _as_parquet(history: History, path: Path) -> int:
    """A column for each feature, named x.0 or x.NAME, beside the others."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    writer, rows = None, 0
    try:
        for learnt in history:
            try:
                table = _table(learnt, history.names, None if writer is None else writer.schema)
            except (pa.ArrowException, OverflowError) as error:
                message = f"labels or keys are of several kinds ({error}): write .jsonl"
                raise ValueError(message) from None
            writer = writer or pq.ParquetWriter(path, table.schema)
            writer.write_table(table)
            rows += len(learnt)
    finally:
        if writer is not None:
            writer.close()
    if writer is None:
        raise ValueError("nothing has been learned: there are no rows")
    return rows


def _table(learnt: Learnt, names: list[str] | None, schema: Any) -> Any:
    import pyarrow as pa

    columns: dict[str, Any] = {}
    for name in OWN:
        values = _plain(getattr(learnt, name))
        kind = None if schema is None else schema.field(name).type
        if kind is None and name in ("y", "predicted"):  # the first labels may be None
            kind = pa.array(learnt.y).type
        if kind is None and name in ("key", "id") and all(value is None for value in values):
            kind = pa.string()
        columns[name] = pa.array(values, kind)
    for at, name in enumerate(names or map(str, range(learnt.X.shape[1]))):
        columns[f"x.{name}"] = pa.array(np.ascontiguousarray(learnt.X[:, at]))
    return pa.table(columns)


def _plain(values: Any) -> list[Any]:
    return values if isinstance(values, list) else values.tolist()


FORMS: dict[str, Callable[[History, Path], int]] = {
    ".jsonl": _as_lines,
    ".ndjson": _as_lines,
    ".parquet": _as_parquet,
}
"""How rows are written, by the ending of a file's name."""
