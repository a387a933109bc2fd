"""The figures as SVG and PNG files, for papers and for pages that run no scripts."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure as Canvas

from ..exhibit import Figure
from .looks import Look

__all__ = ["save_picture"]

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


def save_picture(figure: Figure, looks: dict[str, Look], path: Path) -> None:
    """Draw a figure into a file of the kind that its suffix names.

    Parameters
    ----------
    figure : Figure
    looks : dict
        By the names of the series.
    path : path
        Ending in .svg, .png or another suffix that Matplotlib knows.
    """
    with matplotlib.rc_context(STYLE):
        canvas = Canvas(figsize=(6.4, 4.8), layout="constrained")
        axes = canvas.subplots()
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
        canvas.legend(loc="outside lower center", ncols=2, fontsize=8)
        metadata = {"Date": None} if path.suffix == ".svg" else None
        canvas.savefig(path, dpi=150, metadata=metadata)
