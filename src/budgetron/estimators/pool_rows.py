"""Single rows for a pool of filters: each machine learns by one call, then the panel confers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.panel import EQUAL_WITHIN
from ..core.platt import calibrate
from ..core.state import WAS_UPDATE
from ..engine import PanelRow, Pool
from .single_rows import BegunRow, RowCache, SingleRows

__all__ = ["PoolRows"]


class PoolRowCache(RowCache):
    """Where a pool has single rows before it."""

    def __init__(self, classifier: Any) -> None:
        super().__init__(classifier)
        pool = classifier._learner
        how = pool.rule.sharing, pool.zero_is_mistake
        self.panel = PanelRow(pool.panel, pool.columns, self.buffer, *how)
        self._pool, self._goes_on_until = pool, 0

    @property
    def goes_on(self) -> bool:
        """Whether the next row is learned in place: nothing changes after it, whatever it is."""
        pool = self._pool
        if self.learns_in_place and pool.seen + 1 < self._goes_on_until:
            return True
        self._goes_on_until = pool.seen + pool.rest if pool.kept is None else 0
        return self.learns_in_place and pool.goes_on

    def errors(self) -> list[float]:
        """How far the panel's scores can be off."""
        return [EQUAL_WITHIN * max(1.0, abs(score)) for score in self.panel.shown[0].tolist()]


class PoolRows(SingleRows):
    """`learn_one` and `predict_one` for whoever learns by a `Pool`."""

    _learner: Pool

    def _new_row_cache(self) -> RowCache:
        return PoolRowCache(self)

    def _learn_row(self, cache: Any, code: int, weight: float) -> None:
        if cache.goes_on:
            cache.buffer.scale()
            super()._learn_row(cache, code, weight)
        else:
            self._learn_row_by_draft(cache, code, weight)

    def _scores_of_row(self, cache: Any) -> Sequence[float]:
        if not cache.rows:
            cache.buffer.check()  # nobody else looks at it
        cache.buffer.scale()
        scores: list[float] = cache.panel.advise([row.score() for row in cache.rows])[0].tolist()
        return scores

    def _finish_row(self, cache: Any, row: BegunRow, *, resumed: bool = False) -> None:
        rows, scores, columns = cache.rows, row.scores, cache.panel.shown.shape[1]
        for own in range(len(scores), len(rows)):
            is_own = row.code == (own % columns if columns > 1 else 1)
            machine, heavy = rows[own], row.heavy if is_own else -row.heavy
            is_due = not resumed or machine.seen == row.seen
            scores.append(machine.walk(heavy) if is_due else machine.scores.item(0))
        if not resumed or self._learner.seen == row.seen:
            updated = 0
            for one in rows:
                updated |= one.events.item(0, WAS_UPDATE)
            cache.panel.confer(scores, row.code, row.heavy, updated)
        calibration = self._calibration
        if self.probability:
            calibration = calibration.copy()
            for own, state in enumerate(calibration):
                is_own = row.code == (own if columns > 1 else 1)
                label = row.weight if is_own else -row.weight
                calibrate(state, cache.panel.shown[:, own], np.array([label]))
        now = row.counts, calibration, None
        self._class_counts, self._calibration, cache.begun = now
