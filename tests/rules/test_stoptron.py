from budgetron import Stoptron
from rules.by_hand import RIGHT, UNLEARNED, WRONG, Step, assert_goes_by_hand


def test_a_full_budget_learns_no_more():
    full = [(1, -1), (2, -1)]
    assert_goes_by_hand(
        Stoptron(budget=2, kernel="linear"),
        [
            Step((1, 1), +1, 0, RIGHT, []),
            Step((1, 0), -1, 0, WRONG, [(1, -1)]),  # w = (-1, 0)
            Step((0, 1), -1, 0, WRONG, full),  # (-1, -1)
            Step((2, 1), +1, -3, UNLEARNED, full),
            Step((-1, 1), +1, 0, RIGHT, full),
            Step((1, 2), +1, -3, UNLEARNED, full),
        ],
    )


def test_a_zero_score_can_be_a_mistake_for_both_labels():
    full = [(0, 1), (1, -1)]
    assert_goes_by_hand(
        Stoptron(budget=2, kernel="linear", zero_score="mistake"),
        [
            Step((1, 1), +1, 0, WRONG, [(0, 1)]),  # w = (1, 1)
            Step((1, 0), -1, 1, WRONG, full),  # (0, 1)
            Step((0, 1), -1, 1, UNLEARNED, full),
            Step((2, 0), +1, 0, UNLEARNED, full),
            Step((-1, 1), +1, 1, RIGHT, full),
        ],
    )
