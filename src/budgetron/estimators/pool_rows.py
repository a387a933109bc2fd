"""Single rows for a pool of filters: each machine learns by one call, then the panel confers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.kernel import Rows
from ..core.panel import EQUAL_WITHIN, numbers_kept
from ..core.platt import calibrate
from ..core.state import WAS_UPDATE
from ..engine import (
    PanelRow,
    Pool,
    Record,
    SingleRow,
    Testimony,
    numbers_of_testimony,
    opposite_testimony,
)
from .prediction import Prediction
from .single_rows import BegunRow, RowCache, SingleRows

__all__ = ["PoolRows"]


class PoolRowCache(RowCache):
    """Where a pool has single rows before it."""

    def __init__(self, classifier: Any) -> None:
        super().__init__(classifier)
        pool = classifier._learner
        kept = numbers_kept(pool.slots, pool.columns_of_scores)
        how = pool.rule.sharing, pool.zero_is_mistake, kept
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

    def recall(self, prediction: Prediction | None) -> None:
        """Know what was predicted for the row before, if that was, and by these filters."""
        super().recall(prediction)
        if prediction is not None:
            noted = prediction.noted[0]  # less than now, if it is of fewer classes
            if len(self.labels) == 2 and self._was_other(prediction):
                noted = opposite_testimony(noted, self._pool.slots)
            self.advice = np.full(self._pool.numbers_of_testimony, np.nan)
            self.advice[: len(noted)] = noted
            testimony = testimony_of(self._pool, self.advice)
            self.panel.said[:] = testimony.by_panel
            for row, said in zip(self.rows, testimony.by_filters, strict=True):
                row.said[:] = said[0]

    def _was_other(self, prediction: Prediction) -> bool:
        """Whether the first class was alone when it was predicted, with a score above 0."""
        is_positive = prediction.classes == 1 and np.all(np.asarray(prediction.score) >= 0)
        return prediction.label == self.labels[0] and bool(is_positive)

    def testimony(self) -> np.ndarray:
        """What is to be known again, of the row that was scored last."""
        advice = np.full(self._pool.numbers_of_testimony, np.nan)
        testimony = testimony_of(self._pool, advice)
        testimony.by_panel[:] = self.panel.said
        for row, said in zip(self.rows, testimony.by_filters, strict=True):
            said[:] = row.said
        testimony.keep()
        return advice

    def copied_for(self, classifier: Any) -> RowCache:
        """The same with a copy of the classifier before it."""
        copied: Any = super().copied_for(classifier)
        copied.panel.said[:], copied.panel.now[:] = self.panel.said, self.panel.now
        return copied

    def said(self, row: SingleRow, score: float) -> Any:
        """What a filter has said of the row: the score, or one for each class."""
        return score if self.panel.shown.shape[1] == 1 else row.scores[0].tolist()

    def errors(self) -> list[float]:
        """How far the panel's scores can be off."""
        return [EQUAL_WITHIN * max(1.0, abs(score)) for score in self.panel.shown[0].tolist()]


def testimony_of(pool: Pool, advice: np.ndarray) -> Testimony:
    """What was noted of one example, or is going to be."""
    record = Record(1)
    record.advice = advice[None]
    return Testimony(pool, record, slice(None))


class PoolRows(SingleRows):
    """`learn_one` and `predict_one` for whoever learns by a `Pool`."""

    _learner: Pool

    def _advice_size(self, classes: int) -> int:
        return numbers_of_testimony(self._learner.slots, classes if classes > 2 else 1)

    def _opposite(self, advice: np.ndarray) -> np.ndarray:
        if advice.shape[1] == 0:
            return advice
        return opposite_testimony(advice, self._learner.slots)

    def _has_given(self, advice: Any) -> bool:
        if advice is None:
            return True
        if not (isinstance(advice, np.ndarray) and advice.ndim == 1 and len(advice) > 0):
            return False
        columns = len(self.classes_) if len(self.classes_) > 2 else 1
        lengths = {numbers_of_testimony(self._learner.slots, n) for n in range(1, columns + 1)}
        if not (advice.dtype == np.float64 and len(advice) in lengths):
            return False
        return not testimony_of(self._learner, advice).is_absurd

    def _new_row_cache(self) -> RowCache:
        return PoolRowCache(self)

    def _learns_in_place(self, X: Rows) -> bool:
        return self._learner.kept is None and super()._learns_in_place(X)

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
        said = [cache.said(row, row.score()) for row in cache.rows]
        scores: list[float] = cache.panel.advise(said)[0].tolist()
        return scores

    def _finish_row(self, cache: Any, row: BegunRow, *, resumed: bool = False) -> None:
        rows, scores, columns = cache.rows, row.scores, cache.panel.shown.shape[1]
        for own in range(len(scores), len(rows)):
            machine, heavy = rows[own], -row.heavy if columns == 1 and row.code == 0 else row.heavy
            is_due = not resumed or machine.seen == row.seen
            if is_due:
                machine.walk(heavy, row.code, is_late=row.is_late)
            cache.panel.now[own] = machine.now
            scores.append(cache.said(machine, machine.scores.item(0)))
        if not resumed or self._learner.seen == row.seen:
            updated = 0
            for one in rows:
                updated |= one.events.item(0, WAS_UPDATE)
            cache.panel.confer(scores, row.code, row.heavy, updated, is_late=row.is_late)
        calibration = self._calibration
        if self.probability:
            calibration = calibration.copy()
            for own, state in enumerate(calibration):
                is_own = row.code == (own if columns > 1 else 1)
                label = row.weight if is_own else -row.weight
                calibrate(state, cache.panel.shown[:, own], np.array([label]))
        now = row.counts, calibration, None
        self._class_counts, self._calibration, cache.begun = now
