"""What all learners share as scikit-learn classifiers, whatever they learn with."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any, NamedTuple, Self

import numpy as np
from scipy import sparse
from sklearn.utils import assert_all_finite, check_array
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from ..core.edits.span import NOT_KEPT
from ..core.interruptible import interruptible
from ..core.kernel import Rows
from ..engine import Record
from ..parameters import LARGEST_WEIGHT
from .access import Access, Accessible
from .agenda import Agenda, arrival_times
from .classes import NONE_KNOWN, Numbered, numbered
from .explanation import Explanation, Verdict
from .in_parts import LARGE, in_parts
from .passes import Passes
from .scikit_learn import BaseEstimator, ClassifierMixin
from .waiting import NOBODY_WAITS, Waiting

__all__ = ["ACCEPTED", "StreamClassifier", "checked_weights", "steady"]

ACCEPTED: dict[str, Any] = {"accept_sparse": "csr", "dtype": [np.float64, np.float32]}
"""What examples may look like."""

PIECE = 2048
"""So many examples take a CPU a while."""

LONG_STEP = 1e8
"""So many multiplications at a stretch take long enough to be waited for in another thread."""

SHORT_PIECE = 512
"""So many examples are learned at once then."""

NOBODY = np.zeros(0, np.int64)


class Passed(NamedTuple):
    """A pass over a stream: its examples, those that waited before first, and what happened."""

    agenda: Agenda
    X: Rows
    y: Any
    weights: np.ndarray
    advice: np.ndarray  # what was noted of each example when it was predicted
    record: Record  # of each step


class steady(property):  # noqa: N801
    """A property of the classifier as it is between two calls, whoever is learning."""

    def __get__(self, classifier: Any, owner: Any = None) -> Any:
        if classifier is None:
            return self
        with classifier._reading() as still:
            return super().__get__(still, owner)


class StreamClassifier(Passes, Accessible, ClassifierMixin, BaseEstimator):
    """A classifier with `fit`, `partial_fit` and `predict`.

    A subclass says how it begins, what it cannot learn from, how it goes over examples with labels
    of -1 and +1, and what its scores are; and how it takes in a third class, if it can.

    What is learned is in `__dict__`, which is replaced as a whole when a call has learned: see
    `access`.
    """

    _at_once = 2  # see `_were_it_first`
    _finite: bool | str = True  # "allow-nan": whether a value may be missing is decided later

    classes_: np.ndarray
    n_seen_: Any
    n_mistakes_: Any
    n_updates_: Any
    _codes: dict[Any, int]
    _named: bool  # whether the classes were said to be all

    def _begin(self, X: Rows) -> None:
        """Make what is to be learned with, for a stream that starts with these examples."""
        raise NotImplementedError

    def _check(self, X: Rows) -> None:
        """Raise ValueError for examples that cannot be learned from."""

    def _seed(self) -> None:
        """Start the random numbers, if there are any."""

    def _go_over(self, X: Rows, labels: np.ndarray, record: Record) -> None:
        """Predict each example, and then learn from it.

        A label is -1 or +1, times the weight of the example; one of NaN is only looked at.
        """
        raise NotImplementedError

    def _scores(self, X: Rows) -> np.ndarray:
        """A number for each example, or for each example and class where there are three."""
        raise NotImplementedError

    def _add_class(self, place: int) -> None:
        """Take in one more class, the `place`-th of all."""

    def _longest_step(self, rows: int) -> float:
        """How many multiplications learning so many rows may do at a stretch, about."""
        return 0.0

    @property
    def _piece(self) -> int:
        """How many examples are learned before what happened to them is written down."""
        return PIECE

    def _share(self, common: dict[Any, Any]) -> None:
        """Have what is nobody's in common with all classifiers like it that do so too."""

    def _draft(self) -> Self:
        """One that has learned the same, and goes on by itself; a subclass copies what changes."""
        draft: Self = type(self).__new__(type(self))
        draft.__dict__.update(self.__dict__)
        if "_were_it_first" in draft.__dict__:
            draft._were_it_first = self._were_it_first._draft()
        return draft

    def _commit(self, draft: Self) -> None:
        """Take over what a draft has learned, all at once."""
        with self._access.row:  # or another thread makes rows of what it was, and keeps them
            self._access.rows, self._access.readers, self.__dict__ = None, [], draft.__dict__

    @contextmanager
    def _reading(self) -> Iterator[Self]:
        """The classifier as it is between two calls, which nobody changes meanwhile."""
        still: Self = type(self).__new__(type(self))
        with self._access.row:
            still.__dict__, readers = self._between_rows().__dict__, self._access.readers
            readers.append(None)
        try:
            yield still
        finally:
            readers.pop()

    def _between_rows(self) -> Self:
        """Itself, or a copy that has finished the row that was begun, if there is one."""
        return self

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._access = Access()  # old protocols of pickle do without `__new__`
        super().__setstate__(state)

    def __getstate__(self) -> dict[str, Any]:
        with self._reading() as still:
            state: dict[str, Any] = still._draft().__dict__
        return state

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "classes_")

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Forget everything and learn from the examples: from one pass over them, in their order.

        `epochs` and `shuffle` say otherwise, for tables that are no streams; what is counted is
        then counted in all passes.

        Parameters
        ----------
        X : array or CSR matrix of shape (n_examples, n_features)
        y : array of shape (n_examples,)
        sample_weight : array of shape (n_examples,), optional
            By what the step of each example is multiplied; from 0 to 1e12.

        Returns
        -------
        self
        """
        if sample_weight is not None and not np.asarray(sample_weight).any():
            raise ValueError("Sample weights must contain at least one non-zero number.")
        with self._access.learning:
            fresh = self._unfitted()
            for rows, labels, weights in self._passes(X, y, sample_weight):
                fresh.partial_fit(rows, labels, sample_weight=weights)
            self._commit(fresh)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more examples, in their order.

        However a stream is cut into calls, what is learned and counted is the same: predictions,
        mistakes, updates and supports. While one class alone has been met, there is no other to
        predict; it is learned both as the first and as the second of two, and the moment that
        another one is met, it is known which it was: everything, mistakes included, is from then on
        as if both had been named at the start.

        Parameters
        ----------
        X : array or CSR matrix of shape (n_examples, n_features)
        y : array of shape (n_examples,)
        classes : array of labels, optional
            All that there are: any other label is then an error. Without it, classes are learned
            from their first example on, whenever they appear.
        sample_weight : array of shape (n_examples,), optional
            By what the step of each example is multiplied; from 0 to 1e12. An example of weight 0
            is predicted and counted, and changes nothing.

        Returns
        -------
        self
        """
        self._learn(X, y, classes, sample_weight, recorded=False)
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """The scores f(x): of two classes, positive for `classes_[1]`; of more, one for each.

        Parameters
        ----------
        X : array or CSR matrix of shape (n_examples, n_features)

        Returns
        -------
        ndarray of shape (n_examples,) or (n_examples, n_classes)
        """
        with self._reading() as still:
            return still._decision(X)

    def predict(self, X: Any) -> np.ndarray:
        """The classes, by the sign of the score or the highest one.

        A score of zero is `classes_[1]`; of equal scores, the first counts.

        Parameters
        ----------
        X : array or CSR matrix of shape (n_examples, n_features)

        Returns
        -------
        ndarray of shape (n_examples,)
        """
        with self._reading() as still:
            scores = still._decision(X)
            classes: np.ndarray = still.classes_[still._chosen(scores)]
        return classes

    def explain(self, x: Any) -> Explanation:
        """Why one row is predicted as it is; nothing changes.

        Parameters
        ----------
        x : array of shape (n_features,), or one row of an array, a CSR matrix or a frame

        Returns
        -------
        Explanation
            The scores, and the supports that speak for and against the predicted class, with when
            they were learned; of `Budgetron` and `RestartingExperts` also what each expert says,
            and how much it is trusted. Printed, it is a report.
        """
        with self._reading() as still:
            check_is_fitted(still)
            X = still._rows(still._one_row(x), reset=False)
            still._check(X)
            scores = still._scores(X)
            labels, place = [*still._codes], int(still._chosen(scores)[0])
            verdict = Verdict.of(scores.ravel(), place, len(labels))
            shown = labels if scores.ndim == 2 else labels[-1:]
            names = getattr(still, "feature_names_in_", None)
            return Explanation(
                label=labels[place],
                rival=None if verdict.rival is None else labels[verdict.rival],
                scores=dict(zip(shown, scores.ravel().tolist(), strict=True)),
                n_seen=still.n_seen_,
                feature_names=None if names is None else tuple(names.tolist()),
                **still._speakers(X, verdict),
            )

    def _one_row(self, x: Any) -> Any:
        """A row as a matrix of one; that of a frame keeps its names, if they are known."""
        if len(getattr(x, "shape", ())) == 2:
            if x.shape[0] != 1:
                raise ValueError(f"one row is explained at a time, got {x.shape[0]}")
            return x
        if hasattr(self, "feature_names_in_") and hasattr(x, "to_frame"):
            return x.to_frame().T
        return np.asarray(x)[None]

    def _speakers(self, X: Rows, verdict: Verdict) -> dict[str, Any]:
        """What an explanation says beside scores."""
        raise NotImplementedError

    def _decision(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        X = self._rows(X, reset=False)
        self._check(X)
        if self._longest_step(X.shape[0]) < LONG_STEP:
            return self._scores(X)
        own, starts = self._draft(), range(0, X.shape[0], SHORT_PIECE)
        parts = [interruptible(own._scores, X[at : at + SHORT_PIECE]) for at in starts]
        return np.concatenate(parts)

    def save(self, path: str | os.PathLike[str], *, waiting: Waiting | None = None) -> None:
        """Write all that there is to know to a file; `budgetron.load` goes on from there.

        The file takes the place of an older one at once, or not at all.

        Parameters
        ----------
        path : str or path
        waiting : Waiting, optional
            Rows whose labels are still to come, to be kept beside it: `prequential` has them, and
            `budgetron.saving.load_with_waiting` gives them back.

        Raises
        ------
        SavedModelError
            For what a file cannot hold: functions, classifiers and rules from elsewhere.
        """
        from ..saving import save

        save(self, path, waiting=waiting)

    def dumps(self) -> bytes:
        """What `save` writes to a file, as bytes: `budgetron.loads` goes on from there.

        Equal learners have equal bytes, wherever they have been in between.

        Returns
        -------
        bytes

        Raises
        ------
        SavedModelError
            As `save` does.
        """
        from ..saving import dumps

        return dumps(self)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = type(self)._add_class is not StreamClassifier._add_class
        return tags

    def _learn(
        self, X: Any, y: Any, classes: Any, sample_weight: Any, **how: Any
    ) -> tuple[Self, Passed]:
        """Check everything first, so that bad input changes nothing; then learn.

        Labels may be numbered already.
        """
        with self._access.learning:
            draft, passed = self._learned(X, y, classes, sample_weight, **how)
            if self.__sklearn_is_fitted__() or passed.agenda.is_told.any():
                self._commit(draft)
        return draft, passed

    def _learned(
        self,
        X: Any,
        y: Any,
        classes: Any,
        sample_weight: Any,
        *,
        recorded: bool,
        delay: Any = 0,
        waiting: Waiting = NOBODY_WAITS,
        noted: np.ndarray | None = None,
    ) -> tuple[Self, Passed]:
        """A draft that has learned, and what happened.

        If labels come late, what was noted of all examples when they were predicted may be given.

        A new learner begins with the first example whose label comes; if none does, the draft is
        for predicting alone.
        """
        with self._reading() as still:
            draft, new = still._draft(), not still.__sklearn_is_fitted__()
        X = draft._rows(X, reset=new)
        if not isinstance(y, Numbered):
            y = column_or_1d(y, warn=True)
            assert_all_finite(y, input_name="y")
        check_consistent_length(X, y.codes if isinstance(y, Numbered) else y)
        weights = checked_weights(sample_weight, X.shape[0])
        agenda = Agenda.of(waiting.due, arrival_times(delay, X.shape[0]))
        X, y, weights = waiting.and_then(X, y, weights)
        known, closed = (NONE_KNOWN, False) if new else (draft.classes_, draft._named)
        labels = (
            y
            if isinstance(y, Numbered)
            else self._numbered(y, agenda, known, classes, closed=closed)
        )
        if len(labels.classes) > 2 and not self.__sklearn_tags__().classifier_tags.multi_class:
            raise ValueError(
                f"Only binary classification is supported. The classes are {labels.classes}."
            )
        draft._named = closed or classes is not None
        if new:
            if not agenda.is_told.any():
                draft = deepcopy(draft)  # nothing of the learner is used, random numbers included
            draft.classes_ = labels.classes[labels.arrivals(0)]
            first = int(agenda.lessons[0]) if agenda.is_told.any() else 0
            draft._begin(X[first : first + 1])
        draft._check(X)
        if new:
            draft._start()
        forecasting = recorded and hasattr(self, "predict_proba")
        record = Record(
            len(labels.codes) if recorded else 0,
            _columns(len(labels.classes)),
            forecasting * len(labels.classes),
        )
        in_order, is_told = agenda.is_in_order, agenda.is_told
        is_at_once = agenda.is_at_once & (noted is None)
        size = 0 if is_at_once.all() else draft._advice_size(len(labels.classes))
        advice = np.full((X.shape[0], size), np.nan)
        noted = waiting.advice if noted is None else noted
        both = min(size, noted.shape[1])
        advice[: len(noted), :both] = noted[:, :both]
        for first, last, present in labels.stretches():
            arrivals = labels.arrivals(first) if first > 0 or not new else NOBODY
            if len(arrivals) > 0:
                before = draft.classes_
                draft._add_classes(labels, first)
                if len(before) == 1 and before[0] == draft.classes_[0]:
                    advice = draft._opposite(advice)
            codes = np.searchsorted(present, labels.codes[first:last])
            start = 0
            while start < last - first:
                is_long = draft._longest_step(last - first - start) >= LONG_STEP
                end = min(start + (SHORT_PIECE if is_long else draft._piece), last - first)
                part = Record(end - start, _columns(len(present)), forecasting * len(present))
                here = slice(first + start, first + end)
                which = agenda.examples[here]
                part.examples = np.where(is_at_once[here], NOT_KEPT, which)
                part.advice = advice
                told = np.where(is_told[here], weights[which], np.nan)
                examples = X[here if in_order else which], codes[start:end], told, part
                if is_long:
                    interruptible(draft._advance, *examples)
                else:
                    draft._advance(*examples)
                if start == 0 and len(arrivals) > 0 and len(present) > 2:
                    part.surprise(np.searchsorted(present, arrivals))
                draft._count(part)
                if recorded:
                    record.include(first + start, part, present)
                start = end
        draft._codes = {label: code for code, label in enumerate(draft.classes_.tolist())}
        return draft, Passed(agenda, X, y, weights, advice, record)

    def _begun(self, X: Rows, classes: np.ndarray) -> Self:
        """One that knows these classes, two or more of them, for a stream that starts like this.

        The examples are such as `_rows` makes them.
        """
        draft = self._unfitted()
        draft.classes_, draft._named, draft.n_features_in_ = classes, True, X.shape[1]
        draft._codes = {label: code for code, label in enumerate(classes.tolist())}
        if len(classes) > 2 and not self.__sklearn_tags__().classifier_tags.multi_class:
            raise ValueError(f"Only binary classification is supported. The classes are {classes}.")
        draft._begin(X[:1])
        draft._check(X)
        draft._start()
        return draft

    def _after(
        self, X: Rows, codes: np.ndarray, weights: np.ndarray, *, forecasting: bool
    ) -> tuple[Self, Record]:
        """A draft that has learned a few examples, and what happened.

        They are such as `_rows` makes them, of classes that it knows, of which there are two or
        more.
        """
        with self._reading() as still:
            draft = still._draft()
        draft._check(X)
        many = len(self.classes_)
        record = Record(len(codes), _columns(many), forecasting * many)
        record.examples = np.full(len(codes), NOT_KEPT)
        draft._advance(X, codes, weights, record)
        draft._count(record)
        return draft, record

    def _learns_in_place(self, X: Rows) -> bool:
        """Whether there is a `_learn_in_place` for such examples."""
        return False

    def _numbered(
        self, y: np.ndarray, agenda: Agenda, known: np.ndarray, classes: Any, *, closed: bool
    ) -> Numbered:
        """The labels of all steps, each class being met when a label of it comes.

        Those that are still to come are checked. Where there is no class to predict, the first
        ones that are going to come are.
        """

        def number(labels: np.ndarray) -> Numbered:
            return numbered(labels, known, classes, closed=closed, at_once=self._at_once)

        labels = number(y)
        if agenda.is_in_order:
            return labels
        if agenda.is_told.any():
            labels = number(y[agenda.lessons])
        elif classes is None and len(known) == 0:
            labels = number(y[np.argsort(agenda.due, kind="stable")]).at_first()
        else:
            labels = number(y[:0])
        at_once = classes is not None or len(known) < self._at_once
        return labels.among(agenda.is_told, at_once=at_once)

    def _advice_size(self, classes: int) -> int:
        """How many numbers `_advance` notes of an example for when its label comes."""
        return 0

    def _is_mistake(self, scores: np.ndarray, predictions: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Whether predictions were wrong, by what is known now."""
        wrong: np.ndarray = predictions != y
        return wrong

    def _unfitted(self) -> Self:
        """One with the same parameters that has learned nothing."""
        fresh: Self = type(self).__new__(type(self))
        learned = "classes_", "_were_it_first"
        fresh.__dict__.update((k, v) for k, v in self.__dict__.items() if k not in learned)
        return fresh

    def _start(self) -> None:
        self._seed()
        if len(self.classes_) == 1:
            self._were_it_first = self._draft()

    def _add_classes(self, labels: Numbered, row: int) -> None:
        """Take in the classes that are met before a row in mid-stream."""
        present = np.flatnonzero(labels.since < row)
        for arrival in labels.arrivals(row):
            place = int(np.searchsorted(present, arrival))
            present = np.insert(present, place, arrival)
            self.classes_ = labels.classes[present]
            if len(present) == 2:
                self._decide_which_was_first(place)
            self._add_class(place)

    # One class alone may turn out to be the first of two, with a label of -1, or the second: until
    # there is another one, both are learned.
    def _decide_which_was_first(self, place: int) -> None:
        other = self.__dict__.pop("_were_it_first")
        if place == 1:
            kept = {*self.get_params(deep=False), "classes_", "_named"}
            self.__dict__.update(
                {name: value for name, value in other.__dict__.items() if name not in kept}
            )

    def _advance(self, X: Rows, codes: np.ndarray, weights: np.ndarray, record: Record) -> None:
        """Predict and learn examples among which no class appears."""
        labels = np.where(codes == len(self.classes_) - 1, weights, -weights)
        if len(self.classes_) == 1:
            self._were_it_first._go_over(X, -labels, self._opposite_record(record))
        self._go_over(X, labels, record)
        record.choices[:] = self._chosen(record.scores)

    def _opposite_record(self, record: Record) -> Record:
        """What is known of the examples to one whose labels are the others."""
        own, is_late = Record(len(record.examples)), record.examples != NOT_KEPT
        which, places = np.unique(record.examples[is_late], return_inverse=True)
        own.examples[:] = NOT_KEPT
        own.examples[is_late], own.advice = places, self._opposite(record.advice[which])
        return own

    def _opposite(self, advice: np.ndarray) -> np.ndarray:
        """What was noted of examples, had their labels been the others."""
        return advice

    def _count(self, record: Record) -> None:
        """Count what nobody else does."""

    def _rows(self, X: Any, *, reset: bool) -> Rows:
        if sparse.issparse(X):
            _refuse_what_points_outside(X)
        try:
            with np.errstate(invalid="ignore"):  # sums of rows that are finite and huge
                finite = not _is_known_to_be_finite(X) and self._finite
                X = validate_data(self, X, reset=reset, ensure_all_finite=finite, **ACCEPTED)
        except OverflowError as error:
            raise ValueError(f"X has a number that is too large: {error}") from None
        if sparse.issparse(X) and not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        return X

    def _chosen(self, scores: np.ndarray) -> np.ndarray:
        """The places of the predicted classes."""
        if scores.ndim == 2:
            return scores.argmax(axis=1)
        return np.where(scores >= 0, len(self.classes_) - 1, 0)


def _is_known_to_be_finite(X: Any) -> bool:
    """Whether X is a large array of finite numbers, which several threads see sooner."""
    is_large = isinstance(X, np.ndarray) and X.nbytes >= LARGE and X.dtype in ACCEPTED["dtype"]
    return is_large and bool(np.isfinite(in_parts(X, np.sum)).all())


def _refuse_what_points_outside(X: Any) -> None:
    """Raise ValueError for a sparse matrix whose places are not in it: nobody else would look."""
    if X.format in ("csr", "csc", "bsr"):
        X.check_format(full_check=True)
    elif X.format == "coo":
        for places, length in zip((X.row, X.col), X.shape, strict=True):
            if places.size > 0 and not 0 <= places.min() <= places.max() < length:
                raise ValueError("the sparse matrix has values outside of its shape")


def _columns(classes: int) -> int | None:
    """How many scores an example has, if not just one."""
    return classes if classes > 2 else None


def checked_weights(sample_weight: Any, length: int) -> np.ndarray:
    """The weights of so many examples; 1 if none are given."""
    if sample_weight is None:
        return np.ones(length)
    try:
        weights = check_array(
            sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight"
        )
    except OverflowError as error:
        raise ValueError(f"sample_weight has a number that is too large: {error}") from None
    if weights.shape != (length,):
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(length,)}!")
    if (weights < 0).any():
        raise ValueError(f"Negative values in sample_weight, such as {weights.min():g}")
    if (weights > LARGEST_WEIGHT).any():
        raise ValueError(f"sample_weight is at most {LARGEST_WEIGHT:g}, got {weights.max():g}")
    return weights
