"""Looking ahead on a device: kernel values stay there, and the walk gets those it will ask for.

These are the block's scores, its kernel values with itself, and those of the supports that may be
forgotten in it; for a learner that projects, those of all supports, and the projections of its
likely updates. A learner with a span finds its scores in coordinates: see `SpanOnDevice`.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, ExitStack
from typing import Any

import numpy as np

from ..core.buffers import Buffers
from ..core.edits.suffix_scores import SCALED, Owed, pay_newcomers
from ..core.exact import exact_values, nearest
from ..core.foresight import may_be_forgotten
from ..core.kernel import Kernel, Rows
from ..core.memory import FactorMemory, ImagedProjections, SuffixScores
from ..core.state import SCALE, SIZE, USED, State
from .coming import ComingBlocks
from .device import Device
from .learner import Learner
from .mirror import block_there, shaped_values
from .shared_supports import LookingAhead
from .threads import ThreadTeam
from .workspace import Workspace

__all__ = ["OnDevice"]

REAL = np.dtype(np.float64)

FEWEST = 512
"""So many kernel values are worth another thread, which waits for memory as long as for others."""


class OnDevice(LookingAhead):
    """The supports of some learners on a device, and the block that they meet there.

    While they learn one block here, another thread has them evaluated with the next one there.

    Parameters
    ----------
    learners : sequence of Learner
        With the same kernel, dtype and kind of rows.
    device : Device
    team : ThreadTeam
        For what is evaluated here after all.
    stack : ExitStack
        When others may have the device's copies of the supports.
    """

    def __init__(
        self, learners: Sequence[Learner], device: Device, team: ThreadTeam, stack: ExitStack
    ) -> None:
        self._learners, self._device, self._team = learners, device, team
        self._mirrors = [learner.mirror for learner in learners]
        for mirror in self._mirrors:
            stack.enter_context(mirror.lock)
        wanted = [
            mirror.bytes_wanted(learner.rule, learner.state)
            for mirror, learner in zip(self._mirrors, learners, strict=True)
        ]
        device.refuse_unless_it_fits(sum(wanted))
        self._coming = ComingBlocks(learners[0], device, stack)
        self._columns = [Buffers() for _ in learners]
        self._here = 0, 0
        self._there: Any = None  # the block
        self._next: Any = None  # and the one after it
        self._asked: list[Future[Any]] = []  # for each learner to be evaluated with that

    def at_work(self) -> AbstractContextManager[Any]:
        """In which a thread has to be that asks for anything."""
        return self._device.at_work()

    def workspace(self, learner: Learner, stack: ExitStack) -> Workspace:
        """Room for a block, which goes with the device's copy of the supports."""
        return learner.mirror.workspace

    def cut(self, room: Workspace, X: Rows, first: int, last: int) -> Any:
        """The block of the examples `first` to `last - 1`, measured."""
        self._here = first, last
        return self._coming.take(X, first, last)

    def look_ahead(self, learners: Sequence[State], kernel: Any, block: Any) -> None:
        """Send the block, if that has not been done."""
        while self._asked:
            self._device.follow(self._asked.pop().result())
        known, self._next = self._next, None
        self._there = known if known and known.block is block else self._sent(kernel, block)

    def share(self, i: int, f: Any) -> None:
        """Evaluate the kernel between supports and block, and score the block."""
        mirror, state, used = self._mirrors[i], f.state, int(f.state.counts[USED])
        mirror.meet(f.kernel, state, self._learners[i].descent, self._there)
        if f.sums is None:
            return
        weights = mirror.rooms.shaped("weights", REAL, *state.weights[:used].T.shape)
        np.multiply(state.weights[:used].T, state.numbers[SCALE], out=weights)
        scores = mirror.rooms.shaped("scores", REAL, *_scores(f).shape)
        self._device.fetch(self._device.send(weights) @ mirror.values, scores)

    def lend(self, i: int, f: Any) -> Any:
        """Give the walk the kernel values that it will ask for."""
        if f.sums is None:
            return f
        mirror, state, length = self._mirrors[i], f.state, len(f.ahead.scores)
        values = mirror.rooms.shaped("values", REAL, *f.ahead.values.shape)
        slots = may_be_forgotten(self._learners[i].rule, state, length)
        if isinstance(state.memory, FactorMemory):
            self._device.fetch(mirror.values, values[: len(mirror.values)])
            names = "coefficients", "coordinates"
            rooms = (mirror.rooms.shaped(name, REAL, length, len(state.order)) for name in names)
            plan = f.ahead.plan._replace(**dict(zip(names, rooms, strict=True)))
            if state.weights.ndim == 1:
                images = mirror.rooms.shaped("images", REAL, length, length)
                plan = ImagedProjections(**plan._asdict(), images=images)
            return f._replace(ahead=f.ahead._replace(values=values, plan=plan))
        if len(slots) > 0:
            self._device.fetch_rows(mirror.values, self._device.send(slots), values)
        f = f._replace(ahead=f.ahead._replace(values=values))
        if not isinstance(state.memory, SuffixScores):
            return f
        return f._replace(ahead=f.ahead._replace(plan=mirror.owed(len(state.order), length)))

    def await_scores(self, i: int, f: Any) -> None:
        """Wait for what has been asked for; what the next block needs is asked for meanwhile."""
        mirror, mark = self._mirrors[i], self._device.mark()
        self._asked.append(self._coming.then(self._look_further, i, f.kernel, mark))
        self._device.wait(mark)
        if f.sums is not None:
            np.copyto(_scores(f), mirror.rooms.shaped("scores", REAL, *_scores(f).shape))

    def _look_further(self, i: int, kernel: Kernel, mark: Any) -> Any:
        """Have a learner's supports evaluated with the next block, which the first one sends."""
        block = self._coming.next(*self._here)
        with self._device.beside(self._mirrors[0].lane, mark):
            if block is not None:
                if self._next is None:
                    self._next = self._sent(kernel, block)
                self._mirrors[i].look_ahead(kernel, self._next, len(block.norms))
            return self._device.mark()

    def _sent(self, kernel: Kernel, block: Any) -> Any:
        """A block there, and its kernel values with itself here."""
        there = block_there(self._device, kernel, block)
        values = self._device.arrays.empty(block.own.shape)
        there.products(there.rows, values)
        shaped_values(kernel, values, there.inverse, there.inverse)
        self._device.arrays.fill_diagonal(values, 1)
        self._device.fetch(values, block.own)
        return there

    def solve(
        self, i: int, buffers: Buffers, f: Any, likely: np.ndarray, leavers: np.ndarray
    ) -> None:
        """Solve for the coefficients of these examples, into as many rows of the plan."""
        mirror, device, plan = self._mirrors[i], self._device, f.ahead.plan
        coordinates, coefficients = mirror.solved(f.state, self._learners[i].descent, likely)
        found = [(coordinates, plan.coordinates), (coefficients, plan.coefficients)]
        if isinstance(plan, ImagedProjections):
            found.append((mirror.imaged(f.state, coefficients), plan.images))
        for columns, wanted in found:
            rows = device.arrays.zeros((len(likely), wanted.shape[1]))
            rows[:, : len(columns)] = columns.T
            device.fetch(rows, wanted[: len(likely)])
        device.wait(device.mark())

    def take_back(self, i: int, f: Any) -> None:
        """Tell the supports what the newcomers say of them, if they are to know."""
        self._mirrors[i].learned(f.state)
        if isinstance(f.ahead.plan, Owed):
            self._call(i, pay_newcomers, f)
            self._pay(i, f, f.ahead.plan)

    def _call(self, i: int, function: Any, *arguments: Any) -> None:
        """Call a compiled function with such arguments as it always has for this learner."""
        learner = self._learners[i]
        learner.machine_code(function, learner.rule, arguments)()(*arguments)

    def _pay(self, i: int, f: Any, owed: Owed) -> None:
        """Tell all supports that were there before the block, and have not asked.

        Multiplied and added up one after the other, as `edits.suffix_scores` does.
        """
        many, scores = int(owed.many[0]), f.state.memory.scores
        mirror, device = self._mirrors[i], self._device
        held = np.zeros(len(f.state.order), bool)
        held[f.state.order[: f.state.counts[SIZE]]] = True
        old = (held & (owed.told == 0))[: len(mirror.values)]
        if many == 0 or not old.any():
            return
        whose, numbers = owed.whose[:many], owed.numbers[:many]
        said = np.flatnonzero(whose != SCALED)
        values = self._quantized(i, f, said, owed, old)
        told = mirror.rooms.shaped("told", REAL, len(old))
        np.copyto(told, scores[: len(old)])
        totals = device.send(told)
        device.add_up(totals, values, numbers, whose != SCALED)
        device.fetch(totals, told)
        device.wait(device.mark())
        np.copyto(scores[: len(old)], told, where=old)

    def _quantized(self, i: int, f: Any, said: np.ndarray, owed: Owed, old: np.ndarray) -> Any:
        """Kernel values of the newcomers (rows) with the supports, as `exact.quantized` has them.

        Those that are too close to two cells are evaluated here.
        """
        device, whose, cells = self._device, owed.whose[said], owed.cells[said]
        values = self._mirrors[i].values
        whole, found = device.quantized(values, whose, cells, owed.near[said], old)
        if len(found) > 0:
            row, slot = np.divmod(found, len(old))
            exact = self._exact_values(i, f, slot, whose[row])
            whole.reshape(-1)[device.send(found)] = device.send(
                nearest(exact / cells[row]) * cells[row]
            )
        return whole

    def _exact_values(self, i: int, f: Any, slots: np.ndarray, examples: np.ndarray) -> np.ndarray:
        """Kernel values of pairs of a support and an example of the block."""
        exact, fixed = np.empty(len(slots)), (f.kernel, f.state.rows, f.ahead.block)
        many, is_alone = len(slots), len(self._learners) == 1  # or the team has the others to do
        most = len(self._team.parts(many)) if is_alone else 1
        each = max(FEWEST, -(-many // most))
        parts = [range(start, min(start + each, many)) for start in range(0, many, each)]
        columns = self._columns[i].shaped("columns", REAL, len(parts), len(f.ahead.column))

        def evaluate_some(pairs: range) -> None:
            here, column = slice(pairs.start, pairs.stop), columns[parts.index(pairs)]
            self._call(i, exact_values, *fixed, slots[here], examples[here], column, exact[here])

        self._team.each(parts, evaluate_some)
        return exact


def _scores(f: Any) -> np.ndarray:
    """Of the block, by all classes if they are in one machine."""
    scores: np.ndarray = f.ahead.scores if f.state.weights.ndim == 1 else f.classes.scores
    return scores
