"""Web pages (w8a)."""

import numpy as np
import pytest
from scipy.sparse import issparse

from budgetron.datasets import load_w8a


def test_rows_and_classes(at_hand):
    w8a = at_hand(load_w8a)
    assert issparse(w8a.X)
    assert w8a.X.shape == (49_749, 300)
    assert np.bincount(w8a.y).tolist() == [48_270, 1_479]


def test_the_first_row_is_that_of_the_file(at_hand):
    assert (at_hand(load_w8a).X[0].indices + 1).tolist() == [41, 54, 117, 250]


def test_without_the_file_the_error_says_where_to_get_it(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"libsvmtools/datasets/binary/w8a$"):
        load_w8a(data_home=tmp_path, download=False)
