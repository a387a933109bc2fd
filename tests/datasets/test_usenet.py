"""The usenet streams and their orderings."""

import numpy as np
import pytest

from budgetron.datasets import load_usenet1, load_usenet2

over_streams = pytest.mark.parametrize("load", [load_usenet1, load_usenet2])
BATCH = 300


def batches(y):
    return y.reshape(-1, BATCH).mean(axis=1)


@over_streams
def test_rows(at_hand, load):
    usenet = at_hand(load)
    assert usenet.X.shape == (1_500, 99)
    assert set(np.unique(usenet.X)) == {0.0, 1.0}


def test_interests_turn_into_their_opposite_in_usenet1(at_hand):
    y = at_hand(load_usenet1).y
    assert np.bincount(y).tolist() == [800, 700]
    for batch, opposite in zip(y.reshape(5, BATCH), y.reshape(5, BATCH)[1:], strict=False):
        assert (batch != opposite).all()


def test_one_group_in_three_is_of_interest_in_usenet2(at_hand):
    y = at_hand(load_usenet2).y
    assert np.bincount(y).tolist() == [1_000, 500]
    np.testing.assert_allclose(batches(y), 1 / 3)


@over_streams
def test_an_ordering_shuffles_within_batches(at_hand, load):
    stored = at_hand(load)
    orderings = [at_hand(load, ordering=ordering) for ordering in range(20)]
    assert len({tuple(data.y) for data in orderings}) == 20
    for data in orderings:
        np.testing.assert_array_equal(batches(data.y), batches(stored.y))
        for start in range(0, 1_500, BATCH):
            batch = slice(start, start + BATCH)
            assert sorted(map(tuple, data.X[batch])) == sorted(map(tuple, stored.X[batch]))


@over_streams
@pytest.mark.parametrize(
    ("ordering", "error"), [(20, ValueError), (-1, ValueError), ("0", TypeError)]
)
def test_an_unknown_ordering_is_an_error(at_hand, load, ordering, error):
    at_hand(load)
    with pytest.raises(error, match="ordering"):
        load(ordering=ordering, download=False)


@over_streams
def test_without_the_file_the_error_says_where_to_get_it(tmp_path, load):
    with pytest.raises(FileNotFoundError, match="ConceptDrift"):
        load(data_home=tmp_path, download=False)
