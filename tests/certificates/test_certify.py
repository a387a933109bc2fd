"""Certificates: true statements about runs, with every assumption accounted for."""

import json

import numpy as np
import pytest

import budgetron
from budgetron import (
    AdaptiveSecondOrderPerceptron,
    DriftingThreshold,
    Forgetron,
    ModifiedPerceptron,
    PassiveAggressive,
    Perceptron,
    Projectron,
    ProjectronPlusPlus,
    PseudoinverseSecondOrderPerceptron,
    RandomizedBudgetPerceptron,
    RestartingExperts,
    SecondOrderPerceptron,
    ShiftingPerceptron,
    WhitenedPerceptron,
    certify,
    prequential,
)
from budgetron.comparators import linear_comparators
from budgetron.streams import DriftingThresholds, ShiftingHyperplanes
from streams import gaussian_stream

N = 100


def all_mistakes():
    """Orthonormal examples that are all mistakes, and the competitor that makes none."""
    X, y = np.eye(N), np.full(N, -1)
    return X, y, linear_comparators(np.full(N, -1.0), X, y)


@pytest.mark.parametrize(
    ("learner", "ratio"),
    [
        (Perceptron(), 1),
        (Forgetron(budget=N), 1),
        (Projectron(eta=0.0), 1),
        (SecondOrderPerceptron(a=0.1), 0.616),
        (SecondOrderPerceptron(a=1), 0.849),
        (SecondOrderPerceptron(a=10), 0.977),
        (SecondOrderPerceptron(a=1000), 1),
    ],
)
def test_a_stream_that_is_all_mistakes_meets_the_bounds(learner, ratio):
    X, y, g = all_mistakes()
    learner = learner.set_params(kernel="linear")
    trace = prequential(learner, X, y, classes=[-1, 1])
    certificate = certify(trace, X, y, learner=learner, comparator=g)
    assert certificate.mistakes == N
    assert certificate.ratio == pytest.approx(ratio, abs=5e-4)


def broken(update):
    """A Perceptron that the test breaks at one update, with the trace it would report."""
    X, y, g = all_mistakes()
    X, y = np.vstack([X, X]), np.concatenate([y, y])
    learner = Perceptron(kernel="linear")
    traces = []
    for t in range(len(y)):
        traces.append(prequential(learner, X[t : t + 1], y[t : t + 1], classes=[-1, 1]))
        if t == 17:
            update(learner)
    return learner.n_mistakes_, g


def test_a_learner_that_loses_one_update_breaks_its_bound():
    def lose(learner):
        state = learner._learner.state
        state.weights[state.order[17]] = 0

    mistakes, g = broken(lambda learner: None)
    assert mistakes == N
    mistakes, g = broken(lose)
    assert mistakes == N + 1 > budgetron.bounds.perceptron.mistakes(g.norm, 0) * (1 + 1e-12)


def learners():
    return [
        Perceptron(),
        ShiftingPerceptron(decay=0.1),
        Forgetron(budget=10),
        Forgetron(budget=90),
        Projectron(eta=0.1),
        Projectron(norm_bound=3.0),
        ProjectronPlusPlus(norm_bound=3.0),
        SecondOrderPerceptron(a=0.5),
        AdaptiveSecondOrderPerceptron(c=0.1),
    ]


@pytest.mark.parametrize("learner", learners(), ids=repr)
def test_no_bound_is_ever_exceeded(learner):
    held = 0
    for seed in range(3):
        X, y = gaussian_stream(seed=seed, length=200)
        certificate = certify(learner.set_params(gamma=1.0), X, y)
        for statement in certificate.statements:
            if statement.bound is not None:
                assert certificate.mistakes <= statement.bound * (1 + 1e-9)
                assert certificate.mistakes <= statement.bound_of_this_run * (1 + 1e-9)
                held += 1
    assert held >= 3


