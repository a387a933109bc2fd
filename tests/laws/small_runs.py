"""Every learner over a small stream: `python -m laws.small_runs file.npz` without the compiler."""

import sys

import numba
import numpy as np

from laws.learners import LEARNERS
from laws.runs import prequential_run
from streams import LAYOUTS, tied_stream


def small_runs():
    """The run of each learner in each layout, by their names."""
    X, y = tied_stream(length=60)
    return {
        f"{case} {name}": prequential_run(
            case.new(random_state=0, dtype=dtype), storage(X), y, cuts=[1, 4]
        )
        for case in LEARNERS
        for name, (storage, dtype) in LAYOUTS.items()
    }


if __name__ == "__main__":
    assert numba.config.DISABLE_JIT
    arrays = {
        f"{name} {field}": array
        for name, run in small_runs().items()
        for field, array in run._asdict().items()
    }
    np.savez(sys.argv[1], **arrays)
