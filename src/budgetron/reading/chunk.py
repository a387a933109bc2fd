"""Rows that have become numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix, issparse, vstack

from .errors import BadRow

__all__ = ["Chunk", "Encoded", "joined", "labelled_part", "part"]


@dataclass(frozen=True, eq=False)
class Chunk:
    """Some rows of the input, in order: `X, y, rows = chunk`.

    Attributes
    ----------
    X : ndarray or csr_matrix of shape (n_rows, n_features)
        The rows, in float64.
    y : ndarray of shape (n_rows,), or None
        Their labels as they are in the input; None if labels are not read.
    rows : ndarray of shape (n_rows,)
        Their numbers in all of the input, from 0; bad rows are counted.
    is_labelled : ndarray of shape (n_rows,), or None
        Whether each has a label, if labels are read; `y` has anything where there is none.
    is_bare : ndarray of shape (n_rows,), or None
        Whether each has nothing but an id and a label, if ids are read.
    weights : ndarray of shape (n_rows,), or None
        Their weights, if there are any.
    ids : ndarray of shape (n_rows,), or None
        Which is which, in texts, if ids are read.
    """

    X: np.ndarray | csr_matrix
    y: np.ndarray | None
    rows: np.ndarray
    is_labelled: np.ndarray | None = None
    is_bare: np.ndarray | None = None
    weights: np.ndarray | None = None
    ids: np.ndarray | None = None

    def __iter__(self) -> Iterator[Any]:
        return iter((self.X, self.y, self.rows))

    def __len__(self) -> int:
        return len(self.rows)


class Encoded(NamedTuple):
    """Rows, numbered from 0, and what is wrong with those of them that are bad."""

    chunk: Chunk
    problems: dict[int, str]

    def pieces(self, row: int, bad: list[BadRow]) -> Iterator[Chunk | BadRow]:
        """The good rows before the first bad one, the bad ones, and the other good ones."""
        chunk = replace(self.chunk, rows=self.chunk.rows + row)
        if not bad:
            yield chunk
            return
        good = np.setdiff1d(chunk.rows, [each.row for each in bad]) - row
        before = np.searchsorted(good, bad[0].row - row)
        yield part(chunk, good[:before])
        yield from bad
        yield part(chunk, good[before:])


def part(chunk: Chunk, which: slice | np.ndarray) -> Chunk:
    """Some of the rows of a chunk."""
    return Chunk(*_each(lambda values: values[which], chunk))


def labelled_part(chunk: Chunk) -> Chunk:
    """The rows that have labels."""
    if chunk.is_labelled is None or chunk.is_labelled.all():
        return chunk
    return part(chunk, np.flatnonzero(chunk.is_labelled))


def joined(parts: list[Chunk]) -> Chunk:
    """Chunks that follow each other, as one."""
    return parts[0] if len(parts) == 1 else Chunk(*_each(_stacked, *parts))


def _each(change: Callable[..., Any], *chunks: Chunk) -> Iterator[Any]:
    for field in fields(Chunk):
        own = [getattr(chunk, field.name) for chunk in chunks]
        yield None if own[0] is None else change(*own)


def _stacked(*parts: Any) -> Any:
    return vstack(parts, format="csr") if issparse(parts[0]) else np.concatenate(parts)
