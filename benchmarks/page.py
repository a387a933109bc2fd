"""BENCHMARKS.md, the flagship's page, the tables of docs/choosing.md, and plots: of raw results."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from .choosing import CHOOSING
from .flagship import FLAGSHIP
from .machine import in_words
from .plots import draw_cloud, draw_curves
from .records import directory_of, machine_of, read
from .sections import SECTIONS
from .showing import Cloud, Curves, Table
from .tables import markdown

__all__ = ["BOOKS", "Place", "filled", "place_of", "write_page"]

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Book:
    """Some sections that make a page; without a title, the tables and plots on a page of words."""

    name: str
    sections: dict
    title: str | None = None
    made_by: str | None = None


BOOKS = {
    "benchmarks": Book(
        "BENCHMARKS.md",
        SECTIONS,
        "Benchmarks",
        "`make bench`, that is `python -m benchmarks run` and `python -m benchmarks page`",
    ),
    "flagship": Book(
        "docs/flagship-results.md",
        FLAGSHIP,
        "The flagship, measured",
        "`python -m benchmarks run --book flagship` and the same with `page`",
    ),
    "choosing": Book("docs/choosing.md", CHOOSING),
}


@dataclass(frozen=True)
class Place:
    """Where raw results are, and where what is made of them goes."""

    results: Path
    page: Path
    plots: Path


def place_of(scale, book=BOOKS["benchmarks"]):
    """The repository's own page, except for the quick scale."""
    results = directory_of(scale)
    if scale.name == "quick":
        return Place(results, results / Path(book.name).name, results / "plots")
    return Place(results, ROOT / book.name, ROOT / "docs" / "benchmarks")


def write_page(place, book=BOOKS["benchmarks"]):
    """Write the page of all sections that have results."""
    files = {section: _file(place, section) for section in book.sections.values()}
    records = {section: read(path) for section, path in files.items() if path.exists()}
    exhibits = {section: section.show(own) for section, own in records.items() if own}
    if not exhibits:
        raise SystemExit("there are no results yet: python -m benchmarks run")
    for exhibit in exhibits.values():
        _draw(exhibit, place)
    if book.title is None:
        text = filled((ROOT / book.name).read_text(), exhibits.values(), place)
    else:
        machines = [machine_of(files[section]) for section in exhibits]
        text = _written(book, exhibits, machines, place)
    place.page.parent.mkdir(parents=True, exist_ok=True)
    place.page.write_text(text)


def filled(text, exhibits, place):
    """A page with its tables and plots made anew, each between the marks of its name."""
    for piece in (piece for exhibit in exhibits for piece in exhibit.pieces):
        is_table = isinstance(piece, Table)
        name = piece.caption if is_table else piece.name
        shown = markdown(piece.columns, piece.rows) if is_table else _piece(piece, place)
        begin, end = f"<!-- measured: {name} -->\n", "\n<!-- end -->"
        before, *after = re.split(f"{re.escape(begin)}.*?{re.escape(end)}", text, flags=re.DOTALL)
        if len(after) != 1:
            raise ValueError(f"the page has {len(after)} places for {name!r}")
        text = before + begin + shown + end + after[0]
    return text


def _written(book, exhibits, machines, place):
    """A page that is all made of exhibits."""
    asked = [each for exhibit in exhibits.values() for each in exhibit.asked]
    parts = [
        f"# {book.title}",
        f"Made by {book.made_by}: every number below is from the raw results in"
        f" `{_relative(place.results, place)}`, one line of JSON for each measurement. Speeds are"
        " for comparing within a run; *rows/s* is the best of the repeats.",
        *(f"Measured on: {machine}." for machine in dict.fromkeys(map(in_words, machines))),
        *_left_out(machines),
    ]
    if asked:
        lines = [
            (each.what, each.asked, each.measured, "yes" if each.holds else "**no**")
            for each in asked
        ]
        columns = ("", "asked", "measured", "reached")
        parts += ["## What was asked", markdown(columns, lines)]
    for section, exhibit in exhibits.items():
        parts += [f"## {section.TITLE}", *(_piece(piece, place) for piece in exhibit.pieces)]
    return "\n\n".join(parts) + "\n"


def _left_out(machines):
    """Which peers were installed on none of them."""
    missing = ({name for name, found in one["packages"].items() if not found} for one in machines)
    absent = set.intersection(*missing)
    return [f"Not installed, and so left out: {', '.join(sorted(absent))}."] if absent else []


def _piece(piece, place):
    if isinstance(piece, Table):
        return f"**{piece.caption}**\n\n{markdown(piece.columns, piece.rows)}"
    if isinstance(piece, Curves | Cloud):
        return f"![{piece.title}]({_relative(_picture(piece, place), place)})"
    return piece


def _draw(exhibit, place):
    for piece in exhibit.pieces:
        if isinstance(piece, Curves):
            draw_curves(piece, _picture(piece, place))
        elif isinstance(piece, Cloud):
            draw_cloud(piece, _picture(piece, place))


def _picture(piece, place):
    return place.plots / f"{piece.name}.svg"


def _file(place, section):
    return place.results / f"{section.NAME}.jsonl"


def _relative(path, place):
    return Path(os.path.relpath(path, place.page.parent)).as_posix()
