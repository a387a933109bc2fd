"""When each example is predicted, and when its label is learned."""

from __future__ import annotations

from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Agenda", "arrival_times"]


class Agenda(NamedTuple):
    """The steps of a pass over a stream: at each one an example is looked at, learned, or both.

    Examples are numbered from those that waited for their labels before to the last new one.
    """

    examples: np.ndarray  # which example each step is about
    is_told: np.ndarray  # whether the step knows its label; otherwise it is only looked at
    predicted_at: np.ndarray  # the step at which each new example is predicted
    learned_at: np.ndarray  # the step at which each example's label is learned, -1 if it is not
    due: np.ndarray  # when each example's label comes, in rows after the last new one

    @classmethod
    def of(cls, waiting: np.ndarray, arrivals: np.ndarray) -> Agenda:
        """Labels come when they come: those of old examples, and of new ones.

        After the prediction of row t, the labels are learned that arrive before t + 1, in the order
        in which they do; of labels that arrive together, that of the earlier example comes first.
        """
        old, rows = len(waiting), len(arrivals)
        if old == 0 and (arrivals < np.arange(1, rows + 1)).all():
            steps = np.arange(rows)
            return cls(steps, np.ones(rows, bool), steps, steps, arrivals - rows)
        times = np.concatenate([waiting, arrivals])
        lessons = np.argsort(times, kind="stable")
        after = np.floor(times[lessons])
        lessons, after = lessons[after < rows], after[after < rows].astype(np.int64)
        looks = np.arange(rows) + np.searchsorted(after, np.arange(rows))
        learns = after + 1 + np.arange(len(after))
        examples, is_told = np.empty(rows + len(after), np.int64), np.zeros(rows + len(after), bool)
        examples[looks], examples[learns], is_told[learns] = old + np.arange(rows), lessons, True
        is_step = np.ones(len(examples), bool)  # unless an example is learned in the next one
        is_step[:-1] = is_told[:-1] | (examples[:-1] != examples[1:])
        steps_before = np.cumsum(is_step) - is_step
        learned_at = np.full(old + rows, -1)
        learned_at[lessons] = steps_before[learns]
        return cls(
            examples[is_step], is_told[is_step], steps_before[looks], learned_at, times - rows
        )

    @property
    def is_in_order(self) -> bool:
        """Whether each example is predicted and then learned, as if there were no agenda."""
        return len(self.examples) == len(self.learned_at) and bool(self.is_told.all())

    @property
    def is_at_once(self) -> np.ndarray:
        """Whether each step is that at which its example is both predicted and learned."""
        learned_at = self.learned_at[len(self.learned_at) - len(self.predicted_at) :]
        at_once = np.zeros(len(self.examples), bool)
        at_once[self.predicted_at[self.predicted_at == learned_at]] = True
        return at_once

    @property
    def lessons(self) -> np.ndarray:
        """The examples whose labels are learned, in the order in which they come."""
        return self.examples[self.is_told]

    @property
    def left(self) -> np.ndarray:
        """The examples whose labels are still to come."""
        return np.flatnonzero((self.learned_at < 0) & (self.due < np.inf))


def arrival_times(delay: Any, rows: int) -> np.ndarray:
    """When the label of each row comes, given a number of rows or all times.

    A bad delay is a TypeError or a ValueError.
    """
    times = np.asarray(delay)
    if times.ndim == 0:
        if not isinstance(delay, Integral) or isinstance(delay, bool):
            raise TypeError(f"delay must be a whole number or an array of times, got {delay!r}")
        if delay < 0:
            raise ValueError(f"delay must be at least 0, got {delay}")
        return np.arange(rows) + float(delay)
    if times.dtype.kind not in "iuf":
        raise TypeError(f"times of arrival must be numbers, got {times.dtype}")
    if times.shape != (rows,):
        raise ValueError(f"delay has shape {times.shape}, and there are {rows} rows")
    times = times.astype(np.float64)
    early = np.flatnonzero(~(times >= np.arange(rows)))
    if len(early) > 0:
        raise ValueError(
            f"the label of row {early[0]} cannot come at {times[early[0]]:g}: a time of arrival is"
            " a number of rows, not before its own"
        )
    return times
