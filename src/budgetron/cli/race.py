"""`budgetron race`: several learners over one stream, which is read once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import asdict, replace
from functools import partial
from os.path import abspath
from typing import Annotated, Any

import typer
from rich.table import Table
from threadpoolctl import threadpool_limits

from ..evaluation import sweep
from ..evaluation.baselines import BASELINES
from ..evaluation.race import Contender, Runner, on_a_budget
from ..reading import BadRow, Plan, Reader, ReadOptions
from ..reading.chunk import Chunk, labelled_part
from . import demonstration
from .chart import Chart, check_chart, draw
from .compiling import told_if_it_compiles
from .console import count_progress, make_console, row_progress, table
from .errors import STOPPED, UsageError
from .learner_options import (
    BUDGET,
    Settings,
    bounded,
    complete,
    configured,
    learner_named,
    ready,
)
from .outputs import AsideFile, json_text, refuse_to_overwrite
from .read_options import Aside, InputsOrMails, with_read_options
from .taken import ColumnNotes, taken, taken_as_dict
from .workers import Jobs, Scheduler, at_work

__all__ = ["race"]

CHUNK_ROWS = 4096
BARS = "▁▂▃▄▅▆▇█"
TABLE_POINTS = 16
WIDE = 130
"""Columns of a terminal for which there are more columns in the table."""


@with_read_options
def race(
    *,
    inputs: InputsOrMails = None,
    learners: Annotated[
        list[str] | None,
        typer.Option(
            "--learner",
            "-l",
            metavar="'NAME [NAME=VALUE...]'",
            help="Who takes part, such as 'Forgetron budget=50'; can be repeated. All that have a"
            " budget if not given.",
            autocompletion=complete,
        ),
    ] = None,
    settings: Settings = None,
    chart: Chart = None,
    aside: Aside = None,
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the numbers as JSON.")] = False,
    options: ReadOptions,
) -> None:
    """Send several learners over a stream, each row being predicted first and learned afterwards.

    Without an input, all learners go over the embedded stream of mails, beside linear models. With
    several processes or a cluster, each learner reads the files for itself.
    """
    if not inputs:
        if learners or settings or chart or aside or as_json:
            raise UsageError("say what to read: the race over the embedded mails has no options")
        with at_work(jobs, scheduler):
            demonstration.main()
        return
    refuse_to_overwrite(inputs, None if chart is None else str(chart), aside)
    check_chart(chart)
    entries = _field(learners or (), settings or ())
    field = [Runner(contender, note_trust=chart is not None) for contender in entries]
    apart = jobs not in (None, 1) or scheduler is not None
    with at_work(jobs, scheduler):
        field, rows, plan = _run_all(field, inputs, options, aside, apart=apart, quiet=as_json)
    best_first = sorted(field, key=lambda runner: runner.result.mistakes)
    if chart is not None:
        trusts = {it.name: it.trust for it in best_first if it.trust is not None}
        draw(chart, inputs, {it.name: it.metrics for it in best_first}, trusts)
    if as_json:
        numbers = _numbers(inputs, rows, best_first) | {"input": taken_as_dict(plan)}
        typer.echo(json_text(numbers))
    else:
        console = make_console()
        console.print(_table(best_first, wide=console.width >= WIDE))


def _field(names: Any, settings: Any) -> list[Contender]:
    if names:
        parts = [name.split() for name in names]
        entries = {
            " ".join([type(learner).__name__, *own]): (learner, own)
            for learner, own in ((learner_named(first, rest), rest) for first, *rest in parts)
        }
    else:
        entries = {type(learner).__name__: (learner, []) for learner in on_a_budget(BUDGET)}
    field = []
    for name, (learner, own) in entries.items():
        told = [*own, *settings]
        learner = ready(bounded(configured(learner, settings), told), told)
        field.append(Contender(name, "", learner))
    return field


def _run_all(
    field: list[Runner],
    inputs: list[str],
    options: ReadOptions,
    aside: str | None,
    *,
    apart: bool,
    quiet: bool,
) -> tuple[list[Runner], int, Plan]:
    """Those who ran, how many rows with a label there were, and how they were read.

    Apart, each learner reads in a process of its own, after what is to be said of rows is said.
    """
    if apart and "-" in inputs:
        raise UsageError("standard input can be read once: --jobs and --scheduler need files")
    bad = None if aside is None else AsideFile(aside)
    options = replace(options, unlabelled=True)
    reader = Reader(inputs, options, chunk_rows=CHUNK_ROWS, on_bad=None if bad is None else bad.put)
    if not quiet:
        make_console().print(taken(reader.plan), soft_wrap=True)
    with ExitStack() as stack:
        if bad is not None:
            stack.enter_context(bad)
        stack.enter_context(threadpool_limits(1))
        stack.enter_context(told_if_it_compiles("learners"))
        if not apart:
            return field, _read(reader, field), reader.plan
        rows, paths = _read(reader), [*map(abspath, inputs)]
        pass_over = None if bad is None else _pass_over
        runners = sweep(partial(_alone, runner, paths, reader.plan, pass_over) for runner in field)
        return _gathered(runners, len(field)), rows, reader.plan


def _read(reader: Reader, field: Iterable[Runner] = ()) -> int:
    """How many rows with a label there are; these go over them, one chunk after the other."""
    field, notes, rows = [*field], ColumnNotes(reader.plan), 0
    with row_progress(f"{len(field)} learners" if field else "reading", reader) as progress:
        for chunk in map(labelled_part, reader):
            if not len(chunk):
                continue
            notes.add(chunk.X)
            for runner in field:
                _go_on(runner, chunk)
            rows += len(chunk.rows)
            progress(rows)
    notes.finish()
    return rows


def _gathered(runners: Iterable[Runner], total: int) -> list[Runner]:
    done: list[Runner] = []
    with count_progress("learners", total) as progress:
        for runner in runners:
            done.append(runner)
            progress(len(done))
    return done


def _alone(
    runner: Runner, paths: list[str], plan: Plan, on_bad: Callable[[BadRow], None] | None
) -> Runner:
    for chunk in map(labelled_part, Reader(paths, plan, chunk_rows=CHUNK_ROWS, on_bad=on_bad)):
        if len(chunk):
            _go_on(runner, chunk)
    return runner


def _pass_over(bad: BadRow) -> None:
    """The process that reads for all has put it aside."""


def _go_on(runner: Runner, chunk: Chunk) -> None:
    try:
        runner.go_on(chunk.X, chunk.y)
    except (TypeError, ValueError) as error:
        raise UsageError(
            f"{runner.name}, rows {chunk.rows[0]} to {chunk.rows[-1]}: {error}", STOPPED
        ) from error


def _numbers(inputs: list[str], rows: int, field: list[Runner]) -> dict[str, Any]:
    results = [
        asdict(runner.result)
        | {"metrics": runner.metrics.summary(), "curve": runner.metrics.curve()}
        for runner in field
    ]
    return {"inputs": inputs, "rows": rows, "results": results}


def _table(field: list[Runner], *, wide: bool) -> Table:
    """The best first, and the baselines where they belong."""
    metrics = ("F1 %", "kappa", "AUC", "log loss") if wide else ("kappa",)
    numbers = ("mistakes", "error %", *metrics, "largest size", "rows/s")
    made = table("learner", *numbers, "error along the stream", right=numbers)
    curves = [runner.metrics.errors(TABLE_POINTS) for runner in field]
    highest = max(float(curve[:, 1:].max(initial=0)) for curve in curves) or 1.0
    lines = [
        (runner.result.mistakes, _line(runner, metrics), curve[:, 1], "")
        for runner, curve in zip(field, curves, strict=True)
    ]
    for place, (name, key) in enumerate(zip(BASELINES, ("majority", "last_label"), strict=True)):
        told = field[0].metrics.summary()[key]
        cells = [name, f"{told['mistakes']:,}", f"{100 * told['error']:.2f}"]
        empty = [""] * (len(metrics) + 2)
        lines.append((told["mistakes"], [*cells, *empty], curves[0][:, 2 + place], "dim italic"))
    for _, cells, errors, style in sorted(lines, key=lambda line: line[0]):
        made.add_row(*cells, _bars(errors / highest), style=style)
    return made


def _line(runner: Runner, metrics: tuple[str, ...]) -> list[str]:
    result, told = runner.result, runner.metrics.summary()
    shown = {
        "F1 %": told["f1_macro"] and 100 * told["f1_macro"],
        "kappa": told["kappa"],
        "AUC": told["roc_auc"],
        "log loss": told["log_loss"],
    }
    digits = {"F1 %": 1}
    return [
        result.name,
        f"{result.mistakes:,}",
        f"{100 * result.error:.2f}",
        *("" if shown[it] is None else f"{shown[it]:.{digits.get(it, 3)}f}" for it in metrics),
        f"{result.largest_size or 0:,}",
        f"{result.rows_per_second:,.0f}",
    ]


def _bars(heights: Any) -> str:
    return "".join(BARS[min(int(height * len(BARS)), len(BARS) - 1)] for height in heights)
