"""`budgetron send`: feeds a stream of the user's own to a service."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

import typer

from ..reading import BadRow, Reader, ReadingError, ReadOptions
from .checkpoint import read_checkpoint
from .console import make_console, pairs, run_progress
from .errors import INTERRUPTED, STOPPED, UsageError, explained
from .interruption import Interruption
from .outputs import AsideFile, json_text, refuse_to_overwrite
from .read_options import Aside, Inputs, with_read_options
from .sending import Sending
from .taken import note, taken

if TYPE_CHECKING:
    from ..client import Client

__all__ = ["send"]


@with_read_options
def send(
    *,
    inputs: Inputs,
    model: Annotated[str, typer.Option(metavar="NAME", help="Which model of the service learns.")],
    url: Annotated[str, typer.Option(help="Of the service.")] = "http://127.0.0.1:8080",
    token: Annotated[
        str | None,
        typer.Option(
            envvar="BUDGETRON_TOKEN",
            show_envvar=False,
            help="What the service asks for; better in the variable BUDGETRON_TOKEN, where other"
            " users do not see it.",
        ),
    ] = None,
    batch: Annotated[
        int, typer.Option(min=1, metavar="ROWS", help="Rows sent together; 1 if they come slowly.")
    ] = 500,
    start: Annotated[
        int,
        typer.Option("--from", min=0, metavar="ROWS", help="So many rows were sent before."),
    ] = 0,
    run: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Names what is sent: rows that the service took under this name are not learned"
            " again. It is told when sending stops.",
        ),
    ] = None,
    id: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Which row is which: a row without a label waits at the service for a later one"
            " with its id that has one.",
        ),
    ] = None,
    key: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The keys, for a keyed model.")
    ] = None,
    weight: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="By what the step of each row is multiplied."),
    ] = None,
    like: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Read the columns as budgetron run has read those of this model."
        ),
    ] = None,
    patience: Annotated[
        float,
        typer.Option(min=0, metavar="SECONDS", help="How long to wait for a service that is away."),
    ] = 60.0,
    aside: Aside = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the numbers as JSON.")] = False,
    options: ReadOptions,
) -> None:
    """Send a stream to a model of `budgetron serve`, which predicts each row and then learns it.

    Rows are acknowledged when the service has them on disk. If sending stops, the command is told
    that goes on from there; no row is learned twice.
    """
    if key is not None and id is not None:
        raise UsageError("with a --key labels come at once: give no --id")
    refuse_to_overwrite(inputs, aside)
    apart: dict[str, Any] = {"id": key or id, "weight": weight, "unlabelled": True}
    plan = None if like is None else replace(read_checkpoint(like)[1].next_plan, **apart)
    bad = None if aside is None else AsideFile(aside, start)
    reader = Reader(
        inputs,
        plan or replace(options, **apart),
        chunk_rows=batch,
        on_bad=partial(_set_aside, bad, start),
    )
    try:
        with _client(url, token, patience) as service:
            _demand(service, model, reader.plan.width, keyed=key is not None)
            sending = Sending(service, model, run or uuid4().hex[:12], key is not None, start)
            if not as_json:
                make_console().print(taken(reader.plan), soft_wrap=True)
            _send_all(sending, reader, bad)
            _print_summary(sending, url, service.model(model), as_json)
    finally:
        reader.close()


def _set_aside(file: AsideFile | None, start: int, bad: BadRow) -> None:
    """Write a bad row down, or stop at it; those before the start have been seen already."""
    if bad.row < start:
        return
    if file is None:
        raise bad
    file.put(bad)


def _client(url: str, token: str | None, patience: float) -> Client:
    try:
        from ..client import Client
    except ImportError as error:
        raise UsageError(
            f"sending needs more ({error}): pip install 'budgetron[client]'"
        ) from error
    try:
        return Client(url, token, patience=patience)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _demand(service: Client, name: str, width: int, *, keyed: bool) -> None:
    """Raise a UsageError if this is not a model for these rows."""
    from ..client import ServiceError

    try:
        told = service.model(name)
    except ServiceError as error:
        raise UsageError(str(error)) from error
    features = told["features"]
    wanted = len(features) if isinstance(features, list) else features
    if wanted not in (None, width):
        raise UsageError(
            f"{name} has rows of {wanted:,} features, and these have {width:,}: budgetron columns"
            " shows them, and --like reads them as a model's own"
        )
    if told["keyed"] != keyed:
        raise UsageError(f"{name} is keyed: give a --key" if not keyed else f"{name} has no keys")


def _send_all(sending: Sending, reader: Reader, bad: AsideFile | None) -> None:
    from ..client import ServiceError

    try:
        with (
            bad or nullcontext(),
            Interruption(),
            run_progress(sending.model, reader) as progress,
        ):
            sending.over(reader, progress)
    except ServiceError as error:
        raise UsageError(f"{error}; {_hint(sending)}", STOPPED) from error
    except ReadingError as error:
        raise UsageError(f"{explained(error)}; {_hint(sending)}", STOPPED) from error
    except KeyboardInterrupt:
        raise UsageError(f"interrupted; {_hint(sending)}", INTERRUPTED) from None
    if sending.unasked:
        note(f"{sending.unasked:,} labels came to rows that did not wait for one")


def _hint(sending: Sending) -> str:
    place = f"--from {sending.position} --run {sending.run}"
    return f"{sending.tally.rows:,} rows were taken: go on with the same command and {place}"


def _print_summary(sending: Sending, url: str, now: dict[str, Any], as_json: bool) -> None:
    tally = sending.tally
    if as_json:
        told = {"url": url, "run": sending.run, "start": sending.start} | tally.as_dict()
        typer.echo(json_text(told | {"model": now}))
        return
    shown = {
        "model": f"{sending.model} at {url}",
        "rows": f"{tally.rows:,}" + (f", after {sending.start:,}" if sending.start else ""),
        "bad rows": f"{tally.bad_rows:,}",
        "mistakes": f"{tally.mistakes:,}, {tally.error:.2%} of all predictions",
        "waiting": f"{tally.waiting:,} rows, whose labels have not come",
        "unlabelled": f"{tally.unlabelled:,} rows, which were passed over",
        "time": f"{tally.seconds:.2f} s, {tally.rows_per_second:,.0f} rows/s",
        "by now": f"row {now['row']:,}, version {now['version']:,}, size {now['size']:,}",
    }
    if not tally.waiting:
        del shown["waiting"]
    if tally.unlabelled <= tally.waiting:
        del shown["unlabelled"]
    make_console().print(pairs(shown), soft_wrap=True)
