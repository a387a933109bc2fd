"""What sections put on the page: words, tables, plots, and what was asked of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

__all__ = [
    "Asked",
    "Cloud",
    "Curves",
    "Exhibit",
    "Line",
    "Picture",
    "Point",
    "Table",
    "data_of",
    "grouped",
    "rounded",
]


@dataclass(frozen=True)
class Table:
    """Rows under a heading; None is an empty cell."""

    caption: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]


@dataclass(frozen=True)
class Curves:
    """Lines over one pair of axes: name to (x, y) pairs; ticks are those of x, if not regular."""

    name: str
    title: str
    x_label: str
    y_label: str
    lines: dict[str, Sequence[tuple[float, float]]]
    log_x: bool = True
    log_y: bool = True
    ticks: Sequence[float] = ()


class Point(NamedTuple):
    """A contender in a cloud: its colour says whose it is, its shape what kind of thing."""

    x: float
    y: float
    name: str
    owner: str
    kind: str
    is_hollow: bool


@dataclass(frozen=True)
class Cloud:
    """Points over one pair of axes, some of them named."""

    name: str
    title: str
    x_label: str
    y_label: str
    points: Sequence[Point]
    hollow: str  # what a hollow point means
    named: frozenset[str] = frozenset()


class Line(NamedTuple):
    """A name's (x, y) pairs in a panel, in the look that the name has on all pictures."""

    look: int
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Picture:
    """Panels above each other, with common axes and one legend, for a narrow screen too."""

    name: str
    title: str  # in words, for who does not see it
    x_label: str
    y_label: str
    panels: dict[str, dict[str, Line]]
    log_y: bool = True
    ticks: Sequence[float] = ()


class Asked(NamedTuple):
    """A figure that was asked for, and what was measured."""

    what: str
    asked: str
    measured: str
    holds: bool


@dataclass(frozen=True)
class Exhibit:
    """A section's part of the page; a string among the pieces is a paragraph."""

    pieces: Sequence[str | Table | Curves | Cloud | Picture]
    asked: Sequence[Asked] = field(default_factory=tuple)


def data_of(record, name=None):
    """What a record was measured on, in words."""
    name = name or record["workload"]
    return name if record["is_real"] else f"a stand-in for {name}"


def grouped(records, *keys):
    """The records by the values of these keys, in the order of their first appearance."""
    order = {}
    for record in records:
        order.setdefault(tuple(record.get(key) for key in keys), []).append(record)
    return order


def rounded(number):
    """A number as a reader wants it: three digits, thousands apart."""
    if number is None or isinstance(number, str):
        return number or ""
    if number == 0 or abs(number) >= 1000:
        digits = max(0, len(str(int(abs(number)))) - 3)
        return f"{round(number, -digits):,.0f}"
    if isinstance(number, int):
        return str(number)
    return f"{number:.2f}" if abs(number) < 10 else f"{number:.1f}"
