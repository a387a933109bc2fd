"""One learner over one stream, testing and then training: what most tables are made of."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

import budgetron

from ..estimators import StreamClassifier
from ..evaluation import prequential
from .task import Outcome

__all__ = ["checkpoints", "is_at_hand", "learner_of", "summary"]

CHECKPOINTS = 40
"""How often mistakes are counted, evenly over the stream."""


def checkpoints(rows: int) -> np.ndarray:
    """The rows after which mistakes are counted in a stream of so many."""
    return np.linspace(0, rows, CHECKPOINTS + 1, dtype=int)[1:]


def is_at_hand(load: Callable[[], object]) -> bool:
    """Whether a loader that does not download finds its file."""
    try:
        load()
    except FileNotFoundError:
        return False
    return True


def learner_of(name: str, parameters: dict[str, Any]) -> StreamClassifier:
    """A learner by the name of its class."""
    learner: StreamClassifier = getattr(budgetron, name)(**parameters)
    return learner


def summary(learner: StreamClassifier, X: Any, y: Any) -> Outcome:
    """Send a learner over a stream, and say in plain numbers how it did.

    Parameters
    ----------
    learner : a learner of this package
    X : array or CSR matrix of shape (n_examples, n_features)
    y : array of shape (n_examples,)

    Returns
    -------
    dict
        "rows", "mistakes", "updates", "size" (at the end), "largest_size", "seconds", and the
        mistakes and the size at the `checkpoints`: "course" and "growth".
    """
    start = perf_counter()
    trace = prequential(learner, X, y, classes=np.unique(y))
    seconds = perf_counter() - start
    last = checkpoints(len(trace)) - 1
    return {
        "rows": len(trace),
        "mistakes": int(trace.mistakes.sum()),
        "updates": int(trace.updates.sum()),
        "size": int(trace.sizes[-1]),
        "largest_size": int(trace.sizes.max()),
        "seconds": round(seconds, 4),
        "course": np.cumsum(trace.mistakes)[last].tolist(),
        "growth": trace.sizes[last].tolist(),
    }
