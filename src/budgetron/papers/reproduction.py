"""The papers' tables and figures again, and a table of what became of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from .exhibit import MARKS, Artifact, Exhibit, Scale
from .machine import Machine
from .task import Results, perform

__all__ = ["reproduce"]


def reproduce(
    artifacts: Iterable[Artifact],
    directory: Path,
    scale: Scale,
    console: Console,
) -> dict[str, Exhibit]:
    """Do what is missing for these artifacts, and print their verdicts.

    Parameters
    ----------
    artifacts : iterable of Artifact
    directory : Path
        Of the results; those of a scale are in a directory of its name below it.
    scale : {"quick", "full"}
    console : rich.console.Console
        Where to print.

    Returns
    -------
    dict
        Exhibits by the artifacts' keys; an artifact without its data is not among them.
    """
    results = Results(directory / scale)
    exhibits: dict[str, Exhibit] = {}
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeRemainingColumn(), console=console) as progress:
        for artifact in artifacts:
            bar = progress.add_task(artifact.key, total=None)
            try:
                tasks = artifact.tasks(scale)
                progress.update(bar, total=len(set(tasks)))
                complete = all(task in results for task in tasks)
                perform(tasks, results, progress=partial(progress.advance, bar))
                if not complete:
                    Machine.here().keep(results.directory)
                exhibits[artifact.key] = artifact.show(results, scale)
            except OSError as error:
                progress.remove_task(bar)
                progress.print(f"{artifact.key} is left out: {error}")
    if exhibits:
        console.print(_verdicts(exhibits))
    return exhibits


def _verdicts(exhibits: dict[str, Exhibit]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("artifact", "verdict", "why"):
        table.add_column(heading, no_wrap=heading != "why")
    for key, exhibit in exhibits.items():
        table.add_row(key, f"{MARKS[exhibit.verdict]} {exhibit.verdict}", exhibit.why)
    return table
