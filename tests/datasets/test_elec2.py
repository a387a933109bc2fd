"""The electricity market stream."""

import numpy as np
import pytest

from budgetron.datasets import load_elec2


def test_rows_and_classes(at_hand):
    elec2 = at_hand(load_elec2)
    assert elec2.X.shape == (45_312, 6)
    assert np.bincount(elec2.y).tolist() == [26_075, 19_237]
    assert elec2.feature_names[0] == "period" and elec2.feature_names[-1] == "transfer"


def test_a_day_has_48_half_hours_in_order(at_hand):
    days = at_hand(load_elec2).X[:, 0].reshape(-1, 48)
    assert len(days) == 944
    np.testing.assert_allclose(days, np.tile(np.arange(48) / 47, (944, 1)), atol=1e-6)


def test_labels_come_in_runs(at_hand):
    y = at_hand(load_elec2).y
    assert np.mean(y[1:] == y[:-1]) == pytest.approx(0.853, abs=5e-4)


def test_without_the_file_the_error_says_where_to_get_it(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"elec\.csv or elec2\.csv\.xz"):
        load_elec2(data_home=tmp_path, download=False)
