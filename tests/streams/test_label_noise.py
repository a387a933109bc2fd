"""Labels that are wrong now and then."""

import numpy as np
import pytest

from budgetron.streams import LabelNoise, OrbitingRings, ShiftingDataset


@pytest.mark.parametrize("rate", [0, 0.1, 0.5, 1])
def test_so_many_labels_are_flipped_and_the_truth_stays(rate):
    clean, noisy = OrbitingRings().take(20_000), LabelNoise(OrbitingRings(), rate).take(20_000)
    assert np.array_equal(noisy.truth, clean.y)
    assert np.array_equal(noisy.X, clean.X)
    assert np.array_equal(noisy.targets, clean.targets)
    deviation = np.sqrt(rate * (1 - rate) / 20_000)
    assert np.mean(noisy.y != clean.y) == pytest.approx(rate, abs=4 * deviation)


def test_noise_does_not_depend_on_the_instances_although_both_have_the_same_seed():
    sample = LabelNoise(OrbitingRings(), 0.5).take(20_000)
    flipped = sample.y != sample.truth
    for quantity in (*sample.X.T, sample.truth):
        assert np.corrcoef(flipped, quantity)[0, 1] == pytest.approx(0, abs=4 / np.sqrt(20_000))


def test_a_noisy_data_set_ends_where_the_data_set_does():
    data = ShiftingDataset(np.zeros((10, 1)), np.eye(10, 3), [0, 1])
    assert sum(map(len, LabelNoise(data, 0.2).blocks(3))) == 10
