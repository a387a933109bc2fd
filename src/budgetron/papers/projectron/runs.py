"""One contender over one permutation of a data set."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import numpy as np

from ...datasets import load_a9a, load_sensit_vehicle, load_w8a
from ..online import learner_of, summary
from ..task import Outcome, does

__all__ = ["rows_of", "two_gaussians"]

SYNTHETIC_ROWS = 10_000


@does("projectron-online")
def _run(data: str, learner: str, parameters: dict[str, Any], permutation: int) -> Outcome:
    return summary(learner_of(learner, parameters), *_stream(data, permutation))


@lru_cache(maxsize=1)
def _stream(data: str, permutation: int) -> tuple[Any, np.ndarray]:
    if data == "synthetic":
        return two_gaussians(permutation)
    X, y = rows_of(data)
    order = np.random.default_rng(permutation).permutation(len(y))
    return X[order], y[order]


@lru_cache
def rows_of(data: str) -> tuple[Any, np.ndarray]:
    """The rows of a data set and their labels, in the order of the file."""
    loaders: dict[str, Callable[[], Any]] = {
        "a9a": load_a9a,
        "sensit_vehicle": partial(load_sensit_vehicle, download=False),
        "w8a": load_w8a,
    }
    dataset = loaders[data]()
    return dataset.X, dataset.y


def two_gaussians(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows around (1, 1) and (-1, -1) with variances 0.2 and 2, a tenth of the labels flipped."""
    rng = np.random.default_rng(seed)
    side = np.where(rng.random(SYNTHETIC_ROWS) < 0.5, 1, -1)
    X = side[:, None] + rng.normal(size=(SYNTHETIC_ROWS, 2)) * np.sqrt([0.2, 2])
    return X, np.where(rng.random(SYNTHETIC_ROWS) < 0.1, -side, side)
