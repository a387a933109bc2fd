"""Both engines make the run of the slow reference, which was written from the papers alone."""

from hypothesis import given
from hypothesis import strategies as st

import budgetron
from covering import across
from laws.following import assert_follows
from laws.kernels import KERNELS
from laws.learners import LEARNERS, ON_A_BUDGET, at, budgets, over
from streams import STREAMS, tied_stream, tied_streams


def kernels_for(case):
    """All of them; without a ridge, those of few dimensions that rounding leaves as many."""
    if case.estimator is budgetron.PseudoinverseSecondOrderPerceptron:
        return {name: KERNELS[name] for name in ("linear", "normalized")}
    return KERNELS


def zero_scores(case):
    """Both; of a zero that is no mistake, the margin rule of Projectron++ does not speak."""
    only = case.estimator is budgetron.ProjectronPlusPlus
    return ("mistake",) if only else ("positive", "mistake")


@across(
    LEARNERS,
    kernels=kernels_for,
    budget=budgets,
    stream=STREAMS,
    zero_score=zero_scores,
    width=(2, 4),
)
def test_engines_follow_the_papers(case, kernels, budget, stream, zero_score, width):
    X, labels = stream(length=70, width=width)
    assert_follows(at(case, budget), kernels, X, labels, zero_score)


@over(ON_A_BUDGET)
def test_engines_follow_the_papers_for_long(case):
    X, labels = tied_stream(length=1000)
    assert_follows(at(case, 3), KERNELS["normalized"], X, labels)


@over(LEARNERS)
@given(stream=tied_streams, data=st.data())
def test_engines_follow_the_papers_wherever_there_are_ties(case, stream, data):
    kernels = data.draw(st.sampled_from([*kernels_for(case).values()]))
    zero_score = data.draw(st.sampled_from(zero_scores(case)))
    budget = data.draw(st.sampled_from(budgets(case)))
    assert_follows(at(case, budget), kernels, *stream, zero_score)
