"""The one thread that changes a model: it takes all that has come, and does it together."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable
from typing import Any

from .journal import tell
from .refusal import Refusal

__all__ = ["Writer"]

HOUSEKEEPING = 30.0
"""Seconds between two looks at what has expired."""

MOST_PENDING = 100_000
"""Rows that may be on their way."""

CLOSE = object()


class Writer:
    """A queue and a thread.

    Parameters
    ----------
    name : str
    act : callable
        Does jobs, and says what is answered to each: pairs of a job and a result or an exception.
    keep_house : callable
        Called now and then.

    Attributes
    ----------
    pending : int
        Rows on their way.
    gather : float
        Seconds to wait for requests that came together before.
    is_closed : bool
        Whether nothing can be submitted any more.
    """

    def __init__(
        self,
        name: str,
        act: Callable[[list[Any]], list[tuple[Any, Any]]],
        keep_house: Callable[[], None],
    ) -> None:
        self.pending = 0
        self.gather = 0.0
        self._act, self._keep_house = act, keep_house
        self._jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._last_group = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._work, name=f"writer of {name}")
        self.is_closed = False

    def submit(self, job: Any) -> asyncio.Future[Any]:
        """Have a job done; its answer is the future's."""
        if self.is_closed:
            raise Refusal(503, "busy", "the model is being closed")
        if self.pending > MOST_PENDING:
            raise Refusal(503, "busy", "more rows wait for the writer than it may have: slow down")
        self.pending += job.rows
        job.future = asyncio.get_running_loop().create_future()
        self._jobs.put(job)
        future: asyncio.Future[Any] = job.future
        return future

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Be at work, for clients in this loop."""
        self._loop = loop
        self._thread.start()

    def close(self) -> None:
        """Finish what has been submitted."""
        self.is_closed = True
        if self._thread.is_alive():
            self._jobs.put(CLOSE)
            self._thread.join()

    def _work(self) -> None:
        next_look = time.monotonic() + HOUSEKEEPING
        closing = False
        while not closing:
            try:
                first = self._jobs.get(timeout=max(0.01, next_look - time.monotonic()))
            except queue.Empty:
                first = None
            jobs = [] if first is None else self._gathered(first)
            closing = CLOSE in jobs
            answers = self._act([job for job in jobs if job is not CLOSE])
            if answers and self._loop is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._settle, answers)
            if time.monotonic() >= next_look:
                next_look = time.monotonic() + HOUSEKEEPING
                try:
                    self._keep_house()
                except Exception as error:  # without this thread nothing would be learned
                    tell("failed", "error", thread=self._thread.name, error=repr(error))

    def _gathered(self, first: Any) -> list[Any]:
        """What has come; if more came together last time, a little later."""
        jobs = [first]
        for patience in (self._last_group // 2, 0):
            while True:
                try:
                    jobs.append(self._jobs.get_nowait())
                except queue.Empty:
                    break
            if len(jobs) >= patience:
                break
            time.sleep(self.gather)
        self._last_group = len(jobs)
        return jobs

    def _settle(self, answers: list[tuple[Any, Any]]) -> None:
        """Answer, in the loop's own thread."""
        for job, result in answers:
            self.pending -= job.rows
            if job.future.done():
                continue
            if isinstance(result, Exception):
                job.future.set_exception(result)
            else:
                job.future.set_result(result)
