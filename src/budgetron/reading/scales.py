"""Columns of numbers on one scale, which runs with the stream."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, hstack, issparse

from ..core.columns import FIRST_LOOK, next_look
from .plan import Plan, Seen

__all__ = ["RunningScales"]

FARTHEST = 10.0
"""No value counts for more than so many deviations."""

LARGEST = 1e9
"""No value is larger, on its scale: whatever is farther away is as far."""

ROUNDING = 1e-12
"""A square that is a smaller part of those it is a difference of is nothing."""


class RunningScales:
    """Means and deviations of all rows so far, those of the sample having been seen before.

    Sums are made row by row: however a stream is cut, each row becomes the same numbers. What is
    far away is told by the scale at the last look, after 10, 15, 20, 30, 40, 60, ... rows.

    Parameters
    ----------
    plan : Plan
        Which columns are scaled, and where they are.
    fixed : bool, default=False
        Whether scales stay as they are.
    """

    def __init__(self, plan: Plan, *, fixed: bool = False) -> None:
        self._plan = plan
        self._columns = [column for column in plan.columns if plan.is_scaled(column)]
        places = plan.places()
        self._places = [places[column.name] for column in self._columns]
        self._centers = np.array([column.center for column in self._columns])
        self._spreads = np.array([column.spread for column in self._columns])
        seen = plan.seen or _sample(plan, self._centers, self._spreads)
        self._rows = seen.rows
        self._anchors = np.array(seen.anchors)
        self._sums = np.array([seen.counts, seen.sums, seen.squares], float)
        self._runs = plan.standardize and not fixed

    @property
    def plan(self) -> Plan:
        """The plan with the scales of now."""
        if not self._runs:
            return self._plan
        now = {
            column.name: replace(column, center=center, spread=spread)
            for column, center, spread in zip(
                self._columns, self._centers.tolist(), self._spreads.tolist(), strict=True
            )
        }
        sums = (tuple(own.tolist()) for own in (self._anchors, *self._sums))
        return replace(
            self._plan,
            columns=tuple(now.get(column.name, column) for column in self._plan.columns),
            seen=Seen(self._rows, *sums),
        )

    def over(self, X: Any) -> Any:
        """The next rows on their scales; a missing value, which is NaN, becomes the mean."""
        if not self._places:
            return X
        if not issparse(X):
            X[:, self._places] = self._over(X[:, self._places])
            return X
        width = max(self._places) + 1
        dense = X[:, :width].toarray()
        dense[:, self._places] = self._over(dense[:, self._places])
        return hstack([csr_matrix(dense), X[:, width:]], format="csr")

    def _over(self, values: np.ndarray) -> np.ndarray:
        if not self._runs:
            return _scaled(values, *self._scales(self._sums[np.newaxis]))
        scaled, start = np.empty_like(values), 0
        while start < len(values):
            look = next_look(max(self._rows, FIRST_LOOK))
            here = slice(start, start + look - self._rows)
            scaled[here] = self._next(values[here])
            if self._rows == look:
                self._centers, self._spreads = (
                    own[0] for own in self._scales(self._sums[np.newaxis])
                )
            start = here.stop
        return scaled

    def _next(self, values: np.ndarray) -> np.ndarray:
        """Rows between two looks."""
        with np.errstate(over="ignore", invalid="ignore"):
            reach = FARTHEST * self._spreads
            near = np.clip(values, self._centers - reach, self._centers + reach)
            is_there = np.isfinite(values)
            off = np.where(is_there, near - self._anchors, 0.0)
            terms = np.stack([is_there, off, off**2], axis=1)
            sums = np.cumsum(np.concatenate([self._sums[np.newaxis], terms]), axis=0)
        self._sums, self._rows = sums[-1], self._rows + len(values)
        return _scaled(values, *self._scales(sums[1:]))

    def _scales(self, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Means and deviations, row by row; where there are none, those of the last look."""
        with np.errstate(over="ignore", invalid="ignore"):
            counts = np.maximum(sums[:, 0], 1)
            means, squares = sums[:, 1] / counts, sums[:, 2] / counts
            variances, centers = squares - means**2, self._anchors + means
            is_scale = np.isfinite(variances) & (variances > ROUNDING * squares)
            is_scale &= np.isfinite(centers)
            spreads = np.sqrt(np.where(is_scale, variances, 1.0))
        return (
            np.where(is_scale, centers, self._centers),
            np.where(is_scale, spreads, self._spreads),
        )


def _sample(plan: Plan, centers: np.ndarray, spreads: np.ndarray) -> Seen:
    """The sample, of which centers and spreads are known, as if it had been seen."""
    with np.errstate(over="ignore"):
        squares = plan.sampled * spreads**2
    counts = np.full(len(centers), plan.sampled)
    return Seen(0, *map(tuple, (centers, counts, np.zeros(len(centers)), squares)))


def _scaled(values: np.ndarray, centers: np.ndarray, spreads: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = np.clip((values - centers) / spreads, -LARGEST, LARGEST)
    return np.nan_to_num(scaled, copy=False)
