"""Both engines make the run of the slow reference, which was written from the papers alone."""

from hypothesis import given, settings
from hypothesis import strategies as st

import budgetron
from budgetron.engine import blocked, one_by_one
from covering import across
from laws.kernels import KERNELS
from laws.learners import LEARNERS, ON_A_BUDGET, at, budgets, over
from laws.runs import assert_close, assert_same, run
from streams import STREAMS, tied_stream, tied_streams

SOLVING = 1e-8  # of weights that solve a system of equations


def kernels_for(case):
    """All of them; without a ridge, those of few dimensions that rounding leaves as many."""
    if case.estimator is budgetron.PseudoinverseSecondOrderPerceptron:
        return {name: KERNELS[name] for name in ("linear", "normalized")}
    return KERNELS


def zero_scores(case):
    """Both; of a zero that is no mistake, the margin rule of Projectron++ does not speak."""
    only = case.estimator is budgetron.ProjectronPlusPlus
    return ("mistake",) if only else ("positive", "mistake")


def assert_follows(case, kernels, X, labels, zero_score=None, weights=None):
    """Both engines do what the reference does."""
    expected = None
    for engine in (one_by_one, blocked):
        learner = case.at_work(kernels.engine, X, zero_score=zero_score)
        if expected is None:
            expected = case.by_reference(
                kernels.reference, X, labels, beside=learner, weights=weights
            )
        weighed = labels if weights is None else labels * weights
        found = run(engine, learner, X, weighed)
        if case.estimator is budgetron.PseudoinverseSecondOrderPerceptron:
            # it keeps independent mistakes only, where the reference keeps all of them
            assert (found.events[:, :2] == expected.events[:, :2]).all(), engine
            assert_close(found.scores, expected.scores, case.tolerance)
        else:
            assert_same(found, expected, max(case.tolerance, SOLVING), engine.__name__)


@across(
    LEARNERS,
    kernels=kernels_for,
    budget=budgets,
    stream=STREAMS,
    zero_score=zero_scores,
    width=(2, 4),
)
def test_engines_follow_the_papers(case, kernels, budget, stream, zero_score, width):
    X, labels = stream(length=100, width=width)
    assert_follows(at(case, budget), kernels, X, labels, zero_score)


@over(ON_A_BUDGET)
def test_engines_follow_the_papers_for_long(case):
    X, labels = tied_stream(length=1000)
    assert_follows(at(case, 3), KERNELS["normalized"], X, labels)


@over(LEARNERS)
@settings(max_examples=40)
@given(stream=tied_streams, data=st.data())
def test_engines_follow_the_papers_wherever_there_are_ties(case, stream, data):
    kernels = data.draw(st.sampled_from([*kernels_for(case).values()]))
    zero_score = data.draw(st.sampled_from(zero_scores(case)))
    budget = data.draw(st.sampled_from(budgets(case)))
    assert_follows(at(case, budget), kernels, *stream, zero_score)
