"""What a device has of a learner and of a block: the rows of both, ready to be multiplied."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any, NamedTuple
from weakref import ref

import numpy as np

from ..core.blocks import DenseBlock
from ..core.buffers import Buffers
from ..core.edits.suffix_scores import Owed
from ..core.kernel import Kernel, inverse_lengths
from ..core.memory import SuffixScores
from ..core.rule import most_supports
from ..core.state import NOBODY, USED, State
from ..core.storage import DenseRows, enlarged
from .device import Device
from .workspace import Workspace

__all__ = ["DEVICE_BLOCK", "Descent", "Mirror", "block_there"]

DEVICE_BLOCK = 512
"""The length of a block: long enough for a GPU, and its square is what is copied."""

ROWS_AT_ONCE = 4096
"""So many rows are sent at once."""

REAL = np.dtype(np.float64)
"""In which everything is evaluated there, whatever rows are kept in."""

Room = Callable[[int, int], Any]


class Descent:
    """Whose supports a learner has: for itself and for a copy of it, equal births are equal rows.

    Those that came since it was copied are each one's own.
    """

    def __init__(self) -> None:
        self._parent: ref[Descent] | None = None
        self._since = 0

    def of_copy(self, seen: int) -> Descent:
        """That of a copy, after so many examples."""
        copy = Descent()
        copy._parent, copy._since = ref(self), seen
        return copy

    def known_of(self, other: Descent | None, births: np.ndarray) -> np.ndarray:
        """The births of another one as far as they are this one's, and NOBODY for all others."""
        if other is self:
            return births
        if other is None or self._parent is None or self._parent() is not other:
            return np.full_like(births, NOBODY)
        return np.where(births < self._since, births, NOBODY)


