"""A batch of rows, each key's together: predicted and learned, and what happened to each row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..core.kernel import Rows
from ..core.state import EVICTED, NOBODY, SIZE_AFTER, WAS_MISTAKE, WAS_UPDATE
from ..engine.record import in_columns
from ..estimators.classes import Numbered
from ..estimators.waiting import NOBODY_WAITS
from ..evaluation import Trace
from ..evaluation.prequential import go_over_rows
from .keys import Key

__all__ = ["Batch", "Groups", "Happened", "Lookup", "choice_of_nobody", "learned"]

FEW = 256
"""So many rows of a key are learned without further ado, if its learner knows their classes."""

VERY_FEW = 32
"""So many are learned one by one, if nobody wants to know what happened to them."""


class Groups:
    """Which rows are whose: each key's rows are together, in the order of the stream."""

    def __init__(self, keys: Sequence[Key]) -> None:
        places: dict[Key, int] = {}
        codes = np.array([places.setdefault(key, len(places)) for key in keys], np.int64)
        self.keys = [*places]
        self.order = np.argsort(codes, kind="stable")
        self._ends = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=len(places)))])

    def __iter__(self) -> Iterator[tuple[Key, slice]]:
        """Each key, and where its rows are among all rows in `order`."""
        ends = self._ends.tolist()
        return zip(self.keys, (slice(*pair) for pair in pairwise(ends)), strict=True)

    def last_rows(self) -> dict[Key, int]:
        """The number of each key's last row."""
        return dict(zip(self.keys, self.order[self._ends[1:] - 1].tolist(), strict=True))

    @staticmethod
    def stretches(keys: Sequence[Key], most: int | None) -> Iterator[slice]:
        """Rows that follow each other, of at most so many keys."""
        if most is None:
            yield slice(0, len(keys))
            return
        first, met = 0, set[Key]()
        for row, key in enumerate(keys):
            met.add(key)
            if len(met) > most:
                yield slice(first, row)
                first, met = row, {key}
        yield slice(first, len(keys))


class Batch(NamedTuple):
    """Rows that have been checked."""

    X: Rows
    y: np.ndarray
    labels: Numbered  # the same by number
    weights: np.ndarray
    is_told: np.ndarray  # whether a row is learned, or only predicted

    def at(self, here: Any) -> Batch:
        """Some of them."""
        codes = self.labels._replace(codes=self.labels.codes[here])
        return Batch(self.X[here], self.y[here], codes, self.weights[here], self.is_told[here])


class Happened:
    """What is written down of rows, in any order.

    Parameters
    ----------
    rows : int
    classes : ndarray
        All that there are.
    forecasting : bool
        Whether there are probabilities.
    """

    def __init__(self, rows: int, classes: np.ndarray, *, forecasting: bool) -> None:
        many = len(classes)
        self.classes, self.forecasting = classes, forecasting
        self.scores = np.zeros(rows) if many <= 2 else np.full((rows, many), -np.inf)
        self.choices = np.full(rows, choice_of_nobody(classes))
        self.events = np.zeros((rows, 4), np.int64)
        self.events[:, EVICTED] = NOBODY
        self.chances = np.zeros((rows, forecasting * many))
        self._places: dict[Any, np.ndarray] = {}

    def places_of(self, classes: np.ndarray) -> np.ndarray:
        """The places of some classes among all."""
        named = tuple(classes.tolist())
        if named not in self._places:
            self._places[named] = np.searchsorted(self.classes, classes)
        return self._places[named]

    def write(
        self,
        here: Any,
        classes: np.ndarray,
        scores: np.ndarray,
        choices: np.ndarray,
        events: np.ndarray,
        chances: np.ndarray | None,
    ) -> None:
        """What a learner of these classes has done with some rows."""
        places = self.places_of(classes)
        if self.scores.ndim == 1:
            self.scores[here] = scores
        else:
            self._put(self.scores, here, places, in_columns(scores)[:, -len(places) :])
        self.choices[here], self.events[here] = places[choices], events
        if self.forecasting and chances is not None:
            self._put(self.chances, here, places, chances)

    @staticmethod
    def _put(table: np.ndarray, here: Any, places: np.ndarray, columns: np.ndarray) -> None:
        for place, column in zip(places, columns.T, strict=True):
            table[here, place] = column

    def trace(self, y: np.ndarray, is_told: np.ndarray) -> Trace:
        """The same as that of one learner."""
        events = self.events
        return Trace(
            scores=self.scores,
            predictions=self.classes[self.choices],
            mistakes=events[:, WAS_MISTAKE].astype(bool),
            updates=events[:, WAS_UPDATE].astype(bool),
            sizes=events[:, SIZE_AFTER].copy(),
            evicted=events[:, EVICTED].copy(),
            waiting=NOBODY_WAITS,
            labels=y,
            classes=self.classes,
            probabilities=self.chances if self.forecasting else None,
            lessons=y[is_told],
            lessons_before=np.cumsum(is_told) - is_told,
        )


