"""Every learner over the embedded spam stream, as a table."""

from __future__ import annotations

from functools import partial

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from ..datasets import load_spam
from ..evaluation import sweep
from ..evaluation.race import Result, baselines_on, contenders, run
from .console import EscapedConsole
from .learner_options import BUDGET

__all__ = ["main"]


def main() -> None:
    """Run the race and print the table."""
    console = EscapedConsole(highlight=True)
    spam = load_spam()
    rows, share = len(spam.y), spam.y.mean()
    console.print(
        f"[bold]{rows:,} mails in order of arrival[/], {share:.0%} of them spam "
        f"(nearly all at first, few at the end), {spam.X.shape[1]:,} hashed words.\n"
        "Each mail is classified first and learned from afterwards.\n",
        markup=True,
    )
    field = contenders(BUDGET)
    results: dict[str, list[Result]] = {}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as progress:
        task = progress.add_task("learners", total=len(field))
        runs = sweep(partial(run, contender, spam) for contender in field)
        for contender, result in zip(field, runs, strict=True):
            results.setdefault(contender.group, []).append(result)
            progress.advance(task)
    results["without learning"] = baselines_on(spam.y)
    console.print(_table(results))
    console.print(
        "\nA learner's size is the number of mails it keeps; Gaussian kernel, gamma 1 (Budgetron "
        "chooses its own). "
        "Times are for one core, without the compilation at the first use.\n"
        "Next: [bold]budgetron race FILE[/] on a stream of your own, or "
        "[bold]Budgetron(budget=100).partial_fit(X, y)[/].",
        markup=True,
    )


def _table(results: dict[str, list[Result]]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("learner", vertical="bottom", no_wrap=True)
    for heading in ("mistakes", "error %", "largest\nsize", "seconds", "rows/s"):
        table.add_column(heading, justify="right", vertical="bottom")
    for group, members in results.items():
        table.add_row(Text(group, style="dim"))
        for result in sorted(members, key=lambda result: result.mistakes):
            table.add_row(
                f" {result.name}",
                f"{result.mistakes:,}",
                f"{100 * result.error:.2f}",
                "" if result.largest_size is None else f"{result.largest_size:,}",
                f"{result.seconds:.2f}" if result.seconds else "",
                f"{result.rows_per_second:,.0f}" if result.seconds else "",
            )
    return table
