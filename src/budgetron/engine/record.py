"""Where the engine writes down what happens."""

from __future__ import annotations

import numpy as np

from ..buffers import Buffer

__all__ = ["NoRecord", "Record"]


class Record:
    """Scores and events of a whole stream."""

    def __init__(self, length: int) -> None:
        self.scores = np.zeros(length)
        self.events = np.zeros((length, 4), np.int64)

    def events_of(self, first: int, last: int) -> np.ndarray:
        """Where to write the events of the examples `first` to `last - 1`."""
        return self.events[first:last]

    def keep(self, first: int, scores: np.ndarray) -> None:
        """Write down the scores of the examples from `first` on."""
        self.scores[first : first + len(scores)] = scores


class NoRecord(Record):
    """A record that each block writes over."""

    def __init__(self) -> None:
        self._events = Buffer(np.int64)

    def events_of(self, first: int, last: int) -> np.ndarray:
        """Where to write the events of the examples `first` to `last - 1`."""
        return self._events.shaped(last - first, 4)

    def keep(self, first: int, scores: np.ndarray) -> None:
        """Forget the scores."""
