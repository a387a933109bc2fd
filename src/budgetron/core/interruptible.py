"""How one waits for what takes long."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from threading import Thread, current_thread, main_thread
from typing import Any, TypeVar

__all__ = ["interruptible"]

T = TypeVar("T")


def interruptible(action: Callable[..., T], *arguments: Any, **named: Any) -> T:
    """Do something that may take long in a thread, so that Ctrl-C need not wait for its end.

    After an interrupt the thread goes on for a while with what it was given, which must not matter
    to anybody then. Signals reach the main thread only: any other one does it itself.
    """
    if current_thread() is not main_thread():
        return action(*arguments, **named)
    outcome: Future[T] = Future()

    def act() -> None:
        try:
            outcome.set_result(action(*arguments, **named))
        except BaseException as error:
            outcome.set_exception(error)

    Thread(target=copy_context().run, args=(act,)).start()
    return outcome.result()
