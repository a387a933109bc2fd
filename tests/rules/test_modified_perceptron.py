import pytest

from budgetron import ModifiedPerceptron
from rules.by_hand import RIGHT, UNLEARNED, WRONG, Step, assert_goes_by_hand


@pytest.mark.parametrize(("zero_score", "zero_row"), [("positive", RIGHT), ("mistake", UNLEARNED)])
def test_a_mistake_reflects_the_hypothesis(zero_score, zero_row):
    # w_1 = x_1/|x_1|, installed before the first nonzero example is scored.
    turned = [(1, 1 / 2), (1, -1)]
    last = [*turned, (3, 8 / 25), (4, -48 / 25)]
    assert_goes_by_hand(
        ModifiedPerceptron(kernel="linear", zero_score=zero_score),
        [
            Step((0, 0), +1, 0, zero_row, []),
            Step((0, 2), -1, 2, WRONG, turned),  # -2 2/4: w = (0, -1)
            Step((3, 4), -1, -4, RIGHT, turned),
            Step((3, 4), +1, -4, WRONG, [*turned, (3, 8 / 25)]),  # 8/25: (24/25, 7/25)
            Step((1, 0), -1, 24 / 25, WRONG, last),  # (-24/25, 7/25)
            Step((-1, 0), +1, 24 / 25, RIGHT, last),
        ],
    )


def test_a_first_hypothesis_that_is_right_is_no_update():
    assert_goes_by_hand(
        ModifiedPerceptron(kernel="linear"),
        [
            Step((3, 4), +1, 5, RIGHT, [(0, 1 / 5)]),  # w = (3/5, 4/5)
            Step((1, 0), +1, 3 / 5, RIGHT, [(0, 1 / 5)]),
            Step((0, -1), +1, -4 / 5, WRONG, [(0, 1 / 5), (2, 8 / 5)]),  # (3/5, -4/5)
            Step((-1, 1), -1, -7 / 5, RIGHT, [(0, 1 / 5), (2, 8 / 5)]),
        ],
    )


def test_a_zero_row_changes_nothing():
    assert_goes_by_hand(
        ModifiedPerceptron(kernel="linear"),
        [
            Step((0, 0), -1, 0, UNLEARNED, []),
            Step((1, 0), +1, 1, RIGHT, [(1, 1)]),
            Step((0, 0), -1, 0, UNLEARNED, [(1, 1)]),
            Step((-1, 0), -1, -1, RIGHT, [(1, 1)]),
        ],
    )
