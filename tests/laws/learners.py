"""Every learner beside its slow reference: all laws run over them.

A public learner is here by itself as soon as `oracle` has a function of its name in snake case.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from inspect import getfullargspec, signature
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import budgetron
import oracle
from budgetron.engine import kind_of_learner
from budgetron.estimators import KernelClassifier
from budgetron.kernels import gaussian
from estimators.learners import IN_EVERY_LAYOUT
from estimators.learners import layouts as layouts_of
from estimators.learners import storages as storages_of
from laws.runs import Run


@dataclass(frozen=True)
class Case:
    """A learner, its reference, and the parameters of both."""

    estimator: type
    reference: Callable[..., Any]
    parameters: dict[str, Any]

    def __str__(self):
        given = [f"{name}={value}" for name, value in self.parameters.items()]
        return "-".join([self.estimator.__name__, *given])

    @property
    def tolerance(self):
        """How well arithmetic determines its weights."""
        return TOLERANCES.get(self.estimator.__name__, 1e-9)

    @property
    def keeps_examples(self):
        """Or random features for the Gaussian kernel."""
        return self.estimator is not budgetron.FourierGradientDescent

    @property
    def draws(self):
        """Whether it is random which support goes."""
        return "draw" in signature(self.reference).parameters

    def new(self, **common):
        """The learner as an estimator."""
        if not self.keeps_examples:
            common = {"gamma": 0.5, **common, "kernel": "rbf"}
        if self.estimator is budgetron.Budgetron:  # a filter by itself
            common = {"gamma": 0.5, **common}
        return self.estimator(**self.parameters, **common)

    def at_work(self, kernel, X, *, zero_score=None, dtype=np.float64):
        """The learner as the engine sees it."""
        estimator = self.new()
        rule = estimator._rule()
        learner = kind_of_learner(rule)(
            rule,
            kernel if self.keeps_examples else gaussian(0.5),
            X.shape[1],
            sparse=sparse.issparse(X),
            dtype=dtype,
            zero_is_mistake=(zero_score or estimator.zero_score) == "mistake",
        )
        learner.reseed(1)
        return learner

    def asked_of(self, reference):
        """The parameters, with those that a reference needs and the learner has by default."""
        asked, estimator = getfullargspec(reference), self.new()
        needed = {*asked.kwonlyargs} - {*(asked.kwonlydefaults or ())}
        own = estimator.get_params() | estimator._rule()._asdict()
        return {name: own[name] for name in needed & own.keys()} | self.parameters

    def by_reference(self, kernel, X, labels, *, beside, weights=None):
        """The run of the slow reference, which draws what the learner beside it is going to."""
        asked, given = getfullargspec(self.reference), self.asked_of(self.reference)
        given["zero_score"] = "mistake" if beside.zero_is_mistake else "positive"
        if weights is not None:
            given["weights"] = weights.tolist()
        if "draw" in asked.kwonlyargs:
            given["draw"] = xorshift(int(beside.state.randomness[0]))
        stream = [*zip(map(tuple, X.tolist()), labels.tolist(), strict=True)]
        if self.keeps_examples:
            return _seen(self.reference(stream, kernel, **given), X)
        del given["budget"]  # there are as many frequencies
        rounds, w = self.reference(stream, beside.state.memory.frequencies.T.astype(float), **given)
        return _seen(rounds, X)._replace(weights=w)


def _seen(rounds, X):
    evicted = [r.removed[0] if r.removed else -1 for r in rounds]
    events = [(r.mistake, r.update, len(r.supports)) for r in rounds]
    return Run(
        np.array([_score(r) for r in rounds]),
        np.column_stack([events, evicted]),
        X[np.array([i for i, _ in rounds[-1].supports], int)],
        np.array([float(weight) for _, weight in rounds[-1].supports]),
    )


def _score(r):
    """f(x_t), and 0 where the pseudoinverse has nothing to say."""
    return float(getattr(r, "plain_score", r.score)) * getattr(r, "in_span", True)


def modified_perceptron(stream, kernel, *, budget=None, evict=None, draw=None, zero_score):
    """With and without a budget."""
    if budget is None:
        return oracle.modified_perceptron(stream, kernel, zero_score=zero_score)
    return oracle.modified_budget_perceptron(
        stream, kernel, budget=budget, draw=draw if evict == "random" else None,
        zero_score=zero_score,
    )  # fmt: skip


def in_snake_case(name):
    """As a function would be called."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


