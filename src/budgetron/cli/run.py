"""`budgetron run`: one learner over a stream of the user's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from ..estimators import StreamClassifier
from ..reading import Plan, Reader, Wishes
from .choosing import LearnerName, Settings, chosen, seeded
from .keeping import Journey, kept
from .outputs import AsideFile, GrowingFile, refuse_to_overwrite
from .refusal import STOPPED, Refusal
from .running import Run, Stopped
from .showing import output, pairs, watched
from .wishing import Aside, Inputs, reads

__all__ = ["run"]

INTERRUPTED = 130


@reads
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
    aside: Aside = None,
    checkpoint_every: Annotated[
        int, typer.Option(min=1, metavar="ROWS", help="How often the model is written.")
    ] = 100_000,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on where this run stopped, if it ever began.")
    ] = False,
    window: Annotated[
        int,
        typer.Option(min=1, metavar="ROWS", help="Rows learned at a time; 1 if they come slowly."),
    ] = 4096,
    as_json: Annotated[bool, typer.Option("--json", help="Print the numbers as JSON.")] = False,
    wishes: Wishes,
) -> None:
    """Send one learner over a stream: each row is predicted first and learned afterwards.

    The stream is read once, in memory that does not grow. It can be stopped at any moment and gone
    on with by the same command and --resume.
    """
    refuse_to_overwrite(inputs, model, predictions, summary, aside)
    name, estimator, plan = _beginning(learner, settings or [], start)
    journey = None
    if resume:
        if model is None:
            raise Refusal("--resume goes on with a --model, and none is given")
        if Path(model).exists() and not (start and _is_from_elsewhere(start, model, inputs)):
            estimator, journey = _stopped(model, name, inputs, predictions)
            plan = journey.plan
    bad = None if aside is None else AsideFile(aside, journey.tally.rows if journey else 0)
    reader = Reader(
        inputs,
        plan or wishes,
        chunk_rows=journey.window if journey else window,
        skip=journey.tally.rows if journey else 0,
        on_bad=None if bad is None else bad.put,
    )
    journey = journey or Journey(name, inputs, reader.plan, window)
    journey.finished = False
    wanted = predictions and GrowingFile(predictions, journey.predictions or 0)
    going = Run(estimator, journey, model, checkpoint_every, wanted or None, bad)
    try:
        with watched(type(estimator).__name__) as progress:
            going.over(reader, progress)
    except Stopped as reason:
        if not journey.tally.learned:
            raise Refusal(str(reason)) from None
        raise Refusal(f"{reason}; {_how_to_go_on(journey, model)}", STOPPED) from None
    except KeyboardInterrupt:
        raise Refusal(f"interrupted; {_how_to_go_on(journey, model)}", INTERRUPTED) from None
    _tell(journey, {"model": model, "predictions": predictions, "aside": aside}, summary, as_json)


def _beginning(
    learner: str | None, settings: list[str], start: str | None
) -> tuple[str, StreamClassifier, Plan | None]:
    """What a run begins with, its name, and how it reads, if that is known already."""
    if start is not None:
        if learner or settings:
            raise Refusal("--from has its learner: give no --learner and no --set")
        estimator, journey = kept(start)
        return journey.learner, estimator, journey.plan
    if learner is None:
        raise Refusal("which learner? Give a --learner, or a model to begin --from")
    fresh = chosen(learner, settings)
    if not hasattr(fresh, "partial_fit"):
        raise Refusal(f"{type(fresh).__name__} needs all rows at once: use it from Python")
    return repr(fresh), seeded(fresh), None


def _is_from_elsewhere(start: str, model: str, inputs: list[str]) -> bool:
    """Whether the model is what the run begins with, and not yet what comes out of it."""
    return Path(start).resolve() == Path(model).resolve() and kept(model)[1].inputs != inputs


def _stopped(
    model: str, name: str, inputs: list[str], predictions: str | None
) -> tuple[StreamClassifier, Journey]:
    """The learner and the journey of a run that is gone on with, if it is the same run."""
    learner, journey = kept(model)
    if journey.learner != name:
        raise Refusal(f"{model} is of {journey.learner}, not of {name}")
    if journey.inputs != inputs:
        raise Refusal(f"{model} has read {' '.join(journey.inputs)}, not {' '.join(inputs)}")
    if (journey.predictions is None) != (predictions is None):
        kind = "without" if journey.predictions is None else "with"
        raise Refusal(f"{model} was begun {kind} --predictions: go on in the same way")
    return learner, journey


def _how_to_go_on(journey: Journey, model: str | None) -> str:
    rows = f"{journey.tally.rows:,} rows were done"
    if model is None or not journey.tally.learned:
        return f"{rows}, and nothing is kept"
    return f"{rows} and are kept in {model}: go on with the same command and --resume"


def _tell(
    journey: Journey, files: dict[str, str | None], summary: str | None, as_json: bool
) -> None:
    tally = journey.tally
    numbers: dict[str, Any] = {"learner": journey.learner, "inputs": journey.inputs}
    numbers |= tally.as_dict() | files
    if summary is not None:
        Path(summary).write_text(json.dumps(numbers, indent=2) + "\n", encoding="utf-8")
    if as_json:
        typer.echo(json.dumps(numbers, indent=2))
        return
    shown = {
        "learner": journey.learner,
        "rows": f"{tally.rows:,}",
        "bad rows": f"{tally.bad_rows:,}",
        "mistakes": f"{tally.mistakes:,}, {tally.error:.2%} of all predictions",
        "updates": f"{tally.updates:,}",
        "size": f"{tally.size:,}, at most {tally.largest_size:,}",
        "time": f"{tally.seconds:.2f} s, {tally.rows_per_second:,.0f} rows/s",
    }
    console = output()
    shown |= {name: path for name, path in files.items() if path}
    console.print(pairs(shown), soft_wrap=True)
    if files["model"]:
        console.print(f"Next: budgetron predict {files['model']} INPUT", markup=False)
