"""Every learner of River learns what its estimator does; uncompiled, as compiling takes long."""

from pathlib import Path

from budgetron import river
from engine.fresh import in_a_fresh_process

SCRIPT = """
import json
import numpy as np
from scipy import sparse
from budgetron.river.classifier import KernelLearner
from river_learners import LEARNERS, learned, small, stream

X, y, w = stream(length=60)
wide = sparse.csr_array(np.hstack([X, np.zeros((len(X), 60))]))
told = {}
for learner in LEARNERS:
    if not issubclass(learner, KernelLearner):
        continue
    model, estimator = learned(small(learner), X, y, w), small(learner).estimator
    estimator.partial_fit(wide, y, sample_weight=w)
    one, other = (
        [it.n_seen_, it.n_mistakes_, it.n_updates_, it.predict(wide).tolist()]
        for it in (model.estimator, estimator)
    )
    close = np.allclose(model.estimator.dual_coef_, estimator.dual_coef_, rtol=1e-6, atol=1e-9)
    told[learner.__name__] = [one == other, bool(close), model.estimator.n_mistakes_ > 0]
print(json.dumps(told))
"""


def test_learn_one_is_partial_fit_for_every_learner():
    tests = Path(__file__).parents[1]
    told = in_a_fresh_process(SCRIPT, path=tests, NUMBA_DISABLE_JIT="1")
    others = {"DriftingThreshold", "RestartingExperts"}
    assert told == {name: [True, True, True] for name in {*river.__all__} - others}
