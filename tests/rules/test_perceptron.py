from budgetron import Perceptron
from rules.by_hand import RIGHT, WRONG, Step, assert_goes_by_hand


def test_mistakes_are_added():
    assert_goes_by_hand(
        Perceptron(kernel="linear"),
        [
            Step((1, 1), +1, 0, RIGHT, []),
            Step((1, 0), -1, 0, WRONG, [(1, -1)]),  # w = (-1, 0)
            Step((0, 1), -1, 0, WRONG, [(1, -1), (2, -1)]),  # (-1, -1)
            Step((2, 1), +1, -3, WRONG, [(1, -1), (2, -1), (3, 1)]),  # (1, 0)
            Step((-1, 1), +1, -1, WRONG, [(1, -1), (2, -1), (3, 1), (4, 1)]),  # (0, 1)
            Step((1, 2), +1, 2, RIGHT, [(1, -1), (2, -1), (3, 1), (4, 1)]),
        ],
    )


def test_a_zero_score_can_be_a_mistake_for_both_labels():
    assert_goes_by_hand(
        Perceptron(kernel="linear", zero_score="mistake"),
        [
            Step((1, 1), +1, 0, WRONG, [(0, 1)]),  # w = (1, 1)
            Step((1, 0), -1, 1, WRONG, [(0, 1), (1, -1)]),  # (0, 1)
            Step((0, 1), -1, 1, WRONG, [(0, 1), (1, -1), (2, -1)]),  # (0, 0)
            Step((2, 1), +1, 0, WRONG, [(0, 1), (1, -1), (2, -1), (3, 1)]),  # (2, 1)
            Step((2, 0), +1, 4, RIGHT, [(0, 1), (1, -1), (2, -1), (3, 1)]),
        ],
    )


def test_a_zero_row_is_a_support_like_any_other():
    assert_goes_by_hand(
        Perceptron(kernel="linear"),
        [
            Step((0, 0), -1, 0, WRONG, [(0, -1)]),
            Step((0, 0), -1, 0, WRONG, [(0, -1), (1, -1)]),
            Step((0, 0), +1, 0, RIGHT, [(0, -1), (1, -1)]),
            Step((0, 1), -1, 0, WRONG, [(0, -1), (1, -1), (3, -1)]),
        ],
    )
