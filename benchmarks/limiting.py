"""One thread, or two."""

from __future__ import annotations

import os

from threadpoolctl import threadpool_limits

__all__ = ["limited", "threads_to_try"]

THREADS = (1, 2)


def threads_to_try():
    """Those that there are processors for."""
    return [count for count in THREADS if count <= (os.cpu_count() or 1)]


def limited(threads, run):
    """The same run with so many threads, of BLAS and of the engine."""

    def go():
        with threadpool_limits(threads):
            run()

    return go
