import math

import pytest

from budgetron import Projectron, ProjectronPlusPlus
from rules.by_hand import CLOSE, RIGHT, WRONG, Step, assert_goes_by_hand

# While (1, 0) is the only support, the projection of (p, q) is p times it: |P k|^2 = p^2, and the
# distance |delta| is |q|. A zero score is a mistake.
BOTH = pytest.mark.parametrize("learner", [Projectron, ProjectronPlusPlus])


def test_a_mistake_is_stored_if_it_is_farther_than_eta_and_projected_if_not():
    assert_goes_by_hand(
        Projectron(eta=0.5, kernel="linear"),
        [
            Step((1, 0), +1, 0, WRONG, [(0, 1)]),  # w = (1, 0)
            Step((0.9, 0.4), -1, 0.9, WRONG, [(0, 0.1)]),  # .4 is near: 1 - .9
            Step((0.8, 0.6), -1, 0.08, WRONG, [(0, 0.1), (2, -1)]),  # .6 is far: (-.7, -.6)
            # (2, 1) is in the span: 5/3 (.8, .6) + 2/3 (1, 0)
            Step((2, 1), +1, -2, WRONG, [(0, 23 / 30), (2, 2 / 3)]),  # (1.3, .4)
            Step((1, 1), +1, 1.7, RIGHT, [(0, 23 / 30), (2, 2 / 3)]),
        ],
    )


@BOTH
def test_a_distance_of_exactly_eta_is_near(learner):
    assert_goes_by_hand(
        learner(eta=0.3, kernel="linear"),
        [
            Step((1, 0), +1, 0, WRONG, [(0, 1)]),
            Step((0.1, 0.3), -1, 0.1, WRONG, [(0, 0.9)]),  # 1/10 - 1/100 in binary is not 9/100
            Step((0.7, 0.3), -1, 0.63, WRONG, [(0, 0.2)]),
            Step((0.3, 0.4), -1, 0.06, WRONG, [(0, 0.2), (3, -1)]),
        ],
    )


@BOTH
def test_without_a_limit_eta_is_a_tenth(learner):
    assert_goes_by_hand(
        learner(kernel="linear"),
        [
            Step((1, 0), +1, 0, WRONG, [(0, 1)]),
            Step((0.9, 0.09), -1, 0.9, WRONG, [(0, 0.1)]),
            Step((0.9, 0.11), -1, 0.09, WRONG, [(0, 0.1), (2, -1)]),
        ],
    )


def test_a_norm_bound_chooses_eta_in_each_round():
    assert_goes_by_hand(
        Projectron(norm_bound=1, kernel="linear"),
        [
            Step((1, 0), +1, 0, WRONG, [(0, 1)]),  # eta = (2 - 0 - .5)/2 = .75 < 1
            # loss 1.8: eta = (3.6 - .64 - .5)/2 = 1.23 >= .6
            Step((0.8, 0.6), -1, 0.8, WRONG, [(0, 0.2)]),
            Step((0, 1), -1, 0, WRONG, [(0, 0.2), (2, -1)]),  # eta = .75 < 1
            Step((0.6, -0.8), -1, 0.92, WRONG, [(0, -0.4), (2, -0.2)]),  # in the span
            Step((1, 0), -1, -0.4, RIGHT, [(0, -0.4), (2, -0.2)]),
        ],
    )


def test_a_larger_norm_bound_stores_more():
    assert_goes_by_hand(
        Projectron(norm_bound=2.5, kernel="linear"),
        [
            Step((1, 0), +1, 0, WRONG, [(0, 1)]),  # eta = .3
            Step((0.8, 0.6), -1, 0.8, WRONG, [(0, 1), (1, -1)]),  # eta = 2.46/5 = .492 < .6
        ],
    )


def test_a_negative_eta_stores_whatever_is_not_in_the_span():
    assert_goes_by_hand(
        Projectron(norm_bound=1, kernel="linear"),
        [
            Step((3, 0), +1, 0, WRONG, [(0, 1)]),
            # k = 9.01, score 9, loss 10; (3, .1): eta = (20 - 9 - .5)/2 > 0: near
            Step((3, 0.1), -1, 9, WRONG, [(0, 0)]),
            Step((3, 0.1), +1, 0, WRONG, [(0, 0), (2, 1)]),  # eta = (2 - 9 - .5)/2 < 0
            Step((6, 0.2), -1, 18.02, WRONG, [(0, 0), (2, -1)]),  # in the span
        ],
    )


def test_a_full_budget_always_projects():
    assert_goes_by_hand(
        Projectron(budget=1, kernel="linear"),
        [
            Step((1, 0), +1, 0, WRONG, [(0, 1)]),
            Step((0.6, 0.8), -1, 0.6, WRONG, [(0, 0.4)]),
            Step((-0.5, 2), +1, -0.2, WRONG, [(0, -0.1)]),
            Step((1, 5), +1, -0.1, WRONG, [(0, 0.9)]),
            Step((0, 1), -1, 0, WRONG, [(0, 0.9)]),  # orthogonal: nothing to project onto
        ],
    )


