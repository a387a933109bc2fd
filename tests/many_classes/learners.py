"""Every rule that has a single machine, and small streams of many classes."""

import numpy as np
import pytest
from hypothesis import strategies as st
from scipy import sparse

from budgetron.engine import Learner, ManyLearner
from budgetron.rules.budget_perceptron import BudgetPerceptron
from budgetron.rules.budgeted_passive_aggressive import BudgetedPassiveAggressive
from budgetron.rules.exponential_decay_perceptron import ExponentialDecayPerceptron
from budgetron.rules.forgetron import Forgetron
from budgetron.rules.least_recent_budget_perceptron import LeastRecentBudgetPerceptron
from budgetron.rules.passive_aggressive import (
    PassiveAggressive,
    PassiveAggressiveI,
    PassiveAggressiveII,
)
from budgetron.rules.perceptron import Perceptron
from budgetron.rules.projectron import Projectron, ProjectronPlusPlus
from budgetron.rules.randomized_budget_perceptron import RandomizedBudgetPerceptron
from budgetron.rules.shifting_perceptron import ShiftingPerceptron
from budgetron.rules.stoptron import Stoptron
from streams import TIES

CLASSES = 4
UNBOUNDED = 10**9

FREE_OF_SCALE = [  # k and 2 k make the same mistakes
    Perceptron(),
    ShiftingPerceptron(decay=0.5),
    ExponentialDecayPerceptron(decay=0.3),
    RandomizedBudgetPerceptron(budget=8),
    LeastRecentBudgetPerceptron(budget=8),
    BudgetPerceptron(budget=8),
    Stoptron(budget=8),
]
RULES = [
    *FREE_OF_SCALE,
    Forgetron(budget=8),
    PassiveAggressive(),
    PassiveAggressiveI(C=0.5),
    PassiveAggressiveII(C=0.5),
    BudgetedPassiveAggressive(budget=8, C=0.5),
    Projectron(eta=0.3, norm_bound=0.0, budget=UNBOUNDED),
    Projectron(eta=0.0, norm_bound=0.0, budget=8),
    ProjectronPlusPlus(eta=0.0, norm_bound=2.0, budget=UNBOUNDED, competitor=2.0),
    ProjectronPlusPlus(eta=0.0, norm_bound=0.0, budget=8, competitor=0.0),
]
SOME = [Perceptron(), Forgetron(budget=8), PassiveAggressiveI(C=0.5)]
"""Where storage or dtype matter: what they change is the same for every rule."""
ON_A_BUDGET = [
    rule._replace(budget=budget)
    for rule in RULES
    if getattr(rule, "budget", UNBOUNDED) < UNBOUNDED
    for budget in (1, 3, 8)
]


def over(rules):
    """Run a test over these rules."""
    return pytest.mark.parametrize("rule", rules, ids=repr)


def at_work(rule, kernel, X, classes=CLASSES, **options):
    """A rule at work on rows like these."""
    return ManyLearner(rule, kernel, X.shape[1], classes, sparse=sparse.issparse(X), **options)


def binary_at_work(rule, kernel, X, **options):
    """The same for a label of -1 or +1."""
    return Learner(rule, kernel, X.shape[1], sparse=sparse.issparse(X), **options)


def labels_of(classes, weights=1.0):
    """Labels as the engine takes them."""
    classes = np.asarray(classes, float)
    return np.column_stack([classes, np.broadcast_to(weights, classes.shape)])


def gaussian_stream(seed=0, length=300, classes=CLASSES):
    """Points of a normal distribution; their classes are sectors, not quite strictly."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(length, 3))
    angle = np.arctan2(*X[:, :2].T) + 0.2 * rng.normal(size=length)
    return X, labels_of(np.floor(classes * angle / (2 * np.pi)) % classes)


def tied_stream(seed=0, length=300, classes=CLASSES):
    """Points of a coarse grid in any class, with zero rows and repetitions in other classes.

    Weights are 0, 1 or 2.
    """
    rng = np.random.default_rng(seed)
    X, y = rng.choice(TIES, size=(length, 3)), rng.integers(classes, size=length)
    X[rng.random(length) < 0.05] = 0
    for t in np.flatnonzero(rng.random(length) < 0.3)[1:]:
        earlier = rng.integers(t)
        X[t], y[t] = X[earlier], (y[earlier] + 1) % classes
    return X, labels_of(y, rng.choice([0.0, 1.0, 1.0, 2.0], size=length))


STREAMS = {"gaussian": gaussian_stream, "tied": tied_stream}

over_streams = pytest.mark.parametrize("stream", STREAMS.values(), ids=STREAMS)

tied_streams = st.lists(
    st.tuples(
        *[st.sampled_from(TIES)] * 3,
        st.integers(0, CLASSES - 1),
        st.sampled_from([1.0, 1.0, 0.0, 2.0]),
    ),
    min_size=1,
    max_size=40,
).map(lambda examples: np.split(np.array(examples, float), [3], axis=1))
