"""Kernels: linear, polynomial and Gaussian, normalised if wished, and a user's own."""

from __future__ import annotations

from .core.kernel import Kernel, OwnKernel, Rows, largest_norm
from .parameters import real, whole

__all__ = [
    "Kernel",
    "OwnKernel",
    "Rows",
    "gaussian",
    "largest_norm",
    "linear",
    "multiscale",
    "polynomial",
]


def linear(coef0: float = 0.0, *, normalize: bool = False) -> Kernel:
    """<x, y> + coef0.

    Parameters
    ----------
    coef0 : float, default=0.0
        At least 0.
    normalize : bool, default=False
        Whether k(x, y) is divided by sqrt(k(x, x) k(y, y)).

    Returns
    -------
    Kernel
    """
    return Kernel(constant=real("coef0", coef0, least=0), normalize=normalize)


def polynomial(
    degree: int = 3, gamma: float = 1.0, coef0: float = 0.0, *, normalize: bool = False
) -> Kernel:
    """(gamma <x, y> + coef0)^degree.

    Parameters
    ----------
    degree : int, default=3
        At least 1.
    gamma : float, default=1.0
        Above 0.
    coef0 : float, default=0.0
        At least 0.
    normalize : bool, default=False
        Whether k(x, y) is divided by sqrt(k(x, x) k(y, y)).

    Returns
    -------
    Kernel
    """
    return Kernel(
        product=real("gamma", gamma, above=0),
        constant=real("coef0", coef0, least=0),
        degree=whole("degree", degree, least=1),
        normalize=normalize,
    )


def gaussian(gamma: float = 1.0) -> Kernel:
    """exp(-gamma |x - y|^2); k(x, x) is 1 already, so there is nothing to normalise.

    Parameters
    ----------
    gamma : float, default=1.0
        Above 0.

    Returns
    -------
    Kernel
    """
    gamma = real("gamma", gamma, above=0)
    return Kernel(product=2 * gamma, norms=-gamma, exponential=True)


def multiscale(gamma: float = 1.0) -> Kernel:
    """The mean of the Gaussian kernels with gamma/16, gamma, and 16 gamma.

    Parameters
    ----------
    gamma : float, default=1.0
        Above 0.

    Returns
    -------
    Kernel
    """
    return gaussian(gamma)._replace(multiscale=True)
