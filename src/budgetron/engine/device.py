"""Where a block is looked ahead at, if not here: a device with an array library of its own.

All that is done there is written against the array library, which is CuPy on a GPU. NumPy can take
its place, so that the same lines run where there is none.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

__all__ = ["CPU", "DEVICES", "Device", "device_called"]

CPU = "cpu"
"""No device: the look-ahead is made here."""


class Device:
    """An array library, and how arrays come to it and back.

    Parameters
    ----------
    arrays : module
        NumPy, or one that does what NumPy does.
    sparse : module
        The same of `scipy.sparse`.
    """

    def __init__(self, arrays: Any, sparse: Any) -> None:
        self.arrays, self.sparse = arrays, sparse

    def send(self, array: np.ndarray) -> Any:
        """A copy there."""
        return self.arrays.array(array)

    def fetch(self, array: Any, out: np.ndarray) -> np.ndarray:
        """Copy an array from there into one of the same shape here."""
        np.copyto(out, array)
        return out

    def room(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """An array here that copies come to quickly."""
        return np.empty(shape, dtype)

    def free_bytes(self) -> float:
        """How much memory is left there."""
        return np.inf

    def refuse_unless_it_fits(self, needed: int) -> None:
        """Raise MemoryError for more bytes than are left there."""
        free = self.free_bytes()
        if needed > free:
            raise MemoryError(
                f"this takes {needed:,} bytes on the GPU, which has {free:,.0f} bytes left; a"
                " smaller budget takes less"
            )


class Cuda(Device):
    """The current GPU of CuPy."""

    def __init__(self) -> None:
        try:
            cupy = import_module("cupy")
        except ImportError as error:
            raise ImportError(
                'device="cuda" needs CuPy: pip install "budgetron[gpu]", or the CuPy that suits'
                " the CUDA of this machine"
            ) from error
        try:
            found = cupy.cuda.runtime.getDeviceCount()
        except cupy.cuda.runtime.CUDARuntimeError as error:
            raise RuntimeError(f'device="cuda" needs a GPU, and there is none: {error}') from error
        if found == 0:
            raise RuntimeError('device="cuda" needs a GPU, and there is none')
        super().__init__(cupy, import_module("cupyx.scipy.sparse"))
        self._cupy, self._pinned = cupy, import_module("cupyx").empty_pinned

    def send(self, array: np.ndarray) -> Any:
        """A copy there."""
        there = self.arrays.empty(array.shape, array.dtype)
        there.set(np.ascontiguousarray(array))
        return there

    def fetch(self, array: Any, out: np.ndarray) -> np.ndarray:
        """Copy an array from there into one of the same shape here."""
        self.arrays.ascontiguousarray(array).get(out=out)
        return out

    def room(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """An array here that copies come to quickly."""
        return self._pinned(shape, dtype)

    def free_bytes(self) -> float:
        """How much memory is left there, with what CuPy keeps for later."""
        free, _ = self._cupy.cuda.runtime.memGetInfo()
        return float(free + self._cupy.get_default_memory_pool().free_bytes())


DEVICES: dict[str, Callable[[], Device]] = {"cuda": Cuda}
"""By the name that a user gives."""


@cache
def device_called(name: str) -> Device:
    """The device of this name; ImportError or RuntimeError if it is not there."""
    return DEVICES[name]()
