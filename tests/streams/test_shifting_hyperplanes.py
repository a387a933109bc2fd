"""Hyperplanes that change now and then."""

from itertools import pairwise

import numpy as np
import pytest

from budgetron.streams import ShiftingHyperplanes


@pytest.mark.parametrize("change", ["abrupt", "recurring"])
@pytest.mark.parametrize("every", [1, 50, 1024, 1500])
@pytest.mark.parametrize("shifts", [0, 1, 4])
def test_there_are_as_many_shifts_as_changes(change, every, shifts):
    sample = ShiftingHyperplanes(every=every, change=change).take(every * (shifts + 1))
    assert sample.shift_times.tolist() == [every * k for k in range(1, shifts + 1)]


@pytest.mark.parametrize("change", ["abrupt", "recurring", "gradual", "incremental"])
def test_instances_and_normals_have_length_one_and_the_normals_label(change):
    sample = ShiftingHyperplanes(every=200, change=change).take(1500)
    assert np.linalg.norm(sample.X, axis=1) == pytest.approx(np.ones(1500))
    assert np.linalg.norm(sample.targets, axis=1) == pytest.approx(np.ones(1500))
    scores = np.einsum("td,td->t", sample.targets, sample.X)
    assert np.array_equal(np.sign(scores), sample.y)


def test_recurring_normals_come_again_in_turn():
    sample = ShiftingHyperplanes(every=10, change="recurring", concepts=3).take(90)
    concepts = sample.targets[::10]
    assert len(np.unique(concepts, axis=0)) == 3
    assert np.array_equal(concepts[:3], concepts[3:6])
    assert np.array_equal(concepts[:3], concepts[6:9])


def test_abrupt_normals_are_always_new():
    sample = ShiftingHyperplanes(every=10).take(90)
    assert len(np.unique(sample.targets, axis=0)) == 9


def test_a_gradual_change_hands_over_with_a_rising_probability():
    handed_over = np.zeros(100)
    for seed in range(200):
        stream = ShiftingHyperplanes(every=100, change="gradual", width=80, random_state=seed)
        targets = stream.take(200).targets
        assert np.array_equal(targets[:100], np.tile(targets[0], (100, 1)))
        handed_over += (targets[100:] != targets[0]).any(axis=1)
    expected = np.minimum(np.arange(100) / 80, 1)
    assert handed_over[0] == 0
    assert (handed_over[80:] == 200).all()
    assert handed_over / 200 == pytest.approx(expected, abs=5 * np.sqrt(0.25 / 200))
    assert np.mean(handed_over / 200 - expected) == pytest.approx(0, abs=0.02)


def test_every_return_to_the_old_normal_counts_as_a_shift_of_a_gradual_change():
    sample = ShiftingHyperplanes(every=100, change="gradual", width=80).take(200)
    labelled_by_new = (sample.targets != sample.targets[0]).any(axis=1)
    assert sample.shifts == np.count_nonzero(np.diff(labelled_by_new)) > 1
    distance = np.linalg.norm(sample.targets[-1] - sample.targets[0])
    assert sample.total_shift == pytest.approx(sample.shifts * distance)


@pytest.mark.parametrize("width", [1, 2, 37, 100])
def test_an_incremental_change_turns_in_equal_angles_and_is_no_shift(width):
    stream = ShiftingHyperplanes(every=100, change="incremental", width=width)
    sample = stream.take(1000)
    assert sample.shifts == 0
    for start, end in pairwise(range(99, 1000, 100)):
        turn = sample.targets[start : end + 1]
        angles = np.arccos(np.clip(np.einsum("td,td->t", turn[1:], turn[:-1]), -1, 1))
        whole = np.arccos(turn[0] @ turn[-1])
        assert angles[:width] == pytest.approx(np.full(width, whole / width), abs=1e-7)
        assert np.array_equal(turn[width:], np.tile(turn[-1], (101 - width, 1)))


def test_a_change_takes_half_the_time_unless_told_otherwise():
    sample = ShiftingHyperplanes(every=100, change="incremental").take(200)
    assert np.flatnonzero(sample.steps > 1e-12).tolist() == [*range(100, 150)]
