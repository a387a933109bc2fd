"""Multi-label data as a stream whose category of interest changes."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ..parameters import whole
from .moving_target import MovingTarget, signs

__all__ = ["ShiftingDataset", "shifting_datasets"]


@dataclass(frozen=True, eq=False)
class ShiftingDataset(MovingTarget):
    """A data set in equal consecutive chunks, each labelled by whether a category is present.

    The target of a row is the index of its chunk's category among the distinct categories. A step
    is 1 where the category changes. Rows left over are dropped.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_rows, n_features)
    Y : array or sparse matrix of shape (n_rows, n_categories), or a list of collections
        An indicator matrix, whose columns are the categories; or the labels of each row.
    categories : sequence
        One for each chunk.

    Examples
    --------
    >>> from budgetron.streams import ShiftingDataset
    >>> X = [[0], [1], [2], [3]]
    >>> topics = [{"sport"}, {"sport", "china"}, {"china"}, set()]
    >>> sample = ShiftingDataset(X, topics, ["sport", "china"]).take(4)
    >>> sample.y
    array([ 1,  1,  1, -1])
    >>> sample.shift_times
    array([2])

    References
    ----------
    G. Cavallanti, N. Cesa-Bianchi and C. Gentile, "Tracking the best hyperplane with a simple
    budget Perceptron", Machine Learning 69 (2007) 143-167, Section 4.
    """

    X: Any
    Y: Any
    categories: Sequence[Hashable]

    def __post_init__(self) -> None:
        X = _matrix(self.X)
        Y = _matrix(self.Y) if getattr(self.Y, "ndim", 1) == 2 else [*self.Y]
        categories = tuple(self.categories)
        if X.ndim != 2:
            raise ValueError(f"X must be a matrix, got {X.ndim} dimensions")
        labelled = len(Y) if isinstance(Y, list) else Y.shape[0]
        if X.shape[0] != labelled:
            raise ValueError(f"X has {X.shape[0]} rows and Y has {labelled}")
        if not 1 <= len(categories) <= labelled:
            raise ValueError(
                f"categories must be at least one and at most as many as rows, {labelled};"
                f" got {len(categories)}"
            )
        _check_categories(Y, categories)
        for name, value in (("X", X), ("Y", Y), ("categories", categories)):
            object.__setattr__(self, name, value)

    @property
    def near(self) -> float:
        """0: every change of category is a shift."""
        return 0.0

    def _pieces(self) -> Iterator[tuple[Any, np.ndarray, np.ndarray]]:
        length = self.X.shape[0] // len(self.categories)
        distinct = [*dict.fromkeys(self.categories)]
        for place, category in enumerate(self.categories):
            rows = slice(place * length, (place + 1) * length)
            target = np.full(length, distinct.index(category))
            yield self.X[rows], signs(self._members(rows, category)), target

    def _steps(self, targets: np.ndarray) -> np.ndarray:
        return (np.diff(targets) != 0).astype(float)

    def _members(self, rows: slice, category: Any) -> np.ndarray:
        if isinstance(self.Y, list):
            return np.array([category in labels for labels in self.Y[rows]])
        column = self.Y[rows][:, [category]]
        return np.asarray(column.toarray() if sparse.issparse(column) else column)[:, 0] != 0


def shifting_datasets(
    X: Any, Y: Any, categories: Sequence[Hashable], shifts: int, random_state: int = 0
) -> list[ShiftingDataset]:
    """A group of data sets with so many shifts, as many as there are categories.

    Without shifts there is one data set for each category. Otherwise the data sets go through
    different random permutations of the categories, as far as the chunks reach; where there are
    more chunks than categories, the permutation is repeated.

    Parameters
    ----------
    X, Y
        As in `ShiftingDataset`.
    categories : sequence
        The distinct categories; the paper has four.
    shifts : int
        In each data set; the paper has groups with 0, 1, 3 and 7.
    random_state : int, default=0

    Returns
    -------
    list of ShiftingDataset

    Examples
    --------
    >>> import numpy as np
    >>> from budgetron.streams import shifting_datasets
    >>> X, Y = np.zeros((16, 1)), np.eye(16, 4)
    >>> [data.categories for data in shifting_datasets(X, Y, range(4), shifts=0)]
    [(0,), (1,), (2,), (3,)]
    >>> [data.take(16).shifts for data in shifting_datasets(X, Y, range(4), shifts=7)]
    [7, 7, 7, 7]
    """
    categories = tuple(categories)
    if len(set(categories)) != len(categories):
        raise ValueError(f"categories must be distinct, got {categories}")
    if whole("shifts", shifts, least=0) and len(categories) < 2:
        raise ValueError("a shift needs at least two categories")
    rng = np.random.default_rng(whole("random_state", random_state, least=0))
    sequences: dict[tuple[Hashable, ...], None]
    sequences = {(category,): None for category in categories} if shifts == 0 else {}
    while len(sequences) < len(categories):
        order = rng.permutation(len(categories))
        sequences[tuple(categories[i] for i in np.resize(order, shifts + 1))] = None
    return [ShiftingDataset(X, Y, sequence) for sequence in sequences]


def _matrix(rows: Any) -> Any:
    return rows.tocsr() if sparse.issparse(rows) else np.asarray(rows)


def _check_categories(Y: Any, categories: tuple[Hashable, ...]) -> None:
    if not isinstance(Y, list):
        for category in categories:
            if whole("a category of an indicator matrix", category, least=0) >= Y.shape[1]:
                raise ValueError(f"category {category} is not one of the {Y.shape[1]} columns")
        return
    for labels in Y:
        if isinstance(labels, str) or not isinstance(labels, Collection):
            raise TypeError(f"Y must hold a collection of labels for each row, got {labels!r}")
    unknown = set(categories).difference(*Y)
    if unknown:
        raise ValueError(f"no row has the categories {sorted(map(str, unknown))}")
