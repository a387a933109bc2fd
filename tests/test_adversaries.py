"""Adversaries: what no learner can avoid."""

import numpy as np
import pytest
from scipy.stats import binom

import budgetron
from budgetron import (
    DriftingThreshold,
    Forgetron,
    Perceptron,
    RandomizedBudgetPerceptron,
    RestartingExperts,
    prequential,
)
from budgetron.adversaries import RandomUnitVectors, ThresholdLowerBound, UnitVectors
from budgetron.estimators import KernelClassifier
from intervals import heaviest

ON_A_BUDGET = [
    learner
    for learner in (getattr(budgetron, name) for name in budgetron.__all__)
    if isinstance(learner, type)
    and issubclass(learner, KernelClassifier)
    and "budget" in learner().get_params()
    and learner is not budgetron.FourierGradientDescent  # whose budget is not of supports
]


def on_a_budget(learner, budget):
    """One that knows nothing but the budget's supports."""
    only = {"experts": ("cautious", "bold", "average"), "coef0": 0.0}
    own = only if learner is budgetron.Budgetron else {}
    return learner(kernel="linear", budget=budget, random_state=0, **own)


over_learners = pytest.mark.parametrize("learner", ON_A_BUDGET)


def test_there_are_learners_on_a_budget():
    assert {RandomizedBudgetPerceptron, Forgetron, budgetron.Projectron} < {*ON_A_BUDGET}


@over_learners
@pytest.mark.parametrize("budget", [1, 5])
def test_a_learner_on_a_budget_errs_in_every_round(learner, budget):
    duel = UnitVectors(budget).play(on_a_budget(learner, budget), rounds=100)
    assert len(duel) == 100
    assert duel.mistakes.all()
    assert (duel.y * duel.scores <= 0).all()
    assert not duel.competitor_losses.any()
    assert duel.competitor_norm == pytest.approx(np.sqrt(budget + 1))


@pytest.mark.parametrize("budget", [1, 5, 16])
def test_a_learner_without_a_budget_wins_after_as_many_mistakes_as_there_are_vectors(budget):
    learner = Perceptron(kernel="linear")
    duel = UnitVectors(budget).play(learner, rounds=200)
    assert len(duel) == duel.mistakes.sum() == budget + 1
    assert np.array_equal(duel.X, np.eye(budget + 1))
    assert (learner.predict(np.eye(budget + 1)) == -1).all()


def test_a_budget_that_is_larger_than_the_adversary_thinks_is_enough():
    learner = RandomizedBudgetPerceptron(kernel="linear", budget=6, random_state=0)
    assert len(UnitVectors(5).play(learner, rounds=200)) == 6


def test_the_duel_is_what_the_learner_has_learned():
    learner = Forgetron(kernel="linear", budget=4)
    duel = UnitVectors(4).play(learner, rounds=50)
    trace = prequential(Forgetron(kernel="linear", budget=4), duel.X, duel.y, classes=[-1, 1])
    assert np.array_equal(trace.scores, duel.scores)
    assert np.array_equal(trace.mistakes, duel.mistakes)
    assert learner.n_seen_ == 50


def test_a_duel_goes_on_with_a_learner_that_has_played_before():
    learner = Perceptron(kernel="linear")
    assert len(UnitVectors(5).play(learner, rounds=2)) == 2
    assert len(UnitVectors(5).play(learner, rounds=200)) == 4
    assert len(UnitVectors(5).play(learner, rounds=200)) == 0


@pytest.mark.parametrize("budget", [0, 2.5])
def test_a_budget_that_is_none_is_refused(budget):
    with pytest.raises((TypeError, ValueError), match="budget"):
        UnitVectors(budget)


def test_a_number_of_rounds_that_is_none_is_refused():
    with pytest.raises(ValueError, match="rounds"):
        UnitVectors(2).play(Perceptron(kernel="linear"), rounds=-1)


CONFIDENCE = 1 - 1e-6


def seed_with_label(label):
    return next(s for s in range(100) if RandomUnitVectors(4, s).competitor[0] == label)


def mistakes_against(learner, label, budget, rounds):
    sample = RandomUnitVectors(budget, seed_with_label(label)).take(rounds)
    return prequential(learner, sample.X, sample.y, classes=[-1, 1]).mistakes.sum()


@over_learners
def test_random_unit_vectors_are_mistaken_as_often_as_remark_7_says(learner):
    """Given the label that the learner dislikes, mistakes are more than binomial(1 / (B + 1))."""
    rounds, budget = 4000, 4
    fewest = binom.ppf(1 - CONFIDENCE, rounds, 1 / (budget + 1))
    mistakes = [
        mistakes_against(on_a_budget(learner, budget), label, budget, rounds) for label in (-1, 1)
    ]
    assert mistakes[0] >= fewest
    if learner().zero_score == "mistake":
        assert mistakes[1] >= fewest


