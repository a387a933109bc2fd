"""Who does the runs of a sweep: this process, processes on this machine, or a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from joblib import parallel_config

from .errors import UsageError

__all__ = ["Jobs", "Scheduler", "at_work"]

Jobs = Annotated[
    int | None, typer.Option(help="Processes; -1 is one for each core. One if not given.")
]
Scheduler = Annotated[
    str | None,
    typer.Option(metavar="tcp://HOST:PORT", help="Of a Dask cluster, whose workers do it instead."),
]

SECONDS = 10
"""To wait for a scheduler."""


@contextmanager
def at_work(jobs: int | None, scheduler: str | None) -> Iterator[None]:
    """Within this, sweeps are done by these."""
    if jobs is not None and (jobs < -1 or jobs == 0):
        raise UsageError(f"jobs must be -1 or at least 1, got {jobs}")
    if scheduler is None:
        with parallel_config(n_jobs=jobs):
            yield
        return
    if jobs is not None:
        raise UsageError("--jobs is for this machine: a cluster has as many workers as it has")
    try:
        from distributed import Client
    except ImportError as error:
        raise UsageError(
            f"a cluster needs more ({error}): pip install 'budgetron[dask]'"
        ) from error
    try:
        client = Client(scheduler, timeout=SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(f"there is no Dask scheduler at {scheduler}: {error}") from error
    with client, parallel_config("dask", client=client):
        yield
