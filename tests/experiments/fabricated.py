"""Results that are made up, for what is made of them."""

import numpy as np


def spread(measure, times):
    """So many numbers of this mean and deviation."""
    if times == 1:
        return [measure.mean]
    z = np.linspace(-1, 1, times)
    return measure.mean + measure.deviation * z / z.std(ddof=1)


def cell(table, row, column):
    """What a table has in the row that begins with these cells."""
    (found,) = (cells for cells in table.rows if cells[: len(row)] == row)
    return found[table.columns.index(column)]


def claim(exhibit, beginning):
    (found,) = (claim for claim in exhibit.claims if claim.statement.startswith(beginning))
    return found