def test_both_labels_are_drawn_equally_often():
    labels = [RandomUnitVectors(3, seed).competitor[0] for seed in range(400)]
    assert abs(np.sum(labels)) < 5 * np.sqrt(400)


@pytest.mark.parametrize("label", [-1, 1])
def test_random_unit_vectors_have_one_label_and_a_competitor_without_loss(label):
    adversary = RandomUnitVectors(4, seed_with_label(label))
    sample = adversary.take(5000)
    assert (sample.y == label).all()
    assert (sample.y * (sample.X @ adversary.competitor) == 1).all()
    assert adversary.competitor_norm == pytest.approx(np.linalg.norm(adversary.competitor))
    assert adversary.least_error == pytest.approx(0.1)
    assert sample.X.sum(axis=0) == pytest.approx(np.full(5, 1000), abs=5 * np.sqrt(800))
    assert (sample.X.sum(axis=1) == 1).all()
    assert sample.shifts == sample.total_shift == 0


LOWER_BOUNDS = [(0.01, 0.01), (0.01, 0.002), (0.03, 0.03), (0.11, 0.1), (0.26, 0.26)]
over_lower_bounds = pytest.mark.parametrize(("drift_rate", "gamma"), LOWER_BOUNDS)


@over_lower_bounds
def test_no_learner_of_thresholds_errs_less_than_theorem_6_says(drift_rate, gamma):
    adversary = ThresholdLowerBound(drift_rate, gamma)
    sample = adversary.take(50_000)
    least = adversary.expected_error
    cuts = 0.5 + adversary.climb * gamma * np.linspace(0, 1, 9)
    experts = [lambda X, cut=cut: np.where(X[:, 0] >= cut, 1, -1) for cut in cuts]
    for learner in (
        DriftingThreshold(gamma=gamma),
        RestartingExperts(experts, drift_rate=drift_rate, random_state=0),
        RandomizedBudgetPerceptron(budget=50, gamma=1 / gamma, random_state=0),
    ):
        assert prequential(learner, sample.X, sample.y).mistakes.mean() >= least
    for constant in (0.5, 0.5 + adversary.climb * gamma / 2, 0.5 + adversary.climb * gamma):
        constant_says = np.where(sample.X[:, 0] >= constant, 1, -1)
        assert np.mean(constant_says != sample.y) >= least


def test_a_coin_in_each_phase_is_as_much_error_as_theorem_6_says():
    """The learner meets the disputed part with 1 - prod (1 - t lambda)^2, and guesses there."""
    for drift_rate in np.geomspace(1e-5, 1, 500):
        adversary = ThresholdLowerBound(drift_rate, drift_rate / 4)
        n = adversary.climb
        met = 1 - np.prod((1 - np.arange(1, n + 1) * drift_rate) ** 2)
        assert met / 2 / (2 * n) >= adversary.expected_error, drift_rate


@over_lower_bounds
def test_no_interval_as_wide_as_gamma_weighs_more_than_lambda(drift_rate, gamma):
    sample = ThresholdLowerBound(drift_rate, gamma).take(200_000)
    assert heaviest(sample.X, gamma) == pytest.approx(drift_rate, rel=0.1)
    assert sample.X.min() >= 0
    assert sample.X.max() <= 1


@over_lower_bounds
def test_the_threshold_stays_or_climbs_a_hill_by_the_toss_of_a_coin(drift_rate, gamma):
    adversary = ThresholdLowerBound(drift_rate, gamma)
    n = adversary.climb
    sample = adversary.take(2 * n * 400)
    hill = 0.5 + gamma * np.array([*range(1, n + 1), *range(n, 0, -1)])
    phases = sample.targets.reshape(400, 2 * n)
    moved = np.abs(phases - hill).max(axis=1) < 1e-12
    assert (phases[~moved] == 0.5).all()
    assert moved.sum() == pytest.approx(200, abs=5 * np.sqrt(100))
    assert sample.shifts == 0
    assert sample.steps.max() == pytest.approx(gamma)
    assert np.array_equal(sample.y == 1, sample.X[:, 0] >= sample.targets)


@over_lower_bounds
def test_the_disputed_part_has_the_weight_of_the_proof(drift_rate, gamma):
    adversary = ThresholdLowerBound(drift_rate, gamma)
    x = adversary.take(100_000).X
    disputed = (x >= 0.5) & (x <= 0.5 + adversary.climb * gamma)
    assert disputed.mean() == pytest.approx(adversary.climb * drift_rate, abs=0.01)
