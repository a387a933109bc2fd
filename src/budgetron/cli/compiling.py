"""A word about what takes long the first time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event

from .console import make_console

__all__ = ["told_if_it_compiles"]


class _Teller(event.Listener):
    """Says once that something is compiled."""

    def __init__(self, name: str) -> None:
        self._name: str | None = name

    def on_start(self, event: Any) -> None:
        console = make_console(stderr=True)
        if self._name is not None and console.is_terminal:
            console.print(f"compiling {self._name}, once: this takes a while")
            self._name = None

    def on_end(self, event: Any) -> None:
        """Nothing more to say."""


@contextmanager
def told_if_it_compiles(name: str) -> Iterator[None]:
    """Within this, a line on the terminal tells that a learner is compiled, if it is."""
    with event.install_listener("numba:compile", _Teller(name)):
        yield
