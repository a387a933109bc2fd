"""Single rows for a pool of filters: each machine learns by one call, then the panel confers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.panel import Room, advise
from ..core.platt import calibrate
from ..core.state import WAS_UPDATE
from ..engine import Pool, level
from .single_rows import BegunRow, RowCache, SingleRows

__all__ = ["PoolRows"]


class PoolRows(SingleRows):
    """`learn_one` and `predict_one` for whoever learns by a `Pool`."""

    _learner: Pool

    def _new_row_cache(self) -> RowCache:
        cache = super()._new_row_cache()
        cache.buffer.limit = self._learner.largest_norm
        return cache

    def _learn_row(self, cache: RowCache, code: int, weight: float) -> None:
        pool = self._learner
        if cache.learns_in_place and pool.kept is None and pool.rest > 1:
            cache.buffer.multiply(pool.columns)
            super()._learn_row(cache, code, weight)
        else:
            self._learn_row_by_draft(cache, code, weight)

    def _scores_of_row(self, cache: RowCache) -> Sequence[float]:
        pool, (filters, columns) = self._learner, self._learner.shape_of_advice
        cache.buffer.multiply(pool.columns)
        scores = [row.score() for row in cache.rows]
        shown = np.empty((1, columns))
        advice = np.array(scores).reshape(filters, 1, columns)
        advise(pool.panel, Room.of(pool.panel), advice, shown)
        return (level(shown) if columns > 1 else shown)[0].tolist()

    def _finish_row(self, cache: RowCache, row: BegunRow, *, resumed: bool = False) -> None:
        rows, scores, pool = cache.rows, row.scores, self._learner
        filters, columns = pool.shape_of_advice
        for own in range(len(scores), len(rows)):
            is_own = row.code == (own % columns if columns > 1 else 1)
            machine, heavy = rows[own], row.heavy if is_own else -row.heavy
            is_due = not resumed or machine.seen == row.seen
            scores.append(machine.walk(heavy) if is_due else machine.scores.item(0))
        after = pool.after_row(np.array(scores).reshape(filters, 1, columns), cache.buffer, row)
        shown = after.pop("shown")
        calibration = self._calibration
        if self.probability:
            calibration = calibration.copy()
            for own, state in enumerate(calibration):
                is_own = row.code == (own if columns > 1 else 1)
                label = row.weight if is_own else -row.weight
                calibrate(state, shown[:, own], np.array([label]))
        after["updates"] = pool.updates + any(one.events.item(0, WAS_UPDATE) for one in rows)
        now = pool.__dict__ | after, row.counts, calibration, None
        pool.__dict__, self._class_counts, self._calibration, cache.begun = now
