"""What is asked of all examples of a large array, by several threads at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np

from ..engine import threads_allowed

__all__ = ["LARGE", "in_parts"]

T = TypeVar("T")

LARGE = 2**26
"""So many bytes take longer to read than threads to start."""


def in_parts(X: Any, ask: Callable[[Any], T]) -> list[T]:
    """What is answered for each part of the rows, which are several if they are many."""
    threads = threads_allowed()
    if not isinstance(X, np.ndarray) or X.nbytes < LARGE or threads == 1:
        return [ask(X)]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(ask, np.array_split(X, threads)))
