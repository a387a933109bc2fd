"""However a stream is cut into calls, single rows included, the run is that of one call."""

from itertools import cycle, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from laws.learners import LEARNERS, over, storages
from laws.runs import assert_close, assert_same, dense, prequential_run, weights_of
from streams import STORAGES, STREAMS, tied_stream

LENGTH = 150
some_cuts = st.lists(st.integers(1, LENGTH - 1), max_size=8, unique=True).map(sorted)


@over(LEARNERS)
@settings(max_examples=16)
@given(data=st.data(), stream=st.sampled_from([*STREAMS.values()]), cuts=some_cuts)
def test_prequential_over_chunks_is_prequential_over_all(case, data, stream, cuts):
    X, y = stream(length=LENGTH)
    X = data.draw(st.sampled_from([*storages(case).values()]))(X)
    in_chunks = prequential_run(case.new(random_state=0), X, y, cuts)
    assert_same(in_chunks, prequential_run(case.new(random_state=0), X, y), case.tolerance)


@over(LEARNERS)
def test_single_rows_make_the_run_of_the_whole(case):
    for (name, stream), layout in zip(STREAMS.items(), cycle(storages(case)), strict=False):
        X, y = stream(length=LENGTH)
        X = STORAGES[layout](X)
        singly = prequential_run(case.new(random_state=0), X, y, cuts=range(1, LENGTH))
        whole = prequential_run(case.new(random_state=0), X, y)
        assert_same(singly, whole, case.tolerance, f"{name}, {layout}")


@over(LEARNERS)
@settings(max_examples=8)
@given(cuts=some_cuts)
def test_partial_fit_learns_what_prequential_learns(case, cuts):
    X, y = tied_stream(length=LENGTH)
    expected = prequential_run(case.new(random_state=0), X, y)
    learner = case.new(random_state=0)
    for first, last in pairwise([0, *cuts, LENGTH]):
        learner.partial_fit(X[first:last], y[first:last], classes=[-1, 1])
    mistakes, updates, *_ = expected.events.sum(axis=0)
    assert (learner.n_seen_, learner.n_mistakes_, learner.n_updates_) == (LENGTH, mistakes, updates)
    assert_learned(learner, expected)


@over(LEARNERS)
def test_chunks_may_come_dense_and_sparse_in_turn(case):
    X, y = tied_stream(length=LENGTH)
    expected = prequential_run(case.new(random_state=0), X, y)
    for kept, other in zip(storages(case), ("sparse", "dense"), strict=False):
        learner = case.new(random_state=0)
        for chunk, first in enumerate(range(0, LENGTH, 10)):
            rows = STORAGES[(kept, other)[chunk % 2]](X[first : first + 10])
            learner.partial_fit(rows, y[first : first + 10], classes=[-1, 1])
        assert_learned(learner, expected)


def assert_learned(learner, run):
    assert_array_equal(dense(learner.support_vectors_), run.supports)
    assert_close(weights_of(learner._learner), run.weights, tolerance=1e-9)
