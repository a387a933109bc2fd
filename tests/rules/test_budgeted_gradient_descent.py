import numpy as np
import pytest

from budgetron import BudgetedGradientDescent, Norma, prequential
from rules.by_hand import CLOSE, WRONG, Step, assert_goes_by_hand
from streams import gaussian_stream

# f shrinks by 3/4 with every example, and a new term has weight 1/2.
HALVES = {"step": 1 / 2, "regularization": 1 / 2, "kernel": "linear"}
SEED = 11
"""Draws 0, 0 and 1."""


def test_any_support_goes_and_the_others_make_up_for_it_within_the_bound():
    """At a full budget of 2, who stays is multiplied by 3/4 2/1 = 3/2; no weight exceeds 5/8."""
    assert_goes_by_hand(
        BudgetedGradientDescent(budget=2, bound=5 / 4, random_state=SEED, **HALVES),
        [
            Step((1, 0), +1, 0, CLOSE, [(0, 1 / 2)]),  # w = (1/2, 0)
            Step((2, 0), +1, 1, CLOSE, [(0, 3 / 8)]),  # on the margin: no loss, and fades
            Step((0, 1), -1, 0, WRONG, [(0, 9 / 32), (2, -1 / 2)]),  # w = (9/32, -1/2)
            # the first is drawn: -1/2 3/2 = -3/4 is cut off. w = (1/2, -1/8)
            Step((1, 1), +1, -7 / 32, WRONG, [(2, -5 / 8), (3, 1 / 2)], evicted=0),
            Step((4, 0), +1, 2, CLOSE, [(2, -15 / 32), (3, 3 / 8)]),  # w = (3/8, -3/32)
            # the first: 3/8 3/2 = 9/16. w = (1/16, 17/16)
            Step((1, -1), -1, 15 / 32, WRONG, [(3, 9 / 16), (5, -1 / 2)], evicted=2),
            Step((0, 1), +1, 17 / 16, CLOSE, [(3, 27 / 64), (5, -3 / 8)]),  # w = (3/64, 51/64)
            # the second: 27/64 3/2 = 81/128 is cut off
            Step((0, 1), +1, 51 / 64, CLOSE, [(3, 5 / 8), (7, 1 / 2)], evicted=5),
        ],
    )


def test_a_heavy_example_is_cut_off_as_well():
    learner = BudgetedGradientDescent(budget=2, bound=5 / 4, **HALVES)
    learner.partial_fit([[1.0], [1.0]], [1, -1], classes=[-1, 1], sample_weight=[1 / 2, 3])
    assert learner.dual_coef_[0] == pytest.approx([3 / 16, -5 / 8], rel=1e-14)


def test_a_budget_of_one_holds_the_newcomer_alone():
    learner = BudgetedGradientDescent(budget=1, **HALVES)
    learner.partial_fit([[1.0], [1.0]], [1, -1], classes=[-1, 1])
    assert learner.dual_coef_.tolist() == [[-1 / 2]]


def test_until_the_budget_is_full_it_is_norma():
    X, y = gaussian_stream(length=200)
    common = {"budget": 200, "step": 0.3, "regularization": 0.01, "gamma": 1.0}
    bounded, other = BudgetedGradientDescent(**common), Norma(**common)
    np.testing.assert_array_equal(
        prequential(bounded, X, y).scores, prequential(other, X, y).scores
    )


def test_on_average_nothing_is_lost():
    """Over all draws, the score after an exchange is that of the step without it."""
    rng = np.random.default_rng(0)
    X, y, x = rng.normal(size=(5, 2)), np.array([1, -1, 1, -1, 1]), rng.normal(size=(1, 2))
    common = {"step": 0.3, "regularization": 0.1, "gamma": 0.3}
    whole = Norma(budget=6, **common).fit(X, y).decision_function(x)
    drawn = {}
    for seed in range(40):
        learner = BudgetedGradientDescent(budget=4, bound=10.0, random_state=seed, **common)
        evicted = int(prequential(learner, X, y).evicted[-1])
        drawn[evicted] = learner.decision_function(x)[0]
    assert sorted(drawn) == [0, 1, 2, 3]
    assert np.std([*drawn.values()]) > 0
    assert (
        len(Norma(budget=6, **common).fit(X, y).dual_coef_[0]) == 5
    )  # the last one is one too many
    assert np.mean([*drawn.values()]) == pytest.approx(float(whole[0]), rel=1e-12)


def test_a_step_that_turns_everything_around_is_refused():
    with pytest.raises(ValueError, match="step \\* regularization must be below 1"):
        BudgetedGradientDescent(regularization=2.0).fit([[0.0], [1.0]], [0, 1])
