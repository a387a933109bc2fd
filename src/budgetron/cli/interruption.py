"""Ctrl-C, and the polite way to end a process."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Self

__all__ = ["Interruption"]

POLITE = (signal.SIGINT, signal.SIGTERM)


class Interruption:
    """Lets SIGINT and SIGTERM stop the reading at once, and anything else when it is done; once.

    Attributes
    ----------
    signal : int or None
        Which of them has come.
    """

    def __init__(self) -> None:
        self.signal: int | None = None
        self._held = False
        self._before: dict[int, Any] = {}

    @contextmanager
    def held(self) -> Iterator[None]:
        """Within this, nothing is interrupted."""
        self._held = True
        try:
            yield
        finally:
            self._held = False
        if self.signal is not None:
            raise KeyboardInterrupt

    def __enter__(self) -> Self:
        import pyarrow

        pyarrow.enable_signal_handlers(False)
        self._before = {number: signal.signal(number, self._come) for number in POLITE}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _come(self, number: int, frame: FrameType | None) -> None:
        first, self.signal = self.signal is None, number
        if first and not self._held:
            raise KeyboardInterrupt
