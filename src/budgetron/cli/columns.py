"""`budgetron columns`: what would be taken from a file, without learning anything."""

from __future__ import annotations

from typing import Annotated

import typer

from ..reading import NoClassesError, Plan, Reader, ReadOptions
from .console import make_console, table
from .errors import ASKED_WRONGLY
from .outputs import json_text
from .read_options import Inputs, with_read_options
from .taken import becomes, taken, taken_as_dict

__all__ = ["columns"]


@with_read_options
def columns(
    *,
    inputs: Inputs,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    options: ReadOptions,
) -> None:
    """Show each column of a file: what it is, what is in its first rows, and what it becomes.

    Nothing is learned. If no column can be the label, it is told, and the exit code is 2.
    """
    refused = None
    try:
        reader = Reader(inputs, options)
    except NoClassesError as error:
        refused = error
        reader = Reader(inputs, options, labelled=False)
    reader.close()
    if as_json:
        typer.echo(json_text(_as_dict(reader.plan)))
    else:
        _print(reader.plan)
    if refused is not None:
        typer.echo(f"error: {refused}", err=True)
        raise typer.Exit(ASKED_WRONGLY)


def _rows(plan: Plan) -> list[tuple[str, str, str, str]]:
    rows: list[tuple[str, str, str, str]] = [
        (each.name, each.kind, each.seen, becomes(each)) for each in plan.columns
    ]
    rows += [(each.name, each.kind, each.seen, becomes(each)) for each in plan.left_out]
    if plan.target is not None:
        classes = len(plan.classes)
        seen = ", ".join(plan.classes[:6]) + (", ..." if classes > 6 else "")
        rows.append((plan.target, plan.labels, seen, f"the label, {classes} classes so far"))
    return rows


def _as_dict(plan: Plan) -> dict[str, object]:
    names = "name", "kind", "first_rows", "becomes"
    described = [dict(zip(names, row, strict=True)) for row in _rows(plan)]
    return taken_as_dict(plan) | {"described": described}


def _print(plan: Plan) -> None:
    made = table("column", "kind", "in the first rows", "becomes")
    for row in _rows(plan):
        made.add_row(*row)
    console = make_console()
    console.print(made)
    console.print(taken(plan), soft_wrap=True)
