"""Every learner, streams for it, and all that it knows."""

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator

import budgetron
from budgetron.core.memory import WHOLE
from budgetron.core.state import SIZE, USED
from budgetron.engine import Learner, OneVsRest, Pool
from budgetron.estimators.whitened_perceptron import Whitening
from budgetron.saving import load_with_notes, save
from budgetron.saving.packing import asymmetry, has_two_halves, packed
from estimators.learners import LEARNERS, small

NOT_KEPT = {"_idle", "_machine_code"}


def facts(thing):
    """All that an object knows, to the last bit, as something that can be compared."""
    if sparse.issparse(thing):
        thing = sparse.csr_array(thing)
        return [facts(part) for part in (thing.data, thing.indices.tolist(), thing.indptr.tolist())]
    if isinstance(thing, np.ndarray):
        return (
            thing.dtype.str,
            thing.shape,
            thing.tolist() if thing.dtype == object else _bits(thing),
        )
    if isinstance(thing, Whitening):
        return [facts(part) for part in thing]
    if isinstance(thing, dict):
        return {name: facts(value) for name, value in thing.items()}
    if isinstance(thing, tuple | list):
        return [type(thing), *map(facts, thing)]
    if isinstance(thing, np.random.RandomState):
        return facts(thing.get_state())
    if isinstance(thing, Learner | OneVsRest | Pool | BaseEstimator):
        known = {name: value for name, value in vars(thing).items() if name not in NOT_KEPT}
        if isinstance(thing, Learner):
            known["state"] = [*_live(thing.rule, thing.state)]
        return type(thing), facts(known)
    if isinstance(thing, float):
        return thing.hex()
    return type(thing), thing


def _live(rule, state):
    """What is kept of supports, wherever there is room for more of them."""
    used, slots = int(state.counts[USED]), state.order[: state.counts[SIZE]]
    yield from (state.rows.matrix(slots), state.rows.norms[slots])
    yield from (own[slots] for own in (state.weights, state.weight_time, state.births))
    yield state.order[:used]
    for array, form in zip(state.memory, state.memory.forms, strict=True):
        yield array if form == WHOLE else packed(array, form, slots).copy()
        if has_two_halves(form):
            yield asymmetry(array, form, slots)
    yield from (state.counts, state.numbers, state.randomness)


def _bits(array):
    return array.flags.c_contiguous, array.flags.writeable, array.tobytes()


def saved(model, directory, notes=None):
    """The same from a file."""
    path = os.path.join(directory, "model.budgetron")
    save(model, path, notes)
    again, found = load_with_notes(path)
    assert found == (notes or {})
    return again


@dataclass(frozen=True)
class Way:
    """How a learner is used."""

    storage: str = "dense"
    dtype: str = "float64"
    classes: int = 2
    weighted: bool = False

    def stream(self, length, seed):
        """Rows with zeros in them, labels that follow a curved border, and weights."""
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(length, 4)) * (rng.random((length, 4)) < 0.8)
        border = X[:, 0] + X[:, 1] ** 2 - 1 + 0.3 * rng.normal(size=length)
        y = (border > 0).astype(int)
        if self.classes == 3:
            y[(X[:, 2] > 0.7)] = 2
        weights = rng.choice([0.0, 0.5, 1.0, 2.0], length) if self.weighted else np.ones(length)
        X = sparse.csr_array(X) if self.storage == "sparse" else X
        return X, np.array(["no", "yes", "maybe"])[y], weights


def with_kernel(learner, way, **parameters):
    """A learner for the way, with as much that has to be saved as there can be."""
    return small(learner, dtype=way.dtype, **parameters)


def go_on(model, X, y, weights, first, last):
    """Learn a stretch of the stream."""
    if last > first:
        model.partial_fit(X[first:last], y[first:last], sample_weight=weights[first:last])
    return model


def experts(**parameters: Any):
    """Experts of all kinds that learn."""
    return budgetron.RestartingExperts(
        [
            small(budgetron.Forgetron),
            small(budgetron.RandomizedBudgetPerceptron, random_state=None),
            small(budgetron.ProjectronPlusPlus, gamma=1.0),
            budgetron.DriftingThreshold(feature=1),
        ],
        **{"restart_every": 30, "random_state": 3, **parameters},
    )


__all__ = ["LEARNERS", "Way", "experts", "facts", "go_on", "saved", "with_kernel"]
