"""Every rule that has a single machine for many classes, and small streams for it."""

import numpy as np
import pytest
from hypothesis import strategies as st
from scipy import sparse

from budgetron.core.rule import contract, trigger
from budgetron.engine import Learner, MulticlassLearner
from laws.learners import BUDGETS, LEARNERS, ONE_OF_EACH_KIND
from streams import TIES

CLASSES = 4

CASES = [case for case in LEARNERS if contract(case.new()._rule()).multiclass]
RULES = [case.new()._rule() for case in CASES]
OF_EACH_KIND = [case.new()._rule() for case in CASES if case in ONE_OF_EACH_KIND]
"""One rule of each kind of memory, for what no rule has a say in."""
OTHERS = [case.new()._rule() for case in LEARNERS if case not in CASES]
KNOW_A_SCALE = ("Forgetron", "Projectron")
FREE_OF_SCALE = [  # k and 2 k make the same mistakes
    rule
    for rule in RULES
    if trigger(rule).threshold == 0 and type(rule).__name__ not in KNOW_A_SCALE
]
SOME = ("Forgetron",)
"""Where storage or dtype matter: what they change is the same for every rule."""
ON_A_BUDGET = [
    case.new()._rule()._replace(budget=budget)
    for case in CASES
    if "budget" in case.parameters
    for budget in BUDGETS
]


def over(rules):
    """Run a test over these rules."""
    return pytest.mark.parametrize("rule", rules, ids=repr)


def at_work(rule, kernel, X, classes=CLASSES, **options):
    """A rule at work on rows like these."""
    return MulticlassLearner(
        rule, kernel, X.shape[1], classes, sparse=sparse.issparse(X), **options
    )


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


def winners(scores):
    """The class of the highest score, of equal ones the first."""
    return scores.argmax(axis=1)


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
