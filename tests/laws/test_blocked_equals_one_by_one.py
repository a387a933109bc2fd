"""The fast engine makes the same run as the definition, however the stream is cut into blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgetron.engine import blocked, one_by_one
from laws.kernels import KERNELS, over_kernels
from laws.learners import LEARNERS, over
from laws.runs import assert_same, run
from streams import over_storages, over_streams, tied_stream, tied_streams

TOLERANCES = {"float64": 0, "float32": 1e-5}
LENGTHS = (1, 7, 64, 256, 300, None)  # 300 is the whole stream, None the engine's own choice

over_dtypes = pytest.mark.parametrize("dtype", TOLERANCES)


@over(LEARNERS)
@over_kernels
@over_dtypes
@over_storages
@over_streams
@pytest.mark.parametrize("seed", [0, 1])
def test_the_length_of_blocks_changes_nothing(case, kernels, dtype, storage, stream, seed):
    X, labels = stream(seed, length=300)
    X = storage(X)
    expected = run(one_by_one, case.at_work(kernels.engine, X, dtype=dtype), X, labels)
    for length in LENGTHS:
        learner = case.at_work(kernels.engine, X, dtype=dtype)
        actual = run(blocked, learner, X, labels, length=length)
        assert_same(actual, expected, max(case.tolerance, TOLERANCES[dtype]))


@over(LEARNERS)
@over_dtypes
def test_long_runs_do_not_drift_apart(case, dtype):
    X, labels = tied_stream(length=4000)
    kernel = KERNELS["gaussian"].engine
    expected = run(one_by_one, case.at_work(kernel, X, dtype=dtype), X, labels)
    actual = run(blocked, case.at_work(kernel, X, dtype=dtype), X, labels)
    assert_same(actual, expected, max(case.tolerance, TOLERANCES[dtype]))


@over(LEARNERS)
@given(
    stream=tied_streams,
    cuts=st.lists(st.integers(0, 40), max_size=5),
    kernels=st.sampled_from([*KERNELS.values()]),
    zero_score=st.sampled_from(["positive", "mistake"]),
)
def test_blocks_of_any_lengths_change_nothing(case, stream, cuts, kernels, zero_score):
    X, labels = stream
    cuts = sorted(min(cut, len(labels)) for cut in cuts)
    slow, fast = (case.at_work(kernels.engine, X, zero_score=zero_score) for _ in range(2))
    actual = run(blocked, fast, X, labels, cuts, length=len(labels))
    assert_same(actual, run(one_by_one, slow, X, labels), case.tolerance)
