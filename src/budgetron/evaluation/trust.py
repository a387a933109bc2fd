"""Whom a learner trusts, and when."""

from __future__ import annotations

from typing import Any

from ..estimators import StreamClassifier
from ..parameters import whole
from .prequential import prequential

__all__ = ["TrustHistory", "has_trust", "trust_over_time"]


class TrustHistory:
    """How much a learner has trusted its experts and its widths, along a stream of any length.

    Parameters
    ----------
    learner : Budgetron
        Fitted or not; it learns the stream.
    every : int, default=50
        So many examples lie between two notes.
    most : int or None, default=None
        Of more notes every other one goes, and `every` is doubled; None to keep all.

    Attributes
    ----------
    rows : list of int
        How many examples there had been at each note.
    experts : dict of str to list of float
        The trust in each expert, at each note.
    widths : dict of float to list of float
        The trust in the filters, by their gamma; that of several widths has "several". It is 0
        before a filter is opened and after it is dropped.
    """

    def __init__(self, learner: StreamClassifier, every: int = 50, most: int | None = None) -> None:
        if not has_trust(learner):
            raise TypeError(f"{type(learner).__name__} has no experts to trust")
        self._learner: Any = learner
        self._every = whole("every", every, least=1)
        self._most = None if most is None else whole("most", most, least=2)
        self._seen = 0
        self._notes: list[tuple[dict[Any, float], dict[Any, float]]] = []

    @property
    def rows(self) -> list[int]:
        """How many examples there had been at each note."""
        return [self._every * (place + 1) for place in range(len(self._notes))]

    @property
    def experts(self) -> dict[str, list[float]]:
        """The trust in each expert, at each note."""
        return _by_name([experts for experts, _ in self._notes])

    @property
    def widths(self) -> dict[Any, list[float]]:
        """The trust in each width, at each note."""
        return _by_name([widths for _, widths in self._notes])

    def go_on(self, X: Any, y: Any, classes: Any = None) -> None:
        """Predict and learn the next examples, with notes on the way.

        Parameters
        ----------
        X, y, classes
            As for `prequential`, with which it is the same however the stream is cut.
        """
        start = 0
        while start < len(y):
            stop = min(start + self._every - self._seen % self._every, len(y))
            prequential(self._learner, X[start:stop], y[start:stop], classes)
            self._seen += stop - start
            if self._seen % self._every == 0:
                self._note()
            start = stop

    def _note(self) -> None:
        self._notes.append((self._learner.trust_, self._learner.width_trust_))
        if self._most is not None and len(self._notes) > self._most:
            self._notes = self._notes[1::2]
            self._every *= 2


def has_trust(learner: StreamClassifier) -> bool:
    """Whether a learner has experts that it trusts more or less."""
    return hasattr(type(learner), "trust_")


def trust_over_time(
    learner: StreamClassifier, X: Any, y: Any, classes: Any = None, *, every: int = 50
) -> TrustHistory:
    """Predict each example and then learn from it, and note whom the learner trusts.

    Parameters
    ----------
    learner : Budgetron
        Fitted or not; it has learned the stream afterwards, as by `prequential`.
    X : array or CSR matrix of shape (n_examples, n_features)
        The stream, in its order.
    y : array of shape (n_examples,)
    classes : array of labels, optional
        All that there are; otherwise classes are learned as they appear.
    every : int, default=50
        So many examples lie between two notes.

    Returns
    -------
    TrustHistory

    Examples
    --------
    >>> import numpy as np
    >>> from budgetron import Budgetron
    >>> from budgetron.evaluation import trust_over_time
    >>> X = np.random.default_rng(0).uniform(-1, 1, (1000, 2))
    >>> history = trust_over_time(Budgetron(), X, X[:, 0] * X[:, 1] > 0, every=200)
    >>> history.rows
    [200, 400, 600, 800, 1000]
    >>> [f"{share:.2f}" for share in history.experts["average"]]
    ['0.23', '0.37', '0.42', '0.48', '0.49']
    """
    history = TrustHistory(learner, every)
    history.go_on(X, y, classes)
    return history


def _by_name(notes: list[dict[Any, float]]) -> dict[Any, list[float]]:
    """What was noted for each name, 0 where it was not there."""
    names = dict.fromkeys(name for note in notes for name in note)
    return {name: [note.get(name, 0.0) for note in notes] for name in names}
