"""Every learner over a small stream: `python -m laws.small_runs file.npz` without the compiler."""

import sys
from contextlib import suppress

import numba
import numpy as np
from scipy import sparse

from budgetron import Perceptron
from laws.learners import LEARNERS
from laws.runs import prequential_run
from streams import LAYOUTS, STORAGES, tied_stream

ALL_LAYOUTS = LAYOUTS | {"sparse float32": (sparse.csr_array, "float32")}


def small_run(case, layout):
    """On rows that a float32 can hold, so that ties are ties in every layout."""
    (storage, dtype), (X, y) = ALL_LAYOUTS[layout], tied_stream(length=60)
    rows = storage(np.round(8 * X) / 8)
    return prequential_run(case.new(random_state=0, dtype=dtype), rows, y, cuts=[1, 4])


if __name__ == "__main__":
    assert numba.config.DISABLE_JIT
    arrays = {
        f"{case} {layout} {field}": array
        for case in LEARNERS
        for layout in ALL_LAYOUTS
        for field, array in small_run(case, layout)._asdict().items()
    }
    np.savez(sys.argv[1], **arrays)
    for storage in STORAGES.values():  # refused, without a warning
        with suppress(ValueError):
            Perceptron().partial_fit(storage(np.array([[1e200, 1.0]])), [1], [-1, 1])