def choice_of_nobody(classes: np.ndarray) -> int:
    """What is predicted of a score of 0, by whoever has seen nothing."""
    return 1 if len(classes) == 2 else 0


class Lookup:
    """Labels by number as the numbers that learners have for them."""

    def __init__(self, classes: np.ndarray) -> None:
        self._labels = classes.tolist()
        self._known: dict[Any, np.ndarray] = {}

    def codes(self, learner: Any, codes: np.ndarray) -> np.ndarray | None:
        """None if it does not know them all."""
        named = tuple(learner._codes)
        own = self._known.get(named)
        if own is None:
            own = np.array([learner._codes.get(label, -1) for label in self._labels], np.int64)
            self._known[named] = own
        found: np.ndarray = own[codes]
        return found if found.min() >= 0 else None


def learned(
    learner: Any,
    batch: Batch,
    named: Any,
    common: dict[Any, Any],
    lookup: Lookup,
    happened: Happened | None,
    here: slice,
    rows: np.ndarray,
    remember: Callable[[], None],
) -> Any:
    """A learner that has learned some rows of a batch; None if there is nothing to learn.

    It is a copy, or the same one, which was asked to be remembered before. Rows of the batch are
    `here`, those of what happened are `rows`. If it is to have all classes from the start, they are
    `named`; what it shares with others is in `common`.
    """
    X, weights, told = batch.X[here], batch.weights[here], batch.is_told[here]
    is_fitted, codes = learner.__sklearn_is_fitted__(), None
    if not is_fitted and not told.any():
        return None
    if not is_fitted and named is not None and len(named) > 1 and told[0]:
        learner, is_fitted = learner._begun(X, named), True
        learner._share(common)
    if is_fitted and len(learner.classes_) > 1 and len(weights) <= FEW and told.all():
        codes = lookup.codes(learner, batch.labels.codes[here])
    is_told = happened is not None
    if codes is not None and not is_told and len(codes) <= VERY_FEW and learner._learns_in_place(X):
        remember()
        learner._learn_in_place(X, codes, weights)
        return learner
    if codes is not None:
        forecasting = happened is not None and happened.forecasting
        draft, record = learner._after(X, codes, weights, forecasting=forecasting)
        known = draft.classes_, record.scores, record.choices, record.events, record.chances
    else:
        draft = learner._draft()
        times = np.where(told, np.arange(len(weights)), np.inf)
        classes = None if is_fitted else named
        trace = go_over_rows(draft, X, batch.y[here], classes, weights, times, NOBODY_WAITS)
        known = _told_by(trace)
    if happened is not None:
        happened.write(rows, *known)
    return draft


def _told_by(trace: Trace) -> Any:
    """What a trace says, as a record has it."""
    choices = np.searchsorted(trace.classes, trace.predictions)
    events = np.column_stack([trace.mistakes, trace.updates, trace.sizes, trace.evicted])
    return trace.classes, trace.scores, choices, events, trace.probabilities
