"""A learner beside its slow reference."""

import budgetron
from budgetron.core.edits.span import Span
from budgetron.core.memory import Factor, GramAndLabels, LabelledFactor, SecondOrderFactors
from budgetron.core.rule import contract
from budgetron.engine import blocked, one_by_one
from laws.runs import assert_close, assert_same, run

SOLVING = Factor, GramAndLabels, LabelledFactor, SecondOrderFactors, Span
SOLVED = 1e-8
"""How well weights agree that solve a system of equations."""


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
            solved = SOLVED if contract(learner.rule).keeps in SOLVING else 0
            assert_same(found, expected, max(case.tolerance, solved), engine.__name__)
