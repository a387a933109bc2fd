"""What a device has of a learner and of a block: the rows of both, ready to be multiplied."""

from __future__ import annotations

from threading import RLock
from typing import Any, NamedTuple

import numpy as np

from ..core.blocks import DenseBlock
from ..core.buffers import Buffers
from ..core.edits.span import Span
from ..core.edits.suffix_scores import Owed
from ..core.kernel import Kernel, exponentials, inverse_lengths
from ..core.memory import FactorMemory, SuffixScores
from ..core.rule import most_supports
from ..core.state import SEEN, SIZE, USED, State, new_slots
from ..core.storage import DenseRows
from .descent import Descent
from .device import Device
from .span_there import SpanThere
from .workspace import Workspace

__all__ = ["DEVICE_BLOCK", "Mirror", "block_there", "shaped_values"]

DEVICE_BLOCK = 1024
"""The length of a block: long enough for a GPU, and its square is what is copied."""

ROWS_AT_ONCE = 4096
"""So many rows are sent at once."""

LARGEST_BUDGET = 2**40
"""Who may have more supports than that has no budget."""

SQUARES: dict[type, int] = {FactorMemory: 2, Span: 6}
"""How many matrices of all supports by all supports there are at a time, copies included."""

REAL = np.dtype(np.float64)
"""In which everything is evaluated there, whatever rows are kept in."""


