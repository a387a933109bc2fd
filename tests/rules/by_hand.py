"""Streams worked out on paper, one step for each example."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest
from sklearn.base import clone

from budgetron import prequential

RIGHT, CLOSE, WRONG, UNLEARNED = (False, False), (False, True), (True, True), (True, False)
"""(mistake, update): CLOSE is a margin below 1, UNLEARNED a mistake that changes nothing."""


class Step(NamedTuple):
    """An example, what the learner makes of it, and the supports after it, oldest first.

    A support is written as the number of its example and its weight.
    """

    x: tuple[float, ...]
    y: int
    score: float
    outcome: tuple[bool, bool]
    supports: Sequence[tuple[int, float]]
    evicted: int = -1


def assert_goes_by_hand(learner, steps):
    """Check every step with the examples given singly, and again with all of them given at once."""
    X, y = np.array([step.x for step in steps], float), np.array([step.y for step in steps])
    singly, at_once = clone(learner), clone(learner)
    for t, step in enumerate(steps):
        trace = prequential(singly, X[t : t + 1], y[t : t + 1], classes=[-1, 1])
        assert_traced(trace, [step])
        assert_holds(singly, X, step.supports)
    assert_traced(prequential(at_once, X, y, classes=[-1, 1]), steps)
    assert_holds(at_once, X, steps[-1].supports)
    counted = [sum(outcome) for outcome in zip(*(step.outcome for step in steps), strict=True)]
    assert [singly.n_mistakes_, singly.n_updates_] == counted
    assert [at_once.n_mistakes_, at_once.n_updates_] == counted


def assert_traced(trace, steps):
    assert trace.scores == pytest.approx([step.score for step in steps], rel=1e-12, abs=1e-12)
    assert [*zip(trace.mistakes, trace.updates, strict=True)] == [step.outcome for step in steps]
    assert trace.sizes.tolist() == [len(step.supports) for step in steps]
    assert trace.evicted.tolist() == [step.evicted for step in steps]


def assert_holds(learner, X, supports):
    indices, weights = [i for i, _ in supports], [weight for _, weight in supports]
    np.testing.assert_array_equal(learner.support_vectors_, X[indices])
    assert learner.dual_coef_.shape == (1, len(supports))
    assert learner.dual_coef_[0] == pytest.approx(weights, rel=1e-12, abs=1e-12)
