"""The Projectron paper's experiments: Table 3 on synthetic data, and Adult9 on hard budgets."""

from math import log, sqrt

import numpy as np
import pytest
from sklearn.base import clone

from budgetron import Perceptron, Projectron, ProjectronPlusPlus, prequential
from budgetron.datasets import load_a9a
from streams import signs

GAMMA = 1 / (2 * 0.5)  # exp(-|x - y|^2 / (2 sigma^2)) with sigma^2 = 0.5
SIZES = {1000: 108.6, 500: 98.6}  # of the Projectron, by the budget B that U is taken from


def synthetic(seed):
    """Two Gaussians around (1, 1) and (-1, -1), and a tenth of the labels flipped."""
    rng = np.random.default_rng(seed)
    side = signs(rng.random(10_000) < 0.5)
    X = side[:, None] + rng.normal(size=(10_000, 2)) * np.sqrt([0.2, 2])
    return X, np.where(rng.random(10_000) < 0.1, -side, side)


def norm_bound(budget):
    """U, the norm of the competitors that a Forgetron of this budget is measured against."""
    return sqrt((budget + 1) / log(budget + 1)) / 4


def percent_mistakes(learner, X, y):
    return 100 * prequential(learner, X, y).mistakes.mean()


def over_five_draws(learner):
    """Percentage of mistakes and size, each the mean over five draws of the data."""
    traces = [prequential(clone(learner), *synthetic(seed)) for seed in range(5)]
    return (
        100 * np.mean([trace.mistakes.mean() for trace in traces]),
        np.mean([trace.sizes[-1] for trace in traces]),
    )


@pytest.mark.parametrize("budget", SIZES)
def test_the_projectrons_of_table_3(budget):
    U = norm_bound(budget)
    plain, _ = over_five_draws(Perceptron(gamma=GAMMA, zero_score="mistake"))
    mistakes, size = over_five_draws(Projectron(norm_bound=U, gamma=GAMMA))
    fewer, other_size = over_five_draws(ProjectronPlusPlus(norm_bound=U, gamma=GAMMA))
    assert mistakes == pytest.approx(plain, abs=0.5)
    assert 4 < mistakes - fewer < 6
    assert [size, other_size] == pytest.approx([SIZES[budget]] * 2, rel=0.1)


@pytest.fixture(scope="module")
def adult():
    """Adult9 in the order of its file."""
    try:
        a9a = load_a9a(download=False)
    except FileNotFoundError as missing:
        pytest.skip(str(missing))
    return a9a.X.toarray(), a9a.y


@pytest.mark.parametrize(
    ("learner", "gamma", "worst"),
    [
        (Projectron, 0.01, 21.5),
        (Projectron, 0.1, 21.0),
        (ProjectronPlusPlus, 0.01, 18.8),
        (ProjectronPlusPlus, 0.1, 17.5),
    ],
)
def test_a_larger_budget_makes_nobody_worse(adult, learner, gamma, worst):
    mistakes = [
        percent_mistakes(learner(budget=budget, gamma=gamma), *adult)
        for budget in (100, 300, 500, 1000)
    ]
    assert max(mistakes) <= worst
    assert max(np.diff(mistakes)) <= 0.3
