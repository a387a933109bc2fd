"""Many independent runs, wherever joblib is told to have them done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

__all__ = ["sweep"]

T = TypeVar("T")


def sweep(
    calls: Iterable[Callable[[], T]], jobs: int | None = None, *, as_they_come: bool = False
) -> Iterator[T]:
    """What each call returns; a call has one core.

    No backend is named: it is joblib's own processes, or what `joblib.parallel_config` says, such
    as a Dask cluster. Calls begin at once, and do not wait for their outcomes to be asked for.

    Parameters
    ----------
    calls : iterable of callables without arguments
        They travel to the processes, and their outcomes back.
    jobs : int, optional
        Processes, -1 for one on each core. What `joblib.parallel_config` says if not given, and
        without that this process alone.
    as_they_come : bool, default=False
        Whether the first to be done comes first; otherwise they come in the order of the calls.

    Returns
    -------
    iterator

    Examples
    --------
    >>> from functools import partial
    >>> from budgetron.evaluation import sweep
    >>> [*sweep(partial(pow, base, 2) for base in range(4))]
    [0, 1, 4, 9]
    """
    order = "generator_unordered" if as_they_come else "generator"
    outcomes = Parallel(n_jobs=jobs, return_as=order, batch_size=1)(
        delayed(_on_one_core)(call) for call in calls
    )
    return iter(outcomes)


def _on_one_core(call: Callable[[], T]) -> T:
    with threadpool_limits(1):
        return call()
