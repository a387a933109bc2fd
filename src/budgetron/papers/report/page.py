"""The page: every artifact of every paper, with what came out of it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from bokeh.resources import Resources
from jinja2 import Environment
from markupsafe import Markup

from ...reading.escaping import escaped, escaped_within
from ..exhibit import MARKS, Artifact, Exhibit, Figure, Scale, Table
from ..machine import Machine
from ..reasons import REASONS, Reason, unmet
from ..registry import PAPERS, Paper
from ..task import Results
from .chart import chart
from .looks import Look, looks_of
from .numbers import column, numbers_of, typeset
from .pictures import save_picture

__all__ = ["page", "pictures"]


@dataclass(frozen=True)
class Entry:
    """An artifact on the page: its exhibit, or why there is none."""

    artifact: Artifact
    exhibit: Exhibit | None
    missing: str = ""

    @property
    def anchor(self) -> str:
        """Its address within the page."""
        return self.artifact.key.replace("/", "-")

    @property
    def verdict(self) -> str:
        """In words."""
        return self.exhibit.verdict if self.exhibit else "not run"

    @property
    def mark(self) -> str:
        """In one character."""
        return MARKS[self.exhibit.verdict] if self.exhibit else "○"

    @property
    def looks(self) -> dict[str, Look]:
        """How its curves look, by their names."""
        figures = self.exhibit.figures if self.exhibit else ()
        return looks_of(series for figure in figures for series in figure.series)

    @property
    def reasons(self) -> list[tuple[str, Reason]]:
        """Why a statement does not hold or a number differs, where that is known."""
        known = REASONS.get(self.artifact.key, {})
        unlike = [what for what, _ in unmet(self.exhibit)] if self.exhibit else []
        return [(what, known[what]) for what in unlike if what in known]

    def chart(self, figure: Figure) -> Markup:
        """One of its figures, for the page's script."""
        text = json.dumps(chart(figure, self.looks), separators=(",", ":"))
        return Markup(text.replace("<", "\\u003c"))


def page(results: Results, scale: Scale, papers: Sequence[Paper] = PAPERS) -> str:
    """The page as one HTML text, made of what is stored.

    Parameters
    ----------
    results : Results
        Of one scale.
    scale : {"quick", "full"}
    papers : sequence of Paper

    Returns
    -------
    str
    """
    sections = [
        (paper, [_entry(artifact, results, scale) for artifact in paper.artifacts])
        for paper in papers
    ]
    entries = [entry for _, each in sections for entry in each]
    if not any(entry.exhibit for entry in entries):
        raise LookupError(
            f"{results.directory} has no complete results: budgetron reproduce --{scale} makes them"
        )
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"typeset": typeset, "breakable": _breakable}
    return environment.from_string(_text("page.html")).render(
        sections=sections,
        tally=_tally(entries),
        scale=scale,
        machine=escaped_within(Machine.of(results.directory)),
        numbers_of=numbers_of,
        printed=_printed,
        style=Markup(_text("page.css")),
        script=Markup(_text("page.js")),
        bokeh=Markup(_bokeh()),
    )


def pictures(
    results: Results, scale: Scale, directory: Path, papers: Sequence[Paper] = PAPERS
) -> list[Path]:
    """Write every figure of the page as an SVG and a PNG file.

    Parameters
    ----------
    results : Results
        Of one scale.
    scale : {"quick", "full"}
    directory : path
        It is made if it is not there.
    papers : sequence of Paper

    Returns
    -------
    list of path
        The files.
    """
    directory.mkdir(parents=True, exist_ok=True)
    written = []
    for artifact in (artifact for paper in papers for artifact in paper.artifacts):
        entry = _entry(artifact, results, scale)
        for number, figure in enumerate(entry.exhibit.figures if entry.exhibit else (), start=1):
            for suffix in ("svg", "png"):
                written.append(directory / f"{entry.anchor}-{number}.{suffix}")
                save_picture(figure, entry.looks, written[-1])
    return written


def _entry(artifact: Artifact, results: Results, scale: Scale) -> Entry:
    try:
        tasks = set(artifact.tasks(scale))
        done = sum(task in results for task in tasks)
        if done < len(tasks):
            return Entry(artifact, None, f"{done:,} of {len(tasks):,} tasks are done")
        return Entry(artifact, escaped_within(artifact.show(results, scale)))
    except OSError as error:
        return Entry(artifact, None, escaped(f"data are missing: {error}"))


def _tally(entries: Sequence[Entry]) -> str:
    verdicts = [entry.verdict for entry in entries]
    return ", ".join(
        f"{verdicts.count(verdict)} {verdict}"
        for verdict in (*MARKS, "not run")
        if verdict in verdicts
    )


def _printed(table: Table) -> list[tuple[str, ...]]:
    """The rows of a table in print."""
    return [*zip(*map(column, zip(*table.rows, strict=True)), strict=True)]


def _breakable(text: str) -> Markup:
    """A learner's name that may be broken before its capitals."""
    return Markup("<wbr>").join(re.split(r"(?<=[a-z])(?=[A-Z])", text))


def _bokeh() -> str:
    """Bokeh's script without what no chart here needs."""
    resources: Any = Resources(mode="inline", components=["bokeh"])
    return "\n".join(resources.js_raw).replace("</script", "<\\/script")


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
