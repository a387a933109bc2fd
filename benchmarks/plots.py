"""Plots as SVG files, the same file for the same numbers."""

from __future__ import annotations

from functools import singledispatch
from itertools import cycle

import matplotlib
from matplotlib.figure import Figure
from matplotlib.ticker import FormatStrFormatter, StrMethodFormatter

from .showing import Cloud, Curves, Picture

__all__ = ["draw"]

COLOURS = ("#2b7bc0", "#d1590f", "#12906a", "#ad5cc0", "#8f7a1e", "#cc5072", "#657f90")
MORE_COLOURS = ("#222222", "#7f4a24", "#3c6e9f")
PLAIN = FormatStrFormatter("%g")
THOUSANDS = StrMethodFormatter("{x:,.0f}")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
MORE_MARKERS = ("*", "p", "<")
STYLE = {
    "svg.hashsalt": "budgetron",
    "svg.fonttype": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "font.size": 9,
    "legend.frameon": False,
}
PHONE = 4.0, 2.4
"""Inches of width, and of height for each panel, so that words can be read where it is narrow."""


@singledispatch
def draw(piece, path):
    """Draw curves, a cloud or a picture into a file."""
    raise TypeError(piece)


@draw.register
def draw_curves(curves: Curves, path):
    """Lines over one pair of axes."""
    with matplotlib.rc_context(STYLE):
        canvas, axes = _axes(curves)
        looks = zip(cycle(COLOURS), cycle(MARKERS))
        for number, (name, points) in enumerate(curves.lines.items()):
            colour, marker = next(looks)
            x, y = zip(*points, strict=True)
            line = ("-", "--", ":")[number // len(COLOURS) % 3]
            axes.plot(x, y, color=colour, marker=marker, markersize=4, linestyle=line, label=name)
        axes.set_xscale("log" if curves.log_x else "linear")
        axes.set_yscale("log" if curves.log_y else "linear")
        if curves.ticks:
            axes.set_xticks(curves.ticks, map(str, curves.ticks))
            axes.minorticks_off()
        _save(canvas, axes, path)


@draw.register
def draw_cloud(cloud: Cloud, path):
    """Points by owner and kind; those that nobody beats in both respects are named."""
    owners = [*dict.fromkeys(point.owner for point in cloud.points)]
    kinds = [*dict.fromkeys(point.kind for point in cloud.points)]
    colours = dict(zip(owners, COLOURS, strict=False))
    markers = dict(zip(kinds, MARKERS, strict=False))
    with matplotlib.rc_context(STYLE):
        canvas, axes = _axes(cloud)
        for (owner, kind, is_hollow), own in _alike(cloud.points).items():
            axes.scatter(
                [point.x for point in own],
                [point.y for point in own],
                s=22,
                marker=markers[kind],
                facecolors="none" if is_hollow else colours[owner],
                edgecolors=colours[owner],
                label=None if is_hollow else f"{owner}, {kind}",
            )
        if any(point.is_hollow for point in cloud.points):
            axes.scatter([], [], s=22, facecolors="none", edgecolors="grey", label=cloud.hollow)
        for point in cloud.points:
            if point.name in cloud.named:
                axes.annotate(
                    point.name,
                    (point.x, point.y),
                    (-4, -9),  # to the left, where slower ones leave room
                    textcoords="offset points",
                    fontsize=6,
                    ha="right",
                    zorder=1,  # behind the points
                )
        axes.set(xscale="log", yscale="log")
        axes.yaxis.set_major_formatter(PLAIN)
        axes.yaxis.set_minor_formatter(PLAIN)
        _save(canvas, axes, path)


@draw.register
def draw_picture(picture: Picture, path):
    """Panels with a common x-axis, and under them a legend of all names."""
    width, height = PHONE
    colours, markers = COLOURS + MORE_COLOURS, MARKERS + MORE_MARKERS
    with matplotlib.rc_context(STYLE):
        canvas = Figure(figsize=(width, height * len(picture.panels) + 0.9), layout="constrained")
        panels = canvas.subplots(
            len(picture.panels), sharex=True, sharey=picture.log_y, squeeze=False
        )[:, 0]
        known = {}
        for axes, (title, lines) in zip(panels, picture.panels.items(), strict=True):
            axes.set_title(title, fontsize=9, loc="left")
            axes.set(ylabel=picture.y_label, xscale="log")
            for name, (look, points) in sorted(lines.items(), key=lambda item: -item[1].look):
                known[look] = axes.plot(
                    *zip(*points, strict=True),
                    color=colours[look],
                    marker=markers[look],
                    markersize=6,
                    linewidth=1.2 if look else 2.4,
                    label=name,
                )[0]
            if picture.log_y:
                axes.set_yscale("log")
                axes.yaxis.set_major_formatter(THOUSANDS)
        axes.set_xlabel(picture.x_label)
        axes.xaxis.set_major_formatter(THOUSANDS)
        if picture.ticks:
            axes.set_xticks(picture.ticks)
            axes.minorticks_off()
        handles = [known[look] for look in sorted(known)]
        canvas.legend(handles=handles, loc="outside lower center", ncols=2, fontsize=8)
        _written(canvas, path)


def _alike(points):
    alike = {}
    for point in points:
        alike.setdefault((point.owner, point.kind, point.is_hollow), []).append(point)
    return alike


def _axes(plot):
    canvas = Figure(figsize=(8.6, 4.8), layout="constrained")
    axes = canvas.subplots()
    axes.set(title=plot.title, xlabel=plot.x_label, ylabel=plot.y_label)
    return canvas, axes


def _save(canvas, axes, path):
    axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5), handlelength=3.5)
    _written(canvas, path)


def _written(canvas, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    canvas.savefig(path, metadata={"Date": None})