class Mirror:
    """The supports of one learner on a device, by slot, and room for a block's kernel values.

    A support is known by its birth, so that from block to block only newcomers are sent.

    Parameters
    ----------
    device : Device
    workspace : Workspace
        For those who have the lock.

    Attributes
    ----------
    lock : RLock
        For whoever uses it.
    rows : what `products` of a block takes
    inverse : array there, or None
        The supports' inverse lengths, if the kernel is divided by them.
    values : array there
        The kernel values of supports and block.
    """

    def __init__(self, device: Device, workspace: Workspace) -> None:
        self._device, self.workspace, self.lock = device, workspace, RLock()
        self._followed: Descent | None = None
        self._births = np.zeros(0, np.int64)
        self._lengths = np.zeros(0)
        self._matrix: Any = None
        self._values, self._lent = device.arrays.empty(0), device.room((0,), REAL)
        self._buffers = Buffers()
        self.rows: Any = None
        self.inverse: Any = None
        self.values: Any = None

    def follow(self, kernel: Kernel, state: State, descent: Descent) -> None:
        """Have the supports that a learner has now."""
        used, rows = int(state.counts[USED]), state.rows
        if self._matrix is None:
            self._matrix = (_DenseMatrix if isinstance(rows, DenseRows) else _SparseMatrix)(
                self._device
            )
        births = descent.known_of(self._followed, self._births[:used])
        known = enlarged(births - NOBODY, used) + NOBODY
        self._followed = descent
        changed = np.flatnonzero(known != state.births[:used])
        self.rows = self._matrix.with_copies(rows, used, changed)
        if kernel.normalize:
            self._lengths = np.resize(self._lengths, used)
            self._lengths[changed] = inverse_lengths(kernel, rows.norms[changed])
            self.inverse = self._device.send(self._lengths)
        self._births = state.births[:used].copy()

    def bytes_wanted(self, rule: Any, state: State) -> int:
        """How much more memory learning takes there, up to a full budget if there is one."""
        most, used = most_supports(rule), int(state.counts[USED])
        slots = int(most) if np.isfinite(most) else used + used // 2 + DEVICE_BLOCK
        row = (state.rows.stored_by_each() + 2) * REAL.itemsize
        blocks = 5 if isinstance(state.memory, SuffixScores) else 2
        held = self._values.nbytes + (self._matrix.nbytes if self._matrix else 0)
        return int(slots * (row + blocks * DEVICE_BLOCK * REAL.itemsize)) - held

    def room(self, rows: int, columns: int) -> Any:
        """An array there for kernel values."""
        if rows * columns > len(self._values):
            self._values = self._device.arrays.empty(0)  # the old memory goes first
            self._values = self._device.arrays.empty((rows + rows // 2) * columns)
        return self._values[: rows * columns].reshape(rows, columns)

    def lent(self, rows: int, columns: int) -> np.ndarray:
        """An array here for kernel values."""
        if rows * columns > len(self._lent):
            self._lent = self._device.room((rows * columns,), REAL)
        return self._lent[: rows * columns].reshape(rows, columns)

    def owed(self, slots: int, length: int) -> Owed:
        """Nothing is owed yet, and there is room for what a block can make."""
        shaped, most = self._buffers.shaped, 2 * length
        owed = Owed(
            whose=shaped("whose", np.int64, most),
            numbers=shaped("numbers", float, most),
            cells=shaped("cells", float, most),
            many=shaped("many", np.int64, 1),
            told=shaped("told", np.int64, slots),
        )
        owed.many[:] = 0
        owed.told[:] = 0
        return owed


class _DenseMatrix:
    """Supports as rows [x, |x|^2, 1]."""

    def __init__(self, device: Device) -> None:
        self._device, self._rows = device, device.arrays.empty((0, 0))

    @property
    def nbytes(self) -> int:
        return int(self._rows.nbytes)

    def with_copies(self, rows: Any, used: int, slots: np.ndarray) -> Any:
        """The first slots, with copies of these rows from here."""
        width = rows.values.shape[1]
        if used > len(self._rows) or width != self._rows.shape[1]:
            grown = self._device.arrays.empty((min(len(rows.norms), used + used // 2), width))
            if width == self._rows.shape[1]:
                grown[: len(self._rows)] = self._rows
            self._rows = grown
        for first in range(0, len(slots), ROWS_AT_ONCE):
            here = slots[first : first + ROWS_AT_ONCE]
            copies = rows.values[here].astype(REAL, copy=False)
            copies[:, -2] = rows.norms[here]  # a float32 rounds it
            self._rows[self._device.send(here)] = self._device.send(copies)
        return self._rows[:used]


class _Csr(NamedTuple):
    """Sparse rows and their squared norms."""

    matrix: Any
    norms: Any


class _SparseMatrix:
    """Supports in one pool, at the same places as here."""

    def __init__(self, device: Device) -> None:
        self._device, self._starts = device, np.zeros(0, np.int64)
        self._features, self._values = (device.arrays.empty(0, kind) for kind in (np.int32, REAL))

    @property
    def nbytes(self) -> int:
        return int(self._features.nbytes + self._values.nbytes)

    def with_copies(self, rows: Any, used: int, slots: np.ndarray) -> _Csr:
        """The first slots, with copies of these rows from here and of all that have moved."""
        device, arrays = self._device, self._device.arrays
        starts, lengths = rows.starts[:used], rows.lengths[:used]
        if len(rows.values) != len(self._values):
            self._features = arrays.empty(len(rows.values), np.int32)
            self._values, slots = arrays.empty(len(rows.values), REAL), np.arange(used)
        kept = min(used, len(self._starts))
        moved = np.flatnonzero(starts[:kept] != self._starts[:kept])
        some = np.concatenate([slots, moved])
        if len(some) > 0:
            pool = slice(int(starts[some].min()), int((starts[some] + lengths[some]).max()))
            self._features[pool] = device.send(rows.features[pool].astype(np.int32))
            self._values[pool] = device.send(rows.values[pool].astype(REAL))
        self._starts = starts.copy()
        ends = np.concatenate([[0], np.cumsum(lengths)])
        places, ends_there = arrays.arange(int(ends[-1])), device.send(ends)
        row = arrays.searchsorted(ends_there[1:], places, side="right")
        places += device.send(starts - ends[:-1])[row]
        parts = self._values[places], self._features[places], ends_there.astype(np.int32)
        return _Csr(_csr(device, parts, (used, int(rows.ends[1]))), device.send(rows.norms[:used]))


def _csr(device: Device, parts: Any, shape: tuple[int, int]) -> Any:
    """A CSR matrix there, of rows whose features are in order, each once."""
    matrix = device.sparse.csr_matrix(parts, shape=shape)
    matrix.has_canonical_format = True
    return matrix


class _DenseBlockThere:
    """A block as supports are there, and lifted: see `core.blocks`."""

    def __init__(self, device: Device, kernel: Kernel, block: DenseBlock) -> None:
        arrays, (length, width) = device.arrays, block.rows.shape
        self._arrays = arrays
        self.rows, self._lifted = (arrays.empty((length, width + 2)) for _ in range(2))
        rows, norms = device.send(block.rows), device.send(block.norms)
        self.rows[:, :width], self.rows[:, width], self.rows[:, width + 1] = rows, norms, 1
        self._lifted[:, :width] = self.rows[:, :width] * kernel.product
        self._lifted[:, width] = kernel.norms
        self._lifted[:, width + 1] = norms * kernel.norms + kernel.constant
        self.inverse = _inverse(device, kernel, block.norms)

    def products(self, rows: Any, room: Room) -> Any:
        """The kernel's z of supports with the block."""
        return self._arrays.dot(rows, self._lifted.T, out=room(len(rows), len(self._lifted)))


class _SparseBlockThere:
    """A block as supports are there, and with a column of all features for each example."""

    def __init__(self, device: Device, kernel: Kernel, block: Any) -> None:
        self._kernel, shape = kernel, (len(block.norms), len(block.places))
        parts = (
            device.send(block.values.astype(REAL)),
            device.send(block.features.astype(np.int32)),
            device.send(block.starts.astype(np.int32)),
        )
        self.rows = _Csr(_csr(device, parts, shape), device.send(block.norms))
        self._columns = self.rows.matrix.toarray().T
        self.inverse = _inverse(device, kernel, block.norms)

    def products(self, rows: _Csr, room: Room) -> Any:
        """The kernel's z of supports with the block."""
        kernel, z = self._kernel, room(len(rows.norms), len(self.rows.norms))
        z[:] = rows.matrix @ self._columns
        z *= kernel.product
        if kernel.norms != 0:
            z += kernel.norms * rows.norms[:, None]
            z += kernel.norms * self.rows.norms
        z += kernel.constant
        return z


def block_there(device: Device, kernel: Kernel, block: Any) -> Any:
    """A block that has been measured, on a device."""
    kind = _DenseBlockThere if isinstance(block, DenseBlock) else _SparseBlockThere
    return kind(device, kernel, block)


def _inverse(device: Device, kernel: Kernel, norms: np.ndarray) -> Any:
    """The inverse lengths of rows, if the kernel is divided by them."""
    return device.send(inverse_lengths(kernel, norms)) if kernel.normalize else None
