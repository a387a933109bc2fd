"""River asks about a row, keeps it, and comes back with its label."""

import numpy as np
from river.stream import simulate_qa
from scipy import sparse
from sklearn.base import clone

from budgetron import river
from river_kinds import over_kinds
from river_learners import dicts, small, stream

DELAY = 8


@over_kinds
def test_what_river_tells_late_is_learned_late(learner):
    X, y, _ = stream()
    model, said = small(learner), {}
    alone = clone(model.estimator)
    for i, x, label in simulate_qa(zip(dicts(X), y, strict=True), moment=None, delay=DELAY):
        if label is None:
            said[i] = model.predict_one(x)
        else:
            model.learn_one(x, label)
    assert said[DELAY - 1] is None
    wide = np.pad(X, ((0, 0), (0, 60)))
    rows = X[:, :1] if learner is river.DriftingThreshold else sparse.csr_array(wide)
    expected = {}
    for t in range(len(y)):
        if t >= DELAY:
            late = slice(t - DELAY, t - DELAY + 1)
            alone.partial_fit(rows[late], y[late])
        told = set(y[: max(0, t - DELAY + 1)])
        expected[t] = alone.predict(rows[t : t + 1])[0] if len(told) > 1 else said[t]
    assert said == expected
    assert model.estimator.n_seen_ == alone.n_seen_ + DELAY  # told at the end
