"""Learners that evaluate the same kernel on the same rows, and do it once for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

import numpy as np

from ..core.exact import UNIT_ROUNDOFF
from ..core.kernel import OwnKernel, Rows
from ..core.rule import most_supports
from ..core.state import State
from ..core.storage import stored_in
from .device import CPU, device_called
from .learner import LONG_BLOCK, Learner
from .looking_back import LookingBack
from .on_device import OnDevice
from .record import Record
from .shared_supports import CommonSupports, LookingAhead, SingleLearner, work_of_each
from .threads import ThreadTeam, threads_allowed
from .workspace import NO_PAST, Workspace

__all__ = [
    "MANY_LEARNERS",
    "KernelGroup",
    "kernel_groups",
    "threads_for",
    "unit_roundoff",
    "work_of_block",
]

NO_EVENTS = np.empty((0, 4), np.int64)

MANY_LEARNERS = 8
"""So many learners of a group are worth several threads, and longer blocks."""

WORTH_A_SECOND, WORTH_A_THREAD = 2e7, 5e7
"""So much work of a block, in multiplications of a float64 product, is worth a second thread, and
so much for each of them is worth more: those that have less to do wait for each other longer than
they work."""

LARGE = 1e8
"""So much is worth it to have all of a block's examples meet each other at once, however many
threads there are: the last digits of scores depend on it."""

MANY_SUPPORTS = 300
"""So many are told faster of all of a block's newcomers at once."""


class KernelGroup:
    """Some learners that have seen the same stream, with room to look ahead in.

    Parameters
    ----------
    learners : sequence of Learner
        With the same kernel, dtype and kind of rows.
    stack : ExitStack
        What gives the room back.
    X : array or CSR matrix
        All rows that they will go over.
    rivals : bool
        Whether their scores will be compared with each other.
    """

    def __init__(
        self,
        learners: Sequence[Learner],
        stack: ExitStack,
        X: Rows,
        *,
        rivals: bool = False,
    ) -> None:
        self._learners, self._kernel = learners, learners[0].kernel
        self._roundoff = unit_roundoff(learners[0])
        self._work = work_of_block(learners, X)
        self._team = ThreadTeam(threads_for(self._work, threads_allowed()), stack)
        self._supports = self._looking_ahead(stack)
        self._rooms = self._workspaces(stack)
        self._back: LookingBack | None = None
        if rivals and learners[0].has_coarse_scores and isinstance(self._supports, CommonSupports):
            self._back = LookingBack(learners, self._supports)

    def _looking_ahead(self, stack: ExitStack) -> LookingAhead:
        """Who looks ahead for these learners."""
        learners, team = self._learners, self._team
        if learners[0].device != CPU:
            return OnDevice(learners, device_called(learners[0].device), team, stack)
        if len(learners) == 1:
            tells_late = most_supports(learners[0].rule) >= MANY_SUPPORTS
            return SingleLearner(team, tells_late=tells_late)
        return CommonSupports(learners, team, within=self._work >= LARGE)

    def _workspaces(self, stack: ExitStack) -> list[Workspace]:
        """A workspace for each learner; those of one thread have the same."""
        rooms = []
        for part in self._team.parts(len(self._learners)):
            if part:
                own = self._supports.workspace(self._learners[part.start], stack)
                rooms.extend([own] * len(part))
        return rooms

    def learn(
        self, X: Rows, first: int, last: int, labels: Sequence[Any], records: Sequence[Record]
    ) -> None:
        """Learn the examples `first` to `last - 1`."""
        for learner in self._learners:
            learner.make_room(X, first, last)
        states = [learner.state for learner in self._learners]
        pasts: list[Any] = [NO_PAST] * len(states)
        if self._back:
            pasts = self._back.pasts(last - first)
        block = self._look_ahead(X, first, last, states)
        self._supports.look_within(self._kernel, block)

        def learn_one(i: int) -> None:
            learner, room, here = self._learners[i], self._rooms[i], labels[i][first:last]
            events = records[i].events_of(first, last)
            f = room.view(self._kernel, states[i], block, events, pasts[i])
            self._supports.share(i, f)
            f = self._supports.lend(i, f)
            self._supports.await_scores(i, f)
            learner.solve_ahead(f, here, partial(self._supports.solve, i, room.buffers))
            learner.walk(f, here, self._roundoff)
            self._supports.take_back(i, f)
            records[i].keep(first, f.scores, f.ahead.errors)

        self._each(learn_one)
        if self._back:
            learned = first + np.flatnonzero(~np.isnan(labels[0][first:last]))
            self._back.settle(X, first, learned, pasts, records)

    def decide(
        self,
        X: Rows,
        first: int,
        last: int,
        states: Sequence[State],
        scores: Sequence[np.ndarray],
        errors: Sequence[np.ndarray],
    ) -> None:
        """Score the examples `first` to `last - 1` by what is states, and change nothing."""
        block = self._look_ahead(X, first, last, states)

        def decide_one(i: int) -> None:
            learner = self._learners[i]
            f = self._rooms[i].view(self._kernel, states[i], block, NO_EVENTS)
            self._supports.share(i, f)
            self._supports.await_scores(i, f)
            learner.settle(f, self._roundoff)
            scores[i][first:last] = f.scores
            errors[i][first:last] = f.ahead.errors

        self._each(decide_one)

    def _look_ahead(self, X: Rows, first: int, last: int, states: Sequence[State]) -> Any:
        block = self._supports.cut(self._rooms[0], X, first, last)
        with self._supports.at_work():
            self._supports.look_ahead(states, self._kernel, block)
        return block

    def _each(self, task: Callable[[int], None]) -> None:
        """Do something for each learner."""

        def do_some(part: range) -> None:
            with self._supports.at_work():
                for i in part:
                    task(i)

        self._team.do(len(self._learners), do_some)


