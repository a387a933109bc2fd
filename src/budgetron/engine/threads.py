"""Threads that share the work where there is enough of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import pairwise
from threading import RLock
from typing import Any
from weakref import ref

from threadpoolctl import ThreadpoolController

__all__ = ["ThreadTeam", "threads_allowed"]


class ThreadTeam:
    """Some threads, each with a part of what is to be done.

    BLAS has to do with one meanwhile. Its own threads are more trouble than help on the products of
    a small learner, and spin where ours want to go on.

    Parameters
    ----------
    threads : int
    stack : ExitStack
        Where they go home.
    """

    def __init__(self, threads: int, stack: ExitStack) -> None:
        self._threads = threads
        stack.enter_context(_one_thread.held())
        if threads > 1:
            self._pool = stack.enter_context(ThreadPoolExecutor(threads))

    def parts(self, many: int) -> list[range]:
        """How that many things are shared out."""
        ends = [many * k // self._threads for k in range(self._threads + 1)]
        return [range(*part) for part in pairwise(ends)]

    def do(self, many: int, task: Callable[[range], None]) -> None:
        """Let each thread do its part of a task."""
        if min(self._threads, many) <= 1:
            task(range(many))
        else:
            for _ in self._pool.map(task, self.parts(many)):
                pass


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

    Whoever comes first sets it and sets it back, others meanwhile leave it alone, because it is set
    for the whole process. A hold that was dropped is no hold.
    """

    def __init__(self) -> None:
        self._lock, self._hold = RLock(), ref(_Hold())

    @contextmanager
    def held(self) -> Iterator[None]:
        hold = _Hold()
        with self._lock:
            is_first = self._hold() is None
            self._hold = ref(hold) if is_first else self._hold
        if not is_first:
            yield
            return
        before = [library.num_threads for library in _libraries()]
        try:
            self._set([1] * len(before))
            yield
        finally:
            self._set(before)

    def _set(self, threads: list[int]) -> None:
        """Set it, even if it was another thread that did so before: who called us waits for us."""
        for library, count in zip(_libraries(), threads, strict=True):
            if hasattr(library, "clear_controlling_thread"):
                library.clear_controlling_thread(force=True)
            library.set_num_threads(count)


_one_thread = _OneThread()
