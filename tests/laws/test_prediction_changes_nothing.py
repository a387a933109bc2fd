"""A learner that was asked is the learner that was not."""

from copy import deepcopy

import numpy as np
import pytest

from covering import across
from laws.learners import LEARNERS, storages
from laws.runs import assert_same, prequential_run
from streams import gaussian_stream


def state(learner):
    own = learner._learner.state
    return deepcopy(
        [*own.rows, *own.memory, *(part for part in own if not isinstance(part, tuple))]
    )


@across(LEARNERS, storage=storages)
def test_a_learner_that_was_asked_is_the_one_that_was_not(case, storage):
    X, y = gaussian_stream()
    X = storage(X)
    asked, unasked = (case.new(random_state=0).fit(X[:100], y[:100]) for _ in range(2))
    before = state(asked)
    asked.predict(X)
    scores = asked.decision_function(X[:250])
    for now, then in zip(state(asked), before, strict=True):
        np.testing.assert_array_equal(now, then, strict=True)
    run = prequential_run(asked, X[100:], y[100:])
    assert scores[100] == pytest.approx(run.scores[0])
    assert_same(run, prequential_run(unasked, X[100:], y[100:]), tolerance=0)
