"""Time for each example: small, and the same for ever once the budget is full."""

from copy import deepcopy
from time import perf_counter

import numpy as np
import pytest

import budgetron
from budgetron.engine import NoRecord, one_by_one

CHUNK = 1000


def noisy_stream(length):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(length, 20))
    noise = 0.5 * rng.normal(size=length)
    return X, np.where(X[:, 0] * X[:, 1] + noise > 0, 1, -1).astype(np.float64)


def seconds(action, *arguments):
    start = perf_counter()
    action(*arguments)
    return perf_counter() - start


@pytest.mark.parametrize("name", ["RandomizedBudgetPerceptron", "Forgetron", "BudgetPerceptron"])
def test_a_full_learner_takes_no_longer_late_than_early(name):
    X, y = noisy_stream(120 * CHUNK)
    late = getattr(budgetron, name)(budget=100, random_state=0)
    late.partial_fit(X[: 10 * CHUNK], y[: 10 * CHUNK])
    early = deepcopy(late)
    late.partial_fit(X[10 * CHUNK : 90 * CHUNK], y[10 * CHUNK : 90 * CHUNK])
    times = {id(early): [], id(late): []}
    for first in range(90 * CHUNK, 120 * CHUNK, CHUNK):  # in turn: the machine may change its speed
        for learner in (early, late):
            rows = slice(first, first + CHUNK)
            times[id(learner)].append(seconds(learner.partial_fit, X[rows], y[rows]))
    assert min(times[id(late)]) < 1.5 * min(times[id(early)])


@pytest.mark.parametrize("name", ["RandomizedBudgetPerceptron", "Forgetron"])
def test_the_engine_takes_at_most_fifteen_microseconds_for_a_single_row(name):
    X, y = noisy_stream(20 * CHUNK)
    model = getattr(budgetron, name)(budget=100, random_state=0).fit(X, y)
    runs = [slice(first, first + 200) for first in range(0, len(y), 200)]
    best = min(seconds(one_by_one, model._learner, X[run], y[run], NoRecord()) for run in runs)
    assert best / 200 < 15e-6


def test_rows_that_are_far_from_each_other_take_no_longer_in_float32():
    """Kernel values of some 1e-6, as of bags of words: a newcomer's 1 beside them is no bound."""
    _, y = noisy_stream(8 * CHUNK)
    X = np.random.default_rng(1).normal(size=(len(y), 100))
    times = {"float32": [], "float64": []}
    models = {
        dtype: budgetron.RandomizedBudgetPerceptron(gamma=0.07, budget=500, dtype=dtype).fit(X, y)
        for dtype in times
    }
    for _ in range(5):
        for dtype, model in models.items():
            times[dtype].append(seconds(model.partial_fit, X, y))
    assert min(times["float32"]) < 1.5 * min(times["float64"])
