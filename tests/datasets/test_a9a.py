"""Adult (a9a)."""

import numpy as np
import pytest
from scipy.sparse import issparse

from budgetron.datasets import load_a9a

SIZES = {"train": [24_720, 7_841], "test": [12_435, 3_846], "all": [37_155, 11_687]}

over_splits = pytest.mark.parametrize("split", SIZES)


@over_splits
def test_rows_and_classes(at_hand, split):
    a9a = at_hand(load_a9a, split=split)
    assert issparse(a9a.X) and a9a.X.format == "csr"
    assert a9a.X.shape == (sum(SIZES[split]), 123)
    assert np.bincount(a9a.y).tolist() == SIZES[split]
    assert a9a.target_names == ("<=50K", ">50K")
    assert set(a9a.X.data) == {1.0}


def test_the_first_row_is_that_of_the_file(at_hand):
    first = at_hand(load_a9a).X[0].indices + 1
    assert first.tolist() == [3, 11, 14, 19, 39, 42, 55, 64, 67, 73, 75, 76, 80, 83]


def test_all_rows_are_those_of_training_and_then_those_of_test(at_hand):
    train, test, both = (at_hand(load_a9a, split=split) for split in SIZES)
    assert (both.X[:32_561] != train.X).nnz == 0
    assert (both.X[32_561:] != test.X).nnz == 0
    assert both.y.tolist() == [*train.y, *test.y]


def test_equal_rows_with_opposite_labels(at_hand):
    a9a = at_hand(load_a9a)
    _, group = np.unique(a9a.X.toarray(), axis=0, return_inverse=True)
    positive = np.bincount(group, weights=a9a.y)
    size = np.bincount(group)
    assert size[(positive > 0) & (positive < size)].sum() == 4_150


def test_an_unknown_split_is_an_error():
    with pytest.raises(ValueError, match="split"):
        load_a9a(split="validation", download=False)


def test_without_the_file_the_error_says_where_to_get_it(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"libsvmtools/datasets/binary/a9a$"):
        load_a9a(data_home=tmp_path, download=False)
