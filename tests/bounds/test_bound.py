"""A bound is a number that knows where it comes from, or an error that says why there is none."""

import pickle
from math import exp, inf, log1p

import pytest

from budgetron.bounds import (
    AssumptionError,
    Bound,
    drift,
    forgetron,
    perceptron,
    projectron,
    second_order,
    tracking,
)

FAILING = {
    "no hinge loss": lambda: perceptron.separable_mistakes(1, hinge_loss=0.5),
    "decay = S/(4 U)": lambda: tracking.tuned_shifting_mistakes(1, 0, 4, decay=0.5),
    "B >= 2": lambda: tracking.randomized_mistakes(0.1, 0, budget=1),
    "U R < sqrt(B)": lambda: tracking.randomized_mistakes(10, 0, budget=100),
    "0 < epsilon < 1": lambda: tracking.randomized_mistakes(0, 0, budget=100, epsilon=1.0),
    "U R <= (1 - epsilon)/(1 + epsilon) sqrt(B)": lambda: tracking.randomized_mistakes(
        2, 0, budget=100, epsilon=0.5, radius=2
    ),
    "k(x, x) <= 1": lambda: forgetron.mistakes(1, 0, budget=100, radius=1.1),
    "B >= 83": lambda: forgetron.mistakes(1, 0, budget=82),
    "|g| <= U = sqrt((B+1)/log(B+1))/4": lambda: forgetron.mistakes(1.2, 0, budget=83),
    "|g| <= U": lambda: forgetron.run_mistakes(3, 0, [], [], norm_bound=2),
    "sum Psi <= 15/32 M": lambda: forgetron.damage([5.0], [1.0], mistakes=10, budget=100),
    "sum log(1/Phi) <= log(B+1)/(2 (B+1)) M": lambda: forgetron.damage(
        [0.1], [0.1], mistakes=10, budget=100
    ),
    "R^2 < 2": lambda: projectron.additive_mistakes(0, 0, eta=0, radius=1.5),
    "eta < (2 - R^2) / (2 |g|)": lambda: projectron.additive_mistakes(2, 0, eta=0.25),
    "eta |g| < 1": lambda: projectron.mistakes(2, 0, eta=0.5),
    "k(x, x) <= 1, but it is 4": lambda: projectron.tuned_mistakes(1, 0, norm_bound=1, radius=2),
    "|g| <= U, but it is 3 against 2": lambda: projectron.margin_mistakes(3, 0, 0, norm_bound=2),
    "y u.x > 0": lambda: second_order.whitened_mistakes(1, 1, margin=0),
    "|x| <= R": lambda: second_order.adaptive_mistakes(1, 0, 1, 1, 1, 1, radius=2),
    "rank <= M": lambda: second_order.pseudoinverse_mistakes(0, 1, 3, 1, mistakes=2),
    "gamma <= lambda": lambda: drift.threshold_error(100, 0, drift_rate=0.1, gamma=0.2),
    "gamma <= lambda, but": lambda: drift.hyperplane_error(100, 0, 0.1, 0.2, 2, eta=0.1),
    "lambda <= 1/4": lambda: drift.unavoidable_threshold_error(0.3),
    "0 < eta < 1/2": lambda: drift.hyperplane_error(100, 0, 0.1, 0.1, 2, eta=0.5),
}


@pytest.mark.parametrize("statement", FAILING)
def test_an_assumption_that_fails_is_named(statement):
    with pytest.raises(AssumptionError) as caught:
        FAILING[statement]()
    failed = [a.statement for a in caught.value.assumptions if not a.holds]
    assert statement in str(caught.value)
    assert len(failed) == 1
    assert caught.value.theorem in str(caught.value)


def test_all_assumptions_that_fail_are_named_with_their_values():
    with pytest.raises(AssumptionError) as caught:
        forgetron.mistakes(norm=2, hinge_loss=0, budget=50, radius=3)
    message = str(caught.value)
    assert [a.holds for a in caught.value.assumptions] == [False, False, False]
    assert "k(x, x) <= 1, but it is 9 against 1" in message
    assert "B >= 83, but B is 50" in message


def test_a_bound_says_what_was_checked():
    bound = forgetron.mistakes(norm=1, hinge_loss=2, budget=100)
    assert isinstance(bound, Bound) and bound == 10
    assert bound.theorem == "Forgetron, Theorem 2"
    assert len(bound.assumptions) == 3 and all(a.holds for a in bound.assumptions)


def test_rounding_breaks_no_assumption():
    assert forgetron.mistakes(1, 0, budget=100, radius=1 + 1e-12) == 2
    with pytest.raises(AssumptionError):
        forgetron.mistakes(1, 0, budget=100, radius=1 + 1e-6)


def test_bounds_and_their_errors_can_be_sent_to_another_process():
    bound = forgetron.mistakes(norm=1, hinge_loss=2, budget=100)
    again = pickle.loads(pickle.dumps(bound))
    assert (again, again.theorem, again.assumptions) == (bound, bound.theorem, bound.assumptions)
    with pytest.raises(AssumptionError) as caught:
        forgetron.mistakes(9, 0, budget=100)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize("norm", [-1, float("nan"), inf])
def test_a_norm_that_is_none_is_refused(norm):
    with pytest.raises(ValueError, match="norm must be"):
        perceptron.mistakes(norm, 0)


def test_the_recommended_a_beats_the_perceptron_where_lemma_3_2_says_so():
    def warped(a, score, r):
        return (a + score) * log1p(r / a)

    for score, r in [(0.1, 10), (1, 4), (4.9, 10)]:
        assert warped(second_order.recommended_a(score, r), score, r) < r
    assert second_order.recommended_a(5, 10) == inf
    assert all(warped(a, 5, 10) >= 10 for a in (0.1, 1, 10, 1000))


def test_what_theorems_say_of_numbers_that_are_worked_by_hand():
    assert forgetron.mistakes(norm=2, hinge_loss=10, budget=1000) == 8 + 40
    assert projectron.mistakes(norm=2, hinge_loss=3, eta=0.25) == pytest.approx(36)  # (2 + 4) / 1
    assert drift.unavoidable_threshold_error(0.25) == pytest.approx((1 - exp(-1)) / 8)
