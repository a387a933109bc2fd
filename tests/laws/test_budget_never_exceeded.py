"""A budget is a promise about every moment of the stream, and about memory."""

from itertools import product

import numpy as np

import budgetron
from budgetron import prequential
from budgetron.core.rule import most_supports
from covering import across
from laws.learners import BUDGETS, ON_A_BUDGET, at, over, storages
from streams import STREAMS, gaussian_stream, tied_stream


@across(ON_A_BUDGET, budget=BUDGETS)
def test_the_budget_is_filled_and_never_exceeded(case, budget):
    for stream, storage in product(STREAMS.values(), storages(case).values()):
        X, y = stream()
        trace = prequential(at(case, budget).new(random_state=0), storage(X), y)
        assert trace.sizes.max() == budget, (stream, storage)


@over(ON_A_BUDGET)
def test_there_is_room_for_one_support_more_and_no_others(case):
    X, y = tied_stream()
    for budget, storage in product(BUDGETS, storages(case).values()):
        learner = at(case, budget).new(random_state=0).fit(storage(X), y)._learner
        slots, state = most_supports(learner.rule), learner.state
        assert budget <= slots <= budget + 1
        assert len(state.order) == len(state.weights) == len(state.rows.norms) == slots


@over([case for case in ON_A_BUDGET if case.estimator is not budgetron.Ahpatron])  # many leave
def test_every_support_that_came_has_left_or_is_there(case):
    X, y = gaussian_stream()
    trace = prequential(case.new(random_state=0), X, y)
    added = np.diff(trace.sizes, prepend=0) + (trace.evicted >= 0)
    begun = 1 if case.estimator is budgetron.ModifiedPerceptron else 0  # w_1 is the first example
    assert set(added[1:]) <= {0, 1} and added[0] <= 1 + begun
    assert not added[1:][~trace.updates[1:]].any()
    assert added.sum() - (trace.evicted >= 0).sum() == trace.sizes[-1]
