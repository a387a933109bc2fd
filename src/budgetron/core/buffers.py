"""Memory that is used again from block to block."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .allocation import refuse_unless_it_fits

__all__ = ["Buffer", "Buffers"]


class Buffer:
    """An array that is at least as large as the largest request so far, made by a function."""

    def __init__(self, dtype: Any, make: Callable[..., np.ndarray] = np.empty) -> None:
        self._make, self._memory = make, np.empty(0, dtype)
        self._view = self._memory

    def shaped(self, *shape: int) -> np.ndarray:
        """An array of this shape with arbitrary contents, valid until the next request."""
        if self._view.shape != shape:
            size = math.prod(shape)
            if size > len(self._memory):
                dtype = self._memory.dtype
                refuse_unless_it_fits(size * dtype.itemsize)
                self._memory = self._view = np.empty(0, dtype)  # the old memory goes first
                self._memory = self._make((size + size // 8,), dtype)
            self._view = self._memory[:size].reshape(shape)
        return self._view


class Buffers:
    """One for each name."""

    def __init__(self, make: Callable[..., np.ndarray] = np.empty) -> None:
        self._make, self._named = make, dict[str, Buffer]()

    def shaped(self, name: str, dtype: Any, *shape: int) -> np.ndarray:
        """An array of this shape with arbitrary contents, valid until the next of this name."""
        if name not in self._named:
            self._named[name] = Buffer(dtype, self._make)
        return self._named[name].shaped(*shape)
