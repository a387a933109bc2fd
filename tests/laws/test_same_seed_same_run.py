"""A seed decides a run, and nothing else does."""

import numpy as np
import pytest
from scipy import stats

from budgetron import RandomizedBudgetPerceptron, prequential
from laws.learners import LEARNERS, over
from laws.runs import assert_same, prequential_run, weights_of
from streams import gaussian_stream, tied_stream

BUDGET = 8


@over(LEARNERS)
def test_the_same_seed_gives_the_same_run(case):
    X, y = tied_stream()
    first = prequential_run(case.new(random_state=7), X, y)
    assert_same(prequential_run(case.new(random_state=7), X, y), first, tolerance=0)


@over(LEARNERS)
def test_fitting_again_forgets_the_first_time(case):
    X, y = gaussian_stream()
    once, twice = case.new(random_state=7), case.new(random_state=7)
    once.fit(X, y)
    twice.fit(X[:50], y[:50]).fit(X, y)
    np.testing.assert_array_equal(twice.support_vectors_, once.support_vectors_)
    np.testing.assert_array_equal(weights_of(twice._learner), weights_of(once._learner))


def test_another_seed_gives_another_run():
    X, y = tied_stream()
    runs = [prequential(forgetful(seed), X, y).evicted.tolist() for seed in range(5)]
    assert len({tuple(run) for run in runs}) == 5


def forgetful(seed):
    return RandomizedBudgetPerceptron(budget=BUDGET, kernel="linear", random_state=seed)


def victims(seed, mistakes):
    """Which of the old supports go, counted from the oldest, in a stream of mistakes alone.

    A zero row always scores zero, which is wrong for the negative label.
    """
    X, y = np.zeros((BUDGET + mistakes, 1)), np.full(BUDGET + mistakes, -1)
    evicted = prequential(forgetful(seed), X, y, classes=[-1, 1]).evicted
    held, places = [*range(BUDGET)], []
    for t in range(BUDGET, len(y)):
        places.append(held.index(evicted[t]))
        held.remove(evicted[t])
        held.append(t)
    return places


def assert_uniform(outcomes, kinds):
    assert stats.chisquare(np.bincount(outcomes, minlength=kinds)).pvalue > 0.001


def test_over_many_seeds_every_old_support_is_as_likely_to_go():
    assert_uniform([victims(seed, mistakes=1)[0] for seed in range(2000)], BUDGET)


@pytest.mark.parametrize("seed", range(3))
def test_in_a_long_run_every_pair_of_victims_is_as_likely(seed):
    places = np.array(victims(seed, mistakes=40_000)).reshape(-1, 2)
    assert_uniform(BUDGET * places[:, 0] + places[:, 1], BUDGET**2)
