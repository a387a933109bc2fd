"""Every learner beside its slow reference: the table that all laws run over.

A new learner adds its line here, and nothing else.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import budgetron
import oracle
from budgetron.engine import kind_of_learner
from laws.runs import Run


@dataclass(frozen=True)
class Case:
    """A learner, its reference, and the parameters of both."""

    estimator: type
    reference: Callable[..., list[oracle.Round]]
    parameters: dict[str, Any]
    tolerance: float = 1e-9  # how well arithmetic determines its weights

    def new(self, **common):
        """The learner as an estimator."""
        return self.estimator(**self.parameters, **common)

    def at_work(self, kernel, X, *, zero_score=None, dtype=np.float64):
        """The learner as the engine sees it."""
        estimator = self.new()
        rule = estimator._rule()
        return kind_of_learner(rule)(
            rule,
            kernel,
            X.shape[1],
            sparse=sparse.issparse(X),
            dtype=dtype,
            zero_is_mistake=(zero_score or estimator.zero_score) == "mistake",
        )

    def by_reference(self, kernel, X, labels, *, beside, weights=None):
        """The run of the slow reference, which draws what the learner beside it is going to."""
        given = self.parameters | {
            "zero_score": "mistake" if beside.zero_is_mistake else "positive"
        }
        if weights is not None:
            given["weights"] = weights.tolist()
        if "draw" in signature(self.reference).parameters:
            given["draw"] = xorshift(int(beside.kept.randomness[0]))
        stream = [*zip(map(tuple, X.tolist()), labels.tolist(), strict=True)]
        return _seen(self.reference(stream, kernel, **given), X)


def _seen(rounds, X):
    evicted = [r.removed[0] if r.removed else -1 for r in rounds]
    events = [(r.mistake, r.update, len(r.supports)) for r in rounds]
    return Run(
        np.array([float(r.score) for r in rounds]),
        np.column_stack([events, evicted]),
        X[[i for i, _ in rounds[-1].supports]],
        np.array([float(weight) for _, weight in rounds[-1].supports]),
    )


def modified_forgetting_at_random(stream, kernel, *, budget, evict, draw, zero_score):
    assert evict == "random"
    return oracle.modified_budget_perceptron(
        stream, kernel, budget=budget, draw=draw, zero_score=zero_score
    )


def modified_forgetting_the_oldest(stream, kernel, *, budget, evict, zero_score):
    assert evict == "oldest"
    return oracle.modified_budget_perceptron(stream, kernel, budget=budget, zero_score=zero_score)


def case(estimator, reference, tolerance=1e-9, **parameters):
    return Case(estimator, reference, parameters, tolerance)


FIRST_ORDER = [
    case(budgetron.Perceptron, oracle.perceptron),
    case(budgetron.ShiftingPerceptron, oracle.shifting_perceptron, decay=0.5),
    case(budgetron.ExponentialDecayPerceptron, oracle.exponential_decay_perceptron, decay=0.3),
    case(budgetron.RandomizedBudgetPerceptron, oracle.randomized_budget_perceptron, budget=8),
    case(budgetron.LeastRecentBudgetPerceptron, oracle.least_recent_budget_perceptron, budget=8),
    case(budgetron.BudgetPerceptron, oracle.budget_perceptron, budget=8),
    case(budgetron.Forgetron, oracle.forgetron, budget=8),
    case(budgetron.Stoptron, oracle.stoptron, budget=8),
    case(budgetron.PassiveAggressive, oracle.passive_aggressive),
    case(budgetron.PassiveAggressiveI, oracle.passive_aggressive_i, C=0.5),
    case(budgetron.PassiveAggressiveII, oracle.passive_aggressive_ii, C=0.5),
    case(budgetron.BudgetedPassiveAggressive, oracle.budgeted_passive_aggressive, budget=8, C=0.5),
    case(budgetron.Ahpatron, oracle.ahpatron, budget=8),
    case(budgetron.NystromGradientDescent, oracle.nystrom_gradient_descent, budget=8),
    case(budgetron.ModifiedPerceptron, oracle.modified_perceptron),
    case(budgetron.ModifiedPerceptron, modified_forgetting_at_random, budget=8, evict="random"),
    case(budgetron.ModifiedPerceptron, modified_forgetting_the_oldest, budget=8, evict="oldest"),
]
SOLVING = [  # they are compared with their references in tests/projection
    case(budgetron.Projectron, oracle.projectron, eta=0.3),
    case(budgetron.Projectron, oracle.projectron, budget=8),
    case(budgetron.ProjectronPlusPlus, oracle.projectron_plus_plus, norm_bound=2.0),
    case(budgetron.ProjectronPlusPlus, oracle.projectron_plus_plus, budget=8),
    case(budgetron.SecondOrderPerceptron, oracle.second_order_perceptron, a=0.5),
    case(budgetron.AdaptiveSecondOrderPerceptron, oracle.adaptive_second_order_perceptron, c=0.5),
    case(  # without a ridge, rounding is amplified by the square of a thousand
        budgetron.PseudoinverseSecondOrderPerceptron,
        oracle.pseudoinverse_second_order_perceptron,
        tolerance=1e-5,
    ),
    case(
        budgetron.RandomizedBudgetSecondOrderPerceptron,
        oracle.randomized_budget_second_order_perceptron,
        budget=8,
    ),
    case(
        budgetron.LeastRecentBudgetSecondOrderPerceptron,
        oracle.least_recent_budget_second_order_perceptron,
        budget=8,
    ),
    case(budgetron.Budgetron, oracle.budgetron, budget=8, patience=3.0),
]
LEARNERS = FIRST_ORDER + SOLVING

BUDGETS = (1, 3, 8)


def at_every_budget(cases):
    """The learners on a budget among these, once for each budget."""
    return [
        replace(case, parameters=case.parameters | {"budget": budget})
        for case in cases
        if "budget" in case.parameters
        for budget in BUDGETS
    ]


def without_budget(cases):
    """The others."""
    return [case for case in cases if "budget" not in case.parameters]


ON_A_BUDGET = at_every_budget(LEARNERS)
AT_EVERY_BUDGET = without_budget(LEARNERS) + ON_A_BUDGET


def over(cases):
    """Run a test over these learners."""
    return pytest.mark.parametrize("case", cases, ids=_name)


def _name(case):
    given = [f"{name}={value}" for name, value in case.parameters.items()]
    return "-".join([case.estimator.__name__, *given])


def xorshift(state):
    """The package's generator once more, on whole numbers: Marsaglia's xorshift64."""

    def draw(n):
        nonlocal state
        state ^= state << 13 & 2**64 - 1
        state ^= state >> 7
        state ^= state << 17 & 2**64 - 1
        return (state >> 32) * n >> 32

    return draw
