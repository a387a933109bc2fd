"""A learner that was asked is the learner that was not."""

from copy import deepcopy

import numpy as np
import pytest

from laws.learners import LEARNERS, over
from laws.runs import assert_same, prequential_run
from streams import gaussian_stream, over_storages


def state(learner):
    kept = learner._learner.kept
    return deepcopy([*kept.rows, *kept[1:]])


@over(LEARNERS)
@over_storages
@pytest.mark.parametrize("method", ["predict", "decision_function"])
def test_nothing_that_is_kept_changes(case, storage, method):
    X, y = gaussian_stream()
    learner = case.new(random_state=0).fit(storage(X[:200]), y[:200])
    before = state(learner)
    getattr(learner, method)(storage(X))
    for now, then in zip(state(learner), before, strict=True):
        np.testing.assert_array_equal(now, then, strict=True)


@over(LEARNERS)
@over_storages
def test_asking_in_between_leaves_the_run_as_it_is(case, storage):
    X, y = gaussian_stream()
    X = storage(X)
    asked, unasked = (case.new(random_state=0).fit(X[:100], y[:100]) for _ in range(2))
    asked.predict(X[:250])
    assert_same(
        prequential_run(asked, X[100:], y[100:]),
        prequential_run(unasked, X[100:], y[100:]),
        tolerance=0,
    )


@over(LEARNERS)
@over_storages
def test_an_example_scores_the_same_when_asked_and_when_learned(case, storage):
    X, y = gaussian_stream()
    X = storage(X)
    learner = case.new(random_state=0).fit(X[:200], y[:200])
    asked = learner.decision_function(X[200:201])
    assert asked == pytest.approx(prequential_run(learner, X[200:201], y[200:201]).scores)
