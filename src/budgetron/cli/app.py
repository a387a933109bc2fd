"""The command line: `budgetron`, or `python -m budgetron`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from .. import __version__
from ..papers.exhibit import Scale
from ..papers.registry import chosen
from ..papers.reproduction import reproduce as do_what_is_missing
from ..papers.task import Results
from . import demonstration
from .certify import certify
from .columns import columns
from .console import EscapedConsole
from .errors import Commands, UsageError
from .evaluate import evaluate
from .explain import explain
from .listing import list_datasets, list_learners
from .predict import predict
from .race import race
from .run import run
from .send import send
from .serve import serve
from .streams import escaped_output
from .warm import warm
from .workers import Jobs, Scheduler, at_work

__all__ = ["app", "main"]

app = typer.Typer(
    cls=Commands,
    help="Kernel classifiers that learn from an endless stream, in memory that never grows.",
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

RESULTS = Path("results")


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"budgetron {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _default(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Say which one this is.", callback=_say_version, is_eager=True
        ),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        demonstration.main()


app.command("run", short_help="One learner over a stream of your own.")(run)
app.command("predict", short_help="What a model says of further rows.")(predict)
app.command("explain", short_help="Why a model says so of one row.")(explain)
app.command("evaluate", short_help="How a model does on rows it does not learn.")(evaluate)
app.command("columns", short_help="What would be taken from a file.")(columns)
app.command("race", short_help="Several learners over one stream.")(race)
app.command("certify", short_help="A learner's mistakes, and how many there can be.")(certify)
app.command("send", short_help="A stream of your own, to a service.")(send)
app.command("serve", short_help="A server that predicts, and learns when labels come.")(serve)
app.command("learners", short_help="All learners and their parameters.")(list_learners)
app.command("warm", short_help="Learners compiled ahead.")(warm)
app.command("datasets", short_help="All data sets, and which are at hand.")(list_datasets)


@app.command(short_help="The tables and figures of the papers.")
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
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    results: Annotated[
        Path, typer.Option(help="Where results are kept; what is there is not done again.")
    ] = RESULTS,
) -> None:
    """Make the tables and figures of the papers again, and say whether they come out."""
    try:
        artifacts = chosen(name)
    except LookupError as error:
        raise UsageError(str(error.args[0])) from error
    scale: Scale = "full" if full else "quick"
    with at_work(jobs, scheduler):
        if not do_what_is_missing(artifacts, results, scale, EscapedConsole(highlight=True)):
            raise UsageError("nothing could be reproduced")
    typer.echo(f"Next: budgetron report --scale {scale} --results {results}")


@app.command("report", short_help="All of these on one page.")
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
        from ..papers import report
    except ImportError as error:
        raise UsageError(
            f"the page needs more ({error}): pip install 'budgetron[report]'"
        ) from error
    try:
        html = report.page(Results(results / scale), scale)
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(html, encoding="utf-8")
        if pictures is not None:
            report.pictures(Results(results / scale), scale, pictures)
    except (LookupError, OSError) as error:
        raise UsageError(str(error.args[0] if isinstance(error, LookupError) else error)) from error
    typer.echo(f"{output}: {output.stat().st_size / 1e6:.1f} MB")


def main() -> None:
    """Run the command line."""
    with escaped_output():
        try:
            app(prog_name="budgetron")
        except Exception:
            sys.excepthook(*sys.exc_info())
            sys.exit(1)
