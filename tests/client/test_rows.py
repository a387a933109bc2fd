"""Rows of any kind become what the service takes."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from budgetron.client.rows import rows_of

NAMED = [{"x": {"a": 1.0, "b": 2.0}}, {"x": {"a": None, "b": 3.0}}]
FRAME = pd.DataFrame({"a": [1.0, np.nan], "b": [2, 3]})


@pytest.mark.parametrize("X", [FRAME, pl.from_pandas(FRAME)], ids=["pandas", "polars"])
def test_frames_are_rows_with_names_and_gaps(X):
    assert rows_of(X) == (NAMED, False)


def test_one_row_is_told_from_several():
    assert rows_of([1, 2], y=np.int64(3)) == ([{"x": [1.0, 2.0], "y": 3}], True)
    assert rows_of([[1, 2]], y=["no"]) == ([{"x": [1.0, 2.0], "y": "no"}], False)
    assert rows_of(FRAME.iloc[1]) == ([NAMED[1]], True)


@pytest.mark.parametrize("X", [[[1], [2, 3]], "abc", [[[1]]], [[np.inf]]])
def test_what_is_no_row_is_refused(X):
    with pytest.raises(ValueError):  # noqa: PT011  # NumPy's own words
        rows_of(X)


def test_every_row_has_its_label():
    with pytest.raises(ValueError, match="2 rows, and 1 values of y"):
        rows_of([[1], [2]], y=["no"])
