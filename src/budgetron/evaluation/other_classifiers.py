"""Classifiers that are not of this package, over a stream."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils.validation import check_is_fitted, column_or_1d

from ..estimators import Waiting
from ..estimators.agenda import Agenda, arrival_times
from .trace import Trace

__all__ = ["ask_and_learn"]


def ask_and_learn(
    classifier: Any,
    X: Any,
    y: Any,
    classes: Any,
    sample_weight: Any,
    delay: Any,
    before: Waiting,
) -> Trace:
    """Predict each example with what is known, and learn it when its label comes.

    Rows between which no label comes are predicted together, and labels between which no row does
    are learned together.

    Parameters
    ----------
    classifier : object
        With `partial_fit` and `predict`, or a pipeline that ends with such a one.
    X, y, classes, sample_weight, delay
        As for `prequential`.
    before : Waiting
        Examples whose labels come now.

    Returns
    -------
    Trace
    """
    _refuse_what_does_not_learn(classifier)
    X = X if hasattr(X, "shape") else np.asarray(X)
    y = column_or_1d(y, warn=True)
    weights = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, float)
    if not X.shape[0] == len(y) == len(weights):
        raise ValueError(f"there are {X.shape[0]} rows, {len(y)} labels, {len(weights)} weights")
    agenda = Agenda.of(before.due, arrival_times(delay, len(y)))
    if len(before) > 0 and not (isinstance(X, np.ndarray) or sparse.issparse(X)):
        raise TypeError(f"rows wait for labels, and cannot be joined with {type(X).__name__}")
    X, y, weights = before.and_then(X, y, weights)
    has_weights = bool((weights != 1).any())
    known, said = _classes(classifier, y, classes), _Said(len(y))

    def rows(which: Any) -> Any:
        plain = isinstance(X, np.ndarray) or sparse.issparse(X)
        return X[which] if plain else _safe_indexing(X, which)

    def ask(which: list[int]) -> None:
        if which:
            said.hear(classifier, rows(which), which, known)

    def learn(which: list[int]) -> None:
        if which:
            own = weights[which] if has_weights else None
            _learn(classifier, rows(which), y[which], known, own)

    asked: list[int] = []
    told: list[int] = []
    steps = zip(agenda.examples.tolist(), agenda.is_told.tolist(), strict=True)
    first_asked = np.full(len(y), -1)
    first_asked[len(before) :] = agenda.predicted_at
    for step, (example, is_told) in enumerate(steps):
        if first_asked[example] == step:
            learn(told)
            told = []
            asked.append(example)
        if is_told:
            ask(asked)
            asked = []
            told.append(example)
    ask(asked)
    learn(told)
    return _trace(said, known, rows(agenda.left), y, weights, agenda, before)


def _trace(
    said: _Said,
    classes: np.ndarray,
    X_left: Any,
    y: np.ndarray,
    weights: np.ndarray,
    agenda: Agenda,
    before: Waiting,
) -> Trace:
    new, left = slice(len(before), None), agenda.left
    predictions = said.predictions(classes)
    if len(before) > 0:
        predictions[: len(before)] = before.predictions
    is_told, predicted = agenda.is_told, agenda.predicted_at
    return Trace(
        scores=said.scores[new],
        predictions=predictions[new],
        mistakes=(predictions != y)[new] | ~said.has_spoken[new],
        updates=agenda.learned_at[new] >= 0,
        sizes=np.zeros(len(predicted), np.int64),
        evicted=np.full(len(predicted), -1),
        waiting=Waiting(
            X=X_left,
            y=y[left],
            sample_weight=weights[left],
            due=agenda.due[left],
            predictions=predictions[left],
            advice=np.zeros((len(left), 0)),
        ),
        labels=y[new],
        classes=classes,
        probabilities=None if said.chances is None else said.chances[new],
        lessons=y[agenda.lessons],
        lessons_before=np.cumsum(is_told)[predicted] - is_told[predicted],
    )


class _Said:
    """What a classifier has said of examples before it learned them."""

    def __init__(self, length: int) -> None:
        self.has_spoken = np.zeros(length, bool)
        self.scores = np.zeros(length)
        self.chances: np.ndarray | None = None
        self._choices = np.zeros(length, np.int64)
        self._is_fitted = False

    def hear(self, classifier: Any, X: Any, which: list[int], classes: np.ndarray) -> None:
        """Write down what it says, if it has learned anything."""
        if not self._is_fitted:
            try:
                check_is_fitted(_last(classifier))
            except NotFittedError:
                return
            self._is_fitted = True
        choices, scores, chances = _asked(classifier, X, classes)
        length = len(self.has_spoken)
        if scores is not None:
            if scores.ndim != self.scores.ndim:
                self.scores = np.zeros((length, *scores.shape[1:]))
            self.scores[which] = scores
        if chances is not None:
            if self.chances is None:
                self.chances = np.full((length, chances.shape[1]), 1 / chances.shape[1])
            self.chances[which] = np.nan_to_num(chances, nan=1 / chances.shape[1])
        self._choices[which], self.has_spoken[which] = choices, True

    def predictions(self, classes: np.ndarray) -> np.ndarray:
        """The predicted classes, and the first where nothing was said."""
        chosen: np.ndarray = classes[self._choices]
        return chosen


def _asked(classifier: Any, X: Any, classes: np.ndarray) -> tuple[Any, Any, Any]:
    """Places of the predicted classes, scores, and probabilities; None for what it has not got.

    By scikit-learn's rules the sign of the decision, or the highest one, is the prediction.
    """
    if isinstance(classifier, Pipeline):
        for _, step in classifier.steps[:-1]:
            if _is_step(step):
                X = step.transform(X)
        return _asked(classifier.steps[-1][1], X, classes)
    own = hasattr(classifier, "classes_") and np.array_equal(classifier.classes_, classes)
    scores = chances = None
    if own and hasattr(classifier, "predict_proba"):
        chances = np.asarray(classifier.predict_proba(X), float)
    if own and hasattr(classifier, "decision_function"):
        scores = np.asarray(classifier.decision_function(X), float)
        choices = scores.argmax(axis=1) if scores.ndim == 2 else (scores > 0).astype(int)
        return choices, scores, chances
    predicted = np.asarray(classifier.predict(X))
    if not np.isin(predicted, classes).all():
        raise ValueError(f"{type(classifier).__name__} predicts none of the classes {classes}")
    if chances is not None:
        scores = chances if len(classes) > 2 else chances[:, -1] - 0.5
    return np.searchsorted(classes, predicted), scores, chances


def _learn(classifier: Any, X: Any, y: Any, classes: np.ndarray, weights: Any) -> None:
    """Learn from some examples; a pipeline, step by step."""
    if isinstance(classifier, Pipeline):
        for _, step in classifier.steps[:-1]:
            if not _is_step(step):
                continue
            if hasattr(step, "partial_fit"):
                step.partial_fit(X)
            X = step.transform(X)
        _learn(classifier.steps[-1][1], X, y, classes, weights)
    elif weights is None:
        classifier.partial_fit(X, y, classes=classes)
    else:
        classifier.partial_fit(X, y, classes=classes, sample_weight=weights)


def _last(classifier: Any) -> Any:
    return _last(classifier.steps[-1][1]) if isinstance(classifier, Pipeline) else classifier


def _is_step(step: Any) -> bool:
    return step is not None and step != "passthrough"


def _refuse_what_does_not_learn(classifier: Any) -> None:
    if isinstance(classifier, Pipeline):
        for name, step in classifier.steps[:-1]:
            if not _is_step(step) or hasattr(step, "partial_fit"):
                continue
            if get_tags(step).requires_fit:
                try:
                    check_is_fitted(step)
                except NotFittedError:
                    raise TypeError(
                        f"{type(step).__name__} does not learn from a stream: fit the step"
                        f" {name!r} of the pipeline beforehand"
                    ) from None
        _refuse_what_does_not_learn(classifier.steps[-1][1])
    elif not hasattr(classifier, "partial_fit"):
        raise TypeError(
            f"{type(classifier).__name__} does not learn from a stream: it has no partial_fit"
        )


def _classes(classifier: Any, y: np.ndarray, classes: Any) -> np.ndarray:
    """All classes, in order: those that the classifier knows, that are named, or that are met."""
    last = _last(classifier)
    if hasattr(last, "classes_"):
        known = np.asarray(last.classes_)
    else:
        known = np.unique(y if classes is None else classes)
    strange = ~np.isin(y, known)
    if strange.any():
        raise ValueError(
            f"label {y[strange].tolist()[0]!r} is not one of the classes {known}, which"
            f" {type(last).__name__} has to know at the start: name all of them by classes="
        )
    return known