def test_the_pseudoinverse_second_order_perceptron_stays_below_its_bound():
    X, y = gaussian_stream(length=200, width=3)
    certificate = certify(PseudoinverseSecondOrderPerceptron(), X, y)
    assert certificate.theorem == "Second-order Perceptron, Theorem 4.2"
    assert certificate.mistakes <= certificate.bound


def test_the_whitened_perceptron_is_certified_where_a_competitor_separates():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    X = X[np.abs(X[:, 0]) > 0.3]
    y = np.where(X[:, 0] > 0, 1, -1)
    truth = linear_comparators([1.0, 0, 0], X, y)
    certificate = certify(WhitenedPerceptron(kernel="linear"), X, y, comparator=truth)
    assert 0 < certificate.mistakes <= certificate.bound
    wrong = linear_comparators([-1.0, 0, 0], X, y)
    assert certify(WhitenedPerceptron(kernel="linear"), X, y, comparator=wrong).bound is None


def test_a_whitened_perceptrons_competitors_are_in_its_kernels_space():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = np.where(np.hypot(*X.T) > 1, 1, -1)  # no line comes near
    certificate = certify(WhitenedPerceptron(gamma=1.0), X, y)
    assert certificate.mistakes <= certificate.bound
    assert certificate.statements[0].competitor["hinge_loss"] < 20


def test_a_pseudoinverse_that_has_learned_nothing_has_no_bound():
    learner = PseudoinverseSecondOrderPerceptron()
    X, y = np.ones((5, 2)), np.ones(5)
    trace = prequential(learner, X, y, classes=[-1, 1])
    certificate = certify(trace, X, y, learner=learner)
    assert certificate.mistakes == 0
    assert "✗ something was learned" in str(certificate)


def test_theorem_10_is_not_about_a_learner_on_a_budget():
    X, y = gaussian_stream(length=100)
    facts = {"drift_rate": 0.01, "gamma": 0.01, "dimension": 3, "shifts": 0}
    certificate = certify(ModifiedPerceptron(budget=5), X, y, **facts)
    assert certificate.bound is None
    assert "✗ nothing is forgotten: B is 5" in str(certificate)


def test_the_expected_mistakes_of_a_randomized_budget_are_below_its_bound():
    X, y = gaussian_stream(length=3000, width=2)
    runs = [
        certify(RandomizedBudgetPerceptron(budget=50, gamma=1.0, random_state=seed), X, y)
        for seed in range(3)
    ]
    assert all(run.statements[0].sense.startswith("in expectation") for run in runs)
    assert np.mean([run.mistakes for run in runs]) <= runs[0].bound


def test_competitors_that_change_with_the_stream_make_smaller_bounds():
    sample = ShiftingHyperplanes(dimension=3, every=2000).take(4000)
    learner = ShiftingPerceptron(kernel="linear", decay=0.01)
    fixed = certify(learner, sample.X, sample.y)
    moving = certify(learner, sample.X, sample.y, starts=[0, 2000])
    assert moving.mistakes == fixed.mistakes <= moving.bound < fixed.bound
    assert moving.statements[0].competitor["total_shift"] > 0
    assert "which moves by" in str(moving)


def test_experts_lose_no_more_than_the_best_of_each_period_and_what_they_cost():
    X, y = gaussian_stream(length=2000)
    team = RestartingExperts([Perceptron(), Forgetron(), ModifiedPerceptron()], random_state=0)
    certificate = certify(team, X, y)
    assert certificate.mistakes <= certificate.bound < 2000
    realizable = certify(team.set_params(setting="realizable"), X, y)
    assert realizable.mistakes <= realizable.bound
    assert "✗ drift_rate is known" in str(realizable)


def test_what_is_not_known_of_a_drifting_stream_is_asked_for():
    sample = DriftingThresholds(gamma=1e-3, shift_every=5000).take(10_000)
    learner = DriftingThreshold(gamma=1e-3)
    asked = certify(learner, sample.X, sample.y, shifts=sample.shifts)
    assert asked.bound is None
    assert "✓ shifts is known" in str(asked) and "✗ drift_rate is known" in str(asked)
    told = certify(learner, sample.X, sample.y, shifts=sample.shifts, drift_rate=1e-3)
    assert told.mistakes <= told.bound < 10_000


