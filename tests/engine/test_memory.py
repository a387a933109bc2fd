"""Memory that never grows: of the process, and of what a learner keeps.

`BUDGETRON_MEMORY_ROWS=200000` for a long run.
"""

import os
import pickle

import numpy as np
import pytest

from budgetron import BudgetPerceptron, Forgetron, RandomizedBudgetPerceptron
from budgetron.core.rule import contract
from engine.fresh import in_a_fresh_process, in_a_young_process
from laws.learners import LEARNERS

ROWS = int(os.environ.get("BUDGETRON_MEMORY_ROWS", "60000"))
A_ROW = 1e-5
"""Megabytes, which would show if they were kept."""

ON_A_BUDGET = {
    contract(case.new()._rule()).keeps: case.estimator
    for case in LEARNERS
    if "budget" in case.parameters
}.values()
"""One of all that keep the same; `laws/test_bytes_are_flat_once_full.py` is about every learner."""

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
for _ in range(20):
    learner.partial_fit(*chunk({rows} // 20))
    peaks.append(peak())
print(json.dumps([peaks[4], peaks[-1], learner.n_seen_]))
"""

AT_ONCE = """
learner = budgetron.{name}(budget=100).partial_fit(*chunk())
X, y = np.empty((300_000, 20)), np.empty(300_000, np.int64)
for first in range(0, len(X), 10_000):
    X[first : first + 10_000], y[first : first + 10_000] = chunk()
before = peak()
learner.partial_fit(X, y)
print(json.dumps([before, peak(), learner.n_seen_]))
"""


def measured(learner, script, in_a_process):
    """What a process tells; what it runs is compiled here, where most pieces are known."""
    X, y = stream(np.asarray, 300)
    learner(budget=100).fit(X, y)
    return in_a_process(PREAMBLE + script.format(name=learner.__name__, rows=ROWS))


@pytest.mark.parametrize("learner", ON_A_BUDGET)
def test_many_rows_in_chunks_need_no_more_memory_than_the_first_quarter_of_them(learner):
    early, late, seen = measured(learner, IN_CHUNKS, in_a_young_process)
    assert seen == ROWS
    assert late - early < A_ROW * 3 / 4 * ROWS


@pytest.mark.parametrize("learner", [RandomizedBudgetPerceptron, BudgetPerceptron])
def test_many_rows_in_one_call_need_three_numbers_each_beyond_the_rows_themselves(learner):
    """The class, the weight and their product; more than that would show."""
    before, after, seen = measured(learner, AT_ONCE, in_a_fresh_process)
    assert seen == 310_000
    assert after - before < 9


def stream(storage, length=3000):
    """Labels that cannot be learned, and rows with four values each."""
    rng = np.random.default_rng(0)
    X = rng.permuted(np.tile([*rng.normal(size=4), *np.zeros(4)], (length, 1)), axis=1)
    return storage(X), rng.choice([-1, 1], size=length)


def bytes_kept(arrays):
    return sum(bytes_kept(a) if isinstance(a, tuple) else a.nbytes for a in arrays)


def test_a_learner_is_pickled_without_its_work_space():
    X, y = stream(np.asarray)
    model = Forgetron(budget=20).fit(X, y)
    assert len(pickle.dumps(model)) < bytes_kept(model._learner.state) + 4000
