"""However many threads there are, a learner makes the same run to the last bit."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from threadpoolctl import threadpool_limits

from budgetron.core.edits import projection
from budgetron.engine import Record, blocked, decide, group, shared_supports, together
from covering import across, naming
from laws.kernels import KERNELS
from laws.learners import LEARNERS, ONE_OF_EACH_KIND, over, storages
from laws.runs import Run, dense, run, weights_of
from streams import tied_stream

LENGTH, PART = 700, 300  # rows in all, and in one call: few are one thread's work
THREADS = 1, 2, 4


@pytest.fixture(autouse=True)
def everything_is_shared_out(monkeypatch):
    for work in ("WORTH_A_SECOND", "WORTH_A_THREAD", "LARGE"):
        monkeypatch.setattr(group, work, 0)
    monkeypatch.setattr(group, "MANY_SUPPORTS", 0)
    monkeypatch.setattr(shared_supports, "TILE", 0)
    monkeypatch.setattr(shared_supports, "SMALLEST_TILE", 8)
    monkeypatch.setattr(shared_supports, "PROCESSORS", 16)
    monkeypatch.setattr(projection, "SOLVED_TOGETHER", 3)
    monkeypatch.setattr(projection, "SOLVED_AT_ONCE", 1)


def assert_equal_runs(one, other):
    for name, own, others in zip(Run._fields, one, other, strict=True):
        with naming(name):
            assert_array_equal(own, others)


def dtypes(case):
    """Both; float32 for one learner of each kind: how work is shared out is no rule's business."""
    return (np.float64, np.float32) if case in ONE_OF_EACH_KIND else (np.float64,)


@across(LEARNERS, dtype=dtypes, storage=storages, kernel=KERNELS)
def test_any_number_of_threads_makes_the_same_run(case, dtype, storage, kernel):
    X, labels = tied_stream(length=LENGTH)
    X, runs, scores = storage(X.astype(dtype)), [], []
    for threads in THREADS:
        learner = case.at_work(kernel.engine, X, dtype=dtype)
        with threadpool_limits(threads):
            runs.append(run(blocked, learner, X, labels, cuts=range(PART, LENGTH, PART)))
            scores.append(decide(learner, X))
    for threads, other, predicted in zip(THREADS[1:], runs[1:], scores[1:], strict=True):
        with naming(threads):
            assert_equal_runs(other, runs[0])
            assert_array_equal(predicted, scores[0])


@over(LEARNERS[:1])
@pytest.mark.parametrize("many", [3, 9])
def test_any_number_of_threads_makes_the_same_runs_together(case, many):
    X, labels = tied_stream(length=LENGTH)
    all_labels = [np.roll(labels, i) for i in range(many)]
    known = []
    for threads in THREADS:
        learners = [case.at_work(KERNELS["gaussian"].engine, X) for _ in range(many)]
        records = [Record(LENGTH) for _ in learners]
        with threadpool_limits(threads):
            together(learners, X, all_labels, records)
        known.append(
            [
                Run(record.scores, record.events, dense(learner.supports), weights_of(learner))
                for learner, record in zip(learners, records, strict=True)
            ]
        )
    for other in known[1:]:
        for one, beside in zip(known[0], other, strict=True):
            assert_equal_runs(one, beside)