def test_the_modified_perceptrons_theorem_says_little():
    X, y = gaussian_stream(length=500)
    facts = {"drift_rate": 0.01, "gamma": 0.01, "dimension": 3, "shifts": 0}
    certificate = certify(ModifiedPerceptron(kernel="linear"), X, y, **facts)
    assert certificate.theorem == "Concept drift, Theorem 10"
    assert "which says nothing" in str(certificate)


def test_a_learner_without_a_theorem_is_said_to_have_none():
    X, y = gaussian_stream(length=100)
    certificate = certify(PassiveAggressive(), X, y)
    assert certificate.bound is certificate.ratio is certificate.theorem is None
    assert "no bound for this learner" in str(certificate)


@pytest.mark.parametrize(
    ("learner", "reason"),
    [
        (Forgetron(budget=50), "✗ B >= 83: B is 50"),
        (Forgetron(budget=90, kernel="poly", coef0=1.0, gamma=1.0), "✗ k(x, x) <= 1"),
        (Projectron(budget=5), "✗ the budget is never full: there are 5 supports"),
        (AdaptiveSecondOrderPerceptron(radius=0.5), "✗ |x| <= R: it is 1 against 0.5"),
    ],
)
def test_the_assumption_that_fails_is_named(learner, reason):
    X, y = gaussian_stream(length=100)
    certificate = certify(learner, X, y)
    assert reason in str(certificate)
    assert any(statement.bound is None for statement in certificate.statements)


@pytest.mark.parametrize("budget", [20, 200])
def test_a_budget_that_is_never_exceeded_has_the_perceptrons_bound(budget):
    X, y = gaussian_stream(length=200)
    certificate = certify(budgetron.LeastRecentBudgetPerceptron(budget=budget, gamma=1.0), X, y)
    (statement,) = certificate.statements
    (room,) = statement.assumptions
    assert room.statement == "the budget is never exceeded"
    assert room.holds == (certificate.mistakes <= budget) == (certificate.bound is not None)


def test_a_fitted_learner_is_certified_for_what_it_has_seen():
    X, y = gaussian_stream(length=200)
    fitted = Perceptron(gamma=1.0).fit(X, y)
    weights = fitted.dual_coef_.copy()
    certificate = certify(fitted, X, y)
    assert certificate.mistakes == fitted.n_mistakes_
    assert certificate.statements[0].bound_of_this_run is None
    np.testing.assert_array_equal(fitted.dual_coef_, weights)
    with pytest.raises(ValueError, match="about 200 examples, and the stream has 100"):
        certify(fitted, X[:100], y[:100])


def test_the_learner_that_is_given_stays_as_it_is():
    X, y = gaussian_stream(length=100)
    learner = Perceptron()
    certify(learner, X, y)
    assert not hasattr(learner, "classes_")


def test_a_trace_needs_its_learner():
    X, y = gaussian_stream(length=100)
    learner = Perceptron()
    trace = prequential(learner, X, y)
    with pytest.raises(TypeError, match="give learner="):
        certify(trace, X, y)
    assert certify(trace, X, y, learner=learner).mistakes == trace.mistakes.sum()


def test_programs_read_what_people_read():
    X, y = gaussian_stream(length=200)
    certificate = certify(Forgetron(budget=90, gamma=1.0), X, y)
    read = json.loads(certificate.as_json())
    assert read["mistakes"] == certificate.mistakes
    assert read["bound"] == certificate.bound
    assert read["ratio"] == certificate.ratio
    assert len(read["statements"]) == 3
    assert read["statements"][0]["assumptions"][0]["holds"] is True
    assert f"{read['mistakes']} mistakes in 200 rows" in str(certificate)
