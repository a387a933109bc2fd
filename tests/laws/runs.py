"""What can be seen of a run, and when two runs are the same."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy import sparse

from budgetron import prequential
from budgetron.engine import Record


class Run(NamedTuple):
    """Scores and events of each example, and what is left at the end."""

    scores: np.ndarray
    events: np.ndarray  # mistake, update, size, evicted
    supports: np.ndarray
    weights: np.ndarray


def run(engine, learner, X, labels, cuts=(), **options):
    """Let `one_by_one` or `blocked` go over the stream, called once for each piece of it."""
    records = []
    for first, last in pairwise([0, *cuts, len(labels)]):
        record = Record(last - first, *([learner.classes] if hasattr(learner, "classes") else []))
        engine(learner, X[first:last], labels[first:last], record, **options)
        records.append(record)
    return Run(
        np.concatenate([record.scores for record in records]),
        np.concatenate([record.events for record in records]),
        dense(learner.supports),
        weights_of(learner),
    )


def prequential_run(estimator, X, y, cuts=()):
    """Let `prequential` go over the stream, called once for each piece of it."""
    traces = [
        prequential(estimator, X[first:last], y[first:last], classes=[-1, 1])
        for first, last in pairwise([0, *cuts, len(y)])
    ]
    events = [(trace.mistakes, trace.updates, trace.sizes, trace.evicted) for trace in traces]
    return Run(
        np.concatenate([trace.scores for trace in traces]),
        np.concatenate(events, axis=1).T,
        dense(estimator.support_vectors_),
        weights_of(estimator._learner),
    )


def weights_of(learner):
    """Those of its supports, or of its random features."""
    memory = learner.state.memory
    return memory.weights if hasattr(memory, "frequencies") else learner.weights


def assert_same(run, other, tolerance=1e-9, where=""):
    """The same decisions and supports, and the same weights and scores up to rounding."""
    np.testing.assert_array_equal(run.events, other.events, where)
    np.testing.assert_array_equal(run.supports, other.supports, where)
    assert_close(run.weights, other.weights, tolerance, where)
    assert_close(run.scores, other.scores, tolerance, where)


def assert_close(numbers, others, tolerance, where=""):
    """Off by at most `tolerance` times the largest of them, which a few zeros cannot make zero."""
    largest = np.abs(others).max(initial=1e-6)
    np.testing.assert_allclose(numbers, others, rtol=0, atol=tolerance * largest, err_msg=where)


def dense(rows):
    """Rows as an array, however they are stored."""
    return rows.toarray() if sparse.issparse(rows) else rows
