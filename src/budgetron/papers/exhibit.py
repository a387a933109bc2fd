"""What an artifact of a paper shows: our numbers beside its own, and what became of its claims."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from .number import Number
from .task import Results, Task

__all__ = [
    "MARKS",
    "Artifact",
    "Claim",
    "Exhibit",
    "Figure",
    "Scale",
    "Series",
    "Table",
    "Verdict",
]

Scale = Literal["quick", "full"]
Verdict = Literal["reproduced", "reproduced in shape", "not reproduced"]
Cell = str | float | int | None

MARKS: dict[Verdict, str] = {
    "reproduced": "✓",
    "reproduced in shape": "≈",
    "not reproduced": "✗",
}


@dataclass(frozen=True)
class Table:
    """Rows under a heading; numbers are shown to a few digits, None as an empty cell."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Series:
    """One curve: y over x, with half the width of its error bars if there are any."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    spread: Sequence[float] | None = None
    is_paper: bool = False  # the paper's own numbers, drawn as such


@dataclass(frozen=True)
class Figure:
    """Curves over one pair of axes."""

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    description: str  # in words, for those who cannot see it
    log_x: bool = False
    log_y: bool = False


@dataclass(frozen=True)
class Claim:
    """Something that the paper says of its results, and whether ours say so."""

    statement: str
    holds: bool
    measured: str


@dataclass(frozen=True)
class Exhibit:
    """What came out for one artifact.

    Attributes
    ----------
    tables, figures, claims, numbers : tuples
        Numbers are those that the paper prints, if they are of the same data.
    verdict : {"reproduced", "reproduced in shape", "not reproduced"}
    why : str
        A plain sentence.
    settings : str
        Exactly what was run.
    reading : str
        How the paper was read where it can be read in several ways.
    stand_in : str
        The data that take the place of the paper's, if they do.
    """

    verdict: Verdict
    why: str
    settings: str
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    claims: tuple[Claim, ...] = ()
    numbers: tuple[Number, ...] = ()
    reading: str = ""
    stand_in: str = ""


@dataclass(frozen=True)
class Artifact:
    """A table or figure of a paper, as tasks to do and a way to show their results.

    Attributes
    ----------
    paper : str
        Its short name: tracking, projectron, forgetron, drift or second-order.
    name : str
        Such as "table-1".
    title : str
    tasks : callable
        The tasks at a scale, "quick" or "full".
    show : callable
        The exhibit, from the results of all tasks at a scale.
    """

    paper: str
    name: str
    title: str
    tasks: Callable[[Scale], list[Task]] = field(repr=False)
    show: Callable[[Results, Scale], Exhibit] = field(repr=False)

    @property
    def key(self) -> str:
        """Paper and name."""
        return f"{self.paper}/{self.name}"
