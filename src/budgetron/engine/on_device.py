"""Looking ahead on a device: kernel values stay there, and the walk gets those it will ask for.

These are the block's scores, its kernel values with itself, and those of the supports that may be
forgotten in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np

from ..core.blocks import measure
from ..core.edits.suffix_scores import SCALED, Owed, pay_newcomers
from ..core.exact import CELLS, exact_values, nearest
from ..core.foresight import may_be_forgotten
from ..core.kernel import Kernel, exponentials
from ..core.memory import SuffixScores
from ..core.state import SCALE, SIZE, USED, State
from .device import Device
from .learner import Learner
from .mirror import Mirror, block_there
from .shared_supports import LookingAhead
from .threads import ThreadTeam
from .workspace import Workspace

__all__ = ["OnDevice"]


class OnDevice(LookingAhead):
    """The supports of some learners on a device, and the block that they meet there.

    Parameters
    ----------
    learners : sequence of Learner
        With the same kernel, dtype and kind of rows.
    device : Device
    team : ThreadTeam
        To evaluate again here what is too close there.
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

    def workspace(self, learner: Learner, stack: ExitStack) -> Workspace:
        """Room for a block, which goes with the device's copy of the supports."""
        return learner.mirror.workspace

    def look_ahead(self, learners: Sequence[State], kernel: Any, block: Any) -> None:
        """Measure the block, and send it."""
        measure(kernel, block)
        self._there = block_there(self._device, kernel, block)

    def look_within(self, kernel: Any, block: Any) -> None:
        """Evaluate the kernel of the block with itself."""
        there = self._there
        z = there.products(there.rows, lambda *shape: self._device.arrays.empty(shape))
        values = shaped_values(kernel, z, there.inverse, there.inverse)
        self._device.fetch(values, block.own)
        np.fill_diagonal(block.own, 1)

    def share(self, i: int, f: Any) -> None:
        """Evaluate the kernel between supports and block, and score the block."""
        mirror, state, there = self._mirrors[i], f.state, self._there
        scores = f.ahead.scores if state.weights.ndim == 1 else f.classes.scores
        used = int(state.counts[USED])
        if used == 0:
            scores[:], mirror.values = 0, mirror.room(0, len(f.ahead.scores))
            return
        mirror.follow(f.kernel, state, self._learners[i].descent)
        z = there.products(mirror.rows, mirror.room)
        mirror.values = shaped_values(f.kernel, z, mirror.inverse, there.inverse)
        weights = self._device.send(state.weights[:used].T * state.numbers[SCALE])
        self._device.fetch(weights @ mirror.values, scores)

    def lend(self, i: int, f: Any) -> Any:
        """Give the walk the kernel values that it will ask for."""
        mirror, state, length = self._mirrors[i], f.state, len(f.ahead.scores)
        slots = may_be_forgotten(self._learners[i].rule, state, length)
        if len(slots) > 0:
            lent = mirror.lent(len(slots), length)
            self._device.fetch(mirror.values[self._device.send(slots)], lent)
            f.ahead.values[slots] = lent
        if not isinstance(state.memory, SuffixScores):
            return f
        return f._replace(ahead=f.ahead._replace(plan=mirror.owed(len(state.order), length)))

    def take_back(self, i: int, f: Any) -> None:
        """Tell the supports what the newcomers say of them, if they are to know."""
        if isinstance(f.ahead.plan, Owed):
            pay_newcomers(f)
            self._pay(self._mirrors[i], f, f.ahead.plan)

    def _pay(self, mirror: Mirror, f: Any, owed: Owed) -> None:
        """Tell all supports that were there before the block, and have not asked.

        Multiplied and added up one after the other, as `edits.suffix_scores` does.
        """
        many, scores, device = int(owed.many[0]), f.state.memory.scores, self._device
        held = np.zeros(len(f.state.order), bool)
        held[f.state.order[: f.state.counts[SIZE]]] = True
        old = (held & (owed.told == 0))[: len(mirror.values)]
        if many == 0 or not old.any():
            return
        whose, numbers = owed.whose[:many], owed.numbers[:many].tolist()
        said = np.flatnonzero(whose != SCALED)
        values = self._quantized(mirror, f, whose[said], owed.cells[said], old)
        totals = device.send(scores[: len(old)])
        rows = iter(values)
        for t, number in zip(whose.tolist(), numbers, strict=True):
            if t == SCALED:
                totals *= number
            else:
                totals += next(rows) * number
        told = device.fetch(totals, np.empty(len(old)))
        scores[: len(old)][old] = told[old]

    def _quantized(
        self, mirror: Mirror, f: Any, whose: np.ndarray, cells: np.ndarray, old: np.ndarray
    ) -> Any:
        """Kernel values of the newcomers (rows) with the supports, as `exact.quantized` has them.

        Those that are too close to two cells are evaluated here.
        """
        device, arrays = self._device, self._device.arrays
        width = device.send(cells)[:, None]
        places = arrays.ascontiguousarray(mirror.values[:, device.send(whose)].T)
        places /= width
        whole = nearest(places)
        places -= whole
        close = arrays.abs(arrays.abs(places) - 0.5) <= 1 / CELLS
        close &= device.send(old)
        found = arrays.flatnonzero(close)
        whole *= width
        if len(found) > 0:
            where = device.fetch(found, np.empty(len(found), np.int64))
            row, slot = np.divmod(where, len(old))
            exact = np.empty(len(where))

            def evaluate_some(part: range) -> None:
                here = slice(part.start, part.stop)
                scratch = np.empty(len(old))
                exact_values(f, slot[here], whose[row[here]], scratch, exact[here])

            self._team.do(len(where), evaluate_some)
            whole.reshape(-1)[found] = device.send(nearest(exact / cells[row]) * cells[row])
        return whole


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
