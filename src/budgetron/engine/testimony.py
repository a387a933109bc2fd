"""What a pool says of examples whose labels come later, to be judged by when they come.

For each example that is a row of numbers: how many scores there were for each filter, which opening
of the pool it was, what the panel keeps (`core.panel`), and for each of the pool's first filters
what its experts said (`core.edits.span`). Filters that have been opened meanwhile, and classes that
have appeared, were not asked: then the row says nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.edits.span import NOT_KEPT, numbers_said
from ..core.panel import numbers_kept
from .record import Record

__all__ = ["Testimony", "numbers_of_testimony"]

HEAD = 2
"""Scores for each filter, and openings."""


def numbers_of_testimony(slots: int, columns: int) -> int:
    """How much is kept of each example."""
    return HEAD + numbers_kept(slots, columns) + slots * numbers_said(columns)


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
        For each of the examples, the row that is its own below.
    by_panel : ndarray
    by_filters : list of ndarray
        One for each filter.
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
            self._which, self.kept_in = np.unique(record.examples[here], return_inverse=True)
            self._rows = record.advice[self._which, : HEAD + kept + slots * said]
            self._rows[(self._rows[:, :HEAD] != self._head).any(axis=1)] = np.nan
        self.by_panel, *self.by_filters = [self._rows[:, part].copy() for part in self._parts]
        self.now = np.zeros((len(self.by_filters), len(self.kept_in), columns))

    def keep(self) -> None:
        """Write down what has been said."""
        if self._which is not None:
            for part, said in zip(self._parts, [self.by_panel, *self.by_filters], strict=True):
                self._rows[:, part] = said
            self._rows[~np.isnan(self.by_panel[:, 0]), :HEAD] = self._head
            self._record.advice[self._which, : self._rows.shape[1]] = self._rows
