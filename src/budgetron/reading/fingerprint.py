"""Which rows were read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
from scipy.sparse import issparse

from .chunk import Chunk

__all__ = ["Fingerprint"]


@dataclass
class Fingerprint:
    """Checksums of good rows, which are the same however these are cut or packed.

    It finds what happens by accident; rows can be made up that have the checksums of others.

    Attributes
    ----------
    places, features, values, labels, ids, weights : int
        CRC-32 of the numbers of the rows, of the stored features of sparse ones, and of their
        values, labels, ids and weights.
    """

    places: int = 0
    features: int = 0
    values: int = 0
    labels: int = 0
    ids: int = 0
    weights: int = 0

    def add(self, chunk: Chunk) -> None:
        """Go on with these rows."""
        X: Any = chunk.X
        places = chunk.rows
        if chunk.is_labelled is not None:
            places = np.where(chunk.is_labelled, places, ~places)
        if issparse(X):
            places = np.column_stack((places, np.diff(X.indptr)))
            self.features = _checksum(X.indices.astype(np.int64), self.features)
            X = X.data
        self.places = _checksum(places, self.places)
        self.values = _checksum(X, self.values)
        for name, known in (("labels", chunk.y), ("ids", chunk.ids), ("weights", chunk.weights)):
            if known is not None:
                as_bytes = _bytes(known) if known.dtype == object else known
                setattr(self, name, _checksum(as_bytes, getattr(self, name)))


def _bytes(texts: np.ndarray) -> np.ndarray:
    """Texts, with a zero after each."""
    ended = texts.tolist()
    ended.append("")
    return np.frombuffer("\0".join(ended).encode(), np.uint8)


def _checksum(array: np.ndarray, before: int) -> int:
    return crc32(np.ascontiguousarray(array).data, before)
