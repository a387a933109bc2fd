"""A figure as an interactive chart."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from bokeh.embed import json_item
from bokeh.models import (
    BasicTickFormatter,
    DataRange1d,
    FixedTicker,
    HoverTool,
    InlineStyleSheet,
)
from bokeh.plotting import figure as bokeh_figure

from ..exhibit import Figure, Series
from .looks import Look
from .numbers import shown

__all__ = ["chart"]

FEW = 15
"""Up to so many points each has a marker and an error bar; a longer curve has a band."""

APART = 25
"""So many points of a curve answer the pointer at most, or neighbours would answer together."""

ROUND = [digit * 10**power for power in range(10) for digit in (1, 2, 5)]
FONT = "system-ui, sans-serif"


def chart(figure: Figure, looks: dict[str, Look]) -> dict[str, Any]:
    """A chart as JSON that Bokeh's script draws.

    Every glyph of a series has its place in the figure as a tag, by which the page shows and hides
    it. The colours of axes and grid are the page's affair, which may be light or dark.

    Parameters
    ----------
    figure : Figure
    looks : dict
        By the names of the series.

    Returns
    -------
    dict
    """
    plot = bokeh_figure(
        height=340,
        sizing_mode="stretch_width",
        x_axis_type="log" if figure.log_x else "linear",
        y_axis_type="log" if figure.log_y else "linear",
        x_axis_label=figure.x_label,
        y_axis_label=figure.y_label,
        x_range=DataRange1d(only_visible=True),
        y_range=DataRange1d(only_visible=True),
        tools="box_zoom,reset,save",
        active_drag=None,  # a finger scrolls the page
        toolbar_location="above",
        background_fill_color=None,
        border_fill_color=None,
        outline_line_color=None,
    )
    plot.toolbar.logo = None
    plot.toolbar.stylesheets = [InlineStyleSheet(css=".bk-divider { display: none; }")]
    hovered = []
    for place, series in enumerate(figure.series):
        drawn = _draw(plot, series, looks[series.name], place, _floor(figure))
        for renderer in drawn:
            renderer.update(tags=[place], nonselection_glyph=None, muted_glyph=None)
        hovered.append(drawn[-1])
    plot.add_tools(
        HoverTool(
            renderers=hovered,
            tooltips=[
                ("", "$name"),
                (figure.x_label, "@x_shown"),
                (figure.y_label, "@y_shown"),
            ],
            point_policy="snap_to_data",
            visible=False,
        )
    )
    _dress(plot, figure)
    return dict(json_item(plot))


def _draw(plot: Any, series: Series, look: Look, place: int, floor: float) -> list[Any]:
    """Spread, curve and markers, and last the points that answer the pointer."""
    x, y, colour = np.array(series.x, float), np.array(series.y, float), look.colour
    few = len(x) <= FEW
    dash, fill = ("dashed", None) if look.is_paper else ("solid", colour)
    renderers = []
    if series.spread is not None:
        low, high = np.maximum(y - series.spread, floor), y + series.spread
        renderers.append(
            plot.segment(x, low, x, high, color=colour, line_width=1.5)
            if few
            else plot.varea(x, low, high, color=colour, alpha=0.2)
        )
    renderers.append(plot.line(x, y, color=colour, line_width=2, line_dash=dash))
    step = 1 if few else len(x) // 8
    marked = slice(0 if few else (step // 2 + place * step // 8) % step, None, step)
    renderers.append(
        plot.scatter(
            x[marked],
            y[marked],
            marker=look.marker,
            size=10 if look.is_paper else 8,
            line_color=colour,
            line_width=2 if look.is_paper else 1,
            fill_color=fill,
        )
    )
    apart = slice(None, None, -(-len(x) // APART))
    answers = {
        "x": x[apart],
        "y": y[apart],
        "x_shown": [*map(shown, x[apart])],
        "y_shown": _with_spread(series)[apart],
    }
    renderers.append(
        plot.scatter(
            "x",
            "y",
            source=answers,
            name=series.name,
            size=13,
            alpha=0,
            hover_alpha=1,
            hover_line_color=colour,
            hover_fill_color=None,
        )
    )
    return renderers


def _with_spread(series: Series) -> list[str]:
    if series.spread is None:
        return [*map(shown, series.y)]
    pairs = zip(series.y, series.spread, strict=True)
    return [f"{shown(y)} ± {shown(half)}" for y, half in pairs]


def _floor(figure: Figure) -> float:
    """Below which nothing is drawn: a logarithmic axis has no zero."""
    positive = [y for series in figure.series for y in series.y if y > 0]
    return min(positive, default=1.0) / 2 if figure.log_y else -math.inf


def _dress(plot: Any, figure: Figure) -> None:
    x = [value for series in figure.series for value in series.x]
    y = [value for series in figure.series for value in series.y]
    for axis, values, is_log in ((plot.xaxis, x, figure.log_x), (plot.yaxis, y, figure.log_y)):
        axis.axis_label_text_font = axis.major_label_text_font = FONT
        axis.axis_label_text_font_style = "normal"
        axis.axis_label_text_font_size = axis.major_label_text_font_size = "13px"
        axis.minor_tick_line_color = None
        if is_log and values and 1 <= min(values) <= max(values) <= 1000 * min(values):
            axis.ticker = FixedTicker(ticks=ROUND)
            axis.formatter = BasicTickFormatter(use_scientific=False)