@BOTH
@pytest.mark.parametrize("limit", [{"eta": 0.5}, {"norm_bound": 2.5}])
def test_beside_a_limit_the_budget_is_a_cap(learner, limit):
    assert_goes_by_hand(
        learner(budget=1, kernel="linear", **limit),
        [
            Step((1, 0), +1, 0, WRONG, [(0, 1)]),
            Step((0.4, 0.9), -1, 0.4, WRONG, [(0, 0.6)]),  # far, but there is no room
        ],
    )


@BOTH
def test_a_hypothesis_that_cancels_has_a_score_of_zero(learner):
    # in binary, -1 + .7 + .1 + .2 is -1/2^54
    assert_goes_by_hand(
        learner(budget=1, kernel="linear"),
        [
            Step((1, 0), -1, 0, WRONG, [(0, -1)]),
            Step((0.7, 1), +1, -0.7, WRONG, [(0, -0.3)]),
            Step((0.1, 1), +1, -0.03, WRONG, [(0, -0.2)]),
            Step((0.2, 1), +1, -0.04, WRONG, [(0, 0)]),
            Step((0.5, 1), -1, 0, WRONG, [(0, -0.5)]),
        ],
    )


@BOTH
def test_a_small_score_has_a_sign(learner):
    k = math.exp(-25)
    assert_goes_by_hand(
        learner(norm_bound=2, kernel="rbf", gamma=1.0),
        [
            Step((0,), +1, 0, WRONG, [(0, 1)]),
            Step((5,), +1, k, RIGHT, [(0, 1)]),  # a margin error without progress
            Step((5,), -1, k, WRONG, [(0, 1), (2, -1)]),
        ],
    )


# Projectron++: a margin error is projected with tau = min(loss/|P k|^2, 1) if
# 2 loss - tau |P k|^2 >= 2 U |delta|.


def test_margin_errors_are_projected_where_that_makes_progress():
    close = [(0, 25 / 24)]
    assert_goes_by_hand(
        ProjectronPlusPlus(norm_bound=1, kernel="linear"),
        [
            Step((1, 0), +1, 0, WRONG, [(0, 1)]),
            Step((0.6, 0.8), -1, 0.6, WRONG, [(0, 0.4)]),  # eta = (3.2 - .36 - .5)/2 >= .8
            # loss .616, tau = .616/.9216: .616 >= .56; .4 + .616/.96
            Step((0.96, 0.28), +1, 0.384, CLOSE, close),
            Step((0.96, 0.28), +1, 1, RIGHT, close),  # now the margin is 1
            Step((0.8, 0.6), +1, 5 / 6, RIGHT, close),  # 1/6 < 1.2
        ],
    )


def test_a_step_is_at_most_one():
    assert_goes_by_hand(
        ProjectronPlusPlus(norm_bound=1, kernel="linear"),
        [
            Step((1, 0), +1, 0, WRONG, [(0, 1)]),
            Step((0.5, 0.25), +1, 0.5, CLOSE, [(0, 1.5)]),  # .5/.25 > 1: 1 - .25 >= .5
        ],
    )


def test_with_eta_the_norm_bound_of_margin_errors_is_one_over_eta():
    assert_goes_by_hand(
        ProjectronPlusPlus(eta=0.5, kernel="linear"),
        [
            Step((1, 0), +1, 0, WRONG, [(0, 1)]),
            Step((0.5, 0.2), +1, 0.5, RIGHT, [(0, 1)]),  # 1 - .25 < 2 * 2 * .2
            Step((0.5, 0.18), +1, 0.5, CLOSE, [(0, 1.5)]),  # .75 >= .72
        ],
    )


def test_with_an_eta_of_zero_margin_errors_in_the_span_are_projected_and_no_others():
    assert_goes_by_hand(
        ProjectronPlusPlus(eta=0, kernel="linear"),
        [
            Step((1, 0), +1, 0, WRONG, [(0, 1)]),
            Step((0.5, 0), +1, 0.5, CLOSE, [(0, 1.5)]),
            Step((0.5, 0.01), +1, 0.75, RIGHT, [(0, 1.5)]),
        ],
    )


def test_with_a_budget_alone_all_margin_errors_are_projected():
    assert_goes_by_hand(
        ProjectronPlusPlus(budget=3, kernel="linear"),
        [
            Step((1, 0), +1, 0, WRONG, [(0, 1)]),
            Step((0.5, 20), +1, 0.5, CLOSE, [(0, 1.5)]),
            Step((0.5, 2), +1, 0.75, CLOSE, [(0, 2)]),  # .25/.25 = 1
            Step((0.25, 2), +1, 0.5, CLOSE, [(0, 2.25)]),
            Step((0.4, 0.3), -1, 0.9, WRONG, [(0, 2.25), (4, -1)]),  # there is room
        ],
    )
