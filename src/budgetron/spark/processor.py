"""What Spark runs for each bucket of keys: rows are predicted, learned, and written down."""

from __future__ import annotations

import os
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from pyspark.sql.streaming import StatefulProcessor
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from ..estimators import Prediction
from ..saving import loads
from . import live

__all__ = ["MODELS", "KeyedLearners"]

MODELS = "models"
WAITING = "time long, x array<double>, code int, scores array<double>, advice array<double>"
"""A row whose label is still to come, and what was predicted."""

NONE_YET = -1
"""In the place of the predicted class, before the first label of a key."""


@dataclass
class KeyedLearners(StatefulProcessor):
    """A learner for each key, as bytes in Spark's state; a bucket's are at hand if they fit.

    Rows have the columns `key`, `order` (by which a key's are sorted), `features`, `code` (of the
    class of its label: -1 if it has none of these, null if no label has come), `is_label` (whether
    this is the label of another row), and where labels come late `id` and `time` (milliseconds).

    Attributes
    ----------
    learner : classifier
        With which every key begins.
    classes : list of labels
    key_type : str
        Of the keys, in Spark's words.
    handed_on : list of str
        Columns of the rows that predictions have, too.
    buckets : int
        All that there are.
    at_hand : int
        Learners of a bucket that need not be loaded again, at most.
    id_type : str or None
        Of the ids by which labels come late, if they do.
    """

    learner: Any
    classes: list[Any]
    key_type: str
    handed_on: list[str]
    buckets: int
    at_hand: int
    id_type: str | None = None

    def init(self, handle: Any) -> None:
        """Find the state; a worker has one core."""
        threadpool_limits(1)
        self._handle = handle
        self._query = repr((self.learner, self.classes, self.key_type, self.handed_on))
        self._stamp = handle.getValueState("stamp", "stamp binary, buckets int")
        self._models = handle.getMapState(MODELS, f"key {self.key_type}", "model binary")
        if self.id_type is not None:
            which = f"key {self.key_type}, id {self.id_type}"
            self._waiting = handle.getMapState("waiting", which, WAITING)

    def handleInputRows(  # noqa: N802
        self,
        key: Any,
        rows: Iterator[pd.DataFrame],
        timerValues: Any,
    ) -> Iterator[pd.DataFrame]:
        """Predict the rows of a micro-batch, and learn those whose labels have come."""
        bucket, (stamp, buckets) = (self._query, key[0]), self._stamp.get() or (None, self.buckets)
        if buckets != self.buckets:
            raise ValueError(f"the checkpoint has {buckets} buckets, and not {self.buckets}")
        learners = live.take(bucket, stamp)
        frame = pd.concat([*rows])
        for name in {"key", "order", "id", "time"} & {*frame}:
            if frame[name].isna().any():
                raise ValueError(f"there are rows whose {name} is null")
        frame = frame.sort_values("order", kind="stable", ignore_index=True)
        batch = Batch(frame, len(self.classes))
        changed = []
        for own, places in frame.groupby("key", sort=False).indices.items():
            own = own.item() if isinstance(own, np.generic) else own
            learner = learners.pop(own, None) or self._stored(own)
            if self._go_over(own, learner, batch, places.tolist()):
                changed.append(own)
            learners[own] = learner
        for own in changed:
            self._models.updateValue((own,), (learners[own].dumps(),))
        if changed:
            stamp = os.urandom(16)
            self._stamp.update((stamp, self.buckets))
        live.keep(bucket, stamp, learners, self.at_hand)
        if batch.waits_until is not None:
            passed = timerValues.getCurrentWatermarkInMs()
            self._handle.registerTimer(max(batch.waits_until, passed + 1))
        yield batch.predicted(self.handed_on)

    def handleExpiredTimer(  # noqa: N802
        self,
        key: Any,
        timerValues: Any,
        expiredTimerInfo: Any,
    ) -> Iterator[pd.DataFrame]:
        """Give up the rows whose labels have not come before the watermark."""
        passed = timerValues.getCurrentWatermarkInMs()
        given_up = [which for which, (time, *_) in self._waiting.iterator() if time <= passed]
        for which in given_up:
            self._waiting.removeKey(which)
        return iter(())

    def close(self) -> None:
        """Nothing is open."""

    def _stored(self, key: Any) -> Any:
        known = self._models.getValue((key,))
        if known is not None:
            return self._demand_classes(key, loads(bytes(known[0])))
        return deepcopy(self.learner) if hasattr(self.learner, "classes_") else clone(self.learner)

    def _demand_classes(self, key: Any, learner: Any) -> Any:
        """The learner, if it is one of this query, and not of one that had other classes."""
        if {*learner.classes_.tolist()} != {*self.classes}:
            known = learner.classes_.tolist()
            raise ValueError(
                f"in the checkpoint, {key!r} knows the classes {known}, and not {self.classes}"
            )
        return learner

    def _go_over(self, key: Any, learner: Any, batch: Batch, places: list[int]) -> bool:
        """Whether anything was learned."""
        changed = False
        for place in places:
            try:
                changed |= self._take(key, learner, batch, place)
            except (TypeError, ValueError) as error:
                row = batch.frame["order"].iloc[place]
                raise ValueError(f"the row {row} of {key!r}: {error}") from error
        return changed

    def _take(self, key: Any, learner: Any, batch: Batch, place: int) -> bool:
        """One row, or one label of an earlier row: whether it was learned."""
        code = batch.codes[place]
        if code < 0:
            raise ValueError(f"its label is none of the classes {self.classes}")
        is_labelled = code < len(self.classes)
        if batch.is_label[place]:
            return is_labelled and self._learn_late(key, learner, batch.ids[place], code)
        x = batch.X[place]
        if x.ndim != 1:
            raise ValueError("its features are null")
        waits = self.id_type is not None and not is_labelled
        asked = learner._ask(x, noted=waits)
        said = NONE_YET if asked.label is None else self.classes.index(asked.label)
        batch.predict(place, said, asked.score)
        if is_labelled:
            self._learn(learner, x, code)
        elif waits:
            scores = asked.score if isinstance(asked.score, tuple) else (asked.score,)
            advice = [] if asked.advice is None else asked.advice.tolist()
            row = batch.times[place], x.tolist(), said, [*scores], advice
            self._waiting.updateValue((key, batch.ids[place]), row)
            batch.wait(place)
        return is_labelled

    def _learn(
        self, learner: Any, x: np.ndarray, code: int, asked: Prediction | None = None
    ) -> None:
        label = self.classes[code]
        if hasattr(learner, "classes_"):
            learner.learn_one(x, label, asked)
        else:
            noted = None if asked is None else asked.noted
            learner._learn(x[None], [label], self.classes, None, recorded=False, noted=noted)

    def _learn_late(self, key: Any, learner: Any, which: Any, code: int) -> bool:
        waited = self._waiting.getValue((key, which))
        if waited is None:  # learned or given up, or the label of no row
            return False
        self._waiting.removeKey((key, which))
        _, x, said, scores, advice = waited
        asked = Prediction(
            None if said == NONE_YET else self.classes[said],
            tuple(scores) if len(scores) > 1 else scores[0],
            np.array(advice) if advice else None,
        )
        self._learn(learner, np.array(x), code, asked)
        return True


