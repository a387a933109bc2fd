"""Learners that evaluate the same kernel on the same rows, and do it once for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np

from ..core.blocks import evaluate_own
from ..core.expansion import Kept
from ..core.kernel import OwnKernel, Rows
from ..core.rule import most_supports, needs_factor
from ..core.storage import stored_in
from .learner import Learner
from .record import Record
from .shared_supports import Alone, CommonSupports
from .threads import Crew, threads_allowed
from .workspace import Workspace

__all__ = ["LONG", "MANY", "Circle", "circles", "threads_for", "unit_roundoff"]

NO_EVENTS = np.empty((0, 4), np.int64)

MANY = 8
"""So many learners of a circle are worth several threads, and longer blocks."""

LONG = 256
"""The length of these."""

LARGE = 1e8
"""So many multiplications in one product are worth several threads. A sparse one counts eightfold,
for it takes that long."""


class Circle:
    """Some learners that have seen the same stream, with room to look ahead in.

    Parameters
    ----------
    learners : sequence of Learner
        With the same kernel, dtype and kind of rows.
    stack : ExitStack
        What gives the room back.
    threads : int
        How many may walk at the same time.
    """

    def __init__(self, learners: Sequence[Learner], stack: ExitStack, threads: int = 1) -> None:
        self._learners, self._kernel = learners, learners[0].kernel
        self._is_common = len(learners) >= MANY or min(threads, len(learners)) > 1
        self._crew = crew = Crew(threads, stack)
        self._supports = Alone(crew) if len(learners) == 1 else CommonSupports(learners, crew)
        self._rooms = self._workspaces(stack)

    def _workspaces(self, stack: ExitStack) -> list[Workspace]:
        """A workspace for each learner; those of one thread that need the same have the same."""
        rooms = []
        for part in self._crew.parts(len(self._learners)):
            kinds: dict[Any, Workspace] = {}
            for learner in self._learners[part.start : part.stop]:
                kind = type(learner), needs_factor(learner.rule)
                if kind not in kinds:
                    kinds[kind] = stack.enter_context(learner.workspace())
                rooms.append(kinds[kind])
        return rooms

    def learn(
        self, X: Rows, first: int, last: int, labels: Sequence[Any], records: Sequence[Record]
    ) -> None:
        """Learn the examples `first` to `last - 1`."""
        for learner in self._learners:
            learner.make_room(X, first, last)
        kept = [learner.kept for learner in self._learners]
        block = self._look_ahead(X, first, last, kept)
        if self._is_common:
            evaluate_own(self._kernel, block)

        def learn_one(i: int) -> None:
            learner, room, here = self._learners[i], self._rooms[i], labels[i][first:last]
            f = room.in_view(self._kernel, kept[i], block, records[i].events_of(first, last))
            self._supports.share(i, f)
            learner.solve_ahead(f, here, room.columns)
            learner.walk(f, here, unit_roundoff(learner))
            records[i].keep(first, f.scores)

        self._each(learn_one)

    def decide(
        self, X: Rows, first: int, last: int, kept: Sequence[Kept], scores: Sequence[np.ndarray]
    ) -> None:
        """Score the examples `first` to `last - 1` by what is kept, and change nothing."""
        block = self._look_ahead(X, first, last, kept)

        def decide_one(i: int) -> None:
            learner = self._learners[i]
            f = self._rooms[i].in_view(self._kernel, kept[i], block, NO_EVENTS)
            self._supports.share(i, f)
            f.ahead.solved[:] = -1
            learner.settle(f, unit_roundoff(learner))
            scores[i][first:last] = f.scores

        self._each(decide_one)

    def _look_ahead(self, X: Rows, first: int, last: int, kept: Sequence[Kept]) -> Any:
        block = self._rooms[0].cut(X, first, last)
        self._supports.look_ahead(kept, self._kernel, block)
        return block

    def _each(self, task: Callable[[int], None]) -> None:
        """Do something for each learner."""

        def do_some(part: range) -> None:
            for i in part:
                task(i)

        self._crew.do(len(self._learners), do_some)


def circles(
    learners: Sequence[Learner], stack: ExitStack, X: Rows
) -> list[tuple[Circle, list[int]]]:
    """The circles of some learners, and who is in each of them."""
    members: dict[Any, list[int]] = {}
    for i, learner in enumerate(learners):
        key = learner.kernel, learner.dtype, learner.sparse
        members.setdefault(key, []).append(i)
    return [
        (Circle(own := [learners[i] for i in circle], stack, threads_for(own, X)), circle)
        for circle in members.values()
    ]


def threads_for(learners: Sequence[Learner], X: Rows) -> int:
    """How many threads such rows are worth."""
    rows, learner = X.shape[0], learners[0]
    if rows < LONG or isinstance(learner.kernel, OwnKernel):
        return 1
    if len(learners) >= MANY:
        return min(threads_allowed(), len(learners))
    size = min(most_supports(learner.rule), learner.size + rows)
    products = size * LONG * stored_in(X, 0, rows) / rows
    return threads_allowed() if products * (8 if learner.sparse else 1) >= LARGE else 1


def unit_roundoff(learner: Learner) -> float:
    """Half the distance from 1 to the next number of the dtype."""
    return float(np.finfo(learner.dtype).eps) / 2
