"""A stream in pieces that do not depend on how it arrives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from scipy import sparse

from ..reading import Chunk
from ..reading.chunk import part

__all__ = ["joined", "windows"]


def windows(chunks: Iterable[Chunk], size: int) -> Iterator[Chunk]:
    """The same rows, in chunks that end where the number of rows is a multiple of `size`.

    Learners decide the same however a stream is cut; scores and weights agree to the last bit only
    if it is cut in the same way, from a pipe as from a file, at once or in several runs.
    """
    parts: list[Chunk] = []
    end = 0
    for chunk in chunks:
        while len(chunk.rows):
            if parts and chunk.rows[0] >= end:
                yield joined(parts)
                parts = []
            end = (int(chunk.rows[0]) // size + 1) * size
            inside = int(np.searchsorted(chunk.rows, end))
            parts.append(part(chunk, slice(0, inside)))
            chunk = part(chunk, slice(inside, None))
            if parts[-1].rows[-1] == end - 1:
                yield joined(parts)
                parts = []
    if parts:
        yield joined(parts)


def joined(parts: list[Chunk]) -> Chunk:
    """Chunks that follow each other, as one."""
    if len(parts) == 1:
        return parts[0]
    X, y, rows = zip(*parts, strict=True)
    stack = sparse.vstack(X, format="csr") if sparse.issparse(X[0]) else np.concatenate(X)
    return Chunk(stack, None if y[0] is None else np.concatenate(y), np.concatenate(rows))
