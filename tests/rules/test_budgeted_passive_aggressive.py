import numpy as np
import pytest

from budgetron import BudgetedPassiveAggressive, PassiveAggressiveI, prequential
from rules.by_hand import CLOSE, RIGHT, WRONG, Step, assert_goes_by_hand
from streams import gaussian_stream

# Behind each exchange: for each support, |a|^2 - (a.x)^2 / |x|^2 of its part a, which is lost.


def test_the_newcomer_inherits_what_it_can_of_the_support_that_loses_least():
    assert_goes_by_hand(
        BudgetedPassiveAggressive(budget=2, C=1 / 8, kernel="linear"),
        [
            Step((1, 0), -1, 0, WRONG, [(0, -1 / 8)]),  # min(1/8, 1): w = (-1/8, 0)
            Step((0, 1), -1, 0, WRONG, [(0, -1 / 8), (1, -1 / 8)]),  # (-1/8, -1/8)
            # lost: 1/64 - (1/4)^2/5 = 1/320; 1/64 - (1/8)^2/5 = 1/80. Weight: (-1/4)/5 + 1/8
            Step((2, 1), +1, -3 / 8, WRONG, [(1, -1 / 8), (2, 3 / 40)], evicted=0),  # (3/20, -1/20)
            Step((10, 1), +1, 29 / 20, RIGHT, [(1, -1 / 8), (2, 3 / 40)]),
        ],
    )


def test_of_equal_losses_the_oldest_goes_and_what_cancels_is_nothing():
    assert_goes_by_hand(
        BudgetedPassiveAggressive(budget=2, kernel="linear"),
        [
            Step((2, 0), -1, 0, WRONG, [(0, -1 / 4)]),  # w = (-1/2, 0)
            Step((0, 2), +1, 0, CLOSE, [(0, -1 / 4), (1, 1 / 4)]),  # (-1/2, 1/2)
            # lost: 1/4 - 1/8 twice. Weight: -1/8 + 1/8
            Step((2, 2), +1, 0, CLOSE, [(1, 1 / 4), (2, 0)], evicted=0),  # (0, 1/2)
            # lost: 1/4 - 1/4; 0. Weight: 1/2 + 1/2
            Step((0, 1), +1, 1 / 2, CLOSE, [(2, 0), (3, 1)], evicted=1),  # (0, 1)
            Step((0, -3), -1, -3, RIGHT, [(2, 0), (3, 1)]),
        ],
    )


def test_until_the_budget_is_full_it_is_passive_aggressive_i():
    X, y = gaussian_stream(length=200)
    budgeted = prequential(BudgetedPassiveAggressive(budget=200, C=0.3, gamma=1.0), X, y)
    unbounded = prequential(PassiveAggressiveI(C=0.3, gamma=1.0), X, y)
    np.testing.assert_array_equal(budgeted.scores, unbounded.scores)


@pytest.mark.parametrize("gamma", [0.1, 1.0])
def test_an_exchange_repairs_the_margin_if_c_allows(gamma):
    X, y = gaussian_stream(length=300)
    learner = BudgetedPassiveAggressive(budget=10, C=100.0, gamma=gamma).fit(X[:299], y[:299])
    x, label = X[299:], -np.sign(learner.decision_function(X[299:]))
    learner.partial_fit(x, label)
    assert learner.decision_function(x) * label == pytest.approx(1)
