"""Machines for many classes on common supports: however a stream is cut, the run is the same."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from budgetron.engine import SharedLearner, blocked, decide, one_by_one
from budgetron.kernels import gaussian
from budgetron.rules.perceptron import Perceptron
from budgetron.rules.projectron import ProjectronPlusPlus
from covering import across
from laws.following import SOLVED
from laws.kernels import KERNELS
from laws.many_classes import CLASSES, STREAMS, gaussian_stream, tied_stream, tied_streams, winners
from laws.runs import assert_close, assert_same, run

RULES = {
    "budget": ProjectronPlusPlus(0.0, 0.0, 8, 0.0),
    "eta": ProjectronPlusPlus(0.3, 0.0, 10**6, 1 / 0.3),
    "norm_bound": ProjectronPlusPlus(0.0, 3.0, 10**6, 3.0),
}
LENGTHS = (1, 7, 300, None)  # 300 is the whole stream, None the engine's own choice


def at_work(rule, kernel, X, classes=CLASSES, *, zero_is_mistake=True):
    options = {"sparse": sparse.issparse(X), "zero_is_mistake": zero_is_mistake}
    return SharedLearner(rule, kernel, X.shape[1], classes, **options)


@across(["budget", "eta", "norm_bound"], "way", stream=STREAMS, zero_is_mistake=(False, True))
def test_the_length_of_blocks_changes_nothing(way, stream, zero_is_mistake):
    X, labels = stream()
    for name, kernels in KERNELS.items():

        def learner(kernel=kernels.engine):
            return at_work(RULES[way], kernel, X, zero_is_mistake=zero_is_mistake)

        expected = run(one_by_one, learner(), X, labels)
        for length in LENGTHS:
            actual = run(blocked, learner(), X, labels, length=length)
            assert_same(actual, expected, SOLVED, f"{name}, blocks of {length}")
        assert (expected.events[:, 0] == (winners(expected.scores) != labels[:, 0])).all()


@settings(max_examples=40)
@given(
    way=st.sampled_from([*RULES]),
    stream=tied_streams,
    cuts=st.lists(st.integers(0, 40), max_size=5),
    kernels=st.sampled_from([*KERNELS.values()]),
)
def test_ties_are_broken_the_same_way_for_any_cut(way, stream, cuts, kernels):
    X, labels = stream
    cuts = sorted(cut for cut in {*cuts} if 0 < cut < len(labels))
    expected = run(one_by_one, at_work(RULES[way], kernels.engine, X), X, labels)
    for some in ((), cuts):
        learner = at_work(RULES[way], kernels.engine, X)
        assert_same(run(blocked, learner, X, labels, some), expected)


def test_long_runs_do_not_drift_apart():
    X, labels = tied_stream(length=2000)
    runs = [run(engine, at_work(RULES["budget"], gaussian(0.5), X), X, labels)
            for engine in (one_by_one, blocked)]  # fmt: skip
    assert runs[0].events[:, 2].max() == 8
    assert_same(*runs, 1e-7)


def test_averages_are_over_the_hypotheses_that_predicted():
    X, labels = gaussian_stream(length=120)
    learner, total = at_work(RULES["eta"], gaussian(0.5), X), 0.0
    for t in range(len(X)):
        total = total + decide(learner, X)
        run(one_by_one, learner, X[t : t + 1], labels[t : t + 1])
    assert_close(decide(learner, X, average=True), total / len(X), 1e-8)


def test_sparse_rows_make_the_same_run():
    X, labels = tied_stream()
    expected = run(blocked, at_work(RULES["budget"], gaussian(0.5), X), X, labels)
    rows = sparse.csr_array(X)
    actual = run(blocked, at_work(RULES["budget"], gaussian(0.5), rows), rows, labels, [3, 70])
    assert_same(actual, expected, SOLVED)


def test_a_rule_without_a_factor_is_refused():
    with pytest.raises(ValueError, match="Perceptron has no factor that classes could share"):
        SharedLearner(Perceptron(), gaussian(0.5), 3, CLASSES)


def test_weights_of_0_teach_nothing():
    X, labels = tied_stream()
    labels[::3, 1] = 0
    events = run(blocked, at_work(RULES["budget"], gaussian(0.5), X), X, labels).events
    assert events[::3, 0].any() and not events[::3, 1].any()
    assert np.diff(events[:, 2], prepend=0)[::3].max() == 0
