"""What a user may not have thought of."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..reading import Plan
from .console import make_console

__all__ = ["note_unlike_scales"]

SCALE_RATIO = 100
"""A column that varies so much more than another is all that a kernel sees."""


def note_unlike_scales(plan: Plan, X: Any) -> None:
    """Say on standard error if some columns of numbers drown others, given the first rows."""
    spreads = _spreads(plan, X)
    if not spreads or all(column.standardized for column in plan.columns if column.name in spreads):
        return
    widest, narrowest = (choose(spreads, key=spreads.__getitem__) for choose in (max, min))
    if spreads[widest] > SCALE_RATIO * spreads[narrowest]:
        make_console(stderr=True).print(
            f"note: {widest!r} varies by {spreads[widest]:.3g} and {narrowest!r} by"
            f" {spreads[narrowest]:.3g}: --standardize brings columns to one scale",
            soft_wrap=True,
        )


def _spreads(plan: Plan, X: Any) -> dict[str, float]:
    """The deviations of the columns of numbers that vary at all."""
    spreads: dict[str, float] = {}
    place = 0
    for column in plan.columns:
        if column.kind in ("number", "seconds"):
            values = X[:, [place]]
            spreads[column.name] = float(np.std(values.toarray() if plan.sparse else values))
        place += (not column.sparse) * column.width + (plan.missing == "indicator")
    return {name: spread for name, spread in spreads.items() if 0 < spread < np.inf}
