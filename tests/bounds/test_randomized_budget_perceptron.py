"""Theorems about an expectation, over the draws of many runs."""

import numpy as np
import pytest

from bounds.closeness import largest, tiny_stream
from budgetron import RandomizedBudgetPerceptron, prequential
from budgetron.bounds import AssumptionError, tracking
from budgetron.comparators import best_fixed, best_piecewise, linear_comparators
from budgetron.kernels import linear

SEEDS = 400
CONFIDENCE = 4  # standard errors: a mean is farther off in about 1 of 15 000 cases


def runs(X, y, budget):
    """Whether each round was a mistake, for many runs side by side."""
    rng = np.random.default_rng(0)
    supports, sizes = np.zeros((SEEDS, budget, X.shape[1])), np.zeros(SEEDS, int)
    wrong = np.zeros((SEEDS, len(X)), bool)
    w = np.zeros((SEEDS, X.shape[1]))
    for t, (x, label) in enumerate(zip(X, y, strict=True)):
        wrong[:, t] = np.where(w @ x >= -1e-12, 1, -1) != label
        err = np.flatnonzero(wrong[:, t])
        place = np.where(sizes[err] < budget, sizes[err], rng.integers(budget, size=len(err)))
        w[err] += label * x - supports[err, place]
        supports[err, place] = label * x
        sizes[err] = np.minimum(sizes[err] + 1, budget)
    return wrong


def upper_limit(sample):
    """The sample's mean is expected below this number, with the stated confidence."""
    return sample.mean() + CONFIDENCE * sample.std(ddof=1) / np.sqrt(len(sample))


def test_the_expected_mistakes_stay_within_theorem_5():
    ratios = []
    for seed in range(24):
        rng = np.random.default_rng(seed)
        X, y = tiny_stream(rng)
        X, y = np.tile(X, (20, 1)), np.tile(y, 20)  # long enough for mistakes to outweigh U B
        budget, radius = int(rng.choice([4, 9, 25])), largest(X)
        wrong = runs(X, y, budget)
        M, half = wrong.sum(axis=1), 0.5 * np.sqrt(budget) / radius
        rivals = [
            best_fixed(linear(), X, y, norm=half, span=20),
            best_piecewise(linear(), X, y, norm=half, starts=[0, len(y) // 2], span=20),
            linear_comparators(rng.normal(size=X.shape[1]), X, y).scaled(0.1 * half),
        ]
        for u in rivals:
            D, epsilon = wrong @ u.losses, tracking.largest_epsilon(u.norm, budget, radius)

            def limit(hinge_loss, u=u, budget=budget, radius=radius):
                shift = u.total_shift
                return tracking.randomized_mistakes(
                    u.norm, hinge_loss, budget, total_shift=shift, radius=radius
                )

            assert upper_limit(M - D / epsilon) <= limit(0)
            if D.mean() <= M.mean() / 2 and M.mean() >= 3:
                ratios.append(M.mean() / limit(D.mean()))
    assert max(ratios) > 0.05


def test_the_runs_above_are_those_of_the_learner():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 3)), np.where(rng.random(80) < 0.5, 1, -1)
    library = [
        prequential(
            RandomizedBudgetPerceptron(budget=4, kernel="linear", random_state=seed),
            X,
            y,
            classes=[-1, 1],
        ).mistakes.sum()
        for seed in range(SEEDS)
    ]
    here = runs(X, y, 4).sum(axis=1)
    apart = np.sqrt((np.var(library) + here.var()) / SEEDS)
    assert here.std() > 0
    assert abs(np.mean(library) - here.mean()) <= CONFIDENCE * apart


def test_the_default_epsilon_gives_the_smallest_bound():
    default = tracking.randomized_mistakes(3, 10, 100)
    for epsilon in (0.05, 0.2, 0.4, 0.53):
        assert default <= tracking.randomized_mistakes(3, 10, 100, epsilon=epsilon)
    with pytest.raises(AssumptionError, match="sqrt"):
        tracking.randomized_mistakes(3, 10, 100, epsilon=0.55)


@pytest.mark.parametrize("budget", [2, 4, 10])
def test_a_step_raises_the_squared_norm_by_no_more_than_lemma_3_says(budget):
    ratios = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(200, 4)), np.where(rng.random(200) < 0.5, 1, -1)
        X /= np.linalg.norm(X, axis=1)[:, None]
        supports = []
        for newcomer in y[:, None] * X:
            w = np.sum(supports, axis=0) if supports else np.zeros(4)
            if w @ newcomer > 0:
                continue
            full = len(supports) == budget
            rest = [w - old for old in supports] if full else [w]
            expected = np.mean([((v + newcomer) ** 2).sum() for v in rest])
            limit = tracking.randomized_squared_norm(len(supports), w @ w, budget)
            assert expected <= limit + 1e-9
            ratios.append(expected / limit)
            if full:
                supports.pop(rng.integers(budget))
            supports.append(newcomer)
    assert max(ratios) > 0.99


def test_the_tuned_norm_budget_and_epsilon_agree_with_each_other():
    for norm, budget in [(1, 4), (2, 50), (10, 900)]:
        epsilon = tracking.largest_epsilon(norm, budget)
        assert tracking.randomized_norm(budget, epsilon) == pytest.approx(norm)
        assert tracking.randomized_budget(norm, epsilon) == budget


@pytest.mark.parametrize("budget", [3, 10])
def test_on_one_example_more_than_the_budget_the_error_is_unavoidable(budget):
    rng = np.random.default_rng(0)
    X = np.eye(budget + 1)[rng.integers(budget + 1, size=4000)]
    y = -np.ones(len(X), int)
    g = linear_comparators(-np.ones(budget + 1), X, y)
    assert g.hinge_loss == 0 and g.norm == pytest.approx(np.sqrt(budget + 1))
    learner = RandomizedBudgetPerceptron(budget=budget, kernel="linear", random_state=0)
    error = prequential(learner, X, y, classes=[-1, 1]).mistakes.mean()
    assert 0.4 < tracking.unavoidable_error(budget) / error < 1
