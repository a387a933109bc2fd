"""A learner at work: a rule, a kernel, and what it keeps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy, deepcopy
from typing import Any

import numpy as np

from ..core.buffers import Buffer
from ..core.compiled import direct, not_kept, plain
from ..core.edits.projection import solve_ahead
from ..core.expansion import (
    CLOCK,
    HEEDED,
    MISTAKES,
    SCALE,
    SEEN,
    SIZE,
    TENDED,
    UPDATES,
    USED,
    WEIGHTED,
    Expansion,
    Kept,
)
from ..core.kernel import Kernel, OwnKernel, Rows
from ..core.multiclass import Panel
from ..core.random import generator_state
from ..core.rule import blur, is_solved, most_supports, needs_factor, needs_gram, tend, trigger
from ..core.storage import DenseRows, SparseRows, stored_in
from ..core.walk import settle, walk
from .workspace import Workspace

__all__ = ["Learner", "View"]

PACKAGE = __name__.partition(".")[0] + "."

View = Expansion | Panel
"""What a learner has learned, with a block ahead of it."""

UNTENDED = 16
"""A factor is looked after each time that this many times its size of updates have changed it."""

AHEAD = 4
"""Room is made for so many times the supports there are. What is not used yet is not resident."""


class Learner:
    """Everything that going over a stream needs and changes.

    Its labels are floats: -1 or +1, times the example's weight.

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
        self.sparse, self.dtype = sparse, np.dtype(np.float64 if is_solved(rule) else dtype)
        self.zero_is_mistake = zero_is_mistake
        self.kept = self._nothing_kept(seed)
        self._idle: list[Workspace] = []
        self._walk: Any = None

    def _nothing_kept(self, seed: int) -> Kept:
        return Kept.empty(self.no_rows(), seed, blur(self.rule))

    def no_rows(self) -> DenseRows | SparseRows:
        """Where its supports are kept, while there are none."""
        rows: Any = SparseRows if self.sparse else DenseRows
        return rows.empty(self.width, self.dtype)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_idle": [], "_walk": None}

    def reseed(self, seed: int) -> None:
        """Start the random numbers from `seed`."""
        self.kept.randomness[:] = generator_state(seed)

    def fresh(self, seed: int) -> Learner:
        """One that learns in the same way, has learned nothing, and begins here in the stream."""
        learner = copy(self)
        learner.kept, learner._idle = self._nothing_kept(seed), []
        learner.kept.counts[SEEN] = self.seen
        return learner

    def mirrored(self, seed: int) -> Learner:
        """One that has learned the opposite."""
        learner, used = deepcopy(self), int(self.kept.counts[USED])
        for array in learner.kept.weights, learner.kept.tardy, learner.kept.echoes:
            np.negative(array[:used], out=array[:used])
        learner.reseed(seed)
        return learner

    @property
    def seen(self) -> int:
        """The number of examples seen."""
        return int(self.kept.counts[SEEN])

    @property
    def mistakes(self) -> int:
        """The number of signs that were wrong."""
        return int(self.kept.counts[MISTAKES])

    @property
    def updates(self) -> int:
        """The number of examples that changed the learner."""
        return int(self.kept.counts[UPDATES])

    def hand_over_to(self, other: Learner) -> None:
        """Let another one, which has learned the same examples again, count as its own mistakes."""
        other.kept.counts[[MISTAKES, UPDATES, HEEDED]] = self.kept.counts[
            [MISTAKES, UPDATES, HEEDED]
        ]

    @property
    def is_weighted(self) -> bool:
        """Whether an example had another weight than 1."""
        return bool(self.kept.counts[WEIGHTED])

    @property
    def size(self) -> int:
        """The number of supports."""
        return int(self.kept.counts[SIZE])

    @property
    def slots(self) -> np.ndarray:
        """Where the supports are kept, oldest first."""
        return self.kept.order[: self.size]

    @property
    def births(self) -> np.ndarray:
        """How many examples had been seen before each support, oldest first."""
        return self.kept.births[self.slots]

    @property
    def supports(self) -> Rows:
        """The supports' instances, oldest first."""
        return self.kept.rows.matrix(self.slots)

    @property
    def weights(self) -> np.ndarray:
        """The supports' weights, oldest first."""
        weights: np.ndarray = self.kept.weights[self.slots]
        return self.kept.numbers[SCALE] * weights

    @property
    def average_weights(self) -> np.ndarray:
        """The supports' weights, averaged over the hypotheses that predicted the examples seen."""
        return self.averaged().weights[self.slots]

    def averaged(self) -> Kept:
        """What the learner keeps, with average weights in place of the last ones."""
        kept, slots, numbers = self.kept, self.slots, self.kept.numbers.copy()
        total = kept.weights[slots] * numbers[CLOCK] - kept.tardy[slots]
        weights = np.zeros_like(kept.weights)
        weights[slots] = total / max(1, self.seen)
        numbers[SCALE] = 1
        return kept._replace(weights=weights, numbers=numbers)

    def shape_of_scores(self, length: int) -> tuple[int, ...]:
        """The shape of an array with the scores of `length` examples."""
        return (length,)

    @contextmanager
    def workspace(self) -> Iterator[Workspace]:
        """Buffers that nobody else is using, so that several threads may predict at once."""
        try:
            workspace = self._idle.pop()
        except IndexError:
            workspace = self.new_workspace()
        yield workspace
        self._idle.append(workspace)

    def new_workspace(self) -> Workspace:
        """Buffers that are nobody's yet."""
        return self._kind_of_workspace(
            self.width,
            sparse=self.sparse,
            dtype=self.dtype,
            with_factor=needs_factor(self.rule),
        )

    _kind_of_workspace = Workspace

    def make_room(self, X: Rows, first: int, last: int) -> None:
        """See to it that the examples `first` to `last - 1` can all become supports."""
        self.make_room_for(last - first, stored_in(X, first, last))

    def make_room_for(self, examples: int, stored: int) -> None:
        """The same for any examples, with so many stored values in all."""
        slots, most = len(self.kept.order), most_supports(self.rule)
        needed = self.size + examples + 1  # and one for a rule's first hypothesis
        if slots < min(needed, most):
            with_gram = needs_gram(self.rule)
            ahead = max(needed, slots * (2 if with_gram else AHEAD))
            slots = int(most if most <= AHEAD * needed else ahead)
            self.kept = self.kept.grown(slots, with_gram=with_gram)
        counts = self.kept.counts
        if counts[UPDATES] - counts[TENDED] > UNTENDED * counts[USED]:
            tend(self.rule, self.kernel, self.kept)
            counts[TENDED] = counts[UPDATES]
        rows = self.kept.rows.with_room_for(stored)
        if rows is not self.kept.rows:
            self.kept = self.kept._replace(rows=rows)

    def suited(self, function: Any) -> Any:
        """The form of a compiled function that suits the rule and the kernel."""
        if isinstance(self.kernel, OwnKernel):
            return plain(function)
        return function if type(self.rule).__module__.startswith(PACKAGE) else not_kept(function)

    def settle(self, f: Any, roundoff: float) -> None:
        """Settle the scores of the block in view, and learn nothing."""
        self.suited(settle)(self.rule, f, roundoff)

    def solve_ahead(self, f: Any, labels: np.ndarray, room: Buffer) -> None:
        """Solve for the likely updates of the block in view together, if the rule solves."""
        if needs_factor(self.rule):
            solve_ahead(f, labels, trigger(self.rule).threshold, room)

    def walk(self, f: Any, labels: np.ndarray, roundoff: float) -> None:
        """Learn the block in view."""
        arguments = (
            self.rule,
            np.ascontiguousarray(labels, np.float64),
            float(trigger(self.rule).threshold),
            self.zero_is_mistake,
            roundoff,
            np.inf,
            f.kernel,
            *f.kept,
            *f.ahead,
        )
        if self._walk is None:  # their types never change
            self._walk = direct(self.suited(walk), arguments)
        self._walk(*arguments)
