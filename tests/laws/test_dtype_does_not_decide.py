"""In float32 a learner decides as in float64, given the numbers that float32 can hold."""

import numpy as np

from budgetron.engine import blocked
from covering import across
from laws.kernels import KERNELS
from laws.learners import ONE_OF_EACH_KIND
from laws.runs import assert_same, run
from streams import STREAMS


def assert_decides_alike(case, name, stream):
    X, labels = stream()
    X = X.astype(np.float32)
    single, double = (
        run(blocked, case.at_work(KERNELS[name].engine, X, dtype=dtype), X, labels)
        for dtype in (np.float32, np.float64)
    )
    assert_same(single, double, tolerance=1e-5, where=name)


@across(ONE_OF_EACH_KIND, stream=STREAMS)
def test_float32_decides_as_float64(case, stream):
    for name in KERNELS:
        assert_decides_alike(case, name, stream)
