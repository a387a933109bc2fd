"""`budgetron race`: several learners over one stream, which is read once."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from threadpoolctl import threadpool_limits

from ..evaluation.race import Contender, Runner, on_a_budget
from ..reading import Plan, Reader, ReadOptions
from ..reading.chunk import labelled_part
from ..reading.escaping import escaped_within
from . import demonstration
from .compiling import told_if_it_compiles
from .console import make_console, row_progress, table
from .errors import STOPPED, UsageError
from .learner_options import Settings, complete, configured, learner_named, seeded
from .outputs import AsideFile, json_text, refuse_to_overwrite
from .read_options import Aside, InputsOrMails, with_read_options
from .taken import ColumnNotes, taken, taken_as_dict

__all__ = ["race"]

CHUNK_ROWS = 4096
PICTURES = (".svg", ".png", ".pdf")
BARS = "▁▂▃▄▅▆▇█"
TABLE_POINTS, CHART_POINTS = 16, 32


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
    chart: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A picture of the errors, and of whom the best Budgetron trusts,"
            f" {', '.join(PICTURES)} by its name.",
        ),
    ] = None,
    aside: Aside = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the numbers as JSON.")] = False,
    options: ReadOptions,
) -> None:
    """Send several learners over a stream, each row being predicted first and learned afterwards.

    Without an input, all learners go over the embedded stream of mails, beside linear models.
    """
    if not inputs:
        if learners or settings or chart or aside or as_json:
            raise UsageError("say what to read: the race over the embedded mails has no options")
        demonstration.main()
        return
    refuse_to_overwrite(inputs, None if chart is None else str(chart), aside)
    if chart is not None and chart.suffix not in PICTURES:
        raise UsageError(f"{chart} must end in one of {', '.join(PICTURES)}")
    entries = _field(learners or (), settings or ())
    field = [Runner(contender, note_trust=chart is not None) for contender in entries]
    rows, plan = _run_all(field, inputs, options, aside, quiet=as_json)
    if chart is not None:
        _draw(chart, inputs, field)
    if as_json:
        numbers = _numbers(inputs, rows, field) | {"input": taken_as_dict(plan)}
        typer.echo(json_text(numbers))
    else:
        make_console().print(_table(field))


def _field(names: Any, settings: Any) -> list[Contender]:
    if names:
        parts = [name.split() for name in names]
        entries = {
            " ".join([type(learner).__name__, *own]): learner
            for learner, own in ((learner_named(first, rest), rest) for first, *rest in parts)
        }
    else:
        entries = {type(learner).__name__: learner for learner in on_a_budget(demonstration.BUDGET)}
    for learner in entries.values():
        if not hasattr(learner, "partial_fit"):
            raise UsageError(f"{type(learner).__name__} needs all rows at once: use it from Python")
    return [
        Contender.of(seeded(configured(learner, settings)), name)
        for name, learner in entries.items()
    ]


def _run_all(
    field: list[Runner], inputs: list[str], options: ReadOptions, aside: str | None, *, quiet: bool
) -> tuple[int, Plan]:
    """How many rows with a label there were, and how they were read."""
    bad = None if aside is None else AsideFile(aside)
    options = replace(options, unlabelled=True)
    reader = Reader(inputs, options, chunk_rows=CHUNK_ROWS, on_bad=None if bad is None else bad.put)
    if not quiet:
        make_console().print(taken(reader.plan), soft_wrap=True)
    notes, rows = ColumnNotes(reader.plan), 0
    with ExitStack() as stack:
        if bad is not None:
            stack.enter_context(bad)
        stack.enter_context(threadpool_limits(1))
        progress = stack.enter_context(row_progress(f"{len(field)} learners", reader))
        stack.enter_context(told_if_it_compiles("learners"))
        for chunk in map(labelled_part, reader):
            if not len(chunk):
                continue
            notes.add(chunk.X)
            for runner in field:
                try:
                    runner.go_on(chunk.X, chunk.y)
                except (TypeError, ValueError) as error:
                    raise UsageError(
                        f"{runner.name}, rows {chunk.rows[0]} to {chunk.rows[-1]}: {error}",
                        STOPPED,
                    ) from error
            rows += len(chunk.rows)
            progress(rows)
    notes.finish()
    return rows, reader.plan


def _numbers(inputs: list[str], rows: int, field: list[Runner]) -> dict[str, Any]:
    results = [
        asdict(runner.result)
        | {"curve": {"rows": runner.curve.ends.tolist(), "error": runner.curve.errors.tolist()}}
        for runner in _best_first(field)
    ]
    return {"inputs": inputs, "rows": rows, "results": results}


def _best_first(field: list[Runner]) -> list[Runner]:
    return sorted(field, key=lambda runner: runner.result.mistakes)


def _table(field: list[Runner]) -> Table:
    numbers = ("mistakes", "error %", "largest size", "rows/s")
    made = table("learner", *numbers, "error along the stream", right=numbers)
    highest = max(float(runner.curve.errors.max(initial=0)) for runner in field) or 1.0
    for runner in _best_first(field):
        result = runner.result
        made.add_row(
            result.name,
            f"{result.mistakes:,}",
            f"{100 * result.error:.2f}",
            f"{result.largest_size or 0:,}",
            f"{result.rows_per_second:,.0f}",
            _bars(runner.curve.coarser(TABLE_POINTS).errors / highest),
        )
    return made


def _bars(heights: Any) -> str:
    return "".join(BARS[min(int(height * len(BARS)), len(BARS) - 1)] for height in heights)


def _draw(path: Path, inputs: list[str], field: list[Runner]) -> None:
    try:
        from ..papers.exhibit import Figure, Series
        from ..papers.report.looks import looks_of
        from ..papers.report.pictures import save_picture
    except ImportError as error:
        raise UsageError(
            f"a chart needs more ({error}): pip install 'budgetron[report]'"
        ) from error
    curves = {runner.name: runner.curve.coarser(CHART_POINTS) for runner in _best_first(field)}
    series = tuple(
        Series(name, curve.ends.tolist(), (100 * curve.errors).tolist())
        for name, curve in curves.items()
    )
    names = " ".join(Path(each).name for each in inputs)
    label = "error on the rows since the point before, %"
    figure = escaped_within(Figure(names, "rows", label, series, names))
    save_picture(figure, looks_of(figure.series), path, escaped_within(_trust(field)))


def _trust(field: list[Runner]) -> Any:
    """A figure of whom the best learner that has experts trusts; None if there is none."""
    from ..papers.exhibit import Figure, Series

    for runner in _best_first(field):
        if runner.trust is not None and len(runner.trust.rows) > 1:
            rows, title = runner.trust.rows, f"Whom {runner.name} trusts"
            series = tuple(Series(name, rows, it) for name, it in runner.trust.experts.items())
            return Figure(title, "rows", "trust", series, title)
    return None
