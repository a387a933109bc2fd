"""Whose supports meet the block: those of one learner, or of several, each of them once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Any, NamedTuple

import numpy as np

from ..core.blocks import (
    DenseBlocks,
    SparseBlocks,
    evaluate,
    evaluate_own,
    prepare,
)
from ..core.buffers import Buffer, Buffers
from ..core.edits.projection import solve_likely
from ..core.edits.suffix_scores import Owed, pay_all
from ..core.kernel import Kernel, OwnKernel, Rows, is_relative
from ..core.memory import SuffixScores
from ..core.state import NOBODY, SIZE, USED, State, changed_slots
from ..core.storage import DenseRows, SparseRows, enlarged, release
from .learner import Learner
from .threads import ThreadTeam, processors
from .workspace import Workspace

__all__ = [
    "CommonSupports",
    "LookingAhead",
    "SingleLearner",
    "Union",
    "each_in_turn",
    "tiles_of",
    "united",
    "work_of_each",
]

TILE = 2e6
"""So many multiplications are worth handing over to another thread."""

SMALLEST_TILE = 64
"""In slots: what is prepared for a product should serve many of them."""

LARGEST_TILE = 2**18
"""In bytes of kernel values."""

NOTHING_SPECIAL = nullcontext()

PROCESSORS = min(processors(), 16)
"""That there are tiles for."""

EXPONENTIAL = 40
"""Takes as long as so many multiplications."""


class LookingAhead:
    """Who gives a block its scores, and the walk the kernel values that it will ask for."""

    def at_work(self) -> AbstractContextManager[Any]:
        """In which a thread has to be that asks for anything below."""
        return NOTHING_SPECIAL

    def workspace(self, learner: Learner, stack: ExitStack) -> Workspace:
        """Room for a block of this learner, and of others like it."""
        return stack.enter_context(learner.workspace())

    def cut(self, room: Workspace, X: Rows, first: int, last: int) -> Any:
        """The block of the examples `first` to `last - 1`."""
        return room.cut(X, first, last)

    def look_ahead(self, learners: Sequence[State], kernel: Kernel | OwnKernel, block: Any) -> None:
        """Prepare the block, and what all learners have in common."""

    def look_within(self, kernel: Kernel | OwnKernel, block: Any) -> None:
        """Evaluate the kernel of the block with itself, unless the walk had better do so."""

    def share(self, i: int, f: Any) -> None:
        """Score the block for learner `i`."""
        raise NotImplementedError

    def lend(self, i: int, f: Any) -> Any:
        """`f` with all that the walk will ask for."""
        return f

    def await_scores(self, i: int, f: Any) -> None:
        """Wait until the scores of learner `i`, and what has been lent, are there."""

    def solve(
        self, i: int, buffers: Buffers, f: Any, likely: np.ndarray, leavers: np.ndarray
    ) -> None:
        """Solve for the coefficients of these examples, and what is asked of those who leave."""
        solve_likely(f, likely, leavers, buffers, each_in_turn)

    def take_back(self, i: int, f: Any) -> None:
        """Do what waited for the end of the walk."""


def each_in_turn(parts: Sequence[range], task: Callable[[range], None]) -> None:
    """Do a task for each of these parts."""
    for part in parts:
        task(part)


class OnCPU(LookingAhead):
    """Who looks ahead here, for so many learners.

    Parameters
    ----------
    many : int
    tells_late : bool
        Whether supports are told of newcomers when a block has ended, if they are to know.
    """

    def __init__(self, many: int, *, tells_late: bool = True) -> None:
        self._own, self._tells_late = [Buffers() for _ in range(many)], tells_late

    def lend(self, i: int, f: Any) -> Any:
        """`f`, whose supports may be told of newcomers when the walk has ended."""
        is_told = isinstance(f.state.memory, SuffixScores) and f.state.weights.ndim == 1
        if not (is_told and self._tells_late) or isinstance(f.kernel, OwnKernel):
            return f
        plan = Owed.nothing(self._own[i], len(f.state.order), len(f.ahead.scores))
        return f._replace(ahead=f.ahead._replace(plan=plan))

    def take_back(self, i: int, f: Any) -> None:
        """Tell them."""
        if isinstance(f.ahead.plan, Owed):
            pay_all(f, 0, int(f.state.counts[SIZE]))


class SingleLearner(OnCPU):
    """The supports of one learner, which are nobody else's business.

    Parameters
    ----------
    team : ThreadTeam
        To evaluate the kernel.
    tells_late : bool
        As in `OnCPU`.
    """

    def __init__(self, team: ThreadTeam, *, tells_late: bool = True) -> None:
        super().__init__(1, tells_late=tells_late)
        self._team, self._sums = team, Buffer(float)
        self._double: Any = None

    def share(self, i: int, f: Any) -> None:
        """Evaluate the kernel between supports and block, and score the block."""
        kernel, rows, block, values = f.kernel, f.state.rows, f.ahead.block, f.ahead.values
        used = int(f.state.counts[USED])
        far, sums = prepare(kernel, rows, used, block), f.sums
        tiles = tiles_of(kernel, rows, used, len(block.norms), values.itemsize)
        if sums is None:
            parts = masses = None
        else:
            parts = self._sums.shaped(len(tiles), *sums.shape)
            is_doubtful = values.itemsize == 4 and is_relative(kernel) and sums.ndim == 1
            masses = np.empty_like(parts) if is_doubtful else None

        def evaluate_some(slots: range) -> None:
            evaluate(kernel, rows, slots.start, slots.stop, block, values, far)
            here, tile = slice(slots.start, slots.stop), slots.start // len(tiles[0])
            if parts is not None:
                f.sum_up(here, parts[tile])
            if masses is not None:
                f.add_up(here, masses[tile])

        self._team.each(tiles, evaluate_some)
        if parts is not None:
            parts.sum(axis=0, out=sums)
        if masses is not None:
            masses.sum(axis=0, out=f.ahead.masses)

    def solve(
        self, i: int, buffers: Buffers, f: Any, likely: np.ndarray, leavers: np.ndarray
    ) -> None:
        """Solve for the coefficients of these examples, and what is asked of those who leave."""
        solve_likely(f, likely, leavers, buffers, self._team.each)

    def take_back(self, i: int, f: Any) -> None:
        """Tell supports of newcomers, if they wait for that."""
        if not isinstance(f.ahead.plan, Owed) or len(f.ahead.plan.newcomers) == 0:
            return
        if f.ahead.values.itemsize == 4:
            f = self._in_float64(f, np.unique(f.ahead.plan.newcomers))

        def pay_some(places: range) -> None:
            pay_all(f, places.start, places.stop)

        self._team.do(int(f.state.counts[SIZE]), pay_some)

    def _in_float64(self, f: Any, which: np.ndarray) -> Any:
        """`f` with kernel values in float64, of these newcomers alone."""
        kernel, rows, used = f.kernel, f.state.rows, int(f.state.counts[USED])
        kind = DenseBlocks if isinstance(rows, DenseRows) else SparseBlocks
        if self._double is None:
            width, double = f.ahead.block.width, np.dtype(np.float64)
            self._double = kind(width, double, double), Buffer(float)
        blocks, buffer = self._double
        block = blocks.cut(f.ahead.block.matrix()[which], 0, len(which))
        values, plan = buffer.shaped(used, len(which)), f.ahead.plan.with_columns_of(which)
        far = prepare(kernel, rows, used, block)

        def evaluate_some(slots: range) -> None:
            here, own = rows.in_float64(slots.start, slots.stop), values[slots.start : slots.stop]
            evaluate(kernel, here, 0, len(slots), block, own, far)

        self._team.each(tiles_of(kernel, rows, used, len(which)), evaluate_some)
        return f._replace(ahead=f.ahead._replace(values=values, plan=plan))


class CommonSupports(OnCPU):
    """Every support of some learners once, whoever has it.

    A support is known by its birth, the number of examples before it. From block to block few of
    them change, and only those are copied.

    Parameters
    ----------
    learners : sequence of Learner
        With the same kernel, dtype and kind of rows.
    team : ThreadTeam
        To evaluate the kernel.
    within : bool
        Whether they are enough to evaluate all of it within the block, too.
    """

    def __init__(self, learners: Sequence[Learner], team: ThreadTeam, *, within: bool) -> None:
        super().__init__(len(learners))
        self._team, self._within = team, within
        many, none = len(learners), np.zeros(0, np.int64)
        self._rows, self._buffer = learners[0].no_rows(), Buffer(learners[0].dtype)
        self._births, self._owners = none, none  # by place: whose births, and how many have it
        self._known, self._places = [none] * many, [none] * many  # by slot, of each learner

    def look_ahead(self, learners: Sequence[State], kernel: Kernel | OwnKernel, block: Any) -> None:
        """Evaluate the kernel between the supports that there are now and the block."""
        came = [self._newcomers(i, state) for i, state in enumerate(learners)]
        self._dismiss(np.flatnonzero((self._owners == 0) & (self._births != NOBODY)))
        self._admit(learners, came)
        used = len(self._births)
        self._values = self._buffer.shaped(used, len(block.norms))
        far = prepare(kernel, self._rows, used, block)

        def evaluate_some(slots: range) -> None:
            evaluate(kernel, self._rows, slots.start, slots.stop, block, self._values, far)

        self._team.each(tiles_of(kernel, self._rows, used, len(block.norms)), evaluate_some)

    def look_within(self, kernel: Kernel | OwnKernel, block: Any) -> None:
        """Evaluate the kernel of the block with itself."""
        if self._within:
            evaluate_own(kernel, block)

    def share(self, i: int, f: Any) -> None:
        """Give learner `i` the values of its own supports, and score the block."""
        used = int(f.state.counts[USED])
        if len(self._values):
            mine = self._places[i][:used]
            self._values.take(mine, axis=0, out=f.ahead.values[:used], mode="clip")
        else:
            f.ahead.values[:used] = 0
        if f.sums is not None:
            f.sum_up(slice(used), f.sums)

    def instances(self, births: np.ndarray) -> Rows:
        """Those of supports that there were before the block."""
        return self._rows.matrix(self._places_of(births))

    def _newcomers(self, i: int, state: State) -> np.ndarray:
        """The slots of a learner whose supports came since the last block; others may have left."""
        slots = len(state.order)
        if slots > len(self._known[i]):
            self._known[i] = enlarged(self._known[i] - NOBODY, slots) + NOBODY
            self._places[i] = enlarged(self._places[i], slots)
        came = np.empty(slots, np.int64)
        known = self._known[i], self._places[i], self._owners
        return came[: changed_slots(state.order, state.counts, state.births, *known, came)]

    def _dismiss(self, places: np.ndarray) -> None:
        """Nobody has these supports any more."""
        for place in places.tolist():
            release(self._rows, place)
        self._births[places] = NOBODY

    def _admit(self, learners: Sequence[State], came: Sequence[np.ndarray]) -> None:
        """Find places for the newcomers; those that nobody had before are copied from a learner."""
        all_births = [state.births[slots] for state, slots in zip(learners, came, strict=True)]
        births, first, which = np.unique(
            np.concatenate(all_births), return_index=True, return_inverse=True
        )
        places = self._places_of(births)
        new = np.flatnonzero(places == NOBODY)
        places[new] = self._free(len(new))
        self._births[places] = births
        self._owners += np.bincount(places[which], minlength=len(self._owners))
        start = 0
        for i, (state, slots) in enumerate(zip(learners, came, strict=True)):
            here, start = slice(start, start + len(slots)), start + len(slots)
            self._places[i][slots] = places[which[here]]
            own = new[(here.start <= first[new]) & (first[new] < here.stop)]
            if len(own):
                source = slots[first[own] - here.start]
                self._rows = self._rows.with_copies(places[own], state.rows, source)

    def _places_of(self, births: np.ndarray) -> np.ndarray:
        """Where these supports are, if anybody had them before."""
        by_birth = np.argsort(self._births)
        found = np.searchsorted(self._births, births, sorter=by_birth)
        places = np.append(by_birth, NOBODY)[found]
        return np.where(np.append(self._births, NOBODY)[places] == births, places, NOBODY)

    def _free(self, many: int) -> np.ndarray:
        """So many places that nobody uses."""
        free = np.flatnonzero(self._births == NOBODY)
        used, missing = len(self._births), many - len(free)
        if missing > 0:
            self._births = enlarged(self._births, used + missing)
            self._births[used:] = NOBODY
            self._owners = enlarged(self._owners, used + missing)
            if used + missing > len(self._rows.norms):
                self._rows = self._rows.grown(2 * (used + missing))
            free = np.append(free, np.arange(used, used + missing))
        return free[:many]


def tiles_of(
    kernel: Kernel | OwnKernel, rows: Any, used: int, length: int, itemsize: int = 8
) -> list[range]:
    """The slots whose kernel values with a block of this length are evaluated at once.

    They depend on the machine, and not on the number of threads, because the last digits of a
    product depend on its shape. What a tile makes is small enough to stay in a processor's cache.
    """
    slots = used
    if not isinstance(kernel, OwnKernel):
        each = work_of_each(rows.stored_by_each(), isinstance(rows, SparseRows)) * length
        shared_out = max(used / (2 * PROCESSORS), TILE / each, SMALLEST_TILE)
        slots = -8 * (
            -int(min(shared_out, max(LARGEST_TILE / (length * itemsize), SMALLEST_TILE))) // 8
        )
    return [range(first, min(first + slots, used)) for first in range(0, used, slots or 1)]


def work_of_each(stored: float, is_sparse: bool) -> float:
    """The work of a kernel value, in multiplications of a dense product.

    One of a sparse product takes as long as eight.
    """
    return stored * (8 if is_sparse else 1) + EXPONENTIAL


class Union(NamedTuple):
    """Every support once, whoever has it."""

    rows: Any
    births: np.ndarray  # in order
    by_birth: np.ndarray  # which row is the support of each birth
    places: list[np.ndarray]  # which row each learner's supports are, oldest first


def united(learners: Sequence[State]) -> Union:
    """The supports of all learners; one is known by its birth, the number of examples before it."""
    slots = [state.order[: state.counts[SIZE]] for state in learners]
    all_births = [state.births[own] for state, own in zip(learners, slots, strict=True)]
    births, found, which = np.unique(
        np.concatenate(all_births), return_index=True, return_inverse=True
    )
    ends = np.cumsum([len(own) for own in slots])
    owners = np.split(np.sort(found), np.searchsorted(np.sort(found), ends[:-1]))
    rows = type(learners[0].rows).joined(
        [
            (state.rows, own[mine - (end - len(own))])
            for state, own, mine, end in zip(learners, slots, owners, ends, strict=True)
        ]
    )
    by_birth = np.argsort(np.argsort(found))
    return Union(rows, births, by_birth, np.split(by_birth[which], ends[:-1]))
