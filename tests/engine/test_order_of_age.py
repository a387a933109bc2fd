"""The order of age may have room, so that the oldest leaves at once; nothing shows of it."""

import numpy as np
import pytest

import budgetron
from budgetron.engine import blocked, workspace
from laws.kernels import KERNELS
from laws.learners import LEARNERS, over
from laws.runs import assert_same, run
from streams import gaussian_stream

ROOMS = [0, 1, 7, 500]


@over(LEARNERS)
def test_the_same_run_with_room_and_without(case, monkeypatch):
    """However soon it is used up."""
    X, labels = gaussian_stream(length=400)

    def kept_by(learner):
        state = learner.state
        return [state.order.tolist(), state.births.tolist(), state.counts.tolist()]

    learner = case.at_work(KERNELS["gaussian"].engine, X)
    expected, kept = run(blocked, learner, X, labels, (150,)), kept_by(learner)
    monkeypatch.setattr(workspace, "MANY_SLOTS", 1)
    for room in ROOMS:
        monkeypatch.setattr(workspace, "ROOM_TO_LEAVE", room)
        learner = case.at_work(KERNELS["gaussian"].engine, X)
        assert_same(run(blocked, learner, X, labels, (150,)), expected, 0, f"room {room}")
        assert kept_by(learner) == kept


@pytest.mark.parametrize(
    "learner",
    [
        budgetron.LeastRecentBudgetPerceptron,
        budgetron.RandomizedBudgetPerceptron,
        budgetron.Forgetron,
    ],
)
def test_thousands_in_blocks_and_row_by_row(learner):
    budget = workspace.MANY_SLOTS
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2 * budget, 40)), rng.choice([-1, 1], size=2 * budget)
    blocks = learner(budget=budget, gamma=0.5, random_state=0)
    blocks.partial_fit(X, y, classes=[-1, 1])
    rows = budgetron.loads(blocks.dumps())
    X, y = X[:400] + 0.1, -y[:400]
    trace = budgetron.prequential(blocks, X, y)
    for x, label in zip(X, y, strict=True):
        rows.learn_one(x, int(label))
    assert (trace.evicted >= 0).sum() > 100
    assert blocks.dumps() == rows.dumps()
