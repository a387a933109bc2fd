"""The colour and the marker of each curve, alike wherever its name comes up."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..exhibit import Series

__all__ = ["Look", "looks_of"]

COLOURS = (
    "#2b7bc0",
    "#d1590f",
    "#12906a",
    "#ad5cc0",
    "#8f7a1e",
    "#cc5072",
    "#657f90",
)
"""Each stands out against white and against black by 3 : 1 at least."""

PAPER = re.compile(r"[\s,:(]*\bpaper\b[\s,:)]*")
MARKERS = {
    "circle": "M8 1.5a4.5 4.5 0 1 0 .01 0z",
    "square": "M4 2h8v8H4z",
    "triangle": "M8 1l5 9H3z",
    "diamond": "M8 .5l4 5.5-4 5.5L4 6z",
    "inverted_triangle": "M8 11l5-9H3z",
}
"""Names in Bokeh, and the outlines that the legend draws."""


@dataclass(frozen=True)
class Look:
    """How a curve looks; the paper's own is dashed, and its markers are hollow."""

    colour: str
    marker: str
    is_paper: bool

    @property
    def outline(self) -> str:
        """The marker as an SVG path."""
        return MARKERS[self.marker]


def looks_of(series: Iterable[Series]) -> dict[str, Look]:
    """A look for each name; a learner in the paper has the colour of the learner here.

    Parameters
    ----------
    series : iterable of Series

    Returns
    -------
    dict
        Looks by the names of the series.
    """
    learners: dict[str, int] = {}
    looks = {}
    for each in series:
        learner = PAPER.sub("", each.name) if each.is_paper else each.name
        place = learners.setdefault(learner, len(learners))
        looks[each.name] = Look(
            COLOURS[place % len(COLOURS)], [*MARKERS][place % len(MARKERS)], each.is_paper
        )
    return looks
