"""What people see: rich on a terminal, plain when piped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import perf_counter

from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import Progress, SpinnerColumn, TextColumn
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from ..reading import Reader
from ..reading.escaping import escaped
from .streams import shown, unescaped
from .tally import Tally

__all__ = [
    "EscapedConsole",
    "count_progress",
    "make_console",
    "pairs",
    "row_progress",
    "run_progress",
    "table",
]

PLAIN_WIDTH = 160


class EscapedConsole(Console):
    """A console that obeys what Rich says, and shows what texts contain.

    Parameters
    ----------
    stderr : bool, default=False
        Whether it is standard error.
    highlight : bool, default=False
        Whether numbers and the like are coloured.
    """

    def __init__(self, *, stderr: bool = False, highlight: bool = False) -> None:
        super().__init__(file=unescaped(stderr=stderr), highlight=highlight, markup=False)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """All that is printed comes through here, in segments of text and of control codes."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            yield segment if control else Segment(shown(text, self.encoding), style)


def make_console(*, stderr: bool = False) -> EscapedConsole:
    """Where to print."""
    console = EscapedConsole(stderr=stderr)
    if not console.is_terminal:
        console.width = PLAIN_WIDTH
    return console


def table(*columns: str, right: tuple[str, ...] = ()) -> Table:
    """A table with these headings, some of them over numbers."""
    made = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 2, 0, 0))
    for name in columns:
        made.add_column(name, justify="right" if name in right else "left")
    return made


def pairs(rows: dict[str, str]) -> Text:
    """Names and values, a line each."""
    width = max(map(len, rows))
    lines = (
        Text.assemble((f"{name:{width}}  ", "bold"), escaped(value)) for name, value in rows.items()
    )
    return Text("\n").join(lines)


@contextmanager
def row_progress(name: str, reader: Reader) -> Iterator[Callable[[int], None]]:
    """A line on the terminal that tells how many rows are done, and how long it takes."""
    with _progress("{task.description}") as progress:
        task, began = progress.add_task(name, total=None), perf_counter()

        def show(rows: int) -> None:
            left = _left(reader.fraction, perf_counter() - began)
            progress.update(task, description=f"{name}  {rows:,} rows{left}")

        yield show


@contextmanager
def count_progress(name: str, total: int) -> Iterator[Callable[[int], None]]:
    """A line on the terminal that tells how many of these are done."""
    with _progress("{task.description}") as progress:
        task = progress.add_task(f"{total} {name}", total=None)
        yield lambda done: progress.update(task, description=f"{done} of {total} {name}")


@contextmanager
def run_progress(name: str, reader: Reader) -> Iterator[Callable[[Tally], None]]:
    """A line on the terminal that tells how a run is getting on."""
    with _progress("{task.description}") as progress:
        task, began = progress.add_task(f"{name}  getting ready", total=None), perf_counter()

        def show(tally: Tally) -> None:
            size = f"  size {tally.size:,}" if tally.size else ""
            text = (
                f"{name}  {tally.rows:,} rows  {tally.rows_per_second:,.0f} rows/s"
                f"  {tally.error:.2%} error{size}"
                f"{_left(reader.fraction, perf_counter() - began)}"
            )
            progress.update(task, description=text)

        yield show


def _left(fraction: float | None, seconds: float) -> str:
    """How much is done, and how long the rest takes if it goes on like this."""
    if not fraction:
        return ""
    return f"  {fraction:.0%}, {timedelta(seconds=round(seconds * (1 - fraction) / fraction))} left"


def _progress(text: str) -> Progress:
    console = make_console(stderr=True)
    return Progress(
        SpinnerColumn(),
        TextColumn(text, markup=False),
        console=console,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
        disable=not console.is_terminal,
    )
