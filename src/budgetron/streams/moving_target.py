"""Streams that are made row by row: instances, and a target that labels them and moves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np

from .sample import Sample
from .stream import Stream

__all__ = ["PIECE", "ROUNDING", "MovingTarget", "piece_lengths", "signs"]

PIECE = 1024
"""Rows made at once. Always as many, whatever is asked for: so rounding is always the same."""

ROUNDING = 1e-12
"""More than rounding adds to the distance of two points in the unit interval or ball."""


class MovingTarget(Stream):
    """A stream that knows the target of each row, and measures its steps."""

    @abstractmethod
    def _pieces(self) -> Iterator[tuple[Any, np.ndarray, np.ndarray]]:
        """Instances, labels and targets, piece by piece."""

    def _samples(self) -> Iterator[Sample]:
        before = None
        for X, labels, targets in self._pieces():
            start = targets[:1] if before is None else before
            steps = self._steps(np.concatenate([start, targets]))
            yield Sample(X, labels, labels, targets, steps, self.near)
            before = targets[-1:]

    def _steps(self, targets: np.ndarray) -> np.ndarray:
        """The distance of each target but the first from the one before it."""
        moves = np.diff(targets, axis=0)
        return np.abs(moves) if moves.ndim == 1 else np.linalg.norm(moves, axis=1)


def piece_lengths(rows: int | None) -> Iterator[int]:
    """The lengths of the pieces that so many rows are made in; None is for ever."""
    for first in count(0, PIECE) if rows is None else range(0, rows, PIECE):
        yield PIECE if rows is None else min(PIECE, rows - first)


def signs(positive: np.ndarray) -> np.ndarray:
    """The labels +1 and -1."""
    return np.where(positive, 1, -1)
