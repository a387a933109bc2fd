"""Single rows, without the validation that costs more than learning them does."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from math import inf
from numbers import Real
from typing import Any, NamedTuple, Self

import numba
import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..core.kernel import OwnKernel, Rows
from ..core.platt import calibrate
from ..core.state import WAS_UPDATE
from ..engine import (
    Learner,
    Pool,
    PoolBuffer,
    Record,
    RowBuffer,
    SingleRow,
    SpanLearner,
    first_highest,
)
from ..parameters import LARGEST_WEIGHT
from .prediction import NOTHING_PREDICTED, Prediction
from .stream_classifier import StreamClassifier

__all__ = ["RowCache", "SingleRows", "checked_weight", "machines_of"]


class BegunRow(NamedTuple):
    """A row in the buffer that some machines may have learned and others not yet."""

    code: int
    weight: float
    heavy: float  # the weight times that of its class
    counts: np.ndarray  # of the classes, when it has been learned
    seen: int  # by a machine that has not learned it
    scores: list[Any]  # of the machines that have
    is_late: bool  # whether it was predicted before


def machines_of(learner: Any) -> list[Any]:
    """Each of the machines that a classifier learns with."""
    if isinstance(learner, Pool):
        return learner.filters
    machines: list[Any] = getattr(learner, "machines", [learner])
    return machines


class RowCache:
    """Where a classifier has single rows before it: a buffer, and a machine for each class."""

    def __init__(self, classifier: Any) -> None:
        learner = classifier._learner
        self.labels = [*classifier._codes]
        is_pool = isinstance(learner, Pool)
        self.machines = machines_of(learner)
        self.buffer = PoolBuffer(learner) if is_pool else RowBuffer(self.machines[0])
        self.is_plain = all(type(machine) in (Learner, SpanLearner) for machine in self.machines)
        self.learns_in_place = (
            self.is_plain
            and len(self.labels) > 1
            and not (isinstance(learner.kernel, OwnKernel) or numba.config.DISABLE_JIT)
        )
        self.rows = [SingleRow(machine, self.buffer) for machine in self.machines if self.is_plain]
        self.is_one_step = self.learns_in_place and not (
            is_pool
            or len(self.rows) > 1
            or classifier.probability
            or classifier.class_weight is not None
        )
        self.scores_itself = self.is_plain and not getattr(classifier, "average", False)
        self.begun: BegunRow | None = None
        self.advice: np.ndarray | None = None

    def recall(self, prediction: Prediction | None) -> None:
        """Know what was predicted for the row before, if that was."""
        self.advice = None if prediction is None else prediction.advice

    def testimony(self) -> np.ndarray | None:
        """What is to be known again, of the row that was scored last."""
        return None

    def copied_for(self, classifier: Any) -> RowCache:
        """The same with a copy of the classifier before it."""
        copied = classifier._new_row_cache()
        copied.buffer.put_copy(self.buffer)
        for row, own in zip(copied.rows, self.rows, strict=True):
            row.make_room()
            row.remember(own)
        begun: Any = self.begun
        copied.begun = begun._replace(scores=begun.scores.copy())
        return copied

    def errors(self) -> list[float]:
        """How far the scores can be off; if they come from a block, they are leveled already."""
        if self.scores_itself:
            return [row.errors.item(0) for row in self.rows]
        return [0.0] * len(self.labels)


class SingleRows(StreamClassifier):
    """`learn_one` and `predict_one`: a row at a time, in a hundredth of the time of `partial_fit`.

    They learn and predict the same as `partial_fit` and `predict` of one row. What is checked is
    that the row has the right number of features and that these are finite numbers; what is left
    out is what scikit-learn offers beyond that: frames, feature names, conversions.
    """

    _learner: Any
    _calibration: np.ndarray
    _class_counts: np.ndarray
    class_weight: Any
    probability: bool

    def learn_one(
        self,
        x: Any,
        y: Any,
        prediction: Prediction | None = None,
        *,
        sample_weight: float = 1.0,
    ) -> Self:
        """Learn one more example.

        Parameters
        ----------
        x : array of shape (n_features,)
        y : label
        prediction : Prediction, optional
            What `ask_one` said of the example, if its label has come late.
        sample_weight : float, default=1.0

        Returns
        -------
        self
        """
        access = self._access
        with access.learning:
            if prediction is not None:
                self._check_prediction(prediction)
            code = self._codes.get(y) if "classes_" in self.__dict__ else None
            if code is None:
                weight = checked_weight(sample_weight)
                noted = None if prediction is None else prediction.noted
                self._learn(np.asarray(x)[None], [y], None, [weight], recorded=False, noted=noted)
                return self
            with access.row:
                if access.readers:
                    self._leave_to_readers()
                cache = self._row_cache()
                cache.buffer.put(x)
                cache.recall(prediction)
                self._learn_row(cache, code, checked_weight(sample_weight))
        return self

    def ask_one(self, x: Any) -> Prediction:
        """The prediction for one example, to be given back to `learn_one` with its label.

        Before anything is learned its label is None.

        Parameters
        ----------
        x : array of shape (n_features,)

        Returns
        -------
        Prediction

        Examples
        --------
        >>> from budgetron import Forgetron
        >>> learner = Forgetron(gamma=2).fit([[0, 0], [1, 0], [1, 1]], ["no", "yes", "no"])
        >>> prediction = learner.ask_one([0, 1])
        >>> prediction.label
        'no'
        >>> _ = learner.learn_one([0, 1], "yes", prediction)
        """
        return self._ask(x, noted=True)

    def _ask(self, x: Any, *, noted: bool) -> Prediction:
        """The same; with nothing noted, it is not for labels that come late."""
        if "classes_" not in self.__dict__:
            return NOTHING_PREDICTED
        with self._access.row:
            cache = self._row_cache()
            cache.buffer.put(x)
            scores = self._scores_of_row(cache)
            label = cache.labels[self._choice_of_row(cache, scores)]
            advice = cache.testimony() if noted else None
        return Prediction(label, tuple(scores) if len(scores) > 1 else scores[0], advice)

    def predict_one(self, x: Any) -> Any:
        """The class of one example.

        Parameters
        ----------
        x : array of shape (n_features,)

        Returns
        -------
        label
        """
        with self._access.row:
            cache = self._row_cache()
            cache.buffer.put(x)
            return cache.labels[self._choice_of_row(cache, self._scores_of_row(cache))]

    def predict_proba_one(self, x: Any) -> dict[Any, float]:
        """The probability of each class; needs `probability=True`.

        Parameters
        ----------
        x : array of shape (n_features,)

        Returns
        -------
        dict of label to float
        """
        with self._access.row:
            cache = self._row_cache()
            cache.buffer.put(x)
            return self._probabilities_of_row(cache)

    def _check_prediction(self, prediction: Any) -> None:
        """Raise an error for what this learner cannot have predicted."""
        if not isinstance(prediction, Prediction):
            raise TypeError(
                f"a prediction is what ask_one gives, got {type(prediction).__name__};"
                " sample_weight is given by its name"
            )
        if prediction.label is None and prediction.advice is None:
            return  # NOTHING_PREDICTED
        check_is_fitted(self)
        if prediction.label not in self._codes or prediction.classes > len(self.classes_):
            raise ValueError(
                f"{prediction} is not of a learner of the classes {self.classes_.tolist()}"
            )
        if not self._has_given(prediction.advice):
            raise ValueError(f"{type(self).__name__} has not said that: ask the same learner")

    def _has_given(self, advice: Any) -> bool:
        """Whether that can be what was noted when an example was predicted."""
        return advice is None

    def _leave_to_readers(self) -> None:
        """Go on with a copy, so that what is being read stays as it is."""
        self._row_cache()
        self._commit(self._draft())

    def _row_cache(self) -> RowCache:
        """Where to put the next row, the one before being learned wholly."""
        cache: RowCache | None = self._access.rows
        if cache is None:
            check_is_fitted(self)
            cache = self._access.rows = self._new_row_cache()
        elif cache.begun is not None:
            with suppress(ValueError):  # a row that no machine takes: it is as if it had not come
                self._finish_row(cache, cache.begun, resumed=True)
            cache.begun = None
        return cache

    def _new_row_cache(self) -> RowCache:
        return RowCache(self)

    def _learn_row(self, cache: RowCache, code: int, weight: float) -> None:
        """Learn the row in the buffer."""
        if cache.is_one_step:
            cache.rows[0].learn(weight if code == 1 else -weight)
        elif not cache.learns_in_place:
            self._learn_row_by_draft(cache, code, weight)
        else:
            is_counted = isinstance(self.class_weight, str)
            counts = self._class_counts.copy() if is_counted else self._class_counts
            heavy = weight * self._weight_of_class(code, counts)
            for machine in cache.rows:
                machine.make_room()
            seen, is_late = self._learner.seen, cache.advice is not None
            cache.begun = BegunRow(code, weight, heavy, counts, seen, [], is_late)
            try:
                self._finish_row(cache, cache.begun)
            except ValueError:  # no machine takes it
                cache.begun = None
                raise

    def _learns_in_place(self, X: Rows) -> bool:
        """Whether a few such examples are learned one by one in less time than together."""
        return isinstance(X, np.ndarray) and self._row_cache().learns_in_place

    def _learn_in_place(self, X: np.ndarray, codes: np.ndarray, weights: np.ndarray) -> None:
        """Learn a few examples, such as `_after` takes them, one by one.

        An exception leaves this after a whole number of them.
        """
        with self._access.learning, self._access.row:
            if self._access.readers:
                self._leave_to_readers()
            for row in self._row_cache().rows:
                row.make_room(len(X))
            for x, code, weight in zip(X, codes.tolist(), weights.tolist(), strict=True):
                cache = self._row_cache()
                cache.buffer.put(x)
                cache.recall(None)
                self._learn_row(cache, code, weight)

    def _learn_row_by_draft(self, cache: RowCache, code: int, weight: float) -> None:
        cache.buffer.check_as_put()
        record = Record(1, len(cache.labels) if len(cache.labels) > 2 else None)
        if cache.advice is not None:
            record.advice = cache.advice[None].copy()
        draft = self._draft()
        draft._advance(cache.buffer.matrix(), np.array([code]), np.array([weight]), record)
        draft._count(record)
        self._commit(draft)

    def _between_rows(self) -> Self:
        cache = self._access.rows
        if cache is None or cache.begun is None:
            return self
        finished = self._draft()  # this one may be about to go on: a handler of a signal can ask
        own = cache.copied_for(finished)
        try:
            finished._finish_row(own, own.begun, resumed=True)
        except ValueError:  # no machine takes it
            return self
        return finished

    # Each machine learns by one call of machine code, and what belongs to all of them is replaced
    # by one line: an exception, which may come before any line, leaves a row that can be finished.
    def _finish_row(self, cache: RowCache, row: BegunRow, *, resumed: bool = False) -> None:
        rows, scores, learner = cache.rows, row.scores, self._learner
        first = len(rows) == 1  # of two classes, the second has a machine
        for own in range(len(scores), len(rows)):
            machine, heavy = rows[own], row.heavy if own + first == row.code else -row.heavy
            is_due = not resumed or machine.seen == row.seen
            scores.append(machine.walk(heavy) if is_due else machine.scores.item(0))
        calibration, counts = self._calibration, row.counts
        if self.probability:
            calibration = calibration.copy()
            for own, (state, score) in enumerate(zip(calibration, scores, strict=True)):
                label = row.weight if own + first == row.code else -row.weight
                calibrate(state, np.array([score]), np.array([label]))
        if first:
            self._class_counts, self._calibration, cache.begun = counts, calibration, None
            return
        mistakes = learner.mistakes + (first_highest(scores, cache.errors()) != row.code)
        updates = learner.updates + any(machine.events.item(0, WAS_UPDATE) for machine in rows)
        now = mistakes, updates, counts, calibration, None
        learner.mistakes, learner.updates, self._class_counts, self._calibration, cache.begun = now

    def _weight_of_class(self, code: int, counts: np.ndarray) -> float:
        raise NotImplementedError

    def _scores_of_row(self, cache: RowCache) -> Sequence[float]:
        if cache.scores_itself:
            return [row.score() for row in cache.rows]
        cache.buffer.check()
        return self._scores(cache.buffer.matrix()).ravel().tolist()

    def _choice_of_row(self, cache: RowCache, scores: Sequence[float]) -> int:
        if len(scores) == 1:
            return len(cache.labels) - 1 if scores[0] >= 0 else 0
        return first_highest(scores, cache.errors())

    def _probabilities(self, scores: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def _probabilities_of_row(self, cache: RowCache) -> dict[Any, float]:
        if not self.probability:
            raise AttributeError("probabilities need probability=True")
        scores = np.array(self._scores_of_row(cache))
        scores = scores if len(scores) == 1 else scores[None]
        return dict(zip(cache.labels, self._probabilities(scores)[0].tolist(), strict=True))


def checked_weight(weight: Any) -> float:
    """The weight of an example, if this can be one."""
    if type(weight) is float and 0 <= weight <= LARGEST_WEIGHT:
        return weight
    try:
        number = float(weight) if isinstance(weight, Real) else None
    except OverflowError:
        number = inf
    if number is None:
        raise TypeError(f"sample_weight must be a number, got {type(weight).__name__}")
    if not 0 <= number <= LARGEST_WEIGHT:
        raise ValueError(f"sample_weight must be from 0 to {LARGEST_WEIGHT:g}, got {number}")
    return number
