"""A run in the light of its shifts: how soon a learner recovers, and when a detector notices."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from .evaluation import Trace
from .parameters import whole

__all__ = ["DriftView", "Segment", "alarms", "view"]


class Segment(NamedTuple):
    """The rows from one shift to the next.

    Attributes
    ----------
    first, last : int
        The numbers of the first and of the last row.
    mistakes : int
    error : float
        Mistakes in proportion to the rows.
    """

    first: int
    last: int
    mistakes: int
    error: float


@dataclass(frozen=True, eq=False)
class DriftView:
    """How a run went between shifts.

    Attributes
    ----------
    windowed_error : ndarray of float
        At each row, the share of mistakes in the last rows of a window, this one included; at the
        start in those there are.
    error_since_shift : ndarray of float
        At each row, the share of mistakes since the last shift.
    segments : tuple of Segment
        First row, last row, mistakes and error between shifts.
    recovery_times : tuple of int or None
        For each shift, the rows until the end of the first window which lies wholly after it and
        errs no more often than the window before it did; None if that does not come before the
        next shift, or if nothing was before.
    """

    windowed_error: np.ndarray = field(repr=False)
    error_since_shift: np.ndarray = field(repr=False)
    segments: tuple[Segment, ...]
    recovery_times: tuple[int | None, ...]

    def __str__(self) -> str:
        without_shift = len(self.segments) - len(self.recovery_times)
        recoveries = [*[""] * without_shift, *map(_in_rows, self.recovery_times)]
        lines = [f"{'rows':>17}  {'mistakes':>8}  {'error':>7}  {'recovered after':>15}"]
        lines += [
            f"{first:>8}-{last:<8}  {mistakes:>8}  {error:>7.2%}  {recovery:>15}".rstrip()
            for (first, last, mistakes, error), recovery in zip(
                self.segments, recoveries, strict=True
            )
        ]
        return "\n".join(lines)


def view(run: Any, shifts: Any = (), *, window: int = 200) -> DriftView:
    """See a run in the light of its shifts: how much it erred between them, and how it recovered.

    It looks at the run's mistakes alone, and so works for any learner. Recovered means: in a window
    wholly after the shift it errs no more often than in the window that ended with the shift.
    Printed, the result is a table with a line for the rows between two shifts.

    Parameters
    ----------
    run : Trace, or array of bool
        A trace, or whether each row was a mistake.
    shifts : array of int
        The numbers of the rows that began with a shift, rising, such as `Sample.shift_times`.
        Without any, the whole run is one segment; where no truth is known, `alarms` finds some.
    window : int, default=200
        The number of rows over which errors are compared. A shorter one sees a recovery sooner, and
        mistakes chance for it more often.

    Returns
    -------
    DriftView
        The error in the last rows and since the last shift, row by row; the segments between
        shifts; and the rows that each recovery took, None where there was none.

    Examples
    --------
    >>> from budgetron import ModifiedPerceptron, prequential
    >>> from budgetron.drift import view
    >>> from budgetron.streams import ShiftingHyperplanes
    >>> sample = ShiftingHyperplanes(dimension=3, every=1000).take(3000)
    >>> trace = prequential(ModifiedPerceptron(kernel="linear"), sample.X, sample.y)
    >>> print(view(trace, sample.shift_times))
                 rows  mistakes    error  recovered after
           0-999             13    1.30%
        1000-1999            21    2.10%         781 rows
        2000-2999            11    1.10%         214 rows
    """
    mistakes = _mistakes(run)
    window = whole("window", window, least=1)
    rows = len(mistakes)
    times = [whole("a shift", time, least=0) for time in shifts]
    if any(time >= following for time, following in pairwise([*times, rows])):
        raise ValueError(f"shifts must be rising row numbers below {rows}, got {times}")
    count = np.concatenate([[0], np.cumsum(mistakes)])
    ends = np.arange(1, rows + 1)
    windowed = _share(count, np.maximum(ends - window, 0), ends)
    borders = [*dict.fromkeys([0, *times]), rows]
    starts = np.repeat(borders[:-1], np.diff(borders))
    return DriftView(
        windowed_error=windowed,
        error_since_shift=_share(count, starts, ends),
        segments=tuple(
            Segment(
                first, end - 1, int(count[end] - count[first]), float(mistakes[first:end].mean())
            )
            for first, end in pairwise(borders)
        ),
        recovery_times=tuple(
            _recovery(windowed, shift, end, window) for shift, end in pairwise([*times, rows])
        ),
    )


def alarms(run: Any, detector: Any = None) -> np.ndarray:
    """The rows at which a drift detector of River raises an alarm over a run's mistakes.

    Parameters
    ----------
    run : Trace, or array of bool
        A trace, or whether each row was a mistake.
    detector : optional
        Any of `river.drift`, or something else with `update` and `drift_detected`; it has seen
        the run afterwards. `river.drift.ADWIN()` if not given.

    Returns
    -------
    ndarray of int
        Row numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from budgetron.drift import alarms
    >>> rng = np.random.default_rng(0)
    >>> mistakes = rng.random(2000) < np.repeat([0.1, 0.5], 1000)
    >>> alarms(mistakes)
    array([1055])
    """
    if detector is None:
        try:
            from river.drift import ADWIN
        except ImportError as error:
            raise ImportError(
                "drift detectors come from River: pip install 'budgetron[river]'"
            ) from error
        detector = ADWIN()
    raised = []
    for row, mistake in enumerate(_mistakes(run)):
        detector.update(float(mistake))
        if detector.drift_detected:
            raised.append(row)
    return np.array(raised, dtype=int)


def _mistakes(run: Any) -> np.ndarray:
    mistakes = run.mistakes if isinstance(run, Trace) else np.asarray(run)
    if mistakes.dtype != bool or mistakes.ndim != 1:
        raise TypeError("run must be a Trace or one bool for each row: whether it was a mistake")
    if len(mistakes) == 0:
        raise ValueError("run must have at least one row")
    return mistakes


def _share(count: np.ndarray, first: np.ndarray, end: np.ndarray) -> np.ndarray:
    """The share of mistakes in rows from `first` up to, not including, `end`."""
    share: np.ndarray = (count[end] - count[first]) / (end - first)
    return share


def _recovery(windowed: np.ndarray, shift: int, end: int, window: int) -> int | None:
    if shift == 0:
        return None
    recovered = np.flatnonzero(windowed[shift + window - 1 : end] <= windowed[shift - 1])
    return int(recovered[0]) + window if len(recovered) else None


def _in_rows(recovery: int | None) -> str:
    return "never" if recovery is None else f"{recovery} rows"
