"""Once the budget is full, what a learner keeps has the same number of bytes for ever."""

import pickle

import numpy as np

from covering import across
from laws.learners import LEARNERS, storages

ON_A_BUDGET = [case for case in LEARNERS if "budget" in case.parameters]


def stream(storage, length=3000):
    """Labels that cannot be learned, and rows with four values each."""
    rng = np.random.default_rng(0)
    X = rng.permuted(np.tile([*rng.normal(size=4), *np.zeros(4)], (length, 1)), axis=1)
    return storage(X), rng.choice([-1, 1], size=length)


def bytes_kept(arrays):
    return sum(bytes_kept(a) if isinstance(a, tuple) else a.nbytes for a in arrays)


@across(ON_A_BUDGET, storage=storages)
def test_a_full_learner_keeps_the_same_number_of_bytes_for_ever(case, storage):
    X, y = stream(storage)
    model, kept, pickled = case.new(random_state=0, gamma=1.0), set(), set()
    for first in range(0, len(y), 100):
        model.partial_fit(X[first : first + 100], y[first : first + 100], classes=[-1, 1])
        if first >= 1000:
            kept.add(bytes_kept(model._learner.state))
            pickled.add(len(pickle.dumps(model)))
    assert len(kept) == 1
    assert len(pickled) == 1
