"""The tracker of a drifting threshold, against its slow reference and Theorem 5."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import oracle
from budgetron import DriftingThreshold, prequential
from budgetron.streams import DriftingThresholds

EIGHTHS = st.integers(-1, 9).map(lambda n: n / 8)  # sums of these are exact


def moving_stream(*, gamma, drift_rate, length, shifts=0, seed=0):
    """Examples, labels and thresholds of a stream with so many shifts, evenly spaced."""
    shift_every = math.ceil(length / (shifts + 1)) if shifts else None
    stream = DriftingThresholds(gamma, drift_rate, shift_every=shift_every, random_state=seed)
    sample = stream.take(length)
    assert sample.shifts == shifts
    return sample.X, sample.y, sample.targets


def theorem_5(*, gamma, drift_rate, length, shifts):
    return (
        shifts / length
        + np.sqrt(2 * (shifts + 1) * drift_rate / (length * gamma))
        + np.sqrt(5 * drift_rate)
    )


def assert_as_the_reference(x, y, gamma):
    learner = DriftingThreshold(gamma=gamma)
    singly = DriftingThreshold(gamma=gamma)
    trace = prequential(learner, np.array(x)[:, None], y, classes=[-1, 1])
    rounds = oracle.drifting_threshold([*zip(x, y, strict=True)], gamma=gamma)
    assert trace.mistakes.tolist() == [r.mistake for r in rounds]
    assert trace.updates.tolist() == [r.inside or r.reset for r in rounds]
    assert trace.scores == pytest.approx([r.score for r in rounds], abs=1e-12)
    for a, label, after in zip(x, y, rounds, strict=True):
        singly.partial_fit([[a]], [label], classes=[-1, 1])
        assert singly.interval_ == pytest.approx((after.interval.a, after.interval.b), abs=1e-12)
    assert learner.interval_ == singly.interval_
    assert learner.n_resets_ == sum(r.reset for r in rounds)


@given(
    stream=st.lists(st.tuples(EIGHTHS, st.sampled_from([-1, 1])), min_size=1, max_size=40),
    gamma=st.sampled_from([1 / 16, 1 / 8, 1 / 4, 2]),
)
def test_it_follows_the_paper_on_ties(stream, gamma):
    x, y = zip(*stream, strict=True)
    assert_as_the_reference(x, y, gamma)


@pytest.mark.parametrize("seed", range(5))
def test_it_follows_the_paper_on_a_stream_that_shifts(seed):
    X, y, _ = moving_stream(gamma=0.01, drift_rate=0.05, length=500, shifts=3, seed=seed)
    assert_as_the_reference(X[:, 0].tolist(), y.tolist(), 0.01)


SETTINGS = [
    {"gamma": gamma, "drift_rate": ratio * gamma, "length": length, "shifts": shifts}
    for gamma in (1e-2, 1e-3, 1e-4)
    for ratio in (1, 3, 30)
    for length in (1000, 20_000)
    for shifts in (0, 1, 5)
    if ratio * gamma < 0.5
]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_the_error_stays_below_theorem_5(setting):
    learner = DriftingThreshold(gamma=setting["gamma"])
    X, y, _ = moving_stream(**setting)
    error = prequential(learner, X, y).mistakes.mean()
    assert error <= theorem_5(**setting)
    assert learner.n_resets_ <= setting["shifts"]


@pytest.mark.parametrize("ratio", [1, 10])
def test_the_error_falls_like_the_square_root_of_the_drift_rate(ratio):
    rates = np.array([1e-1, 1e-2, 1e-3, 1e-4])
    errors = [
        prequential(DriftingThreshold(gamma=rate / ratio), X, y).mistakes.mean()
        for rate in rates
        for X, y, _ in [moving_stream(gamma=rate / ratio, drift_rate=rate, length=200_000)]
    ]
    slope = np.polyfit(np.log(rates), np.log(errors), 1)[0]
    assert 0.45 < slope < 0.55
    assert (np.array(errors) < np.sqrt(5 * rates)).all()


@pytest.mark.parametrize("gamma", [1e-2, 1e-3])
def test_without_shifts_the_threshold_never_leaves_the_interval(gamma):
    X, y, tau = moving_stream(gamma=gamma, drift_rate=5 * gamma, length=5000)
    learner = DriftingThreshold(gamma=gamma)
    for t in range(len(y) - 1):
        learner.partial_fit(X[t : t + 1], y[t : t + 1], classes=[-1, 1])
        low, high = learner.interval_
        assert low < tau[t + 1] <= high
    assert learner.n_resets_ == 0


def test_a_shift_is_noticed_and_forgotten():
    X, y, _ = moving_stream(gamma=1e-3, drift_rate=1e-3, length=4000, shifts=1, seed=2)
    learner = DriftingThreshold(gamma=1e-3)
    trace = prequential(learner, X, y)
    assert learner.n_resets_ == 1
    assert trace.mistakes[2000:2050].mean() > 2 * trace.mistakes[2400:].mean()


def test_the_feature_is_chosen_and_others_do_not_matter():
    X, y, _ = moving_stream(gamma=1e-3, drift_rate=1e-2, length=500)
    wide = np.column_stack([np.ones(500), X[:, 0], np.arange(500)])
    narrow = prequential(DriftingThreshold(gamma=1e-3), X, y)
    chosen = prequential(DriftingThreshold(gamma=1e-3, feature=1), sparse.csr_array(wide), y)
    np.testing.assert_array_equal(chosen.scores, narrow.scores)


@pytest.mark.parametrize(
    ("parameters", "width", "message"),
    [
        ({"gamma": 0}, 1, "gamma must be"),
        ({"gamma": "fast"}, 1, "gamma must be a number"),
        ({}, 2, "one of the 2 features"),
        ({"feature": 2}, 2, "feature 2 is not one of 2"),
        ({"feature": -1}, 2, "feature must be at least 0"),
    ],
)
def test_bad_parameters_are_refused(parameters, width, message):
    learner = DriftingThreshold(**parameters)
    with pytest.raises((ValueError, TypeError), match=message):
        learner.fit(np.zeros((3, width)), [0, 1, 0])
    assert not hasattr(learner, "classes_")
