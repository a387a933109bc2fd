"""Whose supports meet the block: those of one learner, or of several, each of them once."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

import numpy as np

from ..core.blocks import evaluate, evaluate_own, prepare
from ..core.buffers import Buffer, Buffers
from ..core.edits.projection import solve_likely
from ..core.kernel import Kernel, OwnKernel, Rows
from ..core.state import NOBODY, SIZE, USED, State, changed_slots
from ..core.storage import enlarged, release
from .learner import Learner
from .threads import ThreadTeam
from .workspace import Workspace

__all__ = ["CommonSupports", "LookingAhead", "SingleLearner", "Union", "united"]


class LookingAhead:
    """Who gives a block its scores, and the walk the kernel values that it will ask for."""

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
        solve_likely(f, likely, leavers, buffers)

    def take_back(self, i: int, f: Any) -> None:
        """Do what waited for the end of the walk."""


class SingleLearner(LookingAhead):
    """The supports of one learner, which are nobody else's business."""

    def __init__(self, team: ThreadTeam) -> None:
        self._team = team

    def share(self, i: int, f: Any) -> None:
        """Evaluate the kernel between supports and block, and score the block."""
        used = int(f.state.counts[USED])
        _evaluate(f.kernel, f.state.rows, used, f.ahead.block, f.ahead.values, self._team)
        f.score_ahead()


class CommonSupports(LookingAhead):
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
        _evaluate(kernel, self._rows, used, block, self._values, self._team)

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
        f.score_ahead()

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


def _evaluate(
    kernel: Kernel | OwnKernel,
    rows: Any,
    used: int,
    block: Any,
    values: np.ndarray,
    team: ThreadTeam,
) -> None:
    """k(support, x) for each slot and each example of the block, as fast as can be."""
    far = prepare(kernel, rows, used, block)

    def evaluate_some(slots: range) -> None:
        evaluate(kernel, rows, slots.start, slots.stop, block, values, far)

    team.do(used, evaluate_some)


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
