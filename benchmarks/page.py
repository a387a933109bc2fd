"""BENCHMARKS.md, the flagship's page and their plots, made of the raw results."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from .flagship import FLAGSHIP
from .machine import in_words
from .plots import draw_cloud, draw_curves
from .records import directory_of, machine_of, read
from .sections import SECTIONS
from .showing import Cloud, Curves, Table
from .tables import markdown

__all__ = ["BOOKS", "Place", "place_of", "write_page"]

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Book:
    """Some sections that make a page."""

    name: str
    title: str
    made_by: str
    sections: dict


BOOKS = {
    "benchmarks": Book(
        "BENCHMARKS.md",
        "Benchmarks",
        "`make bench`, that is `python -m benchmarks run` and `python -m benchmarks page`",
        SECTIONS,
    ),
    "flagship": Book(
        "docs/flagship-results.md",
        "The flagship, measured",
        "`python -m benchmarks run --book flagship` and the same with `page`",
        FLAGSHIP,
    ),
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
    machines = [machine_of(files[section]) for section in exhibits]
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
    place.page.parent.mkdir(parents=True, exist_ok=True)
    place.page.write_text("\n\n".join(parts) + "\n")


def _left_out(machines):
    """Which peers were not installed."""
    absent = {
        name for machine in machines for name, number in machine["packages"].items() if not number
    }
    return [f"Not installed, and so left out: {', '.join(sorted(absent))}."] if absent else []


def _piece(piece, place):
    if isinstance(piece, Table):
        return f"**{piece.caption}**\n\n{markdown(piece.columns, piece.rows)}"
    if isinstance(piece, Curves | Cloud):
        path = place.plots / f"{piece.name}.svg"
        (draw_curves if isinstance(piece, Curves) else draw_cloud)(piece, path)
        return f"![{piece.title}]({_relative(path, place)})"
    return piece


def _file(place, section):
    return place.results / f"{section.NAME}.jsonl"


def _relative(path, place):
    return Path(os.path.relpath(path, place.page.parent)).as_posix()
