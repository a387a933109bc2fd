"""Rows that have become numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix, issparse, vstack

from .errors import BadRow

__all__ = ["Chunk", "Encoded", "joined", "part"]


class Chunk(NamedTuple):
    """Some rows of the input, in order.

    Attributes
    ----------
    X : ndarray or csr_matrix of shape (n_rows, n_features)
        The rows, in float64.
    y : ndarray of shape (n_rows,), or None
        Their labels as they are in the input; None if labels are not read.
    rows : ndarray of shape (n_rows,)
        Their numbers in all of the input, from 0; bad rows are counted.
    """

    X: np.ndarray | csr_matrix
    y: np.ndarray | None
    rows: np.ndarray


class Encoded(NamedTuple):
    """Rows as features and labels, and what is wrong with those of them that are bad."""

    X: np.ndarray | csr_matrix
    y: np.ndarray | None
    problems: dict[int, str]

    def pieces(self, row: int, bad: list[BadRow]) -> Iterator[Chunk | BadRow]:
        """The good rows before the first bad one, the bad ones, and the other good ones."""
        chunk = Chunk(self.X, self.y, np.arange(row, row + self.X.shape[0]))
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
    y = None if chunk.y is None else chunk.y[which]
    return Chunk(chunk.X[which], y, chunk.rows[which])


def joined(parts: list[Chunk]) -> Chunk:
    """Chunks that follow each other, as one."""
    if len(parts) == 1:
        return parts[0]
    X, y, rows = zip(*parts, strict=True)
    stack = vstack(X, format="csr") if issparse(X[0]) else np.concatenate(X)
    return Chunk(stack, None if y[0] is None else np.concatenate(y), np.concatenate(rows))
