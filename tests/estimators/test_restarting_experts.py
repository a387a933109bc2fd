"""The experts of a drifting stream, against their slow reference and the theorems."""

import math
import pickle
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression

import oracle
from budgetron import (
    DriftingThreshold,
    Forgetron,
    LeastRecentBudgetPerceptron,
    ModifiedPerceptron,
    Perceptron,
    ProjectronPlusPlus,
    RandomizedBudgetPerceptron,
    RestartingExperts,
    ShiftingPerceptron,
    prequential,
)
from estimators.learners import IN_EVERY_LAYOUT
from streams import LAYOUTS, gaussian_stream

GRID = np.linspace(0, 1, 64)


def above(cut, X):
    """A threshold as an expert, at a place where pickle finds it."""
    return np.where(X[:, 0] >= cut, 1, -1)


def thresholds(cuts=GRID):
    return [partial(above, cut) for cut in cuts]


def learners():
    return [
        RandomizedBudgetPerceptron(budget=20, gamma=0.5, random_state=1),
        LeastRecentBudgetPerceptron(budget=30, gamma=0.5),
        Forgetron(budget=15, gamma=0.5),
        ProjectronPlusPlus(budget=10, gamma=0.5),
        ModifiedPerceptron(gamma=0.5),
        Perceptron(kernel="linear"),
        ShiftingPerceptron(kernel="linear", decay=0.1),
    ]


