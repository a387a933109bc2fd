import math

import numpy as np
import pytest

from budgetron import (
    LeastRecentBudgetSecondOrderPerceptron,
    RandomizedBudgetSecondOrderPerceptron,
    SecondOrderPerceptron,
)
from rules.by_hand import RIGHT, UNLEARNED, WRONG, Step, assert_goes_by_hand

DUAL = {  # the linear kernel under other names
    "compiled": {"kernel": "poly", "degree": 1, "gamma": 1.0},
    "own": {"kernel": lambda A, B: np.asarray(A @ B.T)},
}
over_dual = pytest.mark.parametrize("kernel", DUAL.values(), ids=DUAL)

# w = (a I + X X^T)^-1 X y over the mistakes X; the weights are (a I + K)^-1 y.


@over_dual
def test_the_weights_solve_for_the_labels_of_all_mistakes(kernel):
    two = [(0, -3 / 10), (1, 4 / 10)]
    three = [(0, -9 / 16), (1, 5 / 16), (4, 7 / 16)]
    assert_goes_by_hand(
        SecondOrderPerceptron(a=2, **kernel),
        [
            Step((2, 0), -1, 0, WRONG, [(0, -1 / 6)]),  # -1/(2 + 4)
            Step((1, 1), +1, -1 / 3, WRONG, two),  # [6 2; 2 4]^-1 (-1, 1)
            Step((0, 1), +1, 4 / 10, RIGHT, two),
            Step((0, 0), -1, 0, UNLEARNED, two),
            Step((2, 0), +1, -4 / 10, WRONG, three),  # [6 2 4; 2 4 2; 4 2 6]^-1 (-1, 1, 1)
            Step((1, -1), -1, -1 / 4, RIGHT, three),
        ],
    )


def test_the_linear_kernel_keeps_independent_mistakes_only():
    two = [(0, -3 / 10), (1, 4 / 10)]
    after = [(0, -1 / 8), (1, 5 / 16)]
    assert_goes_by_hand(
        SecondOrderPerceptron(a=2, kernel="linear"),
        [
            Step((2, 0), -1, 0, WRONG, [(0, -1 / 6)]),  # w = (-1/3, 0)
            Step((1, 1), +1, -1 / 3, WRONG, two),  # [7 1; 1 3]^-1 (-1, 1) = (-1/5, 2/5)
            Step((0, 1), +1, 4 / 10, RIGHT, two),
            Step((0, 0), -1, 0, UNLEARNED, two),
            Step((2, 0), +1, -4 / 10, WRONG, after),  # [11 1; 1 3]^-1 (1, 1) = (1/16, 5/16)
            Step((1, -1), -1, -1 / 4, RIGHT, after),
        ],
    )


def test_gaussian_weights_solve_for_the_labels():
    # at distances 1 and 2, with gamma = ln 2: k = 1/2 and 1/16
    assert_goes_by_hand(
        SecondOrderPerceptron(a=1, kernel="rbf", gamma=math.log(2)),
        [
            Step((0,), -1, 0, WRONG, [(0, -1 / 2)]),
            # [2 1/2; 1/2 2]^-1 (-1, 1)
            Step((1,), +1, -1 / 4, WRONG, [(0, -2 / 3), (1, 2 / 3)]),
            Step((2,), +1, 2 / 3 * (1 / 2 - 1 / 16), RIGHT, [(0, -2 / 3), (1, 2 / 3)]),
        ],
    )


@pytest.mark.parametrize("kernel", [{"kernel": "linear"}, *DUAL.values()], ids=["name", *DUAL])
def test_on_a_budget_the_oldest_goes(kernel):
    assert_goes_by_hand(
        LeastRecentBudgetSecondOrderPerceptron(budget=2, a=2, **kernel),
        [
            Step((2, 0), -1, 0, WRONG, [(0, -1 / 6)]),
            Step((1, 1), +1, -1 / 3, WRONG, [(0, -3 / 10), (1, 4 / 10)]),
            # [4 2; 2 6]^-1 (1, 1)
            Step((2, 0), +1, -4 / 10, WRONG, [(1, 2 / 10), (2, 1 / 10)], evicted=0),
            Step((0, 0), -1, 0, UNLEARNED, [(1, 2 / 10), (2, 1 / 10)]),
            # [6 2; 2 4]^-1 (1, -1)
            Step((1, -1), -1, 2 / 10, WRONG, [(2, 3 / 10), (4, -4 / 10)], evicted=1),
            Step((0, 1), +1, 4 / 10, RIGHT, [(2, 3 / 10), (4, -4 / 10)]),
        ],
    )


@pytest.mark.parametrize(
    "learner", [RandomizedBudgetSecondOrderPerceptron, LeastRecentBudgetSecondOrderPerceptron]
)
def test_a_budget_of_one_keeps_the_newest(learner):
    assert_goes_by_hand(
        learner(budget=1, a=2, kernel="linear"),
        [
            Step((2, 0), -1, 0, WRONG, [(0, -1 / 6)]),
            Step((1, 1), +1, -1 / 3, WRONG, [(1, 1 / 4)], evicted=0),  # 1/(2 + 2)
            Step((3, 0), -1, 3 / 4, WRONG, [(2, -1 / 11)], evicted=1),
            Step((1, 5), -1, -3 / 11, RIGHT, [(2, -1 / 11)]),
        ],
    )


def test_the_victim_at_random_is_any_old_support():
    evicted = set()
    for seed in range(40):
        learner = RandomizedBudgetSecondOrderPerceptron(
            budget=3, kernel="linear", random_state=seed
        )
        learner.partial_fit(-np.eye(4)[:3], [-1, -1, -1], classes=[-1, 1])
        assert learner.n_mistakes_ == 3
        learner.partial_fit(-np.eye(4)[3:], [-1])
        kept = learner.support_vectors_.argmin(axis=1).tolist()
        assert len(kept) == 3 and kept[-1] == 3
        evicted |= {0, 1, 2} - {*kept}
    assert evicted == {0, 1, 2}
