"""Competitors in hindsight: what the bounds compare a learner with.

A bound holds for every competitor, so that nothing here has to be optimal: norms and margins are
evaluated exactly, from the coefficients of whatever the search has found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, sqrt
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from .bounds import AssumptionError
from .core.kernel import Kernel, OwnKernel, Rows
from .parameters import real, whole

__all__ = ["Comparator", "best_fixed", "best_piecewise", "best_scaled", "linear_comparators"]

ROWS_AT_ONCE = 4096
MOST_SEEN = 5_000
"""The search looks at so many rows; what it finds is then evaluated on all."""

TINY = float(np.finfo(np.float64).tiny)
RANK_TOLERANCE = 1e-8
"""Directions of the span with less than this part of the largest eigenvalue are left out."""

PENALTIES = (1e-4, 1e3)
HALVINGS = 10
"""Of the range of penalties, on a logarithmic scale."""

SCALES = (1e-4, 1e4)
GRID = 41
ZOOMS = 6


@dataclass(frozen=True)
class Comparator:
    """A competitor for each row of a stream: always the same one, or a sequence.

    Attributes
    ----------
    norms : ndarray
        |u_t|.
    margins : ndarray
        y_t u_t(x_t).
    shifts : ndarray
        |u_t - u_{t-1}|, and 0 for the first row.
    """

    norms: np.ndarray
    margins: np.ndarray
    shifts: np.ndarray

    @property
    def norm(self) -> float:
        """The largest norm: |g|, or U of a sequence."""
        return float(self.norms.max(initial=0.0))

    @property
    def losses(self) -> np.ndarray:
        """The hinge losses max(0, 1 - y u(x))."""
        return np.maximum(0.0, 1 - self.margins)

    @property
    def hinge_loss(self) -> float:
        """D, the sum of the hinge losses."""
        return float(self.losses.sum())

    @property
    def total_shift(self) -> float:
        """S, the sum of the shifts."""
        return float(self.shifts.sum())

    @property
    def squared_scores(self) -> float:
        """The sum of u(x)^2."""
        return float(self.margins @ self.margins)

    def over(self, rounds: np.ndarray) -> Comparator:
        """The same for some rows only, such as those with a mistake.

        Shifts between the rows are added up, which is at least the distance from one to the next.
        Choose the competitor before, on all rows: on the mistakes alone the choice would fall on
        g = 0, with a hinge loss of 1 for each, and say no more than that M mistakes are M mistakes.

        Parameters
        ----------
        rounds : array of bool or int
            Which rows.

        Returns
        -------
        Comparator
        """
        way = np.cumsum(self.shifts)[rounds]
        return Comparator(self.norms[rounds], self.margins[rounds], np.diff(way, prepend=way[:1]))

    def scaled(self, factor: float) -> Comparator:
        """Each competitor multiplied by a factor.

        Parameters
        ----------
        factor : float
            At least 0.

        Returns
        -------
        Comparator
        """
        return Comparator(factor * self.norms, factor * self.margins, factor * self.shifts)


def linear_comparators(targets: Any, X: Rows, y: Any, scale: float = 1.0) -> Comparator:
    """The competitors u_t(x) = scale <targets_t, x>, such as the truth of a linear stream.

    Parameters
    ----------
    targets : array of shape (n_features,) or (n_examples, n_features)
        One weight vector for all rows, or one for each.
    X : array or CSR matrix of shape (n_examples, n_features)
    y : array of -1 and +1, of shape (n_examples,)
    scale : float, default=1.0
        `best_scaled` finds the one that makes a bound smallest.

    Returns
    -------
    Comparator

    Examples
    --------
    >>> from budgetron.comparators import linear_comparators
    >>> truth = linear_comparators([[3, 0], [0, 4]], [[1, 0], [0, 0.5]], [1, -1])
    >>> truth.norm, truth.total_shift, truth.hinge_loss
    (4.0, 5.0, 3.0)
    """
    labels = _signs(y)
    X = X if sparse.issparse(X) else np.asarray(X, np.float64)
    targets = real("scale", scale, least=0) * np.asarray(targets, np.float64)
    targets = np.broadcast_to(targets, X.shape)
    products = X.multiply(targets) if sparse.issparse(X) else X * targets
    scores = np.asarray(products.sum(axis=1)).ravel()
    steps = np.linalg.norm(np.diff(targets, axis=0, prepend=targets[:1]), axis=1)
    return Comparator(np.linalg.norm(targets, axis=1), labels * scores, steps)


def best_fixed(
    kernel: Kernel | OwnKernel,
    X: Rows,
    y: Any,
    norm: float,
    *,
    span: int = 500,
    random_state: int = 0,
) -> Comparator:
    """Nearly the competitor of a norm of at most `norm` with the smallest hinge loss.

    Parameters
    ----------
    kernel : Kernel
        Such as `budgetron.kernels.gaussian(1.0)`.
    X : array or CSR matrix of shape (n_examples, n_features)
    y : array of -1 and +1, of shape (n_examples,)
    norm : float
        U, above 0.
    span : int, default=500
        The competitor is a combination of k(x, .) for so many rows x, drawn at random, or for all.
    random_state : int, default=0

    Returns
    -------
    Comparator

    Examples
    --------
    >>> import numpy as np
    >>> from budgetron.comparators import best_fixed
    >>> from budgetron.kernels import linear
    >>> best = best_fixed(linear(), np.eye(4), [1, -1, 1, -1], norm=1)
    >>> best.margins.round(3), round(best.hinge_loss, 3)
    (array([0.5, 0.5, 0.5, 0.5]), 2.0)
    """
    return best_piecewise(kernel, X, y, norm, [0], span=span, random_state=random_state)


def best_piecewise(
    kernel: Kernel | OwnKernel,
    X: Rows,
    y: Any,
    norm: float,
    starts: Sequence[int] | np.ndarray,
    *,
    span: int = 500,
    random_state: int = 0,
) -> Comparator:
    """Nearly the best competitor of each segment, all of norm at most `norm`.

    Parameters
    ----------
    kernel, X, y, norm, span, random_state
        As in `best_fixed`.
    starts : array of int
        The first row of each segment, in order; the first of them is 0.

    Returns
    -------
    Comparator

    Examples
    --------
    >>> import numpy as np
    >>> from budgetron.comparators import best_piecewise
    >>> from budgetron.kernels import linear
    >>> X, y = np.ones((6, 1)), [1, 1, 1, -1, -1, -1]
    >>> best = best_piecewise(linear(), X, y, norm=1, starts=[0, 3])
    >>> round(best.hinge_loss, 3), round(best.total_shift, 3)
    (0.0, 2.0)
    """
    X, labels = (X if sparse.issparse(X) else np.asarray(X, np.float64)), _signs(y)
    norm, span = real("norm", norm, above=0), whole("span", span, least=1)
    rng = np.random.default_rng(random_state)
    n = X.shape[0]
    edges = [*map(int, starts), n]
    if edges[0] != 0 or (np.diff(edges) <= 0).any():
        raise ValueError(f"segments must start at 0 and not be empty, got {edges[:-1]} of {n} rows")
    landmarks = X[_some(rng, 0, n, span)]
    gram = kernel(landmarks, landmarks)
    basis = _orthonormal(gram)

    norms, margins, shifts = np.empty(n), np.empty(n), np.zeros(n)
    previous = None
    for start, end in pairwise(edges):
        seen = _some(rng, start, end, 1 + MOST_SEEN * (end - start) // n)
        signed = labels[seen, None] * _values(kernel, X[seen], landmarks, basis)
        coefficients = basis @ _least_hinge_loss(signed, norm)
        coefficients *= min(1.0, norm / max(_length(gram, coefficients), TINY))
        scores = _values(kernel, X[start:end], landmarks, coefficients)
        margins[start:end] = labels[start:end] * scores
        norms[start:end] = _length(gram, coefficients)
        if previous is not None:
            shifts[start] = _length(gram, coefficients - previous)
        previous = coefficients
    return Comparator(norms, margins, shifts)


def best_scaled(comparator: Comparator, bound: Callable[[Comparator], float]) -> Comparator:
    """The comparator multiplied by the factor that makes a bound smallest.

    Parameters
    ----------
    comparator : Comparator
    bound : callable
        Of a Comparator; where it raises an AssumptionError, the factor is not allowed.

    Returns
    -------
    Comparator

    Examples
    --------
    >>> import numpy as np
    >>> from budgetron.bounds import perceptron
    >>> from budgetron.comparators import best_scaled, linear_comparators
    >>> truth = linear_comparators([1, 0], np.full((100, 2), 0.5), np.ones(100))
    >>> best = best_scaled(truth, lambda g: perceptron.mistakes(g.norm, g.hinge_loss))
    >>> round(best.norm, 3)
    2.0
    """

    def value(logarithm: float) -> float:
        try:
            return float(bound(comparator.scaled(np.exp(logarithm))))
        except AssumptionError:
            return inf

    low, high = np.log(SCALES) - np.log(comparator.norm or 1.0)
    for _ in range(ZOOMS):
        grid = np.linspace(low, high, GRID)
        best = int(np.argmin([value(logarithm) for logarithm in grid]))
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, GRID - 1)]
    return comparator.scaled(float(np.exp(grid[best])))


def _least_hinge_loss(signed: np.ndarray, norm: float) -> np.ndarray:
    """A w with |w| <= norm and a small sum of max(0, 1 - signed @ w).

    A support vector machine without an intercept minimises |w|^2/2 + C times that sum, and the
    norm grows with C. To it, x with label +1 is -x with label -1, and it wants to see both.
    """
    if signed.shape[1] == 0:
        return np.zeros(0)
    if len(signed) == 1:
        signed = np.repeat(signed, 2, axis=0)
    labels = np.resize([1, -1], len(signed))
    examples = labels[:, None] * signed
    best, least = np.zeros(signed.shape[1]), inf
    low, high = np.log(PENALTIES)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        machine = LinearSVC(
            loss="hinge", C=float(np.exp(middle)), fit_intercept=False, max_iter=100, tol=1e-2
        )
        with catch_warnings():  # what it has found is a competitor, converged or not
            simplefilter("ignore", ConvergenceWarning)
            w = machine.set_params(random_state=0).fit(examples, labels).coef_[0]
        length = float(np.linalg.norm(w))
        low, high = (low, middle) if length > norm else (middle, high)
        w = w * min(1.0, norm / max(length, TINY))
        loss = float(np.maximum(0, 1 - signed @ w).sum())
        if loss < least:
            best, least = w, loss
    return best


def _orthonormal(gram: np.ndarray) -> np.ndarray:
    """Coefficients of an orthonormal basis, as columns."""
    values, vectors = np.linalg.eigh(gram)
    kept = values > max(RANK_TOLERANCE * values[-1], TINY)
    return vectors[:, kept] / np.sqrt(values[kept])


def _length(gram: np.ndarray, coefficients: np.ndarray) -> float:
    return sqrt(max(0.0, float(coefficients @ gram @ coefficients)))


def _some(rng: np.random.Generator, start: int, end: int, most: int) -> np.ndarray:
    """At most so many of the rows from start to end, in order."""
    rows = np.arange(start, end)
    return rows if len(rows) <= most else np.sort(rng.choice(rows, most, replace=False))


def _values(
    kernel: Kernel | OwnKernel, X: Rows, landmarks: Rows, coefficients: np.ndarray
) -> np.ndarray:
    """k(X, landmarks) @ coefficients, without holding the whole kernel matrix."""
    values = np.empty((X.shape[0], *coefficients.shape[1:]))
    for i in range(0, X.shape[0], ROWS_AT_ONCE):
        part = slice(i, i + ROWS_AT_ONCE)
        values[part] = kernel(X[part], landmarks) @ coefficients
    return values


def _signs(y: Any) -> np.ndarray:
    labels = np.asarray(y, np.float64)
    if not np.isin(labels, (-1, 1)).all():
        raise ValueError("y must hold -1 and +1")
    return labels
