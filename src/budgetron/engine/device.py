"""Where a block is looked ahead at, if not here: a device with an array library of its own.

All that is done there is written against the array library, which is CuPy on a GPU. NumPy can take
its place, so that the same lines run where there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from ..core.exact import nearest

__all__ = ["CPU", "DEVICES", "Device", "device_called"]

CPU = "cpu"
"""No device: the look-ahead is made here."""


ADD_UP = r"""
extern "C" __global__ void add_up(
    double* totals, const double* values, const double* numbers, const bool* adds,
    long long many, long long slots
) {
    long long slot = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (slot >= slots) return;
    double total = totals[slot];
    values += slot;
    for (long long i = 0; i < many; i++) {
        if (adds[i]) {
            total = __dadd_rn(total, __dmul_rn(*values, numbers[i]));
            values += slots;
        } else {
            total = __dmul_rn(total, numbers[i]);
        }
    }
    totals[slot] = total;
}
"""
"""`Device.add_up` for a GPU, where a product and a sum would otherwise be rounded as one."""

QUANTIZE = r"""
extern "C" __global__ void quantize(
    double* rounded, long long* close, unsigned long long* found, const double* values,
    const long long* columns, const double* cells, const double* near, const bool* wanted,
    long long many, long long slots, long long length, unsigned long long room
) {
    __shared__ double tile[32][33];
    long long first = 32LL * blockIdx.x, i = 32LL * blockIdx.y + threadIdx.x;
    for (int k = threadIdx.y; k < 32; k += 8) {
        long long slot = first + k;
        if (slot >= slots || i >= many) continue;
        double place = values[slot * length + columns[i]] / cells[i];
        double whole = __dadd_rn(__dadd_rn(place, 6755399441055744.0), -6755399441055744.0);
        tile[k][threadIdx.x] = __dmul_rn(whole, cells[i]);
        if (wanted[slot] && fabs(fabs(place - whole) - 0.5) <= near[i]) {
            unsigned long long one = atomicAdd(found, 1ULL);
            if (one < room) close[one] = i * slots + slot;
        }
    }
    __syncthreads();
    long long slot = first + threadIdx.x;
    for (int k = threadIdx.y; k < 32; k += 8) {
        i = 32LL * blockIdx.y + k;
        if (slot < slots && i < many) rounded[i * slots + slot] = tile[threadIdx.x][k];
    }
}
"""
"""`Device.quantized` for a GPU, in one pass over squares of 32 by 32."""

CLOSE_OF_EACH = 64
"""So many values of a column may be close to two cells, in the mean, or all is done again."""


class Device:
    """An array library, and how arrays come to it and back.

    What is asked for `at_work` is done in order, and need not have been done before `wait` returns.

    Parameters
    ----------
    arrays : module
        NumPy, or one that does what NumPy does.
    sparse, linalg : module
        The same of `scipy.sparse` and `scipy.linalg`.
    """

    def __init__(self, arrays: Any, sparse: Any, linalg: Any) -> None:
        self.arrays, self.sparse, self.linalg = arrays, sparse, linalg

    def send(self, array: np.ndarray) -> Any:
        """A copy there."""
        return self.arrays.array(array)

    def fetch(self, array: Any, out: np.ndarray) -> None:
        """Copy an array from there into `room` of the same shape here; it is there after `wait`."""
        np.copyto(out, array)

    def fetch_rows(self, array: Any, which: Any, out: np.ndarray) -> None:
        """Copy some rows of an array into the same ones of `room` here, there after `wait`."""
        out[which] = array[which]

    def room(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """An array here that copies come to, and are sent from, while something else is done."""
        return np.empty(shape, dtype)

    def at_work(self) -> AbstractContextManager[Any]:
        """In which a thread has to be that asks for anything."""
        return nullcontext()

    def new_lane(self) -> Any:
        """Where somebody's work is done in order, beside all other work, to which it yields."""
        return None

    def beside(self, lane: Any, mark: Any) -> AbstractContextManager[Any]:
        """In which a thread asks for what is done in a lane, after all up to a mark."""
        return nullcontext()

    def follow(self, mark: Any) -> None:
        """Have what is asked for from now on done after all up to a mark, of this thread or not."""

    def mark(self) -> Any:
        """What has been asked for up to now."""
        return None

    def wait(self, mark: Any) -> None:
        """Wait until all of it has been done."""

    def add_up(self, totals: Any, values: Any, numbers: np.ndarray, adds: np.ndarray) -> None:
        """Change each total by all numbers in turn, rounding each product and each sum.

        Where a number `adds`, it is multiplied by the next row of values and added; otherwise the
        totals are multiplied by it.
        """
        rows = iter(values)
        for number, is_added in zip(numbers.tolist(), adds.tolist(), strict=True):
            if is_added:
                totals += next(rows) * number
            else:
                totals *= number

    def quantized(
        self, values: Any, columns: np.ndarray, cells: np.ndarray, near: np.ndarray, wanted: Any
    ) -> tuple[Any, np.ndarray]:
        """Some columns of an array, as rows, in whole cells, and where two cells are as near.

        That is where a number, in cells, is not farther than `near` from the middle of two; it is
        of interest in `wanted` rows of the array, and known by its place in what is returned.
        """
        places = values[:, columns].T / cells[:, None]
        whole = nearest(places)
        close = np.abs(np.abs(places - whole) - 0.5) <= near[:, None]
        return whole * cells[:, None], np.flatnonzero(close & wanted)

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
        scipy = "cupyx.scipy.sparse", "cupyx.scipy.linalg"
        super().__init__(cupy, *map(import_module, scipy))
        self._current = cupy.cuda.Device()
        self._first = cupy.cuda.Stream(non_blocking=True, priority=-1)
        self._cuda, self._pinned = cupy.cuda, import_module("cupyx").empty_pinned
        self._add_up = cupy.RawKernel(ADD_UP, "add_up")
        self._quantize = cupy.RawKernel(QUANTIZE, "quantize")

    def send(self, array: np.ndarray) -> Any:
        """A copy there; what is not in a `room` may be written over at once."""
        array = np.ascontiguousarray(array)
        there = self.arrays.empty(array.shape, array.dtype)
        self._copy(there.data.ptr, array.ctypes.data, array.nbytes, "HostToDevice")
        return there

    def fetch(self, array: Any, out: np.ndarray) -> None:
        """Copy an array from there into `room` of the same shape here; it is there after `wait`."""
        array = self.arrays.ascontiguousarray(array)
        self._copy(out.ctypes.data, array.data.ptr, array.nbytes, "DeviceToHost")

    def _copy(self, to: int, start: int, many: int, way: str) -> None:
        """Copy bytes when all that was asked for before has been done."""
        if many > 0:
            kind = getattr(self._cuda.runtime, f"memcpy{way}")
            stream = self._cuda.get_current_stream().ptr
            self._cuda.runtime.memcpyAsync(to, start, many, kind, stream)

    def fetch_rows(self, array: Any, which: Any, out: np.ndarray) -> None:
        """Copy some rows of an array into the same rows of `room` here, to be there after `wait`.

        The GPU writes into the memory of this machine.
        """
        start = out.ctypes.data
        memory = self._cuda.UnownedMemory(start, out.nbytes, out, self._cuda.Device().id)
        pointer = self._cuda.MemoryPointer(memory, 0)
        here = self.arrays.ndarray(out.shape, out.dtype, pointer)
        here[which] = array[which]

    def room(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """An array here that copies come to, and are sent from, while something else is done."""
        return self._pinned(shape, dtype)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """In which a thread has to be that asks for anything."""
        with self._current, self._first:
            yield

    def new_lane(self) -> Any:
        """Where somebody's work is done in order, beside other work, to which it yields.

        CuPy gives the memory of an array that is gone to the next one of the same stream at once.
        """
        with self._current:
            return self._cuda.Stream(non_blocking=True, priority=0)

    @contextmanager
    def beside(self, lane: Any, mark: Any) -> Iterator[None]:
        """In which a thread asks for what is done in a lane, after all up to a mark."""
        with self._current, lane:
            lane.wait_event(mark)
            yield

    def follow(self, mark: Any) -> None:
        """Have what is asked for from now on done after all up to a mark, of this thread or not."""
        self._cuda.get_current_stream().wait_event(mark)

    def mark(self) -> Any:
        """What has been asked for up to now."""
        event = self._cuda.Event(disable_timing=True)
        event.record()
        return event

    def wait(self, mark: Any) -> None:
        """Wait until all of it has been done."""
        mark.synchronize()

    def add_up(self, totals: Any, values: Any, numbers: np.ndarray, adds: np.ndarray) -> None:
        """Change each total by all numbers in turn, rounding each product and each sum."""
        many, each = len(totals), 128
        sent = self.send(numbers), self.send(adds), np.int64(len(numbers)), np.int64(many)
        self._add_up((-(-many // each),), (each,), (totals, values, *sent))

    def quantized(
        self, values: Any, columns: np.ndarray, cells: np.ndarray, near: np.ndarray, wanted: Any
    ) -> tuple[Any, np.ndarray]:
        """Some columns of an array, as rows, in whole cells, and where two cells are as near."""
        many, (slots, length) = len(columns), values.shape
        rounded, room = self.arrays.empty((many, slots)), CLOSE_OF_EACH * many
        sent = [self.send(each) for each in (columns, cells, near, wanted)]
        shape = np.int64(many), np.int64(slots), np.int64(length)
        while True:
            close, found = self.arrays.empty(room, np.int64), self.arrays.zeros(1, np.uint64)
            squares = -(-slots // 32), -(-many // 32)
            to = rounded, close, found, values
            self._quantize(squares, (32, 8), (*to, *sent, *shape, np.uint64(room)))
            here = self.room((room + 1,), np.int64)
            self.fetch(close, here[1:])
            self.fetch(found, here[:1].view(np.uint64))
            self.wait(self.mark())
            if here[0] <= room:
                return rounded, np.sort(here[1 : here[0] + 1])
            room = int(here[0])

    def free_bytes(self) -> float:
        """How much memory is left there, with what CuPy keeps for later."""
        free, _ = self._cuda.runtime.memGetInfo()
        return float(free + self.arrays.get_default_memory_pool().free_bytes())


DEVICES: dict[str, Callable[[], Device]] = {"cuda": Cuda}
"""By the name that a user gives."""


@cache
def device_called(name: str) -> Device:
    """The device of this name; ImportError or RuntimeError if it is not there."""
    return DEVICES[name]()
