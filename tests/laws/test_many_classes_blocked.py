"""However a stream of many classes is cut, the run is that of one example after another."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budgetron.core.rule import contract
from budgetron.engine import blocked, one_by_one
from budgetron.kernels import OwnKernel, gaussian
from covering import across
from laws.following import SOLVED, SOLVING
from laws.kernels import KERNELS
from laws.many_classes import (
    CLASSES,
    RULES,
    SOME,
    STREAMS,
    at_work,
    over,
    tied_stream,
    winners,
)
from laws.many_classes import tied_streams as some_tied_streams
from laws.runs import assert_close, assert_same, run
from streams import LAYOUTS

TOLERANCES = {"float64": 1e-9, "float32": 1e-5}
LENGTHS = (1, 7, 300, None)  # 300 is the whole stream, None the engine's own choice

over_dtypes = pytest.mark.parametrize(
    ("rule", "dtype"),
    [
        (rule, dtype)
        for dtype in TOLERANCES
        for rule in RULES
        if dtype == "float64" or type(rule).__name__ in SOME
    ],
    ids=str,
)


def layouts(rule):
    """Others than dense rows in float64 for some rules alone."""
    return LAYOUTS if type(rule).__name__ in SOME else {"dense": LAYOUTS["dense"]}


@across(RULES, "rule", layout=layouts, stream=STREAMS, zero_is_mistake=(False, True))
def test_the_length_of_blocks_changes_nothing(rule, layout, stream, zero_is_mistake):
    (storage, dtype), (X, labels) = layout, stream()
    X, options = storage(X), {"dtype": dtype, "zero_is_mistake": zero_is_mistake}
    tolerance = max(TOLERANCES[dtype], SOLVED if contract(rule).keeps in SOLVING else 0)
    for name, kernels in KERNELS.items():
        expected = run(one_by_one, at_work(rule, kernels.engine, X, **options), X, labels)
        for length in LENGTHS:
            learner = at_work(rule, kernels.engine, X, **options)
            actual = run(blocked, learner, X, labels, length=length)
            assert_same(actual, expected, tolerance, f"{name}, blocks of {length}")


@over_dtypes
def test_long_runs_do_not_drift_apart(rule, dtype):
    X, labels = tied_stream(length=4000)
    expected = run(one_by_one, at_work(rule, gaussian(0.5), X, dtype=dtype), X, labels)
    actual = run(blocked, at_work(rule, gaussian(0.5), X, dtype=dtype), X, labels)
    if (
        contract(rule).keeps.weight_error > 0
    ):  # rounding moves weights between supports that nearly depend on each other
        assert_close(actual.weights, expected.weights, 1e-4)
        actual = actual._replace(weights=expected.weights)
    assert_same(actual, expected, TOLERANCES[dtype])


@over(RULES)
@given(
    stream=some_tied_streams,
    cuts=st.lists(st.integers(0, 40), max_size=5),
    kernels=st.sampled_from([*KERNELS.values()]),
    zero_is_mistake=st.booleans(),
)
def test_ties_are_broken_the_same_way_for_any_cut(rule, stream, cuts, kernels, zero_is_mistake):
    X, labels = stream
    cuts = sorted(cut for cut in {*cuts} if 0 < cut < len(labels))

    def learner():
        return at_work(rule, kernels.engine, X, zero_is_mistake=zero_is_mistake)

    expected = run(one_by_one, learner(), X, labels)
    assert_same(run(blocked, learner(), X, labels), expected)
    assert_same(run(blocked, learner(), X, labels, cuts), expected)


@over(RULES)
@settings(max_examples=20)
@given(stream=some_tied_streams)
def test_a_mistake_is_a_winner_that_is_wrong(rule, stream):
    X, labels = stream
    for engine in (one_by_one, blocked):
        learner = at_work(rule, gaussian(0.5), X)
        scores, events, *_ = run(engine, learner, X, labels)
        assert (events[:, 0] == (winners(scores) != labels[:, 0])).all()


@over([rule for rule in RULES if "Projectron" not in repr(rule)])
def test_a_kernel_of_ones_own_makes_the_run_of_the_same_kernel_built_in(rule):
    X, labels = tied_stream(length=40)
    own = at_work(rule, OwnKernel(gaussian(0.5)), X, CLASSES)
    built_in = at_work(rule, gaussian(0.5), X, CLASSES)
    assert_same(run(blocked, own, X, labels), run(blocked, built_in, X, labels))
