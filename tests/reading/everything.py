"""Everything that a reader delivers, in one piece."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import issparse

from budgetron.reading import BadRow, Plan, Reader, ReadOptions


class Everything(NamedTuple):
    X: list[list[float]]
    y: list[Any] | None
    rows: list[int]
    bad: list[BadRow]
    plan: Plan
    sizes: list[int]

    def same_rows(self, other: Everything) -> bool:
        return (self.X, self.y, self.rows, told(self)) == (
            other.X,
            other.y,
            other.rows,
            told(other),
        )


def everything(source: Any, plan: Plan | ReadOptions | None = None, **options: Any) -> Everything:
    """All rows; bad ones are collected."""
    bad: list[BadRow] = []
    reader = Reader(source, plan, on_bad=bad.append, **options)
    X: list[list[float]] = []
    y: list[Any] = []
    rows: list[int] = []
    sizes = []
    for chunk in reader:
        sizes.append(len(chunk.rows))
        assert chunk.X.shape == (len(chunk.rows), reader.plan.width)
        assert issparse(chunk.X) == reader.plan.sparse
        X += (chunk.X.toarray() if issparse(chunk.X) else chunk.X).tolist()
        rows += chunk.rows.tolist()
        if chunk.y is None:
            y = None
        else:
            assert chunk.y.shape == chunk.rows.shape
            y += chunk.y.tolist()
    assert np.isfinite(X).all()
    return Everything(X, y, rows, bad, reader.plan, sizes)


def told(read: Everything) -> list[tuple[Any, ...]]:
    """What is known about the bad rows."""
    return [(bad.line, bad.row, bad.raw) for bad in read.bad]
