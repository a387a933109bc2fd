"""Blocks that are cut and measured in a thread of their own, before they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import numpy as np

from ..core.blocks import DenseBlocks, SparseBlocks, measure
from ..core.buffers import Buffer
from ..core.kernel import Kernel, Rows
from .device import Device
from .learner import Learner

__all__ = ["ComingBlocks"]

REAL = np.dtype(np.float64)

ROOMS = 3
"""For the block that is learned, the one that is looked ahead at, and the one after it."""


class ComingBlocks:
    """The blocks of a stream, one after the other, for a device.

    Parameters
    ----------
    learner : Learner
        Or any other with the same kernel, dtype and kind of rows.
    device : Device
    stack : ExitStack
        Where the thread goes home.
    """

    def __init__(self, learner: Learner, device: Device, stack: ExitStack) -> None:
        self._thread = stack.enter_context(ThreadPoolExecutor(1))
        self._rooms = [_Room(learner, device) for _ in range(ROOMS)]
        self._stream: Rows = None
        self._coming: dict[tuple[int, int], Future[Any]] = {}

    def take(self, X: Rows, first: int, last: int) -> Any:
        """The examples `first` to `last - 1`; those that come next are cut meanwhile."""
        if X is not self._stream:
            self._stream, self._coming = X, {}
        block = self._cut(first, last).result()
        del self._coming[first, last]
        for start, end in self._next(first, last):
            self._cut(start, end)
        return block

    def next(self, first: int, last: int) -> Any:
        """The block after the examples `first` to `last - 1`, or None."""
        for here in self._next(first, last):
            return self._coming[here].result()
        return None

    def then(self, task: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have something done in the same thread, after what it has been asked for."""
        return self._thread.submit(task, *arguments)

    def _next(self, first: int, last: int) -> list[tuple[int, int]]:
        """Where the two blocks are that will likely be asked for next."""
        length, end = last - first, self._stream.shape[0]
        starts = range(last, min(last + 2 * length, end), length)
        return [(start, min(start + length, end)) for start in starts]

    def _cut(self, first: int, last: int) -> Future[Any]:
        if (first, last) not in self._coming:
            room = self._rooms.pop(0)
            self._rooms.append(room)
            self._coming[first, last] = self._thread.submit(room.cut, self._stream, first, last)
        return self._coming[first, last]


class _Room:
    """Room for a block, from which a device can copy it."""

    def __init__(self, learner: Learner, device: Device) -> None:
        kind = SparseBlocks if learner.sparse else DenseBlocks
        self._blocks = kind(learner.width, learner.dtype, REAL)
        self._kernel: Kernel = learner.kernel  # type: ignore[assignment]
        self._rows = Buffer(learner.dtype, device.room)
        self._own = Buffer(REAL, device.room)

    def cut(self, X: Rows, first: int, last: int) -> Any:
        """The examples `first` to `last - 1`, measured."""
        block: Any = self._blocks.cut(X, first, last)
        block = block._replace(own=self._own.shaped(*block.own.shape))
        if isinstance(self._blocks, DenseBlocks):
            rows = self._rows.shaped(*block.rows.shape)
            np.copyto(rows, block.rows)
            block = block._replace(rows=rows)
        measure(self._kernel, block)
        return block