def kernel_groups(
    learners: Sequence[Learner], stack: ExitStack, X: Rows, *, rivals: bool
) -> list[tuple[KernelGroup, list[int]]]:
    """The kernel_groups of some learners, and who is in each of them."""
    members: dict[Any, list[int]] = {}
    for i, learner in enumerate(learners):
        key = learner.kernel, learner.dtype, learner.sparse, learner.device
        members.setdefault(key, []).append(i)
    return [
        (KernelGroup([learners[i] for i in group], stack, X, rivals=rivals), group)
        for group in members.values()
    ]


def work_of_block(learners: Sequence[Learner], X: Rows) -> float:
    """How much work can be shared out in a block of such rows, in multiplications."""
    rows, learner = X.shape[0], learners[0]
    if rows < LONG_BLOCK or isinstance(learner.kernel, OwnKernel):
        return 0.0
    if len(learners) >= MANY_LEARNERS:
        return len(learners) * WORTH_A_THREAD
    size = min(most_supports(learner.rule), learner.size + rows)
    each = work_of_each(stored_in(X, 0, rows) / rows, learner.sparse)
    return float(size * LONG_BLOCK / 2 * each * learner.dtype.itemsize / 8)


def threads_for(work: float, most: int) -> int:
    """How many threads have enough to do, of so many."""
    if not 0 < work >= WORTH_A_SECOND:
        return 1
    return max(n for n in range(1, most + 1) if n <= 2 or work >= n * WORTH_A_THREAD)


def unit_roundoff(learner: Learner) -> float:
    """Half the distance from 1 to the next number of the dtype.

    A device evaluates in float64 whatever rows are kept in, and adds up sparse ones in any order,
    eight times as many roundings as `blocks.roundings` counts.
    """
    if learner.device != CPU:
        return UNIT_ROUNDOFF * (8 if learner.sparse else 1)
    return float(np.finfo(learner.dtype).eps) / 2
