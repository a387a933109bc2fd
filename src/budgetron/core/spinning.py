"""Waiting without sleeping, for what is there within microseconds."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from .compiled import PUBLIC, compiled_in_place, inlined

__all__ = ["TURNS", "new_cell", "spin"]

TURNS = 15000
"""How often it is looked for at most: for about 100 microseconds."""


def new_cell() -> np.ndarray:
    """A number that other threads wait for, alone in its part of the processors' caches."""
    return np.zeros(16, np.int64)


def _how_to_wait() -> tuple[Callable[..., Any], Callable[[], None]]:
    """To read a number, and to pause; in public words the compiler may read it but once.

    Then nobody is seen to come, and whoever waits sleeps.
    """
    if not os.environ.get(PUBLIC):
        with suppress(ImportError, AttributeError):
            from .atomics import number_in, pause

            return number_in, pause
    return inlined(lambda cell: cell[0]), inlined(lambda: None)


number_in, pause = _how_to_wait()


@compiled_in_place
def spin(cell, awaited, turns):
    """Wait until the number in a cell is as large as awaited, but not for ever."""
    for _ in range(turns):
        if number_in(cell) >= awaited:
            return True
        pause()
    return False