VARIANTS = {
    "ShiftingPerceptron": [{"decay": 0.5}],
    "ExponentialDecayPerceptron": [{"decay": 0.3}],
    "PassiveAggressiveI": [{"C": 0.5}],
    "PassiveAggressiveII": [{"C": 0.5}],
    "BudgetedPassiveAggressive": [{"budget": 8, "C": 0.5}],
    "ModifiedPerceptron": [
        {},
        {"budget": 8, "evict": "random"},
        {"budget": 8, "evict": "oldest"},
    ],
    "Projectron": [{"eta": 0.3}, {"norm_bound": 2.0}, {"budget": 8}],
    "ProjectronPlusPlus": [{"eta": 0.3}, {"norm_bound": 2.0}, {"budget": 8}],
    "SecondOrderPerceptron": [{"a": 0.5}],
    "RandomizedBudgetSecondOrderPerceptron": [{"budget": 8, "a": 0.5}],
    "LeastRecentBudgetSecondOrderPerceptron": [{"budget": 8, "a": 0.5}],
    "AdaptiveSecondOrderPerceptron": [{"c": 0.5, "radius": 0.8}],
    "Budgetron": [{"budget": 8, "patience": 3.0, "experts": ("cautious", "bold", "average")}],
}
"""The parameters of learners that need others than a budget of 8, or more than one choice."""
TOLERANCES = {"PseudoinverseSecondOrderPerceptron": 1e-5}
"""Without a ridge, rounding is amplified by the square of a thousand."""
REFERENCES = vars(oracle) | {"modified_perceptron": modified_perceptron}


def cases_of(learner):
    """A learner with each of its choices of parameters."""
    usual = {"budget": 8} if "budget" in signature(learner).parameters else {}
    reference = REFERENCES[in_snake_case(learner.__name__)]
    for parameters in VARIANTS.get(learner.__name__, [usual]):
        yield Case(learner, reference, parameters)


LEARNERS = [
    case
    for learner in (getattr(budgetron, name) for name in budgetron.__all__)
    if isinstance(learner, type)
    and issubclass(learner, KernelClassifier)
    and hasattr(learner(), "partial_fit")
    and in_snake_case(learner.__name__) in REFERENCES
    for case in cases_of(learner)
]
ON_A_BUDGET = [case for case in LEARNERS if "budget" in case.parameters and case.keeps_examples]
ONE_OF_EACH_KIND = [case for case in LEARNERS if case.estimator in IN_EVERY_LAYOUT]
"""All others are compiled for dense rows in float64 alone; of all of them uncompiled, see
`test_uncompiled_equals_compiled`."""

BUDGETS = (1, 3, 8)


def budgets(case):
    """The budgets to try it with."""
    return BUDGETS if "budget" in case.parameters else (None,)


def at(case, budget):
    """The learner with another budget, if it has one."""
    return replace(case, parameters=case.parameters | {"budget": budget}) if budget else case


def layouts(case):
    """The storages and precisions to try it with."""
    return layouts_of(case.estimator)


def storages(case):
    """The same in float64."""
    return storages_of(case.estimator)


def over(cases):
    """Run a test over these learners."""
    return pytest.mark.parametrize("case", [*map(_quick, cases)])


def _quick(case):
    return pytest.param(case, id=str(case), marks=pytest.mark.quick)


def xorshift(state):
    """The package's generator once more, on whole numbers: Marsaglia's xorshift64."""

    def draw(n):
        nonlocal state
        state ^= state << 13 & 2**64 - 1
        state ^= state >> 7
        state ^= state << 17 & 2**64 - 1
        return (state >> 32) * n >> 32

    return draw
