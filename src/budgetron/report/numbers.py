"""Numbers as they are printed, and the table behind a chart."""

from __future__ import annotations

import math

from ..experiments.exhibit import Cell, Figure, Table

__all__ = ["numbers_of", "shown"]

MINUS = "\N{MINUS SIGN}"


def shown(cell: Cell) -> str:
    """A cell of a table in print: four digits, a true minus, nothing for what is not there.

    Parameters
    ----------
    cell : str, float, int or None

    Returns
    -------
    str

    Examples
    --------
    >>> from budgetron.report.numbers import shown
    >>> shown(12345), shown(2.71828), shown(1e-5), shown(None)
    ('12,345', '2.718', '1e−05', '')
    """
    if cell is None or isinstance(cell, str):
        return cell or ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if not math.isfinite(cell):
        return "" if math.isnan(cell) else f"{MINUS if cell < 0 else ''}∞"
    whole = float(cell).is_integer() or abs(cell) >= 10_000
    return f"{cell:,.{0 if whole else 4}{'f' if whole else 'g'}}".replace("-", MINUS)


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
