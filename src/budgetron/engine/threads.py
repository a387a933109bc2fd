"""Threads that share the work, and are there within microseconds while a learner is at work."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import count, pairwise
from queue import Empty, SimpleQueue
from threading import Lock, RLock, Thread
from typing import Any
from weakref import WeakSet

from threadpoolctl import ThreadpoolController

from ..core.spinning import TURNS, new_cell, spin

__all__ = ["ThreadTeam", "processors", "threads_allowed"]

IDLE = 1.0
"""After so many seconds without work a helper goes home."""


class ThreadTeam:
    """The caller and some helpers, each of whom takes the next part of what is to be done.

    So nothing depends on how many of them there are, or whether one of them comes late. BLAS has to
    do with one thread meanwhile: its own are more trouble than help on the products of a small
    learner, and spin where ours want to go on.

    Parameters
    ----------
    threads : int
        The caller's own included.
    stack : ExitStack
        When the helpers may rest.
    """

    def __init__(self, threads: int, stack: ExitStack) -> None:
        self._threads = threads
        stack.enter_context(_one_thread.held())
        self._helpers = stack.enter_context(_helpers.lent(threads - 1))

    def parts(self, many: int) -> list[range]:
        """How that many things are shared out."""
        ends = [many * k // self._threads for k in range(self._threads + 1)]
        return [range(*part) for part in pairwise(ends)]

    def do(self, many: int, task: Callable[[range], None]) -> None:
        """Do a task for that many things, a part of them for each thread."""
        self.each(self.parts(many), task)

    def each(self, ranges: Sequence[range], task: Callable[[range], None]) -> None:
        """Do a task for each of these parts."""
        ranges = [part for part in ranges if part]
        if len(ranges) <= 1 or not self._helpers:
            for part in ranges:
                task(part)
        else:
            _Job(ranges, task).do_with(self._helpers[: len(ranges) - 1])


class _Job:
    """Parts of a task, the next one for whoever is free."""

    def __init__(self, ranges: Sequence[range], task: Callable[[range], None]) -> None:
        self._ranges, self._task, self._taken = ranges, task, count()
        self._inside: list[_Helper] = []
        self._faults: list[BaseException] = []

    def do_with(self, helpers: Sequence[_Helper]) -> None:
        """Do it, and come back when nobody is at it any more, whatever happens."""
        try:
            for helper in helpers:
                helper.call(self)
            self._take_parts()
        finally:
            self._ranges = ()
            for helper in self._inside:
                helper.wait_for()
        if self._faults:
            raise self._faults[0]

    def help(self, helper: _Helper) -> None:
        """Do some parts of it in a helper's thread."""
        self._inside.append(helper)
        try:
            self._take_parts()
        except BaseException as fault:
            self._ranges = ()
            self._faults.append(fault)

    def _take_parts(self) -> None:
        ranges = self._ranges
        while (k := next(self._taken)) < len(self._ranges):
            self._task(ranges[k])


class _Helper:
    """A thread that looks for jobs all the time while it is lent, and sleeps otherwise."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[tuple[int, _Job | None]] = SimpleQueue()
        self._called, self._ended = new_cell(), new_cell()
        self._at_work, self.is_lent = Lock(), False
        spin(self._ended, 0, 1)  # compiled before anybody needs it
        self._begin()

    def _begin(self) -> None:
        self._thread = Thread(target=self._serve, name="budgetron", daemon=True)
        self._thread.start()

    @property
    def is_there(self) -> bool:
        """Whether it has not gone home."""
        return self._thread.is_alive()

    def call(self, job: _Job | None) -> None:
        """Let it help with a job as soon as it can, or rest."""
        if job is not None and not self.is_there:
            self._begin()
        number = self._called.item(0) + 1
        self._jobs.put((number, job))
        self._called[0] = number

    def wait_for(self) -> None:
        """Come back when it has done what it was called for, and has begun."""
        if not spin(self._ended, self._called.item(0), TURNS):
            with self._at_work:
                pass

    def _serve(self) -> None:
        is_lent, number = False, 0
        while True:
            if is_lent:
                spin(self._called, number + 1, TURNS)
            try:
                number, job = self._jobs.get(timeout=IDLE)
            except Empty:
                return
            is_lent = job is not None
            if job is not None:
                with self._at_work:
                    job.help(self)
                    self._ended[0] = number


class _Helpers:
    """All helpers of this process: together never more than one caller may have."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin without any."""
        self._lock = Lock()
        self._all: list[_Helper] = []

    @contextmanager
    def lent(self, many: int) -> Iterator[list[_Helper]]:
        """As many as that, unless others have some of them."""
        with self._lock:
            self._all = [helper for helper in self._all if helper.is_there]
            free = [helper for helper in self._all if not helper.is_lent]
            free += [_Helper() for _ in range(many - len(self._all))]
            helpers = free[: max(0, many - sum(helper.is_lent for helper in self._all))]
            self._all = [*{*self._all, *helpers}]
            for helper in helpers:
                helper.is_lent = True
        try:
            yield helpers
        finally:
            for helper in helpers:
                helper.call(None)
                helper.is_lent = False


def processors() -> int:
    """How many this process may run on; what they may be used for is another question."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def threads_allowed() -> int:
    """As many as BLAS may use: whoever limits the one limits the other."""
    return max((library.num_threads for library in _libraries()), default=1)


@cache
def _libraries() -> list[Any]:
    """The BLAS libraries of this process."""
    controllers: list[Any] = ThreadpoolController().select(user_api="blas").lib_controllers
    return controllers


class _Hold:
    """What someone has as long as BLAS is kept to one thread for them."""


class _OneThread:
    """Keeps BLAS to one thread, as far as it lets itself be kept.

    Whoever comes first sets it and whoever leaves last sets it back, because it is set for the
    whole process. A hold that was dropped is no hold.
    """

    def __init__(self) -> None:
        self._lock, self._holds = RLock(), WeakSet[_Hold]()
        self._before: list[int] = []

    @contextmanager
    def held(self) -> Iterator[None]:
        hold = _Hold()
        try:
            with self._lock:
                if not self._holds:
                    self._before = [library.num_threads for library in _libraries()]
                self._holds.add(hold)
                self._set([1] * len(self._before))
            yield
        finally:
            with self._lock:
                is_held = hold in self._holds
                self._holds.discard(hold)
                if is_held and not self._holds:
                    self._set(self._before)

    def _set(self, threads: list[int]) -> None:
        """Set it, even if it was another thread that did so before: who called us waits for us."""
        for library, many in zip(_libraries(), threads, strict=True):
            if hasattr(library, "clear_controlling_thread"):
                library.clear_controlling_thread(force=True)
            library.set_num_threads(many)


_one_thread = _OneThread()
_helpers = _Helpers()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_helpers.forget)  # threads stay behind
