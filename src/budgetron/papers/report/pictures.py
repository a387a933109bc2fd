"""The figures as SVG and PNG files, for papers and for pages that run no scripts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure as Canvas

from ..exhibit import Figure
from .looks import Look

__all__ = ["draw_shares", "save_picture"]

MARKERS = {"circle": "o", "square": "s", "triangle": "^", "diamond": "D", "inverted_triangle": "v"}
"""Matplotlib's names for Bokeh's."""

STYLE = {
    "text.parse_math": False,  # a name is no formula
    "svg.hashsalt": "budgetron",  # the same file for the same figure
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "font.size": 9,
    "legend.frameon": False,
}

SHARE_COLOURS = "#2b7bc0", "#cc5072", "#f3b183", "#8f7a1e", "#b9c7d1"
"""For areas: any two of them differ, also for those who see no red, no green or no blue."""


def save_picture(
    figure: Figure, looks: dict[str, Look], path: Path, shares: Figure | None = None
) -> None:
    """Draw a figure into a file of the kind that its suffix names.

    Parameters
    ----------
    figure : Figure
    looks : dict
        By the names of the series.
    path : path
        Ending in .svg, .png or another suffix that Matplotlib knows.
    shares : Figure, optional
        Drawn below it as areas, over the same x: its series add up to 1 everywhere.
    """
    with matplotlib.rc_context(STYLE):
        if shares is None:
            canvas = Canvas(figsize=(6.4, 4.8), layout="constrained")
            axes = canvas.subplots()
            _draw(axes, figure, looks)
            canvas.legend(loc="outside lower center", ncols=2, fontsize=8)
        else:
            canvas = Canvas(figsize=(6.4, 7.8), layout="constrained")
            axes, below = canvas.subplots(2, sharex=True, height_ratios=(3, 2))
            _draw(axes, figure, looks)
            axes.tick_params(labelbottom=True)
            axes.legend(
                loc="upper center",
                bbox_to_anchor=(0.5, 0),
                borderaxespad=4.5,
                ncols=2,
                fontsize=8,
            )
            draw_shares(below, shares)
        metadata = {"Date": None} if path.suffix == ".svg" else None
        canvas.savefig(path, dpi=150, metadata=metadata)


def draw_shares(axes: Any, figure: Figure, colours: Sequence[str] = SHARE_COLOURS) -> None:
    """Draw series that add up to 1 as areas, one upon the other, with their names beside them.

    Parameters
    ----------
    axes : Axes
        Of Matplotlib.
    figure : Figure
    colours : sequence of str
    """
    x = np.asarray(figure.series[0].x, float)
    axes.stackplot(
        x,
        [series.y for series in figure.series],
        labels=[series.name for series in figure.series],
        colors=colours,
        edgecolor="white",
        linewidth=0.5,
    )
    axes.set(title=figure.title, xlabel=figure.x_label, ylabel=figure.y_label, ylim=(0, 1))
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), reverse=True, fontsize=8)


def _draw(axes: Any, figure: Figure, looks: dict[str, Look]) -> None:
    for series in figure.series:
        look = looks[series.name]
        axes.errorbar(
            np.asarray(series.x, float),
            np.asarray(series.y, float),
            yerr=series.spread,
            label=series.name,
            color=look.colour,
            marker=MARKERS[look.marker],
            markersize=4,
            markevery=max(1, len(series.x) // 12),
            fillstyle="none" if look.is_paper else "full",
            linestyle="--" if look.is_paper else "-",
            linewidth=1.5,
            elinewidth=0.8,
        )
    axes.set(title=figure.title, xlabel=figure.x_label, ylabel=figure.y_label)
    axes.set_xscale("log" if figure.log_x else "linear")
    axes.set_yscale("log" if figure.log_y else "linear")
