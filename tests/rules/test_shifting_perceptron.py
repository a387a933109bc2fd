from budgetron import ShiftingPerceptron
from rules.by_hand import RIGHT, WRONG, Step, assert_goes_by_hand


def test_the_past_shrinks_less_at_each_mistake():
    # With lambda = 1 the factors 1 - lambda_k = k/(1 + k) are 0 (on nothing), 1/2, 2/3, 3/4.
    last = [(1, -1 / 4), (2, -1 / 2), (3, 3 / 4), (4, 1)]
    assert_goes_by_hand(
        ShiftingPerceptron(decay=1, kernel="linear"),
        [
            Step((1, 1), +1, 0, RIGHT, []),
            Step((1, 0), -1, 0, WRONG, [(1, -1)]),  # w = (-1, 0)
            Step((0, 1), -1, 0, WRONG, [(1, -1 / 2), (2, -1)]),  # (-1/2, -1)
            Step((2, 1), +1, -2, WRONG, [(1, -1 / 3), (2, -2 / 3), (3, 1)]),  # (5/3, 1/3)
            Step((-1, 1), +1, -4 / 3, WRONG, last),  # (1/4, 5/4)
            Step((1, 2), +1, 11 / 4, RIGHT, last),
        ],
    )


def test_a_zero_score_can_be_a_mistake_for_both_labels():
    last = [(0, 1 / 4), (1, -1 / 2), (2, 3 / 4), (3, -1)]
    assert_goes_by_hand(
        ShiftingPerceptron(decay=1, kernel="linear", zero_score="mistake"),
        [
            Step((1, 1), +1, 0, WRONG, [(0, 1)]),  # w = (1, 1)
            Step((1, 0), -1, 1, WRONG, [(0, 1 / 2), (1, -1)]),  # (-1/2, 1/2)
            Step((1, 1), +1, 0, WRONG, [(0, 1 / 3), (1, -2 / 3), (2, 1)]),  # (2/3, 4/3)
            Step((2, -1), -1, 0, WRONG, last),  # (-3/2, 2)
            Step((1, 1), +1, 1 / 2, RIGHT, last),
        ],
    )


def test_without_decay_nothing_shrinks():
    assert_goes_by_hand(
        ShiftingPerceptron(decay=0, kernel="linear"),
        [
            Step((1, 0), -1, 0, WRONG, [(0, -1)]),
            Step((0, 1), -1, 0, WRONG, [(0, -1), (1, -1)]),
            Step((2, 1), +1, -3, WRONG, [(0, -1), (1, -1), (2, 1)]),  # w = (1, 0)
            Step((1, -1), +1, 1, RIGHT, [(0, -1), (1, -1), (2, 1)]),
        ],
    )
