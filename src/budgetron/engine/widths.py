"""Which widths of the Gaussian kernel are tried, and how much room each of them has."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np
from scipy import sparse

from ..core.kernel import SMALLEST_DIAGONAL, Kernel, Rows, squared_norms
from ..kernels import gaussian, multiscale

__all__ = ["MOST_KERNELS", "budget_of_each", "first_kernels", "middle_gamma", "numbers_stored"]

MOST_KERNELS = 7

SMALLEST_SHARE = 3
"""As many kernels are tried as have room for one part in three of the budget."""


def first_kernels(gamma: float, budget: int, each: float) -> list[Kernel]:
    """The kernels to begin with, the likelier ones first."""
    factors = 1, 4, 1 / 4, 16, 1 / 16, 64
    first, *others = [gaussian(_within(gamma * factor)) for factor in factors]
    kernels = [first, multiscale(first.product / 2), *others]
    while len(kernels) > 1 and not _have_room(len(kernels), budget, each):
        kernels.pop()
    return kernels


def _have_room(filters: int, budget: int, each: float) -> bool:
    own = budget_of_each(filters, budget, each)
    fits = filters * numbers_kept(own, each) <= numbers_kept(budget, each)
    return fits and SMALLEST_SHARE * own >= budget


def _within(gamma: float) -> float:
    return min(max(gamma, SMALLEST_DIAGONAL), 1 / SMALLEST_DIAGONAL)


def budget_of_each(filters: int, budget: int, each: float) -> int:
    """How many supports so many filters can have in the memory of one with the budget.

    `each` of them takes so many numbers beside matrices.
    """
    room = numbers_kept(budget, each)
    supports = range(1, budget + 1)
    return max(1, bisect_right(supports, room, key=lambda b: filters * numbers_kept(b, each)))


def numbers_kept(supports: int, each: float) -> float:
    """By a filter with so many supports, each of so many numbers: and two matrices."""
    return supports * each + 2 * supports**2


def numbers_stored(X: Rows) -> float:
    """How many numbers a row takes: its features, or its values and their places."""
    return 2 * X.nnz / X.shape[0] if sparse.issparse(X) else float(X.shape[1])


def middle_gamma(X: Rows) -> float | None:
    """1 over the median squared distance of two examples; None if all of them are the same."""
    norms, products = squared_norms(X), X @ X.T
    products = products.toarray() if sparse.issparse(products) else np.asarray(products, float)
    distances = (norms[:, None] + norms - 2 * products)[np.triu_indices(len(norms), 1)]
    apart = distances[distances > max(1e-12 * norms.max(initial=0), SMALLEST_DIAGONAL)]
    return float(1 / np.median(apart)) if len(apart) > 0 else None