class Mirror:
    """The supports of one learner on a device, by slot, and their kernel values with a block.

    A support is known by its birth, so that from block to block only newcomers are sent; and while
    one block is learned, those that are there are evaluated with the next one.

    Parameters
    ----------
    device : Device
    workspace : Workspace
        For those who have the lock.

    Attributes
    ----------
    lock : RLock
        For whoever uses it.
    values : array there
        The kernel values of supports and block.
    rooms : Buffers
        For what comes from the device.
    lane : object
        Where the next block is looked ahead at.
    span : SpanThere
        The matrices of a learner that has a span.
    """

    def __init__(self, device: Device, workspace: Workspace) -> None:
        self._device, self.workspace, self.lock = device, workspace, RLock()
        self._followed: Descent | None = None
        self._births = np.zeros(0, np.int64)
        self._lengths = np.zeros(0)
        self._matrix: Any = None
        self._inverse: Any = None
        self._memories = [device.arrays.empty(0), device.arrays.empty(0)]  # for this block, another
        self._factor = _FactorThere(device)
        self._ahead: Any = None
        self._met: Any = None  # the block, and how many examples were seen before
        self._learned: Any = None  # the same once all of them have been learned
        self._buffers, self.rooms = Buffers(), Buffers(device.room)
        self.values: Any = None
        self.lane = device.new_lane()
        self.span = SpanThere(device, self.rooms)

    def meet(self, kernel: Kernel, state: State, descent: Descent, there: Any) -> None:
        """Evaluate the kernel of the supports that a learner has now with a block.

        If it was looked ahead at, those that have come since are all that is missing.
        """
        ahead, self._ahead = self._ahead, None
        used, came = int(state.counts[USED]), self._follow(kernel, state, descent)
        self._met = there, int(state.counts[SEEN])
        if ahead is None or ahead[0] is not there or used > len(ahead[1]):
            self.values = self._room(used, there.length)
            self._evaluate(kernel, there, slice(0, used), self.values)
            return
        self._memories.reverse()
        self.values = ahead[1][:used]
        if len(came) > 0:
            which = self._device.send(came)
            room = self._device.arrays.empty((len(came), there.length))
            self.values[which] = self._evaluate(kernel, there, which, room)

    def values_of(self, f: Any, first: int, last: int) -> Any:
        """Those of the supports that there are now (rows) with some examples of the block."""
        state, device, (_, seen) = f.state, self._device, self._met
        slots = state.order[: state.counts[SIZE]]
        came = np.flatnonzero(state.births[slots] >= seen)
        known = self.values[:, first:last]
        if len(known) == 0:
            return device.send(f.ahead.values[slots, first:last])
        values = known[device.send(np.minimum(slots, len(known) - 1))]
        if len(came) > 0:
            values[device.send(came)] = device.send(f.ahead.values[slots[came], first:last])
        return values

    def look_ahead(self, kernel: Kernel, there: Any, newcomers: int) -> None:
        """Evaluate the kernel of the supports that are there with another block.

        There is room for so many newcomers.
        """
        used = len(self._births)
        self._memories.reverse()
        values = self._room(used + newcomers, there.length)
        self._memories.reverse()
        self._evaluate(kernel, there, slice(0, used), values[:used])
        self._ahead = there, values

    def solved(self, state: State, descent: Descent, examples: np.ndarray) -> tuple[Any, Any]:
        """Coordinates and coefficients (columns) of examples of the block: `edits.projection`."""
        device, n = self._device, int(state.counts[SIZE])
        order, L = device.send(state.order[:n]), self._factor.followed(state, descent)
        found = self.values[order[:, None], device.send(examples)]
        solve = device.linalg.solve_triangular
        coordinates = solve(L.T, found, 1, overwrite_b=True, check_finite=False)
        return coordinates, solve(L.T, coordinates, 0, check_finite=False)

    def imaged(self, state: State, coefficients: Any) -> Any:
        """Of projections (columns), the values at the block's examples (rows)."""
        order = self._device.send(state.order[: len(coefficients)])
        return self.values[order].T @ coefficients

    def learned(self, state: State) -> None:
        """The block has been learned: if all of its examples were, newcomers are known by place."""
        there, seen = self._met
        self._learned = (there, seen) if state.counts[SEEN] == seen + there.length else None

    def _follow(self, kernel: Kernel, state: State, descent: Descent) -> np.ndarray:
        """Have the supports that a learner has now, and say in which slots they are new."""
        used, rows = int(state.counts[USED]), state.rows
        if self._matrix is None:
            self._matrix = (_DenseMatrix if isinstance(rows, DenseRows) else _SparseMatrix)(
                self._device
            )
        known = descent.known_of(self._followed, self._births)
        came = self._buffers.shaped("came", np.int64, used)
        came = came[: new_slots(known, state.births[:used], came)].copy()
        is_same, self._births, self._followed = self._followed is descent, known, descent
        learned, self._learned = self._learned, None
        if is_same and learned and learned[1] + learned[0].length == state.counts[SEEN]:
            self._matrix.take(rows, used, came, learned[0], state.births[came] - learned[1])
        else:
            self._matrix.follow(rows, used, came)
        if kernel.normalize:
            self._lengths = np.resize(self._lengths, used)
            self._lengths[came] = inverse_lengths(kernel, rows.norms[came])
            self._inverse = self._device.send(self._lengths)
        births = self._buffers.shaped("births", np.int64, used)
        np.copyto(births, state.births[:used])
        self._births = births
        return came

    def _evaluate(self, kernel: Kernel, there: Any, which: Any, out: Any) -> Any:
        """The kernel of some supports with a block."""
        there.products(self._matrix.rows(which), out)
        inverse = self._inverse[which] if kernel.normalize else None
        return shaped_values(kernel, out, inverse, there.inverse)

    def bytes_wanted(self, rule: Any, state: State) -> int:
        """How much more memory learning takes there, up to a full budget if there is a real one."""
        most, used = most_supports(rule), int(state.counts[USED])
        slots = int(most) if most < LARGEST_BUDGET else used + used // 2 + DEVICE_BLOCK
        row = (state.rows.stored_by_each() + 2) * REAL.itemsize
        blocks = 6 if isinstance(state.memory, SuffixScores) else 3
        held = sum(memory.nbytes for memory in self._memories)
        held += self._matrix.nbytes if self._matrix else 0
        held += self.span.nbytes
        squares = sum(n for kind, n in SQUARES.items() if isinstance(state.memory, kind))
        rows = slots * (row + blocks * DEVICE_BLOCK * REAL.itemsize)
        return int(rows + squares * slots**2 * REAL.itemsize) - held

    def _room(self, rows: int, columns: int) -> Any:
        """An array there for kernel values."""
        if rows * columns > len(self._memories[0]):
            self._memories[0] = self._device.arrays.empty(0)  # the old memory goes first
            self._memories[0] = self._device.arrays.empty((rows + rows // 2) * columns)
        return self._memories[0][: rows * columns].reshape(rows, columns)

    def owed(self, slots: int, length: int) -> Owed:
        """Nothing is owed yet, and there is room for what a block can make."""
        return Owed.nothing(self._buffers, slots, length)


class _DenseMatrix:
    """Supports as rows [x, |x|^2, 1]."""

    def __init__(self, device: Device) -> None:
        self._device, self._rows = device, device.arrays.empty((0, 0))

    @property
    def nbytes(self) -> int:
        return int(self._rows.nbytes)

    def follow(self, rows: Any, used: int, slots: np.ndarray) -> None:
        """Have copies of these rows from here, in the same slots, of which so many are used."""
        self._make_room(rows, used)
        for first in range(0, len(slots), ROWS_AT_ONCE):
            here = slots[first : first + ROWS_AT_ONCE]
            copies = rows.values[here].astype(REAL, copy=False)
            copies[:, -2] = rows.norms[here]  # a float32 rounds it
            self._rows[self._device.send(here)] = self._device.send(copies)

    def take(self, rows: Any, used: int, slots: np.ndarray, there: Any, places: np.ndarray) -> None:
        """Have copies of these examples of a block that is there."""
        self._make_room(rows, used)
        self._rows[self._device.send(slots)] = there.rows[self._device.send(places)]

    def _make_room(self, rows: Any, used: int) -> None:
        width = rows.values.shape[1]
        if used > len(self._rows) or width != self._rows.shape[1]:
            grown = self._device.arrays.empty((min(len(rows.norms), used + used // 2), width))
            if width == self._rows.shape[1]:
                grown[: len(self._rows)] = self._rows
            self._rows = grown

    def rows(self, which: Any) -> Any:
        """Some of them."""
        return self._rows[which]


class _Csr(NamedTuple):
    """Sparse rows and their squared norms."""

    matrix: Any
    norms: Any


class _SparseMatrix:
    """Supports in one pool, at the same places as here."""

    def __init__(self, device: Device) -> None:
        self._device, self._starts = device, np.zeros(0, np.int64)
        self._features, self._values = (device.arrays.empty(0, kind) for kind in (np.int32, REAL))
        self._rows: Any = None

    @property
    def nbytes(self) -> int:
        return int(self._features.nbytes + self._values.nbytes)

    def follow(self, rows: Any, used: int, slots: np.ndarray) -> None:
        """Have copies of these rows from here, and of all that have moved."""
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
        matrix = _csr(device, parts, (used, int(rows.ends[1])))
        self._rows = _Csr(matrix, device.send(rows.norms[:used]))

    def take(self, rows: Any, used: int, slots: np.ndarray, there: Any, places: np.ndarray) -> None:
        """Have copies of these rows from here, as the pool is."""
        self.follow(rows, used, slots)

    def rows(self, which: Any) -> _Csr:
        """Some of them."""
        matrix, norms = self._rows
        return _Csr(matrix[which], norms[which])


def _csr(device: Device, parts: Any, shape: tuple[int, int]) -> Any:
    """A CSR matrix there, of rows whose features are in order, each once."""
    matrix = device.sparse.csr_matrix(parts, shape=shape)
    matrix.has_canonical_format = True
    return matrix


class _FactorThere:
    """The Cholesky factor of the supports' kernel matrix; newcomers add rows to it."""

    def __init__(self, device: Device) -> None:
        self._device, self._L = device, device.arrays.empty((0, 0))
        self._followed: Descent | None = None
        self._births = np.zeros(0, np.int64)

    def followed(self, state: State, descent: Descent) -> Any:
        """That of the supports which a learner has now."""
        n, births = int(state.counts[SIZE]), state.births[state.order[: state.counts[SIZE]]]
        if n > len(self._L):
            slots = len(state.order)
            self._births, self._L = births[:0], self._device.arrays.empty((slots, slots))
        known = descent.known_of(self._followed, self._births)[:n]
        others = np.flatnonzero(known != births[: len(known)])
        first = int(others[0]) if len(others) > 0 else len(known)
        self._births, self._followed = births[:first], descent
        for start in range(first, n, ROWS_AT_ONCE):
            rows = slice(start, min(start + ROWS_AT_ONCE, n))
            self._L[rows, :n] = self._device.send(state.memory.L[rows, :n])
        self._births = births
        return self._device.arrays.ascontiguousarray(self._L[:n, :n])


class _DenseBlockThere:
    """A block as supports are there, and lifted: see `core.blocks`."""

    def __init__(self, device: Device, kernel: Kernel, block: DenseBlock) -> None:
        arrays, (length, width) = device.arrays, block.rows.shape
        self._arrays, self.block, self.length = arrays, block, length
        self.rows, self._lifted = (arrays.empty((length, width + 2)) for _ in range(2))
        rows, norms = device.send(block.rows), device.send(block.norms)
        self.rows[:, :width], self.rows[:, width], self.rows[:, width + 1] = rows, norms, 1
        self._lifted[:, :width] = self.rows[:, :width] * kernel.product
        self._lifted[:, width] = kernel.norms
        self._lifted[:, width + 1] = norms * kernel.norms + kernel.constant
        self.inverse = _inverse(device, kernel, block.norms)

    def products(self, rows: Any, out: Any) -> None:
        """The kernel's z of supports with the block."""
        self._arrays.dot(rows, self._lifted.T, out=out)


class _SparseBlockThere:
    """A block as supports are there, and with a column of all features for each example."""

    def __init__(self, device: Device, kernel: Kernel, block: Any) -> None:
        self._kernel, shape = kernel, (len(block.norms), len(block.places))
        self.block, self.length = block, shape[0]
        parts = (
            device.send(block.values.astype(REAL)),
            device.send(block.features.astype(np.int32)),
            device.send(block.starts.astype(np.int32)),
        )
        self.rows = _Csr(_csr(device, parts, shape), device.send(block.norms))
        self._columns = self.rows.matrix.toarray().T
        self.inverse = _inverse(device, kernel, block.norms)

    def products(self, rows: _Csr, out: Any) -> None:
        """The kernel's z of supports with the block."""
        kernel = self._kernel
        out[:] = rows.matrix @ self._columns
        out *= kernel.product
        if kernel.norms != 0:
            out += kernel.norms * rows.norms[:, None]
            out += kernel.norms * self.rows.norms
        out += kernel.constant


def block_there(device: Device, kernel: Kernel, block: Any) -> Any:
    """A block that has been measured, on a device."""
    kind = _DenseBlockThere if isinstance(block, DenseBlock) else _SparseBlockThere
    return kind(device, kernel, block)


def _inverse(device: Device, kernel: Kernel, norms: np.ndarray) -> Any:
    """The inverse lengths of rows, if the kernel is divided by them."""
    return device.send(inverse_lengths(kernel, norms)) if kernel.normalize else None


def shaped_values(kernel: Kernel, z: Any, a: Any, b: Any) -> Any:
    """Kernel values from the kernel's z, which is written over, and inverse lengths of rows."""
    if kernel.exponential:
        np.minimum(z, 0, out=z)  # rounding can put z above 0 where |x| is large
        exponentials(kernel, z)
    elif kernel.degree > 1:
        base = z.copy()
        for _ in range(kernel.degree - 1):
            z *= base
    if kernel.normalize:
        z *= a[:, None]
        z *= b
    return z
