"""One learner, or one for each key, as the service has them: asked, taught by groups, kept."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from .. import keyed
from ..core.state import WAS_MISTAKE
from ..estimators import StreamClassifier
from ..keyed import KeyedClassifier
from ..saving import SavedModelError, loads
from .records import Group, Key, Settings

__all__ = ["Learned", "Said", "opened", "seeded"]


class Said(NamedTuple):
    """What is predicted of some rows.

    Attributes
    ----------
    classes : list of labels
        Those that are known; of two, scores are positive for the second.
    labels : list
        None while nothing has been learned.
    scores : ndarray
        One for each row, or a row of them.
    probabilities : ndarray or None
        A row for each row, if the learner has them.
    advice : list of ndarray or None
        What is to be known again when a label comes late.
    """

    classes: list[Any]
    labels: list[Any]
    scores: np.ndarray
    probabilities: np.ndarray | None = None
    advice: Sequence[np.ndarray | None] = ()


class Learned(Protocol):
    """What a model of the service is made of."""

    settings: Settings

    @property
    def classifier(self) -> Any:
        """The learner, or the one in front of all."""

    @property
    def is_fitted(self) -> bool:
        """Whether it has learned anything."""

    def say_one(self, x: Any, key: Any) -> Said:
        """What is predicted of one row."""

    def say(self, X: np.ndarray, keys: Any) -> Said:
        """What is predicted of some rows."""

    def ask(self, X: np.ndarray, keys: Any) -> Said:
        """The same, for rows whose labels come late."""

    def taught(self, group: Group) -> Callable[[], None]:
        """Learn a group and write down what happened; what is returned makes it visible."""

    def dumps(self) -> bytes:
        """All that has been learned."""

    def keys(self) -> set[Key]:
        """Those that have a learner."""


def opened(state: bytes, settings: Settings) -> Learned:
    """The learner that bytes are of."""
    if settings.keyed:
        return ByKey(keyed.loads(state), settings)
    learner = loads(state)
    if not isinstance(learner, StreamClassifier) or not hasattr(learner, "partial_fit"):
        raise SavedModelError(
            f"{type(learner).__name__} is no learner that a stream can be sent to"
        )
    return Single(learner, settings)


def seeded(state: bytes, settings: Settings) -> bytes:
    """The same learner, which draws the same numbers whenever it begins to learn."""
    learned = opened(state, settings)
    learner = learned.classifier.estimator if settings.keyed else learned.classifier
    undrawn = [
        name
        for name, value in learner.get_params().items()
        if name.rpartition("__")[2] == "random_state" and value is None
    ]
    if learned.is_fitted or not undrawn:
        return state
    learner.set_params(**{name: secrets.randbelow(2**31) for name in undrawn})
    return learned.dumps()


class Single:
    """One learner.

    A group is learned by a draft, which takes the learner's place when the group is in the log:
    whoever predicts meanwhile sees what has been acknowledged, and waits for nobody.
    """

    def __init__(self, learner: Any, settings: Settings) -> None:
        self.classifier, self.settings = learner, settings
        self._has_rows = hasattr(learner, "ask_one")
        self._has_chances = hasattr(learner, "predict_proba")

    @property
    def is_fitted(self) -> bool:
        """Whether it has learned anything."""
        return bool(self.classifier.__sklearn_is_fitted__())

    def say_one(self, x: Any, key: Any) -> Said:
        """What is predicted of one row."""
        learner = self.classifier
        if not self._has_rows or self._has_chances or not self.is_fitted:
            return self.say(np.array([x], np.float64), key)
        label, score, _ = learner._ask(x, noted=False)
        scores = np.array([score])
        return Said(learner.__dict__["classes_"].tolist(), [label], scores)

    def say(self, X: np.ndarray, keys: Any) -> Said:
        """What is predicted of some rows."""
        with self.classifier._reading() as still:
            if not still.__sklearn_is_fitted__():
                return _nothing_said(X, self.settings)
            scores = still._decision(X)
            chances = still._probabilities(scores) if self._has_chances else None
            labels = still.classes_[still._chosen(scores)].tolist()
            return Said(still.classes_.tolist(), labels, scores, chances)

    def ask(self, X: np.ndarray, keys: Any) -> Said:
        """What is predicted of rows whose labels come late."""
        said = self.say(X, keys)
        if not self._has_rows or not self.is_fitted:
            return said._replace(advice=[None] * len(X))
        return said._replace(advice=[self.classifier.ask_one(x).advice for x in X])

    def taught(self, group: Group) -> Callable[[], None]:
        """Learn a group and write down what happened; what is returned makes it visible."""
        draft = self.classifier
        for lesson in group.lessons():
            classes = self.settings.classes if not draft.__sklearn_is_fitted__() else None
            how = {"recorded": True, "noted": lesson.noted()}
            y = np.array(lesson.y)
            draft, passed = draft._learned(lesson.rows(), y, classes, lesson.weight, **how)
            if lesson.id is None:
                record = passed.record
                lesson.classes = draft.classes_.tolist()
                lesson.predicted = draft.classes_[record.choices].tolist()
                lesson.score = record.scores.tobytes()
                lesson.mistake = record.events[:, WAS_MISTAKE].astype(np.uint8).tobytes()
        return lambda: self.classifier._commit(draft)

    def dumps(self) -> bytes:
        """All that has been learned."""
        return bytes(self.classifier.dumps())

    def keys(self) -> set[Key]:
        """There are none."""
        return set()


class ByKey:
    """A learner for each key.

    A label that comes late is learned as if it had come at once.
    """

    def __init__(self, classifier: KeyedClassifier, settings: Settings) -> None:
        self.classifier, self.settings = classifier, settings

    @property
    def is_fitted(self) -> bool:
        """Whether any of them has learned anything."""
        return self.classifier.__sklearn_is_fitted__()

    def say_one(self, x: Any, key: Any) -> Said:
        """What is predicted of one row."""
        return self.say(np.array([x], np.float64), [key])

    def say(self, X: np.ndarray, keys: Any) -> Said:
        """What is predicted of some rows."""
        if not self.is_fitted:
            return _nothing_said(X, self.settings)
        own = self.classifier
        scores, classes = own.decision_function(X, keys=keys), own.classes_
        chances = own.predict_proba(X, keys=keys) if hasattr(own, "predict_proba") else None
        chosen = scores.argmax(axis=1) if scores.ndim == 2 else np.where(scores >= 0, -1, 0)
        return Said(classes.tolist(), classes[chosen].tolist(), scores, chances)

    def ask(self, X: np.ndarray, keys: Any) -> Said:
        """What is predicted of rows whose labels come late."""
        return self.say(X, keys)._replace(advice=[None] * len(X))

    def taught(self, group: Group) -> Callable[[], None]:
        """Learn a group and write down what happened."""
        own, lessons = self.classifier, group.lessons()
        X = np.concatenate([each.rows() for each in lessons])
        y = np.concatenate([np.array(each.y) for each in lessons])
        keys = [key for each in lessons for key in each.key or ()]
        weights = np.concatenate([each.weight or np.ones(len(each.y)) for each in lessons])
        classes = None if self.is_fitted else self.settings.classes
        trace = own.trace(X, y, classes, weights, keys=keys)
        if group.prompt is not None:
            many, lesson = len(group.prompt.y), group.prompt
            lesson.classes = trace.classes.tolist()
            lesson.predicted = trace.predictions[:many].tolist()
            lesson.score = trace.scores[:many].tobytes()
            lesson.mistake = trace.mistakes[:many].astype(np.uint8).tobytes()
        return lambda: None

    def dumps(self) -> bytes:
        """All that has been learned."""
        return self.classifier.dumps()

    def keys(self) -> set[Key]:
        """Those that have a learner."""
        return set(self.classifier.keys_) if self.is_fitted else set()


def _nothing_said(X: np.ndarray, settings: Settings) -> Said:
    return Said(settings.classes or [], [None] * len(X), np.zeros(len(X)))
