"""`budgetron run`: one learner over a stream of the user's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from typing import Annotated, Any

import typer

from ..estimators import Waiting
from ..keyed import KeyedClassifier
from ..reading import Plan, Reader, ReadOptions
from ..reading.escaping import escaped
from .chart import Chart, check_chart, draw
from .checkpoint import NOT_LATE, Checkpoint, Model, read_checkpoint
from .console import make_console, pairs, run_progress
from .errors import INTERRUPTED, STOPPED, UsageError
from .late_labels import Answers, InPlace, InStream
from .learner_options import LearnerName, Settings, bounded, learner_named, ready
from .outputs import AsideFile, GrowingFile, json_text, refuse_to_overwrite
from .read_options import Aside, Inputs, with_read_options
from .taken import taken, taken_as_dict
from .told_metrics import told_metrics
from .training_loop import Stopped, TrainingLoop

__all__ = ["run"]

DEFAULT = "Budgetron"


@with_read_options
def run(
    *,
    inputs: Inputs,
    learner: LearnerName = None,
    settings: Settings = None,
    start: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="In place of a new learner, a model that goes on with this stream; its columns"
            " are read in the same way.",
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="FILE", help="Where to keep what is learned.")
    ] = None,
    predictions: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="A CSV of what was predicted for each row before it was learned."
        ),
    ] = None,
    summary: Annotated[
        str | None, typer.Option(metavar="FILE", help="A JSON of the numbers at the end.")
    ] = None,
    chart: Chart = None,
    aside: Aside = None,
    checkpoint_every: Annotated[
        int, typer.Option(min=1, metavar="ROWS", help="How often the model is written.")
    ] = 100_000,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on where this run stopped, if it ever began.")
    ] = False,
    delay: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="ROWS",
            help="How many rows later labels come; 0 is as soon as a row is predicted.",
        ),
    ] = 0,
    answers: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="A CSV of labels, in place of those in the input; it has the columns --id and"
            " --target (else label). A row that is not in it is predicted and never learned.",
        ),
    ] = None,
    id: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Which row is which, in the input and in --answers. Without --answers, a row that"
            " has no label waits for a later one with its id that has.",
        ),
    ] = None,
    arrival: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Of --answers: after which row of the input, counted from 0, a label is known;"
            " in place of --delay.",
        ),
    ] = None,
    weight: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="By what the step of each row is multiplied."),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="Have a learner for each value of this column: see --live."
        ),
    ] = None,
    live: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="LEARNERS",
            help="With --key: so many are in memory, at most; the others in a temporary file.",
        ),
    ] = None,
    window: Annotated[
        int,
        typer.Option(min=1, metavar="ROWS", help="Rows learned at a time; 1 if they come slowly."),
    ] = 4096,
    as_json: Annotated[bool, typer.Option("--json", help="Print the numbers as JSON.")] = False,
    options: ReadOptions,
) -> None:
    """Send one learner over a stream: each row is predicted first and learned afterwards.

    A row is learned when its label comes: at once, or with --delay so many rows later. One that
    has none is predicted and not learned.

    The stream is read once, in memory that does not grow. It can be stopped at any moment and gone
    on with by the same command and --resume.
    """
    refuse_to_overwrite(
        [*inputs, *([answers] if answers else [])],
        *(model, predictions, summary, aside, None if chart is None else str(chart)),
    )
    check_chart(chart)
    late = _late(delay=delay, answers=answers, id=id, arrival=arrival, target=options.target)
    labels = _labels(late)
    _refuse_beside_keys(key, live, id=id, answers=answers, delay=delay)
    apart: dict[str, Any] = {"id": key or id, "weight": weight, "unlabelled": True}
    options = replace(options, target=None if answers else options.target, **apart)
    name, estimator, plan, waiting = _starting_point(learner, settings or [], start, key, live)
    if plan is not None:
        plan = replace(plan, **apart)
    checkpoint = None
    if resume:
        if model is None:
            raise UsageError("--resume goes on with a --model, and none is given")
        if Path(model).exists() and not (start and _begins_from(start, model, inputs)):
            estimator, checkpoint = _resumed(model, name, inputs, predictions, late, live)
            plan = checkpoint.plan
    bad = None if aside is None else AsideFile(aside, checkpoint.tally.rows if checkpoint else 0)
    reader = Reader(
        inputs,
        plan or options,
        labelled=not answers,
        chunk_rows=checkpoint.window if checkpoint else window,
        skip=checkpoint.tally.rows if checkpoint else 0,
        skipped=replace(checkpoint.fingerprint) if checkpoint else None,
        on_bad=None if bad is None else bad.put,
    )
    checkpoint = checkpoint or Checkpoint(
        name, inputs, reader.plan, window, late=late, waiting=waiting, key=key
    )
    checkpoint.finished = False
    if not as_json:
        make_console().print(taken(reader.plan), soft_wrap=True)
    wanted = predictions and GrowingFile(predictions, checkpoint.predictions or 0)
    if answers:
        _refuse_to_learn_from(late, reader)
    loop = TrainingLoop(estimator, labels, checkpoint, model, checkpoint_every, wanted or None, bad)
    try:
        with run_progress(type(estimator).__name__, reader) as progress:
            loop.over(reader, progress)
    except Stopped as reason:
        if not checkpoint.tally.learned:
            raise UsageError(str(reason)) from None
        raise UsageError(f"{reason}; {_resume_hint(checkpoint, model)}", STOPPED) from None
    except KeyboardInterrupt:
        raise UsageError(f"interrupted; {_resume_hint(checkpoint, model)}", INTERRUPTED) from None
    if chart is not None:
        draw(chart, inputs, {type(estimator).__name__: checkpoint.metrics})
    files = {"model": model, "predictions": predictions, "aside": aside}
    _print_summary(checkpoint, files, summary, as_json, _keys(estimator))


def _starting_point(
    learner: str | None, settings: list[str], start: str | None, key: str | None, live: int | None
) -> tuple[str, Model, Plan | None, Waiting | None]:
    """What a run begins with: its name, how it reads and what waits, if that is known already."""
    if start is not None:
        if learner or settings:
            raise UsageError("--from has its learner: give no --learner and no --set")
        estimator, checkpoint = read_checkpoint(start, live)
        if checkpoint.key != key:
            said = "no --key" if checkpoint.key is None else f"--key {checkpoint.key}"
            raise UsageError(f"{start} has {said}: go on in the same way")
        return checkpoint.learner, estimator, checkpoint.next_plan, checkpoint.waiting
    fresh = bounded(learner_named(learner or DEFAULT, settings), settings)
    if key is not None:
        keyed = KeyedClassifier(ready(fresh, settings), live=live, evict=gettempdir())
        return f"{fresh!r} for each {key}", keyed, None, None
    return repr(fresh), ready(fresh, settings), None, None


def _refuse_beside_keys(key: str | None, live: int | None, **late: Any) -> None:
    if key is None and live is not None:
        raise UsageError("--live is for learners behind a --key")
    if key is not None and any(late.values()):
        raise UsageError("with a --key labels come at once: give no --delay, --answers or --id")


def _late(
    *, delay: int, answers: str | None, id: str | None, arrival: str | None, target: Any
) -> dict[str, Any]:
    """When labels come, and from where."""
    if answers is None:
        if arrival is not None:
            raise UsageError("--arrival is a column of --answers, and none are given")
        return {"delay": delay} | ({} if id is None else {"id": id})
    if id is None:
        raise UsageError("--answers needs an --id, by which rows are found in it")
    if arrival is not None and delay:
        raise UsageError("labels come after --delay rows, or as --arrival says: not both")
    label = "label" if target is None else str(target)
    return {"path": answers, "id": id, "label": label, "arrival": arrival, "delay": delay}


def _labels(late: dict[str, Any]) -> InPlace | Answers | InStream:
    if "path" in late:
        return Answers(**late)
    return InStream(late["delay"]) if "id" in late else InPlace(late["delay"])


def _refuse_to_learn_from(late: dict[str, Any], reader: Reader) -> None:
    """Raise a UsageError if the input has what is only known later."""
    for name in (reader.plan.target, *(column.name for column in reader.plan.columns)):
        if name in (late["label"], late["arrival"]) and name is not None:
            reader.close()
            raise UsageError(f"the input has {name!r}, too: give --ignore {name}")


def _begins_from(start: str, model: str, inputs: list[str]) -> bool:
    """Whether the model is what the run begins with, and not yet what comes out of it."""
    return (
        Path(start).resolve() == Path(model).resolve()
        and read_checkpoint(model)[1].inputs != inputs
    )


def _resumed(
    model: str,
    name: str,
    inputs: list[str],
    predictions: str | None,
    late: dict[str, Any],
    live: int | None,
) -> tuple[Model, Checkpoint]:
    """The learner and the checkpoint of a run that is gone on with, if it is the same run."""
    learner, checkpoint = read_checkpoint(model, live)
    if checkpoint.learner != name:
        raise UsageError(f"{model} is of {checkpoint.learner}, not of {name}")
    if checkpoint.inputs != inputs:
        raise UsageError(f"{model} has read {' '.join(checkpoint.inputs)}, not {' '.join(inputs)}")
    if (checkpoint.predictions is None) != (predictions is None):
        kind = "without" if checkpoint.predictions is None else "with"
        raise UsageError(f"{model} was begun {kind} --predictions: go on in the same way")
    if checkpoint.late != late:
        raise UsageError(
            f"{model} was begun with labels that come otherwise: go on in the same way"
        )
    return learner, checkpoint


def _resume_hint(checkpoint: Checkpoint, model: str | None) -> str:
    rows = f"{checkpoint.tally.rows:,} rows were done"
    if model is None or not checkpoint.tally.learned:
        return f"{rows}, and nothing is kept"
    return f"{rows} and are kept in {model}: go on with the same command and --resume"


def _keys(estimator: Model) -> dict[str, Any]:
    """How many there are, and which are predicted worst and best."""
    if not isinstance(estimator, KeyedClassifier):
        return {}
    told = {"keys": len(estimator), "live": estimator.n_live_}
    return told | estimator.extremes(SHOWN_KEYS, rows=LEAST_ROWS)


SHOWN_KEYS, LEAST_ROWS = 5, 10
"""How many keys are named, and how many rows they have at least."""


def _named(keys: dict[Any, dict[str, Any]]) -> str:
    each = (f"{_short(key)} {it['error']:.1%} of {it['rows']:,}" for key, it in keys.items())
    return ", ".join(each) or f"no key has {LEAST_ROWS} rows"


def _short(key: Any) -> str:
    text = str(key)
    return text if len(text) <= LONGEST_KEY else f"{text[: LONGEST_KEY - 3]}..."


LONGEST_KEY = 40
"""So many characters of a key are shown."""


def _print_summary(
    checkpoint: Checkpoint,
    files: dict[str, str | None],
    summary: str | None,
    as_json: bool,
    keys: dict[str, Any],
) -> None:
    tally = checkpoint.tally
    numbers: dict[str, Any] = {"learner": checkpoint.learner, "inputs": checkpoint.inputs}
    metrics = checkpoint.metrics.summary()
    numbers |= tally.as_dict() | files | {"input": taken_as_dict(checkpoint.plan)}
    numbers |= {"metrics": metrics, "curve": checkpoint.metrics.curve()} | keys
    if summary is not None:
        Path(summary).write_text(json_text(numbers) + "\n", encoding="utf-8")
    if as_json:
        typer.echo(json_text(numbers))
        return
    shown = {
        "learner": checkpoint.learner,
        "rows": f"{tally.rows:,}",
        "bad rows": f"{tally.bad_rows:,}",
        **told_metrics(metrics),
        "updates": f"{tally.updates:,}",
        "waiting": f"{tally.waiting:,} rows, whose labels have not come",
        "unlabelled": f"{tally.unlabelled:,} rows, which were predicted and not learned",
        "size": f"{tally.size:,}, at most {tally.largest_size:,}",
        "time": f"{tally.seconds:.2f} s, {tally.rows_per_second:,.0f} rows/s",
    }
    if keys:
        shown["keys"] = f"{keys['keys']:,}, of which {keys['live']:,} are in memory"
        shown |= {name: _named(keys[name]) for name in ("worst", "best")}
    if checkpoint.late == NOT_LATE:
        del shown["waiting"]
    if not tally.unlabelled:
        del shown["unlabelled"]
    console = make_console()
    shown |= {name: path for name, path in files.items() if path}
    console.print(pairs(shown), soft_wrap=True)
    if files["model"]:
        console.print(f"Next: budgetron predict {escaped(files['model'])} INPUT")
