from budgetron import LeastRecentBudgetPerceptron
from rules.by_hand import RIGHT, WRONG, Step, assert_goes_by_hand


def test_a_full_budget_forgets_the_oldest():
    assert_goes_by_hand(
        LeastRecentBudgetPerceptron(budget=2, kernel="linear"),
        [
            Step((1, 1), +1, 0, RIGHT, []),
            Step((1, 0), -1, 0, WRONG, [(1, -1)]),  # w = (-1, 0)
            Step((0, 1), -1, 0, WRONG, [(1, -1), (2, -1)]),  # (-1, -1)
            Step((2, 1), +1, -3, WRONG, [(2, -1), (3, 1)], evicted=1),  # (2, 0)
            Step((-1, 1), +1, -2, WRONG, [(3, 1), (4, 1)], evicted=2),  # (1, 2)
            Step((1, 2), +1, 5, RIGHT, [(3, 1), (4, 1)]),
        ],
    )


def test_a_zero_score_can_be_a_mistake_for_both_labels():
    assert_goes_by_hand(
        LeastRecentBudgetPerceptron(budget=2, kernel="linear", zero_score="mistake"),
        [
            Step((1, 1), +1, 0, WRONG, [(0, 1)]),  # w = (1, 1)
            Step((1, 0), -1, 1, WRONG, [(0, 1), (1, -1)]),  # (0, 1)
            Step((0, 1), -1, 1, WRONG, [(1, -1), (2, -1)], evicted=0),  # (-1, -1)
            Step((1, -1), +1, 0, WRONG, [(2, -1), (3, 1)], evicted=1),  # (1, -2)
            Step((1, 0), +1, 1, RIGHT, [(2, -1), (3, 1)]),
        ],
    )


def test_a_budget_of_one_holds_the_last_mistake():
    assert_goes_by_hand(
        LeastRecentBudgetPerceptron(budget=1, kernel="linear"),
        [
            Step((1, 0), -1, 0, WRONG, [(0, -1)]),
            Step((2, 1), +1, -2, WRONG, [(1, 1)], evicted=0),
            Step((1, 1), -1, 3, WRONG, [(2, -1)], evicted=1),
            Step((0, 1), -1, -1, RIGHT, [(2, -1)]),
        ],
    )
