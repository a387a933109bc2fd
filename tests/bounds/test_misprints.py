"""Statements that are false as printed, and what takes their place."""

import numpy as np
import pytest

from bounds.closeness import all_mistakes
from budgetron import Projectron, RandomizedBudgetPerceptron, prequential
from budgetron.bounds import drift, forgetron, projectron, tracking
from budgetron.comparators import best_scaled


@pytest.mark.parametrize(
    ("bound", "promised"),
    [(projectron.additive_mistakes, 85.7), (projectron.mistakes, 50.0)],
)
def test_the_projectrons_theorems_want_the_square_root_of_k_of_x_and_x_as_radius(bound, promised):
    X, y, g = all_mistakes(scale=np.sqrt(0.5))  # k(x, x) = 1/2
    observed = prequential(Projectron(kernel="linear", eta=0), X, y, classes=[-1, 1]).mistakes.sum()

    def smallest(radius):
        def limit(g):
            return bound(g.norm, g.hinge_loss, 0, radius)

        return limit(best_scaled(g, limit))

    assert observed == 100
    assert smallest(0.5) == pytest.approx(promised, abs=0.05)
    assert smallest(np.sqrt(0.5)) == pytest.approx(100, rel=1e-6)


def test_following_a_target_for_two_rounds_costs_lambda_and_not_half_of_it():
    rate = 0.1
    disagree = np.array([0, rate])  # of the two functions, when the target is the first of them
    costs = [disagree[0] + disagree[1], disagree[1] + disagree[0]]  # f_1 in both rounds, or f_2
    printed = (2 - 1) ** 2 * rate / 2
    assert min(costs) > printed
    assert min(costs) == drift.drift_cost(2, rate)


def test_following_a_drifting_target_costs_what_lemma_2_says_and_no_less():
    length, rate = 9, 0.1  # the t-th target differs from the first on t - 1 intervals
    cost = sum(rate * (t - 1) for t in range(1, length + 1))
    assert drift.drift_cost(length, rate) == pytest.approx(cost)


def test_no_learner_has_small_regret_against_the_best_sequence_in_retrospect():
    rate, horizon = 1e-3, 2000
    intervals = round(2 / rate)
    functions = np.ones((intervals + 1, intervals))  # values on intervals of probability rate/2
    functions[1:] -= 2 * np.eye(intervals)
    disagreements = (functions[:2, None] != functions[None, :3]).mean(axis=2)
    assert disagreements.max() <= rate  # all are near each other

    rng = np.random.default_rng(0)
    x, y = rng.integers(intervals, size=horizon), rng.choice([-1, 1], size=horizon)
    retrospect = np.where(y > 0, 0, 1 + x)
    assert (functions[retrospect, x] == y).all()

    m = drift.restart_length(intervals + 1, rate)
    step = np.sqrt(8 * np.log(intervals + 1) / m)
    losses, total = np.zeros(intervals + 1), 0.0
    for t in range(horizon):
        losses = losses if t % m else np.zeros(intervals + 1)
        weights = np.exp(-step * (losses - losses.min()))
        errs = functions[:, x[t]] != y[t]
        total += weights[errs].sum() / weights.sum()
        losses = losses + errs
    assert total > drift.restarting_regret(horizon, 0, intervals + 1, rate, m)
    fixed = (functions[:, x] != y).sum(axis=1).min()  # chosen in advance: no better than a coin
    assert total - fixed < drift.restarting_regret(horizon, 0, intervals + 1, rate, m)


def test_the_norm_of_a_randomized_budget_perceptron_can_be_expected_above_the_root_of_its_budget():
    X, y = np.ones((40, 1)), -np.ones(40, int)
    y[1] = 1  # the supports -x and +x; then -x again and again, until both are -x
    norms = []
    for seed in range(100):
        learner = RandomizedBudgetPerceptron(budget=2, kernel="linear", random_state=seed)
        learner.fit(X, y)
        norms.append(abs(learner.dual_coef_.sum()))
    assert np.mean(norms) > 1.9 > np.sqrt(2)
    shifting = tracking.randomized_mistakes(0.5, 0, 2, total_shift=1)
    printed = tracking.randomized_mistakes(0.5, 0, 2, total_shift=1, expected_norm=np.sqrt(2))
    epsilon = tracking.largest_epsilon(0.5, 2)
    assert shifting - printed == pytest.approx((2 - np.sqrt(2)) / epsilon)


def test_shrinking_is_judged_before_the_removal():
    U, phi = 2.0, 0.5
    added = g = U  # f' = g, on a line; f'' = U/2, and a removal may bring |f_{t+1}| back above U
    cost = (phi * added - g) ** 2 - (added - g) ** 2
    printed = 1.0
    assert cost > -(U**2) * np.log(printed)
    assert cost <= -(U**2) * np.log(forgetron.shrinking_factor(phi, added, U))


def test_the_step_of_a_margin_error_is_not_the_best_one():
    case = {"loss": 0.5, "squared_projection": 0.9, "distance": 0.1, "norm_bound": 2.0}
    printed = projectron.margin_progress(0.5 / 0.9, **case)
    best = projectron.margin_progress((0.5 - 2.0 * 0.1) / 0.9, **case)
    steps = np.linspace(0.01, 1, 100)
    assert printed < best
    assert max(projectron.margin_progress(step, **case) for step in steps) <= best
