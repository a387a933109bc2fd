"""The fast engine makes the same run as the definition, however the stream is cut into blocks."""

from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import budgetron
from budgetron.engine import blocked, one_by_one
from covering import across
from laws.kernels import KERNELS
from laws.learners import LEARNERS, layouts, over
from laws.runs import assert_same, run
from streams import STREAMS, tied_stream, tied_streams

TOLERANCES = {"float64": 0, "float32": 1e-5}
LENGTHS = (1, 7, 64, 300, None)  # 300 is the whole stream, None the engine's own choice


def all_layouts(case):
    """Sparse rows in float32 for one learner alone."""
    if case.estimator is budgetron.Forgetron:
        return layouts(case) | {"sparse float32": (sparse.csr_array, "float32")}
    return layouts(case)


def dtypes(case):
    """The precisions to try it with."""
    return {dtype: dtype for _, dtype in layouts(case).values()}


@across(LEARNERS, layout=all_layouts, stream=STREAMS)
def test_the_length_of_blocks_changes_nothing(case, layout, stream):
    storage, dtype = layout
    tolerance = max(case.tolerance, TOLERANCES[dtype])
    for i, (name, kernels) in enumerate(KERNELS.items()):
        X, labels = stream(seed=i % 2, length=300)
        X = storage(X)
        expected = run(one_by_one, case.at_work(kernels.engine, X, dtype=dtype), X, labels)
        for length in LENGTHS:
            learner = case.at_work(kernels.engine, X, dtype=dtype)
            actual = run(blocked, learner, X, labels, length=length)
            assert_same(actual, expected, tolerance, f"{name}, blocks of {length}")


@across(LEARNERS, dtype=dtypes)
def test_long_runs_do_not_drift_apart(case, dtype):
    solves = case.estimator.__name__.endswith("SecondOrderPerceptron")  # with all its mistakes
    X, labels = tied_stream(length=1000 if solves and "budget" not in case.parameters else 4000)
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
