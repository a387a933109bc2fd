"""What a pool says of examples whose labels come later, to be judged by when they come.

For each example that is a row of numbers: how many scores there were for each filter, which opening
of the pool it was, what the panel keeps (`core.panel`), and for each of the pool's first filters
what its experts said (`core.edits.span`). Filters that have been opened meanwhile, and classes that
have appeared, were not asked: then the row says nothing, like one of before anything was learned.
Nor does one that nobody can have said, which may come from a file or from a stranger.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.edits.span import LEARNED, NOT_KEPT, numbers_said
from ..core.panel import FARTHEST, numbers_kept
from .record import Record

__all__ = ["Testimony", "numbers_of_testimony", "opposite_testimony"]

HEAD = 2
"""Scores for each filter, and openings."""


def numbers_of_testimony(slots: int, columns: int) -> int:
    """How much is kept of each example."""
    return HEAD + numbers_kept(slots, columns) + slots * numbers_said(columns)


def opposite_testimony(rows: np.ndarray, slots: int) -> np.ndarray:
    """What is kept of examples of two classes, or of one alone, had the labels been the others."""
    kept, said = numbers_kept(slots, 1), numbers_said(1)
    signs = np.full(numbers_of_testimony(slots, 1), -1.0)
    signs[: HEAD + 1] = signs[HEAD + kept :: said] = 1  # and when it was said
    opposite = np.full_like(rows, np.nan)
    opposite[..., : len(signs)] = rows[..., : len(signs)] * signs + 0.0  # a zero has no sign
    return opposite


class Testimony:
    """What was said of some examples, and is going to be.

    Parameters
    ----------
    pool : Pool
    record : Record
        Where it is kept.
    here : slice
        The examples in the record that are next.

    Attributes
    ----------
    kept_in : ndarray of int
        For each of the examples, the row that is its own below; NOT_KEPT if it is learned when it
        is predicted.
    by_panel : ndarray
    by_filters : list of ndarray
        One for each filter.
    is_absurd : bool
        Whether something was kept that nobody can have said.
    now : ndarray of shape (n_filters, n_examples, columns)
        What each filter says when an example is learned, by its trust and not by its jury.
    """

    def __init__(self, pool: Any, record: Record, here: slice) -> None:
        self._record, slots, columns = record, pool.slots, pool.columns_of_scores
        kept, said = numbers_kept(slots, columns), numbers_said(columns)
        self._head = columns, pool.openings
        self._parts = [slice(HEAD, HEAD + kept)]
        for slot in pool.panel.slots.tolist():
            first = HEAD + kept + slot * said
            self._parts.append(slice(first, first + said))
        if record.advice.shape[1] == 0:
            length = len(range(*here.indices(len(record.examples))))
            self.kept_in, self._which = np.full(length, NOT_KEPT), None
            self._rows = np.full((1, HEAD + kept + slots * said), np.nan)
        else:
            examples = record.examples[here]
            is_late = examples != NOT_KEPT
            self._which, places = np.unique(examples[is_late], return_inverse=True)
            self.kept_in = np.full(len(examples), NOT_KEPT)
            self.kept_in[is_late] = places
            given = record.advice[self._which, : HEAD + kept + slots * said]
            self._rows = np.full((len(given), HEAD + kept + slots * said), np.nan)
            self._rows[:, : given.shape[1]] = given  # less, if it is of fewer classes
            self._rows[(self._rows[:, :HEAD] != self._head).any(axis=1)] = np.nan
        self.by_panel, *self.by_filters = [self._rows[:, part].copy() for part in self._parts]
        self.is_absurd = self._which is not None and self._has_left_out(pool)
        self.now = np.zeros((len(self.by_filters), len(self.kept_in), columns))

    def _has_left_out(self, pool: Any) -> bool:
        """Let rows that nobody can have said say nothing; whether there were any."""
        absurd = ~np.isnan(self._rows[:, 0]) & ~self._is_possible(pool)
        for part in (self.by_panel, *self.by_filters):
            part[absurd] = np.nan
        return bool(absurd.any())

    def _is_possible(self, pool: Any) -> np.ndarray:
        """Which rows can have been said: not in the future, and by nobody more than certain."""
        columns, slots = pool.columns_of_scores, pool.panel.slots.tolist()
        when, others = self.by_panel[:, 0], self.by_panel[:, 1 + pool.slots * columns :]
        possible = (when >= 0) & (when <= pool.seen) & (np.abs(others) <= FARTHEST).all(axis=1)
        for slot, one, said in zip(slots, pool.filters, self.by_filters, strict=True):
            first = 1 + slot * columns
            possible &= np.isfinite(self.by_panel[:, first : first + columns]).all(axis=1)
            learned, is_silent = one.state.memory.ages[LEARNED], np.isnan(said[:, 0])
            in_time = (said[:, 0] >= 0) & (said[:, 0] <= learned)
            possible &= is_silent | (in_time & (np.abs(said[:, 1:]) <= 1).all(axis=1))
        return possible

    def keep(self) -> None:
        """Write down what has been said."""
        if self._which is not None:
            for part, said in zip(self._parts, [self.by_panel, *self.by_filters], strict=True):
                self._rows[:, part] = said
            self._rows[~np.isnan(self.by_panel[:, 0]), :HEAD] = self._head
            self._record.advice[self._which, : self._rows.shape[1]] = self._rows
