"""The first examples of a stream, on which the width of the Gaussian kernel is chosen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from ..core.kernel import SMALLEST_DIAGONAL, Rows, squared_norms
from .classes import Numbered

__all__ = ["MILESTONES", "WarmUp", "width_for"]

MILESTONES = 10, 100
"""The width is chosen anew after so many examples."""


class WarmUp:
    """Examples with their labels and weights, up to the last milestone."""

    def __init__(self) -> None:
        self.parts: tuple[tuple[Rows, np.ndarray, np.ndarray], ...] = ()

    @property
    def seen(self) -> int:
        """The number of examples so far."""
        return sum(len(labels) for _, labels, _ in self.parts)

    @property
    def left(self) -> int:
        """The number of examples up to the next milestone."""
        return min(milestone for milestone in MILESTONES if milestone > self.seen) - self.seen

    def add(self, X: Rows, labels: np.ndarray, weights: np.ndarray) -> bool:
        """Remember examples that lead up to a milestone, and say whether they have reached it."""
        reached = len(labels) == self.left
        self.parts += ((X.copy(), labels, weights.copy()),)
        return reached

    def numbered(self, classes: np.ndarray, *, named: bool) -> Numbered:
        """The labels so far, among the classes that are known so far.

        Two classes are known from the start on, as named ones are: see `Numbered.stretches`.
        """
        places = {label: place for place, label in enumerate(classes.tolist())}
        labels = np.concatenate([labels for _, labels, _ in self.parts]).tolist()
        codes = np.array([places[label] for label in labels])
        since = np.zeros(len(classes), int)
        if not named and len(classes) > 2:
            since = np.array([(codes == own).argmax() for own in range(len(classes))])
            since[np.argsort(since)[:2]] = 0
        return Numbered(classes, codes, since)

    def joined(self) -> tuple[Rows, np.ndarray, np.ndarray]:
        """All examples."""
        X, labels, weights = zip(*self.parts, strict=True)
        return _stacked(X), np.concatenate(labels), np.concatenate(weights)


def _stacked(parts: Sequence[Rows]) -> Rows:
    """All rows, as the first ones are stored."""
    if sparse.issparse(parts[0]):
        return sparse.csr_array(sparse.vstack([sparse.csr_array(part) for part in parts]))
    dense = [part.toarray() if sparse.issparse(part) else part for part in parts]
    return np.concatenate(dense)


def width_for(X: Rows) -> float | None:
    """1 over the mean squared distance of two of these examples; None if they are all the same."""
    many, norms = X.shape[0], squared_norms(X)
    center = np.asarray(X.mean(axis=0), float).ravel()
    distance = 2 * many / (many - 1) * (norms.mean() - center @ center)
    return 1 / float(distance) if distance > max(1e-12 * norms.max(), SMALLEST_DIAGONAL) else None
