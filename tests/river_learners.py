"""Every learner as a classifier of River, streams of dicts for them, and all that one knows."""

import numpy as np
import pytest
from scipy import sparse

from budgetron import river
from budgetron.core.state import USED
from budgetron.engine import Learner, OneVsRest, Pool
from budgetron.estimators import StreamClassifier
from budgetron.river.classifier import StreamLearner
from budgetron.river.feature_index import FeatureIndex

LEARNERS = [getattr(river, name) for name in river.__all__]

over_learners = pytest.mark.parametrize("learner", LEARNERS, ids=river.__all__)

NAMES = ("a", "b", "c", "d")


def small(learner, **parameters):
    """A new learner with a budget that a short stream fills, if it has one."""
    if learner is river.DriftingThreshold:
        return learner(**{"feature": "a", **parameters})
    if learner is river.RestartingExperts:
        kinds = river.Forgetron, river.ProjectronPlusPlus
        experts = [kind(budget=5, gamma=0.5) for kind in kinds]
        return learner(experts, **{"seed": 0, "max_features": 64, **parameters})
    if "budget" in learner()._get_params():
        parameters = {"budget": 10, **parameters}
    if learner is river.PseudoinverseSecondOrderPerceptron:  # made for few dimensions
        parameters = {"kernel": "poly", "degree": 2, "coef0": 1.0, **parameters}
    return learner(**{"gamma": 0.5, "seed": 0, "max_features": 64, **parameters})


def stream(length=150, classes=(False, True), seed=0, late=None):
    """Rows with ties and zeros among them, labels, weights; the last class may be a late one."""
    rng = np.random.default_rng(seed)
    X = rng.choice([-1.0, -0.4, -0.1, 0.0, 0.1, 0.3, 0.9], size=(length, len(NAMES)))
    X[::3] += rng.normal(size=X[::3].shape)
    score = X[:, 0] + X[:, 1] ** 2 - 0.5 + 0.3 * rng.normal(size=length)
    codes = np.digitize(score, np.linspace(-0.5, 0.8, len(classes) + 1)[1:-1])
    if late is not None:
        codes[:late] = np.minimum(codes[:late], len(classes) - 2)
    weights = rng.choice([0.0, 0.5, 1.0, 2.0], size=length)
    return X, [classes[code] for code in codes], weights


def dicts(X):
    """The rows of a matrix as dicts."""
    return [dict(zip(NAMES, row, strict=False)) for row in X.tolist()]


def learned(model, X, y, w=None):
    """The model after it has learned one row after the other."""
    for x, label, weight in zip(dicts(X), y, [1.0] * len(y) if w is None else w, strict=True):
        model.learn_one(x, label, weight)
    return model


def knowledge(thing):
    """All that an object knows, to the last bit, wherever in memory it keeps it."""
    if isinstance(thing, StreamLearner | FeatureIndex | StreamClassifier | OneVsRest | Pool):
        passing = {"_layout", "_y_name"}
        return {name: knowledge(it) for name, it in vars(thing).items() if name not in passing}
    if isinstance(thing, Learner):
        state, slots, used = thing.state, thing.slots, int(thing.state.counts[USED])
        by_slot = [it[slots] for it in (state.weights, state.weight_time, state.births)]
        memory = state.memory.copied(thing.rule, used, used)
        others = [slots, memory, state.counts, state.numbers, state.randomness]
        return knowledge([thing.supports, *by_slot, *others])
    if isinstance(thing, np.ndarray):
        return thing.dtype.str, thing.shape, thing.tolist()
    if sparse.issparse(thing):
        return knowledge([thing.data, thing.indices, thing.indptr])
    if isinstance(thing, dict):
        return {name: knowledge(value) for name, value in thing.items()}
    if isinstance(thing, tuple | list):
        return [type(thing).__name__, *map(knowledge, thing)]
    return thing
