"""A learner at work: a rule, a kernel, and what it keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy, deepcopy
from functools import partial
from typing import Any

import numpy as np

from ..core.compiled import direct, not_kept, plain
from ..core.edits.journal import bring_factor_up_to_date
from ..core.edits.projection import LIKELY, solve_ahead
from ..core.foresight import is_foreseen, leavers
from ..core.kernel import Kernel, OwnKernel, Rows
from ..core.memory import FactorMemory, LabelledFactor, SuffixScores
from ..core.random import generator_state
from ..core.rule import contract, is_maintained, maintain, most_supports, scorer, trigger
from ..core.state import (
    HAS_WEIGHTS,
    MAINTAINED_AT,
    MISTAKES,
    SCALE,
    SCALE_SUM,
    SEEN,
    SIZE,
    UPDATES,
    USED,
    WEIGHTED_MISTAKES,
    State,
    by_age,
)
from ..core.storage import DenseRows, SparseRows, stored_in
from ..core.triggers import Trigger
from ..core.walk import settle, walk
from .descent import Descent
from .device import CPU, device_called
from .mirror import Mirror
from .workspace import Workspace

__all__ = ["LONG_BLOCK", "Learner", "Solve", "refuse_unless_foreseen"]

PACKAGE = __name__.partition(".")[0] + "."

UPDATES_BETWEEN = 16
"""A memory is maintained each time that so many times its size of updates have changed it."""

ROOM_AHEAD = 4
"""Room is made for so many times the supports there are. What is not used yet is not resident."""

MATRIX_ROOM_AHEAD = 2
"""The same for learners that keep a matrix."""

MANY_SLOTS = 512
"""To copy so many twice would be seen."""

LIKELY_THERE = 0.3
"""`LIKELY` with a device: one that nobody foresaw is solved for here, and takes as long as a block
of them there."""

Solve = Callable[[Any, np.ndarray, np.ndarray], None]
"""What solves for some examples of a block: see `edits.projection`."""

LONG_BLOCK = 256
"""The length of a block that is worth much work, or that many learners share."""


class Learner:
    """Everything that going over a stream needs and changes.

    Its labels are floats: -1 or +1, times the example's weight; NaN for an example that is only
    looked at.

    Parameters
    ----------
    rule : NamedTuple
        The rule to learn by.
    kernel : Kernel or OwnKernel
    width : int
        The number of features.
    sparse : bool
        Whether supports are kept as sparse rows.
    dtype : numpy dtype
        In which instances are kept and kernel blocks are evaluated. Weights that are solved for
        need float64, and get it.
    zero_is_mistake : bool
        Whether a score of zero is a mistake, or a prediction of +1.
    seed : int
    """

    def __init__(
        self,
        rule: Any,
        kernel: Kernel | OwnKernel,
        width: int,
        *,
        sparse: bool = False,
        dtype: Any = np.float64,
        zero_is_mistake: bool = False,
        seed: int = 0,
    ) -> None:
        self.rule, self.kernel, self.width = rule, kernel, width
        solves = contract(rule).keeps.weight_error > 0
        self.sparse, self.dtype = sparse, np.dtype(np.float64 if solves else dtype)
        self.zero_is_mistake = zero_is_mistake
        threshold, every_example = trigger(rule)
        self.trigger = Trigger(float(threshold), bool(every_example))
        self.state = self._new_state(seed)
        self._is_maintained = is_maintained(rule)
        self._idle: list[Workspace] = []
        self._machine_code: dict[Any, Any] = {}
        self._mirror: Mirror | None = None
        self._descent: Descent | None = None

    device = CPU
    """Where it looks ahead: see `use`."""

    def use(self, device: str) -> None:
        """Look ahead on this device from now on; what is learned there is the same.

        Raises
        ------
        ImportError, RuntimeError
            If it is not there.
        ValueError
            For a rule or a kernel that it is not for.
        """
        if device == self.device:
            return
        if device != CPU:
            self._refuse_unless_foreseen(device)
            device_called(device)
        self._mirror, self.device = None, device

    def _refuse_unless_foreseen(self, device: str) -> None:
        refuse_unless_foreseen(self.rule, device)
        if isinstance(self.kernel, OwnKernel):
            raise ValueError(f'device="{device}" is for built-in kernels, and not for functions')
        if self.state.weights.ndim > 1 and isinstance(self.state.memory, SuffixScores):
            name = type(self.rule).__name__
            raise ValueError(
                f'{name} has no single machine for many classes with device="{device}"; learn one'
                " class against the rest"
            )

    @property
    def mirror(self) -> Mirror:
        """The device's copy of its supports, which copies of it may use in turn."""
        if self._mirror is None:
            workspace = self.new_workspace(np.dtype(np.float64))
            self._mirror = Mirror(device_called(self.device), workspace)
        return self._mirror

    @property
    def descent(self) -> Descent:
        """By which the mirror knows whose supports it has."""
        if self._descent is None:
            self._descent = Descent()
        return self._descent

    def come_home(self) -> None:
        """Have all that is kept here, whatever a device has been doing with it."""

    def _new_state(self, seed: int) -> State:
        return State.empty(self.no_rows(), contract(self.rule).keeps.empty(self.rule), seed)

    def no_rows(self) -> DenseRows | SparseRows:
        """Where its supports are kept, while there are none."""
        rows: Any = SparseRows if self.sparse else DenseRows
        return rows.empty(self.width, self.dtype)

    def __getstate__(self) -> dict[str, Any]:
        alone: dict[str, Any] = {
            "_idle": [],
            "_machine_code": {},
            "_mirror": None,
            "_descent": None,
        }
        return self.__dict__ | alone

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if not self.state.order.flags.writeable:  # mapped: other types, for the compiler
            self.state = deepcopy(self.state)

    def reseed(self, seed: int) -> None:
        """Start the random numbers from `seed`."""
        self.state.randomness[:] = generator_state(seed)

    def fresh(self, seed: int) -> Learner:
        """One that learns in the same way, has learned nothing, and begins here in the stream."""
        learner = copy(self)
        learner.state, learner._mirror, learner._descent = self._new_state(seed), None, None
        learner.state.counts[SEEN] = self.seen
        return learner

    def copied(self) -> Learner:
        """One that has learned the same, and goes on by itself; workspaces serve both."""
        learner = object.__new__(type(self))
        descent = None if self.device == CPU else self.descent.of_copy(self.seen)
        known = {"state": self.state.copied(self.rule, self._slots_of_copy()), "_descent": descent}
        learner.__dict__ = self.__dict__ | known
        return learner

    def share(self, common: dict[Any, Any]) -> None:
        """Have workspaces and machine code in common with all learners like it that do so too."""
        way = type(self), type(self.rule), type(self.kernel), self.width, self.sparse, self.dtype
        self._idle, self._machine_code = common.setdefault(way, (self._idle, self._machine_code))

    def mirrored(self, seed: int) -> Learner:
        """One that has learned the opposite."""
        learner = self.copied()
        learner._mirror, learner._descent = None, None
        state, memory = learner.state, learner.state.memory
        signed = [getattr(memory, name) for name in memory.signed]
        for array in (state.weights, state.weight_time, *signed):
            np.negative(array, out=array, where=array != 0)  # a zero has no sign
        learner.reseed(seed)
        return learner

    @property
    def seen(self) -> int:
        """The number of examples seen."""
        return int(self.state.counts[SEEN])

    @property
    def mistakes(self) -> int:
        """The number of signs that were wrong."""
        return int(self.state.counts[MISTAKES])

    @property
    def updates(self) -> int:
        """The number of examples that changed the learner."""
        return int(self.state.counts[UPDATES])

    def hand_over_to(self, other: Learner) -> None:
        """Let another one, which has learned the same examples again, count as its own mistakes."""
        own = [MISTAKES, UPDATES, WEIGHTED_MISTAKES]
        other.state.counts[own] = self.state.counts[own]

    @property
    def is_weighted(self) -> bool:
        """Whether an example had another weight than 1."""
        return bool(self.state.counts[HAS_WEIGHTS])

    @property
    def size(self) -> int:
        """The number of supports."""
        return int(self.state.counts[SIZE])

    @property
    def slots(self) -> np.ndarray:
        """Where the supports are kept, oldest first."""
        return self.state.order[: self.size]

    @property
    def births(self) -> np.ndarray:
        """How many examples had been seen before each support, oldest first."""
        return self.state.births[self.slots]

    @property
    def supports(self) -> Rows:
        """The supports' instances, oldest first."""
        return self.state.rows.matrix(self.slots)

    @property
    def weights(self) -> np.ndarray:
        """The supports' weights, oldest first."""
        weights: np.ndarray = self.state.weights[self.slots]
        return self.state.numbers[SCALE] * weights

    @property
    def average_weights(self) -> np.ndarray:
        """The supports' weights, averaged over the hypotheses that predicted the examples seen."""
        return self.averaged().weights[self.slots]

    def averaged(self) -> State:
        """What the learner keeps, with average weights in place of the last ones."""
        state, slots, numbers = self.state, self.slots, self.state.numbers.copy()
        total = state.weights[slots] * numbers[SCALE_SUM] - state.weight_time[slots]
        weights = np.zeros_like(state.weights)
        weights[slots] = total / max(1, self.seen)
        numbers[SCALE] = 1
        return state._replace(weights=weights, numbers=numbers)

    def longest_step(self, rows: int) -> float:
        """About how many multiplications are done without a pause, with so many rows to learn.

        These are a block's kernel values, and what is done with matrices for each of its examples,
        some of it slowly, or at times for all supports.
        """
        if self.device != CPU:
            return 0.0  # a block takes it a few milliseconds
        n, matrices = self.size, self.state.memory.matrices
        for_row = n * (self.state.rows.stored_by_each() + 4 * matrices * n)
        return float(min(rows, LONG_BLOCK) * for_row + (n**3 if matrices else 0))

    def shape_of_scores(self, length: int) -> tuple[int, ...]:
        """The shape of an array with the scores of `length` examples."""
        return (length,)

    @property
    def has_coarse_scores(self) -> bool:
        """Whether the scores of a block are far less exact than those of single rows."""
        return self.dtype != np.float64 and self.device == CPU

    @contextmanager
    def workspace(self) -> Iterator[Workspace]:
        """Buffers that nobody else is using, so that several threads may predict at once."""
        try:
            workspace = self._idle.pop()
        except IndexError:
            workspace = self.new_workspace()
        yield workspace
        self._idle.append(workspace)

    def new_workspace(self, evaluated: np.dtype[Any] | None = None) -> Workspace:
        """Buffers that are nobody's yet; kernel values may be of another dtype than rows."""
        return Workspace(self.width, sparse=self.sparse, dtype=self.dtype, evaluated=evaluated)

    def make_room(self, X: Rows, first: int, last: int) -> None:
        """See to it that the examples `first` to `last - 1` can all become supports."""
        self.make_room_for(last - first, stored_in(X, first, last))

    def make_room_for(self, examples: int, stored: int) -> None:
        """The same for any examples, with so many stored values in all."""
        needed = self.size + examples + 1  # and one for a rule's first hypothesis
        if len(self.state.order) < min(needed, most_supports(self.rule)):
            self.state = self.state.copied(self.rule, self._slots_for(needed))
        if self.is_due():
            maintain(self.rule, self.kernel, self.state)
            self.state.counts[MAINTAINED_AT] = self.state.counts[UPDATES]
        rows = self.state.rows.with_room_for(stored)
        if rows is not self.state.rows:
            self.state = self.state._replace(rows=rows)

    def _slots_for(self, needed: int) -> int:
        """So many and more, so that it is long until they are too few."""
        most, has_matrix = most_supports(self.rule), self.state.memory.matrices > 0
        ahead = len(self.state.order) * (MATRIX_ROOM_AHEAD if has_matrix else ROOM_AHEAD)
        return int(most if most <= ROOM_AHEAD * needed else max(needed, ahead))

    def _slots_of_copy(self) -> int:
        """More, if there are many and soon too few: then they need not be copied once more."""
        slots = len(self.state.order)
        is_to_grow = MANY_SLOTS <= slots < most_supports(self.rule) and slots <= 2 * self.size
        return self._slots_for(slots) if is_to_grow else slots

    def is_due(self) -> bool:
        """Whether its memory is to be maintained."""
        counts = self.state.counts
        since = counts.item(UPDATES) - counts.item(MAINTAINED_AT)
        return self._is_maintained and since > UPDATES_BETWEEN * counts.item(USED)

    def suited(self, function: Any, rule: Any) -> Any:
        """The form of a compiled function that suits a rule, or its scorer, and the kernel."""
        if isinstance(self.kernel, OwnKernel):
            return plain(function)
        return function if type(rule).__module__.startswith(PACKAGE) else not_kept(function)

    def settle(self, f: Any, roundoff: float) -> None:
        """Settle the scores of the block in view, and learn nothing."""
        self.settle_part(f, 0, len(f.ahead.scores), roundoff)

    def settle_part(self, f: Any, first: int, last: int, roundoff: float) -> None:
        """Settle the scores of some examples of the block in view."""
        arguments = judge, *_ = scorer(self.rule), f, first, last, roundoff
        self.machine_code(settle, judge, arguments, _kinds(f))()(*arguments)

    def solve_ahead(self, f: Any, labels: np.ndarray, solve: Solve) -> None:
        """Solve for the likely updates of the block in view together, if the rule solves."""
        if isinstance(self.state.memory, FactorMemory):
            leaving = partial(leavers, self.rule, self.state)
            likely = LIKELY if self.device == CPU else LIKELY_THERE
            solve_ahead(f, labels, self.trigger.threshold, likely, solve, leaving)

    def walk(self, f: Any, labels: np.ndarray, roundoff: float) -> None:
        """Learn the block in view; a roundoff of infinity is for a block of one, not looked at."""
        self.walk_part(f, np.ascontiguousarray(labels, np.float64), 0, len(labels), roundoff)

    def walk_part(self, f: Any, labels: np.ndarray, first: int, last: int, roundoff: float) -> int:
        """Learn some examples of the block in view, and say where it ended."""
        how = self.trigger, self.zero_is_mistake, roundoff, np.inf
        arguments = self.rule, f, labels, first, last, *how
        end: int = self.machine_code(walk, self.rule, arguments, _kinds(f))()(*arguments)
        if f.ahead.order is not self.state.order:
            self.state.order[:] = by_age(f)[: len(self.state.order)]
        if isinstance(self.state.memory, LabelledFactor):
            bring_factor_up_to_date(f)
        return end

    def machine_code(
        self, function: Any, rule: Any, arguments: tuple[Any, ...], kinds: Any = None
    ) -> Any:
        """What gives the machine code of a function for such arguments.

        Their types never change, but for the kinds of things that some look-aheads have. As for
        `suited`, the rule may be its scorer.
        """
        key = function, kinds
        if key not in self._machine_code:
            self._machine_code[key] = direct(self.suited(function, rule), arguments)
        return self._machine_code[key]


def refuse_unless_foreseen(rule: Any, device: str) -> None:
    """Raise a `ValueError` for a rule that a device cannot look ahead for."""
    if not is_foreseen(rule):
        raise ValueError(
            f'{type(rule).__name__} does not learn with device="{device}"; use device="{CPU}"'
        )


def _kinds(f: Any) -> Any:
    """What differs from one look-ahead of a learner to another."""
    return type(f.ahead.past), type(f.ahead.plan), f.ahead.values.dtype
