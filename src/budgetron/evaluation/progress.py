"""How far a pass over a stream is: the name of a class and numbers, nothing of the data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["shown_progress"]


@contextmanager
def shown_progress(
    name: str, total: int | None, *, wished: bool
) -> Iterator[Callable[[int], None]]:
    """What to tell of rows that are done; it is shown if that is wished."""
    if not wished:
        yield lambda rows: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = TextColumn("{task.description}  {task.completed:,.0f} rows"), BarColumn()
    more = (TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, *more, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(name, total=total)
        yield lambda rows: shown.advance(task, rows)
