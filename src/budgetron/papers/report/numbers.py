"""Numbers and words as they are printed, and the table behind a chart."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from ..exhibit import Cell, Figure, Table

__all__ = ["column", "numbers_of", "shown", "typeset"]

MINUS = "\N{MINUS SIGN}"
NO_BREAK = "\N{NO-BREAK SPACE}"
DECIMALS = ((10_000, 0), (100, 1), (1, 2), (0.1, 3))
"""A column whose largest number is so large has so many decimals."""


def shown(cell: Cell, decimals: int | None = None) -> str:
    """A cell in print: a true minus, nothing for what is not there.

    Parameters
    ----------
    cell : str, float, int or None
    decimals : int, optional
        Three digits in all if not given.

    Returns
    -------
    str

    Examples
    --------
    >>> from budgetron.papers.report.numbers import shown
    >>> shown(12345), shown(2.71828), shown(2.71828, decimals=1), shown(None)
    ('12,345', '2.72', '2.7', '')
    """
    if cell is None or isinstance(cell, str):
        return typeset(cell or "")
    if math.isnan(cell):
        return ""
    if decimals is None:
        whole = float(cell).is_integer() or abs(cell) >= 1000
        short = f"{cell:,.0f}" if whole else f"{cell:.3g}"
    else:
        short = f"{cell:,.{decimals}f}"
    return short.replace("-", MINUS).replace("inf", "∞")


def column(cells: Sequence[Cell]) -> list[str]:
    """The cells of a column in print, with the same number of decimals where that makes sense.

    Parameters
    ----------
    cells : sequence of str, float, int or None

    Returns
    -------
    list of str

    Examples
    --------
    >>> from budgetron.papers.report.numbers import column
    >>> column([279.475, 3, None]), column([-4.0, 1.2]), column([0.1, 0.0001])
    (['279.5', '3.0', ''], ['−4.0', '1.2'], ['0.1', '0.0001'])
    """
    numbers = [abs(cell) for cell in cells if isinstance(cell, int | float) and math.isfinite(cell)]
    largest, smallest = max(numbers, default=0), min(filter(None, numbers), default=0)
    decimals = next((places for least, places in DECIMALS if largest >= least), 0)
    if smallest < 10**-decimals / 2:
        return [*map(shown, cells)]
    while decimals and all(round(number, decimals - 1) == number for number in numbers):
        decimals -= 1
    return [shown(cell, decimals) for cell in cells]


def typeset(text: str) -> str:
    """A sentence with true minus signs, and without breaks inside "d = 5" or "4 %".

    Parameters
    ----------
    text : str

    Returns
    -------
    str
    """
    text = re.sub(r"(?<![\w)])-(?=\d)", MINUS, text)
    return re.sub(r"(?<=\d) (?=%)|(?<= ± ) |(?<=\b\w) (?== )|(?<==) (?=[\d(-])", NO_BREAK, text)


def numbers_of(figure: Figure) -> Table:
    """All points of a figure, a row for each x.

    Parameters
    ----------
    figure : Figure

    Returns
    -------
    Table
        A column for each series, and one for its spread if it has any.
    """
    columns, values = [figure.x_label], []
    for series in figure.series:
        columns.append(series.name)
        values.append(dict(zip(series.x, series.y, strict=True)))
        if series.spread is not None:
            columns.append("±")
            values.append(dict(zip(series.x, series.spread, strict=True)))
    places = sorted({x for series in figure.series for x in series.x})
    rows = tuple((x, *(column.get(x) for column in values)) for x in places)
    return Table(f"{figure.title}: {figure.y_label}", tuple(columns), rows)
