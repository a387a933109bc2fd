"""Learners that project or solve make the run of the slow reference, however they are run."""

import numpy as np
import pytest
from scipy import sparse

from budgetron.engine import blocked, one_by_one
from budgetron.kernels import gaussian
from laws.runs import assert_close
from projection.learners import (
    BUDGETRONS,
    DUAL_LINEAR,
    KERNELS,
    LINEAR,
    PROJECTRONS,
    PSEUDOINVERSE,
    QUADRATIC,
    SECOND_ORDER,
    STREAMS,
    assert_same,
    engine_run,
    prequential_run,
    smooth_stream,
    tied_stream,
)

LENGTHS = (1, 7, 64, 1000)
SECOND_ORDER_PERCEPTRON = SECOND_ORDER[0]
IN_THE_SPAN = [  # learners that keep independent mistakes only, where the reference keeps all
    (SECOND_ORDER_PERCEPTRON, LINEAR),
    (PSEUDOINVERSE, LINEAR),
    (PSEUDOINVERSE, QUADRATIC),
]
OVER_ALL = [
    (case, kernels)
    for case in PROJECTRONS + SECOND_ORDER + BUDGETRONS
    for kernels in KERNELS.values()
    if (case, kernels) not in IN_THE_SPAN
]
ONE_OF_EACH = [
    *(
        (case, KERNELS["gaussian 2"])
        for case in (PROJECTRONS[1], PROJECTRONS[9], *SECOND_ORDER, BUDGETRONS[0])
    ),
    *IN_THE_SPAN[:2],
]


def over(pairs):
    names = {id(kernels): name for name, kernels in KERNELS.items()}
    ids = [f"{case}-{names[id(kernels)]}" for case, kernels in pairs]
    return pytest.mark.parametrize(("case", "kernels"), pairs, ids=ids)


over_streams = pytest.mark.parametrize("stream", STREAMS)


def all_runs(learner, X, y):
    yield engine_run(one_by_one, learner, X, y)
    for length in LENGTHS:
        yield engine_run(blocked, learner, X, y, length=length)


@over(OVER_ALL)
@over_streams
def test_every_engine_follows_the_papers(case, kernels, stream):
    X, y = STREAMS[stream]()
    rounds = case.rounds(X, y, kernels)
    indices = [i for i, _ in rounds[-1].supports]
    weights = [float(weight) for _, weight in rounds[-1].supports]
    for run in all_runs(case.new(**kernels.estimator), X, y):
        np.testing.assert_array_equal(run.events, [events_of(r) for r in rounds])
        np.testing.assert_array_equal(run.supports, X[indices])
        assert_close(run.scores, [score_of(r) for r in rounds], 1e-8)
        assert_close(run.weights, weights, 1e-8)


@over(IN_THE_SPAN)
@over_streams
def test_every_engine_follows_the_papers_in_the_span_of_the_mistakes(case, kernels, stream):
    X, y = STREAMS[stream]()
    rounds = case.rounds(X, y, kernels)
    runs = [*all_runs(case.new(**kernels.estimator), X, y)]
    for run in runs:
        assert_same(run, runs[0])
        np.testing.assert_array_equal(run.events[:, :2], [events_of(r)[:2] for r in rounds])
        assert_close(run.scores, [score_of(r) for r in rounds], 1e-8)


def events_of(r):
    return r.mistake, r.update, len(r.supports), r.removed[0] if r.removed else -1


def score_of(r):
    """f(x_t), and 0 where the pseudoinverse has nothing to say."""
    return float(getattr(r, "plain_score", r.score)) * getattr(r, "in_span", True)


@over(ONE_OF_EACH)
@over_streams
@pytest.mark.parametrize("cuts", [range(1, 80), range(3, 80, 3), [50], [1, 2, 7, 71]], ids=str)
def test_any_cut_of_the_stream_gives_the_same_run(case, kernels, stream, cuts):
    X, y = STREAMS[stream]()
    learner = case.new(**kernels.estimator)
    assert_same(prequential_run(learner, X, y, cuts), prequential_run(learner, X, y))


@over(ONE_OF_EACH)
@over_streams
def test_sparse_rows_make_the_run_of_dense_ones(case, kernels, stream):
    X, y = STREAMS[stream]()
    learner = case.new(**kernels.estimator)
    assert_same(prequential_run(learner, sparse.csr_array(X), y), prequential_run(learner, X, y))


@over(ONE_OF_EACH)
def test_float32_comes_close(case, kernels):
    X, y = smooth_stream(length=150)
    run = prequential_run(case.new(dtype="float32", **kernels.estimator), X, y)
    expected = prequential_run(case.new(**kernels.estimator), X, y)
    np.testing.assert_array_equal(run.events, expected.events)
    assert_close(run.scores, expected.scores, 1e-4)


@over(ONE_OF_EACH)
def test_float32_stays_finite_on_ties(case, kernels):
    X, y = tied_stream(length=150)
    run = prequential_run(case.new(dtype="float32", **kernels.estimator), X, y)
    expected = prequential_run(case.new(**kernels.estimator), X, y)
    assert np.isfinite(run.scores).all() and np.isfinite(run.weights).all()
    assert abs(run.events[:, 0].sum() - expected.events[:, 0].sum()) <= 15


@over([pair for pair in ONE_OF_EACH if pair[1] is KERNELS["gaussian 2"]])
@over_streams
def test_a_kernel_of_ones_own_makes_the_same_run(case, kernels, stream):
    X, y = STREAMS[stream]()
    own = case.new(kernel=gaussian(2.0).__call__)
    assert_same(prequential_run(own, X, y), prequential_run(case.new(**kernels.estimator), X, y))


def test_the_second_order_perceptron_takes_its_dual_form_for_a_kernel_of_ones_own():
    X, y = smooth_stream()
    own = SECOND_ORDER_PERCEPTRON.new(kernel=lambda A, B: A @ B.T)
    expected = prequential_run(SECOND_ORDER_PERCEPTRON.new(**DUAL_LINEAR.estimator), X, y)
    assert_same(prequential_run(own, X, y), expected)
    assert len(expected.supports) > X.shape[1]