class Batch:
    """The rows of a bucket in a micro-batch, in their order, and what is predicted.

    Attributes
    ----------
    frame : DataFrame
    X : list of ndarray
    codes : list of int
        The numbers of the labels' classes; that of none that has come is larger than all.
    is_label : list of bool
        Whether this is not a row, but the label of one.
    ids, times : list
        Of the rows, where labels come late.
    waits_until : int or None
        The time of the last row whose label is still to come.
    """

    def __init__(self, frame: pd.DataFrame, classes: int) -> None:
        self.frame = frame
        self.X = [np.asarray(x, dtype=float) for x in frame["features"]]
        self.codes = frame["code"].fillna(classes).astype(int).tolist()
        self.is_label = frame["is_label"].tolist()
        self.ids, self.times = (frame[it].tolist() if it in frame else [] for it in ("id", "time"))
        self.waits_until: int | None = None
        self._said = np.full(len(frame), NONE_YET)
        self._scores: list[Any] = [None] * len(frame)

    def predict(self, place: int, code: int, score: Any) -> None:
        """Write a prediction down."""
        if code != NONE_YET:
            self._said[place], self._scores[place] = code, score

    def wait(self, place: int) -> None:
        """Know of a row whose label is still to come."""
        self.waits_until = max(self.times[place], self.waits_until or 0)

    def predicted(self, handed_on: list[str]) -> pd.DataFrame:
        """The predictions, beside columns of their rows."""
        told = self.frame[handed_on].assign(prediction=self._said, score=self._scores)
        return told[~np.array(self.is_label, dtype=bool)]
