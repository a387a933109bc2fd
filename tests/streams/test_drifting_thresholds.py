"""Thresholds that drift and shift."""

import numpy as np
import pytest

from budgetron.streams import DriftingThresholds
from intervals import heaviest

over_movements = pytest.mark.parametrize("movement", ["random", "linear", "still"])
over_gammas = pytest.mark.parametrize("gamma", [0.1, 0.01, 1e-4, 1e-7])


@over_movements
@over_gammas
def test_drift_is_never_taken_for_a_shift_by_rounding(movement, gamma):
    sample = DriftingThresholds(gamma=gamma, movement=movement).take(100_000)
    assert sample.shifts == 0
    moved = sample.steps.max()
    assert moved == 0 if movement == "still" else moved == pytest.approx(gamma)


@over_movements
@pytest.mark.parametrize("gamma", [0.49, 0.1, 0.01])
def test_there_is_a_shift_after_every_so_many_rows(movement, gamma):
    sample = DriftingThresholds(gamma=gamma, movement=movement, shift_every=150).take(6000)
    assert sample.shift_times.tolist() == [*range(150, 6000, 150)]
    assert (sample.steps[sample.shift_times] > gamma).all()


@over_movements
def test_the_label_is_positive_from_the_threshold_on(movement):
    sample = DriftingThresholds(movement=movement, drift_rate=0.2, shift_every=90).take(5000)
    assert np.array_equal(sample.y == 1, sample.X[:, 0] >= sample.targets)
    assert sample.targets.min() >= 0
    assert sample.targets.max() <= 1
    assert sample.X.min() >= 0
    assert sample.X.max() <= 1


def test_linear_movement_goes_up_to_one_and_down_to_zero():
    thresholds = DriftingThresholds(movement="linear").take(5000).targets
    assert thresholds.max() == pytest.approx(1, abs=0.01)
    assert thresholds.min() == pytest.approx(0, abs=0.01)
    moves = np.diff(thresholds)
    turns = np.flatnonzero(moves[1:] * moves[:-1] < 0)
    assert np.diff(turns) == pytest.approx(100, abs=1)


def test_random_movement_goes_both_ways_and_everywhere():
    thresholds = DriftingThresholds(gamma=0.05).take(20_000).targets
    assert np.mean(np.diff(thresholds) > 0) == pytest.approx(0.5, abs=0.02)
    assert np.histogram(thresholds, 4, (0, 1))[0].min() > 0.15 * 20_000


@pytest.mark.parametrize("drift_rate", [None, 0.02, 0.1, 1.0])
def test_no_interval_as_wide_as_gamma_weighs_more_than_lambda(drift_rate):
    stream = DriftingThresholds(gamma=0.02, drift_rate=drift_rate, movement="still")
    weight = heaviest(stream.take(200_000).X, 0.02)
    assert weight == pytest.approx(drift_rate or 0.02, rel=0.1)
    assert stream.window == pytest.approx(0.02 / (drift_rate or 0.02))


@over_movements
def test_the_window_holds_the_threshold(movement):
    stream = DriftingThresholds(gamma=0.01, drift_rate=0.1, movement=movement, shift_every=500)
    sample = stream.take(20_000)
    assert np.abs(sample.X[:, 0] - sample.targets).max() <= 0.1
    assert 0.3 < np.mean(sample.y == 1) < 0.7
