"""Which widths of the Gaussian kernel are tried, and how much room each of them has."""

from __future__ import annotations

from math import sqrt

import numpy as np
from scipy import sparse

from ..core.kernel import SMALLEST_DIAGONAL, Kernel, Rows, scale_gamma, squared_norms
from ..kernels import gaussian, multiscale

__all__ = ["MOST_KERNELS", "budget_of_each", "first_kernels", "middle_gamma", "numbers_stored"]

LARGEST_GAMMA = 1e120
"""And one over the smallest: for rows of any size there are numbers."""

MOST_KERNELS = 7

SMALLEST_SHARE = 3
"""As many kernels are tried as have room for one part in three of the budget."""


def first_kernels(gamma: float, budget: int, stored: float) -> list[Kernel]:
    """The kernels to begin with, the likelier ones first."""
    factors = 1, 4, 1 / 4, 16, 1 / 16, 64
    first, *others = [gaussian(_within(gamma * factor)) for factor in factors]
    kernels = [first, multiscale(first.product / 2), *others]
    while len(kernels) > 1 and (
        SMALLEST_SHARE * budget_of_each(len(kernels), budget, stored) < budget
    ):
        kernels.pop()
    return kernels


def _within(gamma: float) -> float:
    return min(max(gamma, 1 / LARGEST_GAMMA), LARGEST_GAMMA)


def budget_of_each(filters: int, budget: int, stored: float) -> int:
    """How many supports each of so many filters can have in the memory of one with the budget.

    With b supports, of which each has so many stored numbers, a filter keeps m(b) = b (stored + 3)
    + 2 b^2 numbers.
    """
    a = stored + 3
    numbers = (budget * a + 2 * budget**2) / filters
    largest = int((sqrt(a**2 + 8 * numbers) - a) / 4) + 1  # where 2 b^2 + a b is the numbers
    while largest > 1 and largest * a + 2 * largest**2 > numbers * (1 + 1e-12):
        largest -= 1
    return min(max(largest, 1), budget)


def numbers_stored(X: Rows) -> float:
    """How many numbers a row takes: its features, or its values and their places."""
    return 2 * X.nnz / X.shape[0] if sparse.issparse(X) else X.shape[1]


def middle_gamma(X: Rows) -> float:
    """1 over the median squared distance of two examples, of those that are not the same."""
    norms, products = squared_norms(X), X @ X.T
    products = products.toarray() if sparse.issparse(products) else np.asarray(products, float)
    distances = (norms[:, None] + norms - 2 * products)[np.triu_indices(len(norms), 1)]
    apart = distances[distances > max(1e-12 * norms.max(initial=0), SMALLEST_DIAGONAL)]
    if len(apart) == 0:
        return scale_gamma(float(norms[0]), X.shape[1])
    return float(1 / np.median(apart))
