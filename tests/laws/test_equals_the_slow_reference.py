"""Both engines make the run of the slow reference, which was written from the papers alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgetron.engine import blocked, one_by_one
from laws.kernels import KERNELS, over_kernels
from laws.learners import FIRST_ORDER, at_every_budget, over, without_budget
from laws.runs import assert_same, run
from streams import over_streams, tied_stream, tied_streams

ON_A_BUDGET = at_every_budget(FIRST_ORDER)
AT_EVERY_BUDGET = without_budget(FIRST_ORDER) + ON_A_BUDGET

over_engines = pytest.mark.parametrize("engine", [one_by_one, blocked])


@over(AT_EVERY_BUDGET)
@over_kernels
@over_engines
@over_streams
@pytest.mark.parametrize("zero_score", ["positive", "mistake"])
@pytest.mark.parametrize("width", [2, 4])
def test_engines_follow_the_papers(case, kernels, engine, stream, zero_score, width):
    X, labels = stream(length=100, width=width)
    learner = case.at_work(kernels.engine, X, zero_score=zero_score)
    expected = case.by_reference(kernels.reference, X, labels, beside=learner)
    assert_same(run(engine, learner, X, labels), expected)


@over(ON_A_BUDGET)
@over_engines
def test_engines_follow_the_papers_for_long(case, engine):
    X, labels = tied_stream(length=3000)
    kernels = KERNELS["normalized"]
    learner = case.at_work(kernels.engine, X)
    expected = case.by_reference(kernels.reference, X, labels, beside=learner)
    assert_same(run(engine, learner, X, labels), expected)


@over(AT_EVERY_BUDGET)
@over_engines
@given(
    stream=tied_streams,
    kernels=st.sampled_from([*KERNELS.values()]),
    zero_score=st.sampled_from(["positive", "mistake"]),
)
def test_engines_follow_the_papers_wherever_there_are_ties(
    case, engine, stream, kernels, zero_score
):
    X, labels = stream
    learner = case.at_work(kernels.engine, X, zero_score=zero_score)
    expected = case.by_reference(kernels.reference, X, labels, beside=learner)
    assert_same(run(engine, learner, X, labels), expected)
