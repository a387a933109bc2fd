"""The spam stream of Katakis and others."""

import numpy as np
import pytest
from scipy.sparse import issparse

from budgetron.datasets import load_spam_katakis


def test_rows_and_classes(at_hand):
    spam = at_hand(load_spam_katakis)
    assert issparse(spam.X)
    assert spam.X.shape == (9_324, 39_916)
    assert set(spam.X.data) == {1.0}
    assert np.bincount(spam.y).tolist() == [6_937, 2_387]


def test_share_of_spam_falls(at_hand):
    first, *_, last = np.array_split(at_hand(load_spam_katakis).y, 10)
    assert first.mean() > 0.7
    assert last.mean() < 0.1


def test_without_the_files_the_error_says_who_publishes_them(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"mlkd\.csd\.auth\.gr"):
        load_spam_katakis(data_home=tmp_path)
