"""How often `fit` goes over its examples, and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sklearn.utils import _safe_indexing, check_random_state, indexable

from ..parameters import whole

__all__ = ["Passes"]


@dataclass(eq=False, repr=False, kw_only=True)
class Passes:
    """Parameters of `fit`, for all learners.

    Parameters
    ----------
    epochs : int, default=1
        How often `fit` goes over the examples. `partial_fit` always learns each of them once.
    shuffle : bool, default=False
        Whether `fit` takes them in a random order, another one in each pass. A stream is learned in
        its own order, so that is the default; a table, whose order means nothing or whose rows are
        sorted, is learned better with `shuffle=True`.
    """

    epochs: int = 1
    shuffle: bool = False

    def _passes(self, X: Any, y: Any, sample_weight: Any) -> Iterator[tuple[Any, Any, Any]]:
        """The examples, once for each pass."""
        epochs = whole("epochs", self.epochs, least=1)
        if not self.shuffle:
            yield from [(X, y, sample_weight)] * epochs
            return
        X, y, sample_weight = indexable(X, y, sample_weight)
        random = check_random_state(getattr(self, "random_state", None))
        for _ in range(epochs):
            order = random.permutation(len(y))
            weights = None if sample_weight is None else _safe_indexing(sample_weight, order)
            yield _safe_indexing(X, order), _safe_indexing(y, order), weights
