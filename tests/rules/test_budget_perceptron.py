from budgetron import BudgetPerceptron
from rules.by_hand import RIGHT, WRONG, Step, assert_goes_by_hand

# Behind each removal: w with the newcomer, and the margin of each candidate once it is gone.


def test_the_support_with_the_largest_margin_without_itself_goes():
    assert_goes_by_hand(
        BudgetPerceptron(budget=2, kernel="linear"),
        [
            Step((1, 0), -1, 0, WRONG, [(0, -1)]),  # w = (-1, 0)
            Step((0, 1), -1, 0, WRONG, [(0, -1), (1, -1)]),  # (-1, -1)
            # w = (1, 0): -(2, 0).(1, 0) = -2; -(1, 1).(0, 1) = -1; (-1, -1).(2, 1) = -3
            Step((2, 1), +1, -3, WRONG, [(0, -1), (2, 1)], evicted=1),  # (1, 1)
            Step((1, 2), +1, 3, RIGHT, [(0, -1), (2, 1)]),
        ],
    )


def test_the_newcomer_itself_may_go():
    assert_goes_by_hand(
        BudgetPerceptron(budget=2, kernel="linear"),
        [
            Step((1, 0), -1, 0, WRONG, [(0, -1)]),
            Step((2, 2), +1, -2, WRONG, [(0, -1), (1, 1)]),  # w = (1, 2)
            # w = (1/2, 2): -(3/2, 2).(1, 0) = -3/2; (-3/2, 0).(2, 2) = -3; (1, 2).(-1/2, 0) = -1/2
            Step((-1 / 2, 0), +1, -1 / 2, WRONG, [(0, -1), (1, 1)], evicted=2),
            Step((1, 0), +1, 1, RIGHT, [(0, -1), (1, 1)]),
        ],
    )


def test_of_equal_margins_the_oldest_goes():
    assert_goes_by_hand(
        BudgetPerceptron(budget=2, kernel="linear", zero_score="mistake"),
        [
            Step((1, 1), +1, 0, WRONG, [(0, 1)]),  # w = (1, 1)
            Step((1, 0), -1, 1, WRONG, [(0, 1), (1, -1)]),  # (0, 1)
            # w = (0, 0): (-1, -1).(1, 1) = -2; -(1, 0).(1, 0) = -1; -(0, 1).(0, 1) = -1
            Step((0, 1), -1, 1, WRONG, [(0, 1), (2, -1)], evicted=1),  # (1, 0)
            # w = (1, 1): (0, 0).(1, 1) = 0; -(1, 2).(0, 1) = -2; (1, 0).(0, 1) = 0
            Step((0, 1), +1, 0, WRONG, [(2, -1), (3, 1)], evicted=0),  # (0, 0)
            # w = (3, 1): -(3, 2).(0, 1) = -2; (3, 0).(0, 1) = 0; (0, 0).(3, 1) = 0
            Step((3, 1), +1, 0, WRONG, [(2, -1), (4, 1)], evicted=3),  # (3, 0)
            Step((1, 1), +1, 3, RIGHT, [(2, -1), (4, 1)]),
        ],
    )


def test_a_zero_score_is_right_for_a_positive_label_by_default():
    assert_goes_by_hand(
        BudgetPerceptron(budget=2, kernel="linear"),
        [
            Step((1, 1), +1, 0, RIGHT, []),
            Step((1, 0), -1, 0, WRONG, [(1, -1)]),  # w = (-1, 0)
            Step((0, 1), -1, 0, WRONG, [(1, -1), (2, -1)]),  # (-1, -1)
            # w = (-1, 0): -(0, 0).(1, 0) = 0; -(-1, 1).(0, 1) = -1; (-1, -1).(0, 1) = -1
            Step((0, 1), +1, -1, WRONG, [(2, -1), (3, 1)], evicted=1),  # (0, 0)
            Step((3, 1), +1, 0, RIGHT, [(2, -1), (3, 1)]),
        ],
    )
