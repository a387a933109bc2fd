"""`budgetron log`: what a service has learned, written to a file or learned again otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer
from sklearn.base import clone

from ..evaluation import RunningMetrics, prequential
from ..keyed import KeyedClassifier
from .chart import Chart, check_chart, draw
from .compiling import told_if_it_compiles
from .console import make_console, pairs
from .errors import STOPPED, UsageError
from .learner_options import Settings, bounded, complete, configured, learner_named, ready
from .outputs import json_text
from .taken import note
from .told_metrics import told_metrics

if TYPE_CHECKING:
    from ..serve.history import History

__all__ = ["log"]

log = typer.Typer(
    help="What a service has learned, from its log. Nothing of the service is changed.",
    rich_markup_mode=None,
)

Folder = Annotated[
    Path, typer.Argument(metavar="DIR", help="The --data of budgetron serve, or a model in it.")
]
Name = Annotated[
    str | None, typer.Option("--model", metavar="NAME", help="Which one, if there are several.")
]


@log.command("export", short_help="All rows, as Parquet or lines of JSON.")
def export(
    folder: Folder,
    output: Annotated[
        Path, typer.Argument(metavar="FILE", help=".parquet, .jsonl or .ndjson by its name.")
    ],
    model: Name = None,
) -> None:
    """Write every row that was learned, with what was predicted before, to a file."""
    history = _history(folder, model)
    from ..serve.export import FORMS
    from ..serve.export import export as write

    if output.suffix not in FORMS:
        raise UsageError(f"{output} must end in one of {', '.join(FORMS)}")
    try:
        rows = write(history, output)
    except ValueError as error:
        raise UsageError(str(error), STOPPED) from error
    make_console().print(f"{output}: {rows:,} rows", soft_wrap=True)
    _say_how_it_ended(history)


@log.command("replay", short_help="What another learner would have predicted.")
def replay(
    folder: Folder,
    model: Name = None,
    learner: Annotated[
        str | None,
        typer.Option(
            "--learner",
            "-l",
            metavar="NAME",
            help="The model's own if not given; budgetron learners lists them all.",
            autocompletion=complete,
        ),
    ] = None,
    settings: Settings = None,
    chart: Chart = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the numbers as JSON.")] = False,
) -> None:
    """Send another learner over the rows that a service learned, in their order.

    Each is predicted first and learned afterwards; a label that came late is learned where the
    service learned it. Without --learner it is the model's own, such as with --set budget=500.
    """
    check_chart(chart)
    history, told = _history(folder, model), settings or []
    if learner is None:
        fresh: Any = configured(clone(history.learner), told)
    else:
        fresh = ready(bounded(learner_named(learner, told), told), told)
    name, keyed = repr(fresh), history.settings.keyed
    fresh = KeyedClassifier(fresh) if keyed else fresh
    metrics, mistakes, updates, largest = RunningMetrics(), 0, 0, 0
    with told_if_it_compiles("learners"):
        for learnt in history:
            how = (learnt.X, np.array(learnt.y), history.settings.classes)
            weight = None if (learnt.weight == 1).all() else learnt.weight
            try:
                trace = (
                    fresh.trace(*how, weight, keys=learnt.key)
                    if keyed
                    else prequential(fresh, *how, sample_weight=weight)
                )
            except (TypeError, ValueError) as error:
                place = f"rows {learnt.row[0]} to {learnt.row[-1]}"
                raise UsageError(f"{place}: {error}", STOPPED) from error
            metrics.add(trace)
            mistakes += int(learnt.mistake.sum())
            updates += int(trace.updates.sum())
            largest = max(largest, int(trace.sizes.max()))
    summary = metrics.summary()
    if not summary["rows"]:
        raise UsageError("nothing has been learned: there are no rows")
    if chart is not None:
        draw(chart, [str(folder)], {name.partition("(")[0]: metrics})
    if as_json:
        numbers = {"learner": name, "updates": updates, "largest_size": largest}
        numbers |= {"service_mistakes": mistakes, "metrics": summary, "curve": metrics.curve()}
        typer.echo(json_text(numbers))
    else:
        rows = summary["rows"]
        shown = {"learner": name, "rows": f"{rows:,}", **told_metrics(summary)}
        shown["the service then"] = f"{mistakes:,}, {mistakes / rows:.2%}"
        shown |= {"updates": f"{updates:,}", "size": f"at most {largest:,}"}
        make_console().print(pairs(shown), soft_wrap=True)
    _say_how_it_ended(history)


def _history(folder: Path, model: str | None) -> History:
    try:
        from ..serve.history import History, model_folder
    except ImportError as error:
        raise UsageError(f"a log needs more ({error}): pip install 'budgetron[serve]'") from error
    try:
        return History(model_folder(folder, model))
    except ValueError as error:
        raise UsageError(str(error)) from error


def _say_how_it_ended(history: History) -> None:
    if history.torn:
        note(f"the log ends with {history.torn:,} bytes of a record that is not whole")
    if history.damage is not None:
        raise UsageError(f"{history.damage}; only what is before it was read", STOPPED)
