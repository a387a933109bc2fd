"""Two classes out of many."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from budgetron.datasets import Dataset

NAMES = ("cat", "dog", "newt")
SINGLE = Dataset("pets", np.eye(4), np.array([0, 1, 2, 1]), NAMES, description="pets")
SEVERAL = Dataset("pets", np.eye(3), csr_matrix([[1, 1, 0], [0, 0, 0], [0, 1, 1]]), NAMES)


def test_chosen_classes_are_one_and_the_rest_is_zero():
    assert SINGLE.against_rest({2, 0}).y.tolist() == [1, 0, 1, 0]


def test_a_row_of_several_classes_counts_if_any_is_chosen():
    assert SEVERAL.against_rest([0]).y.tolist() == [1, 0, 0]
    assert SEVERAL.against_rest([0, 2]).y.tolist() == [1, 0, 1]
    assert SEVERAL.against_rest([0, 1]).y.tolist() == [1, 0, 1]


def test_the_rows_stay_and_the_classes_get_names():
    binary = SINGLE.against_rest([2, 0])
    assert binary.X is SINGLE.X
    assert binary.description == "pets"
    assert binary.target_names == ("rest", "cat or newt")


@pytest.mark.parametrize("data", [SINGLE, SEVERAL])
@pytest.mark.parametrize("classes", [[3], [-1], [0, 7]])
def test_an_unknown_class_is_an_error(data, classes):
    with pytest.raises(ValueError, match="classes"):
        data.against_rest(classes)
