"""Arrays that are too large for the machine are refused by their size, before they are made."""

from __future__ import annotations

import math
import mmap
import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["machine_memory", "refuse_unless_it_fits", "zeros"]

LIMITS = "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"
"""What a container is allowed, where there is one."""


LARGE = 2**20
"""An array of so many bytes has pages of its own: they are there when they are written on, and go
back to the system with it."""


def zeros(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """An array of zeros, if the machine can hold it."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    refuse_unless_it_fits(size)
    if size < LARGE or not hasattr(mmap, "MAP_ANONYMOUS"):
        return np.zeros(shape, dtype)
    try:
        pages = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as fault:
        raise MemoryError(f"there is no room for an array of {size:,} bytes") from fault
    return np.frombuffer(pages, dtype).reshape(shape)


def refuse_unless_it_fits(needed: int) -> None:
    """Raise MemoryError for more bytes than there are."""
    if needed > machine_memory():
        raise MemoryError(
            f"this takes an array of {needed:,} bytes, and the memory is"
            f" {machine_memory():,} bytes; a smaller budget takes less"
        )


@cache
def machine_memory() -> float:
    """How many bytes this process could have at most; infinity where that is not known."""
    try:
        limits = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    except (AttributeError, OSError, ValueError):  # not on this system
        return math.inf
    for path in map(Path, LIMITS):
        try:
            limits.append(int(path.read_text()))
        except (OSError, ValueError):  # no container, or "max"
            continue
    return min(limit for limit in limits if limit > 0)
