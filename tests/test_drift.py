"""A run in the light of its shifts."""

import sys

import numpy as np
import pytest
from river.drift.binary import DDM

from budgetron import ModifiedPerceptron, prequential
from budgetron.drift import Segment, alarms, view
from budgetron.streams import ShiftingHyperplanes

RUN = np.array([1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0], dtype=bool)


def test_the_windowed_error_is_over_the_last_rows():
    expected = [1, 1 / 2, 1 / 3, 0, 1 / 3, 2 / 3, 2 / 3, 1 / 3, 1 / 3, 1 / 3, 1 / 3, 0]
    assert view(RUN, window=3).windowed_error == pytest.approx(expected)


def test_the_error_since_the_shift_starts_anew_at_each_shift():
    expected = [1, 1 / 2, 1 / 3, 1 / 4, 1, 1, 2 / 3, 1 / 2, 3 / 5, 0, 0, 0]
    assert view(RUN, [4, 9]).error_since_shift == pytest.approx(expected)


def test_segments_lie_between_shifts():
    assert view(RUN, [4, 9]).segments == (
        Segment(first=0, last=3, mistakes=1, error=0.25),
        Segment(first=4, last=8, mistakes=3, error=0.6),
        Segment(first=9, last=11, mistakes=0, error=0.0),
    )
    assert view(RUN).segments == (Segment(0, 11, 4, pytest.approx(1 / 3)),)


@pytest.mark.parametrize(
    ("shifts", "window", "expected"),
    [
        ([4], 3, (8,)),  # no mistake in rows 1-3; none again in rows 9-11
        ([4], 2, (4,)),  # none in rows 2-3; none again in rows 6-7
        ([4, 7], 2, (None, 2)),  # one mistake in rows 5-6, and in rows 7-8
        ([4, 9], 4, (None, None)),
        ([8], 1, (2,)),
        ([0, 4], 2, (None, 4)),
        ([11], 1, (1,)),
        ([], 3, ()),
    ],
)
def test_recovery_takes_until_a_window_after_the_shift_is_as_good_as_the_one_before(
    shifts, window, expected
):
    assert view(RUN, shifts, window=window).recovery_times == expected


def test_a_window_that_reaches_back_over_the_shift_is_no_recovery():
    run = np.array([0, 0, 0, 0, 1, 1, 1, 1], dtype=bool)
    assert view(run, [4], window=4).recovery_times == (None,)


def test_a_trace_and_its_mistakes_look_the_same():
    sample = ShiftingHyperplanes(dimension=3, every=300).take(900)
    trace = prequential(ModifiedPerceptron(kernel="linear"), sample.X, sample.y)
    one, other = (view(run, sample.shift_times, window=50) for run in (trace, trace.mistakes))
    assert str(one) == str(other)
    assert sum(segment.mistakes for segment in one.segments) == trace.mistakes.sum()
    assert np.array_equal(one.windowed_error, other.windowed_error)


def test_the_table_has_a_line_for_each_segment():
    assert str(view(RUN, [4, 9], window=3)).splitlines() == [
        "             rows  mistakes    error  recovered after",
        "       0-3                1   25.00%",
        "       4-8                3   60.00%            never",
        "       9-11               0    0.00%           3 rows",
    ]


def test_the_table_says_when_the_run_begins_with_a_shift():
    assert str(view(RUN, [0], window=3)).splitlines()[1:] == [
        "       0-11               4   33.33%            never"
    ]


@pytest.mark.parametrize(
    ("run", "shifts", "window", "problem"),
    [
        (RUN.astype(int), [], 3, "one bool for each row"),
        (RUN[None], [], 3, "one bool for each row"),
        (RUN[:0], [], 3, "at least one row"),
        (RUN, [12], 3, "rising row numbers below 12"),
        (RUN, [5, 4], 3, "rising row numbers"),
        (RUN, [5, 5], 3, "rising row numbers"),
        (RUN, [-1], 3, "a shift must be at least 0"),
        (RUN, [1.5], 3, "a shift must be a whole number"),
        (RUN, [], 0, "window"),
    ],
)
def test_what_is_no_run_is_refused(run, shifts, window, problem):
    with pytest.raises((TypeError, ValueError), match=problem):
        view(run, shifts, window=window)


@pytest.fixture(scope="module")
def shifted():
    sample = ShiftingHyperplanes(dimension=5, every=3000, random_state=3).take(12_000)
    return sample, prequential(ModifiedPerceptron(kernel="linear"), sample.X, sample.y)


def test_adwin_raises_no_alarm_before_the_first_shift_and_one_soon_after_each(shifted):
    sample, trace = shifted
    raised = alarms(trace)
    assert raised.min() >= sample.shift_times[0]
    for shift in sample.shift_times:
        assert ((shift <= raised) & (raised < shift + 200)).any()


def test_another_detector_of_river_will_do(shifted):
    sample, trace = shifted
    raised = alarms(trace.mistakes, DDM())
    for shift in sample.shift_times:
        assert ((shift <= raised) & (raised < shift + 200)).any()


class ThirdMistake:
    def __init__(self):
        self.fed = []

    def update(self, value):
        self.fed.append(value)

    @property
    def drift_detected(self):
        return self.fed[-1] == 1 and sum(self.fed) == 3


def test_a_detector_is_fed_with_every_mistake_in_order():
    detector = ThirdMistake()
    assert alarms(RUN, detector).tolist() == [5]
    assert detector.fed == RUN.astype(float).tolist()


def test_without_an_alarm_there_are_no_rows():
    quiet = alarms(np.zeros(500, dtype=bool))
    assert quiet.tolist() == []
    assert quiet.dtype.kind == "i"


def test_without_river_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "river.drift", None)
    with pytest.raises(ImportError, match=r"budgetron\[river\]"):
        alarms(RUN)