def sweeping(length, every, seed=0):
    """A target that goes back and forth over the grid, one step each `every` examples."""
    rng = np.random.default_rng(seed)
    x = rng.random(length)
    there_and_back = np.concatenate([np.arange(63), np.arange(63, 0, -1)])
    target = GRID[there_and_back[np.arange(length) // every % len(there_and_back)]]
    return x[:, None], np.where(x >= target, 1, -1), target


@pytest.mark.parametrize("setting", ["realizable", "unrealizable"])
@pytest.mark.parametrize("restart_every", [1, 7, 50, 1000])
def test_it_follows_the_paper(setting, restart_every):
    X, y, _ = sweeping(300, 5)
    learner = RestartingExperts(
        thresholds(GRID[::9]), restart_every=restart_every, setting=setting, random_state=0
    )
    trace = prequential(learner, X, y)
    advice = np.column_stack([expert(X) for expert in learner.experts_])
    rate = learner.learning_rate_
    rounds = oracle.restarting_experts(
        advice.tolist(), y.tolist(), restart_every=restart_every, rate=rate
    )
    if setting == "unrealizable":
        assert rate == pytest.approx(oracle.rate(8, restart_every, False))
    elif restart_every > 1:  # m (m - 1) instead of m^2
        assert rate == pytest.approx(oracle.rate(8, restart_every, True), rel=0.5 / restart_every)
    assert trace.scores == pytest.approx([r.vote for r in rounds], abs=1e-12)
    assert (1 - y * trace.scores) / 2 == pytest.approx([r.loss for r in rounds], abs=1e-12)
    assert learner.expected_loss_ == pytest.approx(sum(r.loss for r in rounds))


@pytest.mark.parametrize("setting", ["realizable", "unrealizable"])
@pytest.mark.parametrize("drift_rate", [0.3, 0.01, 1e-5])
@pytest.mark.parametrize("experts", [2, 64])
def test_the_restart_length_is_the_theorems(setting, drift_rate, experts):
    learner = RestartingExperts(thresholds(GRID[:experts]), drift_rate=drift_rate, setting=setting)
    learner.partial_fit([[0.5]], [1], classes=[-1, 1])
    expected = oracle.restart_length(experts, drift_rate, setting == "realizable")
    assert learner.restart_every_ == expected


@pytest.mark.parametrize("setting", ["realizable", "unrealizable"])
@pytest.mark.parametrize("every", [3, 10, 100])
def test_restarts_pay_when_the_target_moves_and_the_bounds_of_the_proofs_hold(setting, every):
    X, y, _ = sweeping(20_000, every)
    N, T = 64, 20_000
    restarting = RestartingExperts(thresholds(), drift_rate=1 / 63 / every, setting=setting)
    steady = RestartingExperts(thresholds(), restart_every=T, setting=setting)
    for learner in (restarting, steady):
        learner.set_params(random_state=0).fit(X, y)
    m, rate = restarting.restart_every_, restarting.learning_rate_
    # Lemma 2: neighbours on the grid disagree on 1/63 of [0, 1]
    best = sum(math.ceil(later / every) for later in range(m)) / 63
    each = {
        "realizable": (rate * best + math.log(N)) / (1 - math.exp(-rate)),
        "unrealizable": best + math.sqrt(m * math.log(N) / 2),
    }[setting]
    assert restarting.expected_loss_ <= math.ceil(T / m) * each
    assert restarting.expected_loss_ < steady.expected_loss_ / 2


def test_the_regret_of_every_segment_is_as_proved():
    rng = np.random.default_rng(0)
    X, y = rng.random((3000, 1)), rng.choice([-1, 1], 3000)
    for m in (10, 100, 3000):
        trace = prequential(RestartingExperts(thresholds(), restart_every=m), X, y)
        losses = (1 - y * trace.scores) / 2
        wrong = np.column_stack([expert(X) != y for expert in thresholds()])
        for first in range(0, 3000, m):
            here = slice(first, first + m)
            regret = losses[here].sum() - wrong[here].sum(axis=0).min()
            assert regret <= math.sqrt(m * math.log(64) / 2)


def test_the_drawn_mistakes_are_those_to_expect():
    X, y, _ = sweeping(2000, 10)
    runs = [
        prequential(RestartingExperts(thresholds(), restart_every=50, random_state=seed), X, y)
        for seed in range(200)
    ]
    expected = ((1 - y * runs[0].scores) / 2).sum()
    drawn = np.array([run.mistakes.sum() for run in runs])
    variance = ((1 - runs[0].scores ** 2) / 4).sum() / len(runs)
    assert abs(drawn.mean() - expected) < 4 * math.sqrt(variance)
    for run in runs[:3]:
        np.testing.assert_array_equal(run.predictions != y, run.mistakes)


@pytest.mark.parametrize(("storage", "dtype"), LAYOUTS.values(), ids=LAYOUTS)
def test_learners_learn_on_the_way_as_they_would_alone(storage, dtype):
    X, y = gaussian_stream(length=600)
    X = storage(X)
    experts = [
        expert.set_params(dtype=dtype)
        for expert in learners()
        if type(expert) in IN_EVERY_LAYOUT or (storage, dtype) == LAYOUTS["dense"]
    ]
    team = RestartingExperts(experts, random_state=0)
    trace = prequential(team, X, y)
    alone = [prequential(expert, X, y) for expert in experts]
    for member, expert in zip(team.experts_, experts, strict=True):
        assert member.n_mistakes_ == expert.n_mistakes_
        assert abs(member.support_vectors_ - expert.support_vectors_).max() == 0
        np.testing.assert_allclose(member.dual_coef_, expert.dual_coef_, rtol=1e-9)
    np.testing.assert_array_equal(trace.sizes, sum(run.sizes for run in alone))
    updates = np.any([run.updates | run.mistakes for run in alone], axis=0)
    np.testing.assert_array_equal(trace.updates, updates)


def test_any_cut_gives_the_same_run():
    X, y = gaussian_stream(length=400)
    whole = prequential(RestartingExperts(learners(), restart_every=30, random_state=0), X, y)
    learner = RestartingExperts(learners(), restart_every=30, random_state=0)
    cuts = [0, 1, 2, 30, 31, 111, 400]
    parts = [prequential(learner, X[a:b], y[a:b], classes=[-1, 1]) for a, b in pairwise(cuts)]
    np.testing.assert_array_equal(np.concatenate([p.mistakes for p in parts]), whole.mistakes)
    np.testing.assert_allclose(np.concatenate([p.scores for p in parts]), whole.scores, atol=1e-12)


def test_it_is_about_as_good_as_the_best_and_better_than_most():
    X, y = gaussian_stream(length=5000)
    team = RestartingExperts(learners(), random_state=0).fit(X, y)
    mistakes = sorted(expert.n_mistakes_ for expert in team.experts_)
    assert team.expected_loss_ < mistakes[0] + 0.25 * (mistakes[-1] - mistakes[0])


def test_experts_that_are_fitted_or_functions_stay_as_they_are():
    X, y = gaussian_stream(length=300)
    fitted, outsider = Perceptron(gamma=1.0).fit(X, y), LogisticRegression().fit(X, y)
    weights = fitted.dual_coef_.copy()
    team = RestartingExperts([fitted, outsider, FrozenEstimator(fitted), partial(above, 0.0)])
    team.fit(X, y)
    assert team.experts_[0] is fitted
    np.testing.assert_array_equal(fitted.dual_coef_, weights)


def test_the_experts_given_are_not_touched():
    X, y = gaussian_stream(length=100)
    experts = learners()
    RestartingExperts(experts).fit(X, y)
    assert not any(hasattr(expert, "classes_") for expert in experts)


def test_thresholds_and_kernels_can_be_on_one_team():
    X, y, _ = sweeping(1000, 10)
    team = RestartingExperts([Forgetron(), DriftingThreshold(gamma=0.002)], random_state=0)
    trace = prequential(team, X, y)
    assert team.experts_[1].n_mistakes_ < team.experts_[0].n_mistakes_
    assert trace.mistakes.sum() < team.experts_[0].n_mistakes_


def test_the_probabilities_are_the_votes():
    X, y, _ = sweeping(501, 10)
    team = RestartingExperts(thresholds(), restart_every=100, random_state=0).fit(X, y)
    votes = team.shares_ @ np.array([expert(X) for expert in team.experts_])
    np.testing.assert_allclose(team.decision_function(X), votes)
    np.testing.assert_allclose(team.predict_proba(X)[:, 1], (1 + votes) / 2)
    np.testing.assert_array_equal(team.predict(X), np.where(votes >= 0, 1, -1))


def test_after_a_restart_all_experts_are_equal():
    X, y, _ = sweeping(200, 10)
    team = RestartingExperts(thresholds(), restart_every=100, random_state=0).fit(X, y)
    np.testing.assert_allclose(team.shares_, 1 / 64)


def test_the_same_seed_gives_the_same_run_and_a_copy_goes_on():
    X, y = gaussian_stream(length=300)
    experts = [RandomizedBudgetPerceptron(budget=5), Forgetron(budget=5)]
    one = RestartingExperts(experts, random_state=3).fit(X[:200], y[:200])
    two = pickle.loads(pickle.dumps(one))
    again = RestartingExperts(experts, random_state=3).fit(X[:200], y[:200])
    runs = [prequential(learner, X[200:], y[200:]) for learner in (one, two, again)]
    for run in runs[1:]:
        np.testing.assert_array_equal(run.mistakes, runs[0].mistakes)
        np.testing.assert_array_equal(run.scores, runs[0].scores)


def broken(X):
    raise RuntimeError("out of order")


def breaks_late(A, B):
    if np.abs(B).max() > 100:
        raise RuntimeError("out of order")
    return A @ B.T


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"experts": []}, ValueError, "must not be empty"),
        ({"experts": [1]}, TypeError, "expert 0 must be a function"),
        ({"experts": [Perceptron]}, TypeError, "expert 0 must be"),
        ({"experts": [LogisticRegression()]}, ValueError, "not fitted"),
        ({"experts": [lambda X: np.zeros(2)]}, ValueError, "expert 0 returned shape"),
        ({"experts": [lambda X: np.full(len(X), 7)]}, ValueError, "something else than"),
        ({"restart_every": 10, "drift_rate": 0.1}, ValueError, "not both"),
        ({"restart_every": 0}, ValueError, "restart_every must be at least 1"),
        ({"drift_rate": 0}, ValueError, "drift_rate must be"),
        ({"setting": "ideal"}, ValueError, "setting must be one of"),
        ({"experts": [Forgetron(budget=0)]}, ValueError, "budget must be at least 1"),
    ],
)
def test_what_cannot_be_is_refused(parameters, error, message):
    learner = RestartingExperts(**parameters)
    with pytest.raises(error, match=message):
        learner.fit([[0.0], [1.0], [2.0]], [0, 1, 0])
    assert not hasattr(learner, "classes_")


@pytest.mark.parametrize("failing", [broken, Perceptron(kernel=breaks_late)], ids=["fixed", "own"])
def test_a_team_whose_member_fails_stays_as_it_was(failing):
    X, y = gaussian_stream(length=100)
    team = RestartingExperts([Perceptron(), Forgetron(), failing], random_state=0)
    if failing is not broken:
        team.fit(X, y)
    before = pickle.dumps(team)
    with pytest.raises(RuntimeError, match="out of order"):
        team.partial_fit(np.vstack([X, np.full((1, 3), 1e3)]), [*y, 1])
    assert pickle.dumps(team) == before
