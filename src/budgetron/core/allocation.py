"""Arrays that are too large for the machine are refused by their size, before they are made."""

from __future__ import annotations

import math
import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["machine_memory", "refuse_unless_it_fits", "zeros"]

LIMITS = "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"
"""What a container is allowed, where there is one."""


def zeros(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """An array of zeros, if the machine can hold it."""
    refuse_unless_it_fits(math.prod(shape) * np.dtype(dtype).itemsize)
    return np.zeros(shape, dtype)


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
