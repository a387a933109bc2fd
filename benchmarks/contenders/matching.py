"""Matched memory: what fits into the numbers that a budget of supports takes.

All keep as many numbers as B supports and their weights, B (w + 1), where a row takes w numbers:
its d features if it is dense, and its values and their places if it is sparse.

- B' supports with a matrix of all supports by all: B' (w + 1) + B'^2.
- Budgetron keeps two such matrices and three weights for each support: B' (w + 3) + 2 B'^2. What it
  knows of each feature, twelve numbers, is not counted.
- D Fourier features: a D x d matrix whatever the rows are, D phases, D weights: D (d + 2). Where
  rows are wide and sparse that leaves a handful of features, which can do nothing: there they are
  given 50, and many times the memory.
- m components of Nystroem: m rows, an m x m matrix, m weights: m (w + 1) + m^2.
- A linear model keeps d + 1 numbers, and would not know what to do with more.
"""

from __future__ import annotations

from math import isqrt

__all__ = ["fourier_features", "numbers_of", "supports_with_matrices"]

FEWEST_FOURIER = 50


def numbers_of(supports: int, width: int, matrices: int = 0, weights: int = 1) -> int:
    """What so many supports take, whose rows take `width` numbers each."""
    return supports * (width + weights) + matrices * supports**2


def supports_with_matrices(numbers: int, width: int, matrices: int = 1, weights: int = 1) -> int:
    """The most supports that fit with their matrices, or the most components of Nystroem."""
    own = width + weights
    return (isqrt(own**2 + 4 * matrices * numbers) - own) // (2 * matrices)


def fourier_features(numbers: int, features: int) -> int:
    """The most Fourier features that fit, or the fewest that can do anything."""
    return max(numbers // (features + 2), FEWEST_FOURIER)
