"""Pages and pictures of raw results: the front page, details behind it, and two other books."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from . import front
from .choosing import CHOOSING
from .flagship import FLAGSHIP
from .machine import in_words, is_alike
from .plots import draw
from .records import directory_of, machine_of, read
from .sections import SECTIONS
from .showing import Cloud, Curves, Picture, Table
from .tables import markdown

__all__ = ["BOOKS", "Book", "Page", "Place", "asked", "filled", "place_of", "write_pages"]

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Page:
    """Some of a book's sections in full, behind a link on its front page."""

    name: str
    title: str
    sections: tuple[str, ...]


@dataclass(frozen=True)
class Book:
    """Some sections that make a page, or a front page and pages of details.

    Without a title they are the tables and plots on a page of words.
    """

    name: str
    sections: dict
    title: str | None = None
    made_by: str | None = None
    pages: tuple[Page, ...] = ()


BOOKS = {
    "benchmarks": Book(
        "BENCHMARKS.md",
        SECTIONS,
        "Benchmarks",
        "`make bench`, that is `python -m benchmarks run` and `python -m benchmarks page`",
        (
            Page("contest", "Beside other libraries", ("contest",)),
            Page(
                "engine",
                "What an example costs",
                ("budgets", "features", "length", "memory", "overhead", "sparse"),
            ),
            Page("cores", "Cores, a GPU, many problems", ("threads", "gpu", "problems")),
            Page("every-learner", "Every learner, row by row", ("learners", "rows", "classes")),
            Page("starting", "Start and command line", ("command", "first_use")),
        ),
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
    details: Path  # pages behind the page, and pictures


def place_of(scale, book=BOOKS["benchmarks"]):
    """The repository's own page, except for the quick scale."""
    results = directory_of(scale)
    if scale.name == "quick":
        return Place(results, results / Path(book.name).name, results / "details")
    return Place(results, ROOT / book.name, ROOT / "docs" / "benchmarks")


def write_pages(place, book=BOOKS["benchmarks"]):
    """Write what there is to be said of all sections that have results."""
    measured = Measured(place, book)
    if book.title is None:
        _draw(measured.pieces(), place)
        text = (ROOT / book.name).read_text()
        _write(place.page, filled(text, measured.exhibits.values(), place))
    elif not book.pages:
        _write(place.page, measured.page(place.page, book.title, measured.exhibits))
    else:
        _write(place.page, measured.front_page(place.page))
        for page in book.pages:
            own = [name for name in page.sections if name in measured.exhibits]
            path = place.details / f"{page.name}.md"
            if own:
                _write(path, measured.page(path, page.title, own))


def asked(place, book):
    """What was asked of the sections that have results, and what was measured, as a table."""
    lines = [
        (each.what, each.asked, each.measured, "yes" if each.holds else "**no**")
        for exhibit in Measured(place, book).exhibits.values()
        for each in exhibit.asked
    ]
    return markdown(("", "asked", "measured", "reached"), lines)


class Measured:
    """The sections of a book that have results, and what is said of them."""

    def __init__(self, place, book):
        files = {name: place.results / f"{name}.jsonl" for name in book.sections}
        records = {name: read(path) for name, path in files.items() if path.exists()}
        self.records = {name: own for name, own in records.items() if own}
        if not self.records:
            raise SystemExit("there are no results yet: python -m benchmarks run")
        self.place, self.book = place, book
        self.exhibits = {name: book.sections[name].show(own) for name, own in self.records.items()}
        self.machines = {name: machine_of(files[name]) for name in self.records}

    def pieces(self):
        """Of all sections, in their order."""
        return [piece for exhibit in self.exhibits.values() for piece in exhibit.pieces]

    def page(self, path, title, names):
        """All that these sections show; its pictures are drawn."""
        machines = [self.machines[name] for name in names]
        same = _all_alike(machines)
        parts = [f"# {title}", self._origin(path), *_left_out(machines)]
        parts += [in_words(machines)] * same
        for name in names:
            parts.append(f"## {self.book.sections[name].TITLE}")
            if not same:
                parts.append(in_words([self.machines[name]]))
            parts += self._shown(path, self.exhibits[name].pieces)
        return _joined(parts)

    def front_page(self, path):
        """The questions of someone who has to choose."""
        pages = {page.name: page for page in self.book.pages}
        links = {name: _relative(self.place.details / f"{name}.md", path) for name in pages}
        pieces = front.show(self.records, links)
        details = [
            f"- [{page.title}]({links[page.name]}): "
            + ", ".join(_uncapital(self.book.sections[name].TITLE) for name in own)
            + "."
            for page in pages.values()
            if (own := [name for name in page.sections if name in self.records])
        ]
        groups = {}
        for name, machine in self.machines.items():
            alike = [first for first in groups if is_alike(self.machines[first], machine)]
            groups.setdefault(alike[0] if alike else name, []).append(name)
        same = len(groups) == 1
        measured = [
            in_words([self.machines[name] for name in names])
            + ("" if same else f" ({', '.join(names)})")
            for names in groups.values()
        ]
        parts = [f"# {self.book.title}", *self._shown(path, pieces), *front.elsewhere(details)]
        return _joined([*parts, self._origin(path), *measured])

    def _shown(self, path, pieces):
        _draw(pieces, self.place)
        return [_piece(piece, self.place, path) for piece in pieces]

    def _origin(self, path):
        return (
            f"Made by {self.book.made_by}: every number is from the raw results in"
            f" `{_relative(self.place.results, path)}`, one line of JSON for each measurement."
            " Speeds are for comparing within a run; *rows/s* is the best of the repeats."
        )


def filled(text, exhibits, place):
    """A page with its tables and plots made anew, each between the marks of its name."""
    for piece in (piece for exhibit in exhibits for piece in exhibit.pieces):
        is_table = isinstance(piece, Table)
        name = piece.caption if is_table else piece.name
        shown = (
            markdown(piece.columns, piece.rows) if is_table else _piece(piece, place, place.page)
        )
        begin, end = f"<!-- measured: {name} -->\n", "\n<!-- end -->"
        before, *after = re.split(f"{re.escape(begin)}.*?{re.escape(end)}", text, flags=re.DOTALL)
        if len(after) != 1:
            raise ValueError(f"the page has {len(after)} places for {name!r}")
        text = before + begin + shown + end + after[0]
    return text


def _all_alike(machines):
    return all(is_alike(one, other) for one, other in pairwise(machines))


def _left_out(machines):
    """Which peers were installed on none of them."""
    missing = ({name for name, found in one["packages"].items() if not found} for one in machines)
    absent = set.intersection(*missing)
    return [f"Not installed, and so left out: {', '.join(sorted(absent))}."] if absent else []


def _piece(piece, place, path):
    if isinstance(piece, str):
        return piece
    if isinstance(piece, Table):
        caption = [f"**{piece.caption}**"] if piece.caption else []
        return "\n\n".join([*caption, markdown(piece.columns, piece.rows)])
    return f"![{piece.title}]({_relative(_picture(piece, place), path)})"


def _draw(pieces, place):
    for piece in pieces:
        if isinstance(piece, Curves | Cloud | Picture):
            draw(piece, _picture(piece, place))


def _picture(piece, place):
    return place.details / f"{piece.name}.svg"


def _uncapital(title):
    return title[0].lower() + title[1:]


def _relative(target, path):
    return Path(os.path.relpath(target, path.parent)).as_posix()


def _joined(parts):
    return "\n\n".join(parts) + "\n"


def _write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
