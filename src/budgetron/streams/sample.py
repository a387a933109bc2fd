"""Rows of a stream, with what is true of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse import csr_matrix

__all__ = ["Sample"]


@dataclass(frozen=True, eq=False)
class Sample:
    """Consecutive rows of a stream whose target moves.

    Attributes
    ----------
    X : ndarray or CSR matrix of shape (n_rows, n_features)
        The instances.
    y : ndarray of int
        Their labels, -1 or +1.
    truth : ndarray of int
        The labels before noise.
    targets : ndarray, its first dimension n_rows
        What labelled each row: a normal, a threshold, an angle, the index of a category.
    steps : ndarray of float
        How far each target is from that of the row before; 0 at the first row of the stream.
    near : float
        A step at most this long is drift, a longer one is a shift.

    Examples
    --------
    >>> from budgetron.streams import ShiftingHyperplanes
    >>> sample = ShiftingHyperplanes(every=100).take(250)
    >>> sample
    Sample(250 rows, 2 shifts)
    >>> sample.shift_times
    array([100, 200])
    >>> sample[50:150].shift_times
    array([50])
    """

    X: csr_matrix | np.ndarray
    y: np.ndarray
    truth: np.ndarray
    targets: np.ndarray
    steps: np.ndarray
    near: float

    @property
    def shift_times(self) -> np.ndarray:
        """The numbers of the rows, within the sample, that begin with a shift."""
        return np.flatnonzero(self.steps > self.near)

    @property
    def shifts(self) -> int:
        """How many shifts there are, K in the drift paper."""
        return len(self.shift_times)

    @property
    def total_shift(self) -> float:
        """The length of the targets' whole way, drift and shifts."""
        return float(self.steps.sum())

    def __len__(self) -> int:
        return len(self.y)

    def __getitem__(self, rows: slice) -> Sample:
        return Sample(
            self.X[rows],
            self.y[rows],
            self.truth[rows],
            self.targets[rows],
            self.steps[rows],
            self.near,
        )

    def __repr__(self) -> str:
        return f"Sample({len(self)} rows, {self.shifts} shifts)"


def joined(samples: Sequence[Sample]) -> Sample:
    """One sample of several that follow each other."""
    if len(samples) == 1:
        return samples[0]
    X = [sample.X for sample in samples]
    return Sample(
        sparse.vstack(X, format="csr") if sparse.issparse(X[0]) else np.concatenate(X),
        np.concatenate([sample.y for sample in samples]),
        np.concatenate([sample.truth for sample in samples]),
        np.concatenate([sample.targets for sample in samples]),
        np.concatenate([sample.steps for sample in samples]),
        samples[0].near,
    )
