"""How a run is getting on."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..evaluation import Trace

__all__ = ["Tally"]


@dataclass
class Tally:
    """What has happened since a run began, however often it was interrupted.

    Attributes
    ----------
    rows : int
        Rows read, good or bad.
    learned : int
        Those that were predicted, and learned as soon as their labels came: all but the bad ones.
    mistakes, updates : int
        Predictions that were wrong, and rows that changed the learner.
    waiting, unlabelled : int
        Rows whose labels have not come, and those that have none by now.
    answers : int
        Rows that were only the labels of earlier ones.
    size, largest_size : int
        Number of supports.
    seconds : float
        Time taken, without the compilation.
    """

    rows: int = 0
    learned: int = 0
    mistakes: int = 0
    updates: int = 0
    waiting: int = 0
    unlabelled: int = 0
    answers: int = 0
    size: int = 0
    largest_size: int = 0
    seconds: float = 0.0

    @property
    def bad_rows(self) -> int:
        """Rows that could not be read."""
        return self.rows - self.learned - self.answers

    @property
    def error(self) -> float:
        """Share of the predictions that were wrong, of those for rows with a label."""
        labelled = self.learned - self.unlabelled
        return self.mistakes / labelled if labelled else 0.0

    @property
    def rows_per_second(self) -> float:
        """Speed."""
        return self.rows / self.seconds if self.seconds else 0.0

    def add(self, trace: Trace, updates: int, unlabelled: int, rows: int) -> None:
        """Count what has just happened, after which so many rows have been read."""
        self.rows = rows
        self.learned += len(trace)
        self.mistakes += int(trace.mistakes.sum())
        self.updates += updates
        self.unlabelled += unlabelled
        self.waiting = len(trace.waiting)
        self.size = int(trace.sizes[-1])
        self.largest_size = max(self.largest_size, int(trace.sizes.max()))

    def answer(self, mistakes: np.ndarray) -> None:
        """Count labels that have come to rows without one, and whether predictions were wrong."""
        self.unlabelled -= len(mistakes)
        self.mistakes += int(mistakes.sum())

    def as_dict(self) -> dict[str, Any]:
        """All of it, in plain types."""
        return asdict(self) | {
            "bad_rows": self.bad_rows,
            "error": self.error,
            "rows_per_second": self.rows_per_second,
        }
