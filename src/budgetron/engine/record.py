"""Where the engine writes down what happens."""

from __future__ import annotations

import numpy as np

from ..core.buffers import Buffer
from ..core.state import WAS_MISTAKE

__all__ = ["NoRecord", "Record"]


class Record:
    """Scores, with their errors, choices and events of a whole stream.

    Parameters
    ----------
    length : int
        The number of examples.
    classes : int, optional
        How many scores each example has, if its scores are a row.
    forecasts : int, default=0
        For how many classes to write down probabilities; 0 if that is not wished.

    Attributes
    ----------
    chances : ndarray of shape (n_examples, forecasts)
        The probabilities of the classes, before the label was known; of one class alone, its own.
    examples : ndarray
        Which example each of them is: it may be looked at first, and learned later.
    advice : ndarray of shape (n_examples, m)
        What was noted of each example when it was looked at, for when it is learned.
    """

    def __init__(self, length: int, classes: int | None = None, forecasts: int = 0) -> None:
        shape = length if classes is None else (length, classes)
        self.scores = np.full(shape, 0.0 if classes is None else -np.inf)
        self.errors = np.zeros(length)
        self.choices = np.zeros(length, np.int64)
        self.events = np.zeros((length, 4), np.int64)
        self.chances = np.zeros((length, forecasts))
        self.examples, self.advice = np.arange(length), np.empty((length, 0))

    def events_of(self, first: int, last: int) -> np.ndarray:
        """Where to write the events of the examples `first` to `last - 1`."""
        return self.events[first:last]

    def keep(self, first: int, scores: np.ndarray, errors: np.ndarray | float = 0.0) -> None:
        """Write down the scores of the examples from `first` on, and how far they can be off."""
        self.scores[first : first + len(scores)] = scores
        self.errors[first : first + len(scores)] = errors

    def surprise(self, classes: np.ndarray) -> None:
        """The first example was predicted before these classes were known."""
        self.scores[0, classes] = -np.inf
        self.choices[0] = self.scores[0].argmax()
        self.events[0, WAS_MISTAKE] = 1
        if self.chances.shape[1] > 0:
            self.chances[0, classes] = 0

    def include(self, first: int, part: Record, classes: np.ndarray) -> None:
        """Write down what another record has, of the examples from `first` on.

        `classes` are the places that its classes have here.
        """
        here = slice(first, first + len(part.choices))
        if self.scores.ndim == part.scores.ndim == 1:
            self.scores[here] = part.scores
        else:
            self.scores[here, classes] = in_columns(part.scores)[:, -len(classes) :]
        self.choices[here] = classes[part.choices]
        self.events[here] = part.events
        if self.chances.shape[1] > 0:
            self.chances[here, classes] = part.chances


class NoRecord(Record):
    """A record that each block writes over."""

    def __init__(self) -> None:
        self._events = Buffer(np.int64)

    def events_of(self, first: int, last: int) -> np.ndarray:
        """Where to write the events of the examples `first` to `last - 1`."""
        return self._events.shaped(last - first, 4)

    def keep(self, first: int, scores: np.ndarray, errors: np.ndarray | float = 0.0) -> None:
        """Forget the scores."""


def in_columns(scores: np.ndarray) -> np.ndarray:
    """Scores with a column for each class, also where one number says it for two."""
    return np.column_stack([-scores, scores]) if scores.ndim == 1 else scores
