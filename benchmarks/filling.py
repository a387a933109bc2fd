"""Learners with a full budget, at work in the engine without anything around it."""

from __future__ import annotations

from copy import deepcopy
from functools import partial

import numpy as np

import budgetron
from budgetron.engine import NoRecord, blocked, kind_of_learner
from budgetron.kernels import gaussian

__all__ = ["a_run", "at_work", "filled"]

AT_ONCE, PASSES = 256, 20


def at_work(name, budget, X, gamma):
    """The learner inside an estimator of this name; of Budgetron, a filter of this width."""
    estimator = getattr(budgetron, name)(budget=budget)
    rule = estimator._rule()
    return kind_of_learner(rule)(
        rule,
        gaussian(gamma),
        X.shape[1],
        sparse=not isinstance(X, np.ndarray),
        dtype=X.dtype,
        zero_is_mistake=estimator.zero_score == "mistake",
    )


def filled(name, budget, X, signs, gamma):
    """A learner that has gone over rows until it was full, and the row that it had come to.

    Where the stream has too few mistakes for that, it goes over it again, with the labels turned
    around each time.
    """
    learner, first, passes = at_work(name, budget, X, gamma), 0, 0
    while learner.size < budget and passes < PASSES:
        here = slice(first, first + AT_ONCE)
        blocked(learner, X[here], signs[here], NoRecord())
        first += AT_ONCE
        if first >= X.shape[0]:
            first, passes, signs = 0, passes + 1, -signs
    return learner, first if passes == 0 else X.shape[0]


def a_run(learner, rows, labels):
    """What goes over the rows from where the learner is, and leaves it there."""
    return partial(blocked, deepcopy(learner), rows, labels, NoRecord())
