"""Kernels as plain functions of two sequences of numbers."""

import math
from collections.abc import Callable

from .arithmetic import Number, Vector, total

Kernel = Callable[[Vector, Vector], Number]


def linear(x: Vector, y: Vector) -> Number:
    """The inner product <x, y>."""
    return total(a * b for a, b in zip(x, y, strict=True))


def polynomial(gamma: Number, degree: int, coef0: Number) -> Kernel:
    """(gamma <x, y> + coef0) ^ degree."""
    return lambda x, y: (gamma * linear(x, y) + coef0) ** degree


def gaussian(gamma: float) -> Kernel:
    """exp(-gamma |x - y|^2)."""

    def kernel(x: Vector, y: Vector) -> float:
        difference = [a - b for a, b in zip(x, y, strict=True)]
        return math.exp(-gamma * linear(difference, difference))

    return kernel


def mixture(gamma: float) -> Kernel:
    """k_* of docs/flagship.md: the mean of Gaussian kernels of gamma / 16, gamma and 16 gamma."""
    parts = [gaussian(gamma / 16), gaussian(gamma), gaussian(16 * gamma)]
    return lambda x, y: total(part(x, y) for part in parts) / 3


def normalized(kernel: Kernel) -> Kernel:
    """k(x, y) / sqrt(k(x, x) k(y, y)), and 0 where k(x, x) or k(y, y) is 0."""

    def unit(x: Vector, y: Vector) -> Number:
        squares = kernel(x, x) * kernel(y, y)
        return kernel(x, y) / math.sqrt(squares) if squares else 0

    return unit
