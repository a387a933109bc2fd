"""The command line: `budgetron`, or `python -m budgetron`."""

from __future__ import annotations

import ast
import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

import typer
from sklearn.datasets import load_svmlight_file

import budgetron

from . import demonstration
from .datasets import load_spam
from .estimators import StreamClassifier
from .experiments.exhibit import Scale
from .experiments.registry import chosen
from .experiments.task import Results
from .reproduction import reproduce as do_what_is_missing

__all__ = ["app", "main"]

app = typer.Typer(
    help="Kernel classifiers that learn from an endless stream, in memory that never grows.",
    no_args_is_help=False,
    rich_markup_mode=None,
)

RESULTS = Path("results")
OPENERS: dict[str, Callable[..., Any]] = {".xz": lzma.open, ".gz": gzip.open, ".bz2": bz2.open}


@app.callback(invoke_without_command=True)
def _default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        demonstration.main()


@app.command()
def race() -> None:
    """Send every learner over the embedded spam stream, beside linear models."""
    demonstration.main()


@app.command()
def certify(
    learner: Annotated[str, typer.Argument(help="A learner, such as Forgetron.")],
    data: Annotated[
        str, typer.Option(help="A file in svmlight format, .xz, .gz or .bz2 if compressed.")
    ] = "spam",
    parameters: Annotated[
        list[str] | None, typer.Option("--set", help="A parameter, such as budget=100.")
    ] = None,
    drift_rate: Annotated[float | None, typer.Option(help="lambda of the drift paper.")] = None,
    gamma: Annotated[float | None, typer.Option(help="gamma of the drift paper.")] = None,
    dimension: Annotated[int | None, typer.Option(help="d of the drift paper.")] = None,
    shifts: Annotated[int | None, typer.Option(help="K of the drift paper.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say how many mistakes a learner makes on a stream, and how many it could make at most."""
    estimator = _learner(learner, parameters or [])
    X, y = _stream(data)
    try:
        certificate = budgetron.certify(
            estimator,
            X,
            y,
            drift_rate=drift_rate,
            gamma=gamma,
            dimension=dimension,
            shifts=shifts,
        )
    except (TypeError, ValueError) as error:
        _refuse(str(error))
    typer.echo(certificate.as_json() if as_json else str(certificate))


@app.command()
def reproduce(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[PAPER[/ARTIFACT]]", help="Such as drift or drift/figure-1; all if not given."
        ),
    ] = None,
    full: Annotated[
        bool, typer.Option("--full/--quick", help="As many runs as it takes, or a few.")
    ] = False,
    jobs: Annotated[int, typer.Option(help="Processes; -1 is one for each core.")] = 1,
    results: Annotated[
        Path, typer.Option(help="Where results are kept; what is there is not done again.")
    ] = RESULTS,
) -> None:
    """Make the tables and figures of the papers again, and say whether they come out."""
    try:
        artifacts = chosen(name)
    except LookupError as error:
        _refuse(str(error.args[0]))
    if jobs < -1 or jobs == 0:
        _refuse(f"jobs must be -1 or at least 1, got {jobs}")
    scale: Scale = "full" if full else "quick"
    if not do_what_is_missing(artifacts, results, scale, jobs):
        _refuse("nothing could be reproduced")
    typer.echo(f"Next: budgetron report --scale {scale} --results {results}")


@app.command("report")
def make_report(
    results: Annotated[Path, typer.Option(help="Where results were kept.")] = RESULTS,
    output: Annotated[Path, typer.Option(help="The page.")] = Path("report.html"),
    scale: Annotated[
        Literal["quick", "full"], typer.Option(help="Which results to show.")
    ] = "quick",
    pictures: Annotated[
        Path | None, typer.Option(help="Where to write the figures as SVG and PNG files as well.")
    ] = None,
) -> None:
    """Make one HTML page of all results, without running anything."""
    try:
        from . import report
    except ImportError as error:
        _refuse(f"the page needs more ({error}): pip install 'budgetron[report]'")
    try:
        html = report.page(Results(results / scale), scale)
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(html, encoding="utf-8")
        if pictures is not None:
            report.pictures(Results(results / scale), scale, pictures)
    except (LookupError, OSError) as error:
        _refuse(str(error.args[0] if isinstance(error, LookupError) else error))
    typer.echo(f"{output}: {output.stat().st_size / 1e6:.1f} MB")


def _learner(name: str, settings: list[str]) -> StreamClassifier:
    learners = [
        learner
        for learner in map(vars(budgetron).get, budgetron.__all__)
        if isinstance(learner, type) and issubclass(learner, StreamClassifier)
    ]
    known = {learner.__name__.lower(): learner for learner in learners}
    if name.lower() not in known:
        _refuse(
            f"there is no learner {name!r}; there are "
            + ", ".join(learner.__name__ for learner in learners)
        )
    try:
        parameters = dict(_setting(each) for each in settings)
        learner: StreamClassifier = known[name.lower()](**parameters)
    except (TypeError, ValueError) as error:
        _refuse(str(error))
    return learner


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"a parameter is set by name=value, got {text!r}")
    try:
        return name, ast.literal_eval(value)
    except (SyntaxError, ValueError):
        return name, value


def _stream(data: str) -> tuple[Any, Any]:
    if data == "spam":
        spam = load_spam()
        return spam.X, spam.y
    path = Path(data)
    try:
        with OPENERS.get(path.suffix, open)(path, "rb") as file:
            return load_svmlight_file(file)
    except (OSError, ValueError) as error:
        _refuse(f"{path}: {error}")


def _refuse(message: str) -> NoReturn:
    typer.echo(f"error: {message}", err=True)
    raise typer.Exit(2)


def main() -> None:
    """Run the command line."""
    app(prog_name="budgetron")
