"""Supports by the thousand: the order of age has room to move, and nothing shows of it."""

import numpy as np
import pytest

import budgetron
from budgetron.engine.workspace import MANY_SLOTS

BUDGET = MANY_SLOTS + 10
LEARNERS = [
    budgetron.LeastRecentBudgetPerceptron,
    budgetron.RandomizedBudgetPerceptron,
    budgetron.Forgetron,
    budgetron.BudgetedGradientDescent,
]


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_same_in_blocks_and_row_by_row(learner):
    """Most rows are mistakes, and so many leave that there is no more room to move."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(BUDGET + 2000, 3)), rng.choice([-1, 1], size=BUDGET + 2000)
    full, rest = slice(0, BUDGET + 1300), slice(BUDGET + 1300, None)
    in_blocks = learner(budget=BUDGET, gamma=1.0, random_state=0)
    in_blocks.partial_fit(X[full], y[full], classes=[-1, 1])
    in_blocks = learner(budget=1500, gamma=1.0, random_state=0) if False else in_blocks
    row_by_row = budgetron.loads(in_blocks.dumps())
    in_blocks.partial_fit(X[rest], y[rest])
    for x, label in zip(X[rest], y[rest], strict=True):
        row_by_row.learn_one(x, int(label))
    assert in_blocks.dumps() == row_by_row.dumps()
