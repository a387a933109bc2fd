"""Every learner that learns as it goes, small streams, and all that a learner knows."""

import numpy as np
import pytest

import budgetron
from budgetron.core.state import USED
from budgetron.engine import Learner, Pool
from budgetron.estimators import KernelClassifier
from streams import LAYOUTS, STORAGES

LEARNERS = [
    learner
    for learner in (getattr(budgetron, name) for name in budgetron.__all__)
    if isinstance(learner, type)
    and issubclass(learner, KernelClassifier)
    and hasattr(learner(), "partial_fit")
]
WITH_SUPPORTS = [learner for learner in LEARNERS if learner is not budgetron.FourierGradientDescent]
"""The others keep no examples, and have the Gaussian kernel alone."""
EXPANSIONS = [learner for learner in WITH_SUPPORTS if learner is not budgetron.Budgetron]
"""Those that predict with the expansion itself, and not with several in one."""
KINDS = [
    budgetron.RandomizedBudgetPerceptron,
    budgetron.Forgetron,
    budgetron.ProjectronPlusPlus,
    budgetron.SecondOrderPerceptron,
    budgetron.Budgetron,
    budgetron.FourierGradientDescent,
]
"""One of each kind, where it is the common base class that is tested."""
IN_EVERY_LAYOUT = [
    *KINDS,
    budgetron.AdaptiveSecondOrderPerceptron,
    budgetron.Ahpatron,
    budgetron.BudgetPerceptron,
    budgetron.NystromGradientDescent,
    budgetron.PseudoinverseSecondOrderPerceptron,
]
"""One of each kind of memory, compiled for sparse rows and for float32 too: no rule sees a row."""

over_kinds = pytest.mark.parametrize("learner", KINDS)
over_kinds_with_supports = pytest.mark.parametrize(
    "learner", [learner for learner in KINDS if learner in WITH_SUPPORTS]
)
over_learners = pytest.mark.parametrize("learner", LEARNERS)
over_learners_with_supports = pytest.mark.parametrize("learner", WITH_SUPPORTS)
over_storages = pytest.mark.parametrize("storage", STORAGES.values(), ids=STORAGES)


def storages(learner):
    """How rows may be stored, where all learners are tested."""
    return STORAGES if learner in IN_EVERY_LAYOUT else {"dense": STORAGES["dense"]}


def layouts(learner):
    """The same, with the precision."""
    return LAYOUTS if learner in IN_EVERY_LAYOUT else {"dense": LAYOUTS["dense"]}


def small(learner, **parameters):
    """A new learner with a budget that a short stream fills, if it has one."""
    if "budget" in learner().get_params():
        parameters = {"budget": 10, **parameters}
    if learner is budgetron.NystromGradientDescent:  # a fifth of so few directions is none
        parameters = {"rank": 10, **parameters}
    if learner is budgetron.PseudoinverseSecondOrderPerceptron:  # made for few dimensions
        parameters = {"kernel": "poly", "degree": 2, "coef0": 1.0, **parameters}
    return learner(**{"gamma": 0.5, "random_state": 0, **parameters})


def stream(length=200, seed=0):
    """Rows with zeros in them, and labels that follow a curved border, not quite strictly."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(length, 4)) * (rng.random((length, 4)) < 0.8)
    border = X[:, 0] + X[:, 1] ** 2 - 1 + 0.3 * rng.normal(size=length)
    return X, np.where(border > 0, 1, -1)


def facts(thing):
    """All that an object knows, to the last bit, as something that can be compared."""
    if isinstance(thing, np.ndarray):
        return thing.dtype.str, thing.shape, thing.tolist()
    if isinstance(thing, dict):
        return {name: facts(value) for name, value in thing.items()}
    if isinstance(thing, tuple | list):
        return [type(thing), *map(facts, thing)]
    if isinstance(thing, np.random.RandomState):
        return facts(thing.get_state())
    if isinstance(thing, Learner):  # room that is not used may be anything
        used = int(thing.state.counts[USED])
        state = thing.state.trimmed(thing.state.memory.copied(thing.rule, used, used))
        return facts(thing.__getstate__() | {"state": state})
    if isinstance(thing, KernelClassifier | Pool):
        return facts(thing.__dict__)
    return thing
