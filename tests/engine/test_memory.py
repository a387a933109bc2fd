"""Memory of the process that never grows; that of what a learner keeps is a law."""

from inspect import signature

import pytest

from budgetron.registry import LEARNERS
from engine.fresh import in_a_fresh_process

ON_A_BUDGET = [
    name for name, row in LEARNERS.items() if "budget" in signature(row.estimator).parameters
]

PREAMBLE = """
import json, resource
import numpy as np
import budgetron

rng = np.random.default_rng(0)

def chunk(rows=10_000):
    X = rng.normal(size=(rows, 20))
    return X, np.where(X[:, 0] * X[:, 1] + 0.5 * rng.normal(size=rows) > 0, 1, -1)

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # MB, on Linux
"""

IN_CHUNKS = """
learner = budgetron.{name}(budget=100)
peaks = []
for _ in range(30):
    learner.partial_fit(*chunk())
    peaks.append(peak())
print(json.dumps([peaks[4], peaks[-1], learner.n_seen_]))
"""

AT_ONCE = """
learner = budgetron.{name}(budget=100).partial_fit(*chunk())
X, y = np.empty((1_000_000, 20)), np.empty(1_000_000, np.int64)
for first in range(0, len(X), 10_000):
    X[first : first + 10_000], y[first : first + 10_000] = chunk()
before = peak()
learner.partial_fit(X, y)
print(json.dumps([before, peak(), learner.n_seen_]))
"""


@pytest.mark.parametrize("learner", ON_A_BUDGET)
def test_many_rows_in_chunks_need_no_more_memory_than_the_first_fifty_thousand(learner):
    script = PREAMBLE + IN_CHUNKS.format(name=learner)
    early, late, seen = in_a_fresh_process(script)
    assert seen == 300_000
    assert late - early < 3


@pytest.mark.parametrize("learner", ["RandomizedBudgetPerceptron", "BudgetPerceptron"])
def test_a_million_rows_in_one_call_need_three_numbers_each_beyond_the_rows_themselves(learner):
    """The class, the weight and their product; more than that would show."""
    before, after, seen = in_a_fresh_process(PREAMBLE + AT_ONCE.format(name=learner))
    assert seen == 1_010_000
    assert after - before < 30
