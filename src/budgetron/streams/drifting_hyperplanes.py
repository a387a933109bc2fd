"""Hyperplanes that drift, on data of a low dimension in a high one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..parameters import one_of, real, whole
from .moving_target import PIECE, MovingTarget, signs

__all__ = ["DriftingHyperplanes"]

DEFAULT_SIGMA = {"random": 0.1, "linear": 0.001}


@dataclass(frozen=True)
class DriftingHyperplanes(MovingTarget):
    """The simulations of the drift paper: x = A z, labelled by the sign of <u_t, x>.

    z is d-dimensional and normal, A a random D x d matrix, u_1 D-dimensional and normal. Nothing
    is ever a shift.

    Parameters
    ----------
    features : int, default=1000
        D in the paper.
    dimension : int, default=5
        d in the paper, at most D.
    drift : {"random", "linear"}, default="random"
        "random" adds another N(0, sigma^2 I) to the target after each row, "linear" always the
        same one.
    sigma : float, optional
        0.1 for random drift (the paper's) and 0.001 for linear drift (the paper does not say)
        if not given.
    sigma_is : {"deviation", "variance"}, default="deviation"
        What sigma is of each coordinate's drift; the paper writes N(0, sigma I).
    entries : {"gaussian", "uniform", "symmetric"}, default="gaussian"
        Of A: standard normal, uniform on [0, 1], or uniform on [-1, 1].
    normalize : bool, default=False
        Whether instances are scaled to length 1.
    reduced : bool, default=False
        Whether to give the same stream in d dimensions. For A = Q R with orthonormal columns in Q,
        the instances R z and the targets Q^T u have the inner products and labels of the full
        form, so that a learner whose kernel depends on inner products alone makes the same run.
    random_state : int, default=0

    Examples
    --------
    >>> from budgetron.streams import DriftingHyperplanes
    >>> full = DriftingHyperplanes(features=50).take(100)
    >>> reduced = DriftingHyperplanes(features=50, reduced=True).take(100)
    >>> full.X.shape, reduced.X.shape
    ((100, 50), (100, 5))
    >>> bool((full.y == reduced.y).all())
    True

    References
    ----------
    K. Crammer, E. Even-Dar, Y. Mansour and J. Wortman Vaughan, "Regret minimization with concept
    drift", COLT 2010, Section 6.
    """

    features: int = 1000
    dimension: int = 5
    drift: Literal["random", "linear"] = "random"
    sigma: float | None = None
    sigma_is: Literal["deviation", "variance"] = "deviation"
    entries: Literal["gaussian", "uniform", "symmetric"] = "gaussian"
    normalize: bool = False
    reduced: bool = False
    random_state: int = 0

    def __post_init__(self) -> None:
        whole("features", self.features, least=1)
        whole("dimension", self.dimension, least=1)
        if self.dimension > self.features:
            raise ValueError(
                f"dimension must be at most features={self.features}, got {self.dimension}"
            )
        one_of("drift", self.drift, ("random", "linear"))
        if self.sigma is not None:
            real("sigma", self.sigma, least=0)
        one_of("sigma_is", self.sigma_is, ("deviation", "variance"))
        one_of("entries", self.entries, ("gaussian", "uniform", "symmetric"))
        whole("random_state", self.random_state, least=0)

    @property
    def deviation(self) -> float:
        """The standard deviation of each coordinate's drift."""
        sigma = DEFAULT_SIGMA[self.drift] if self.sigma is None else self.sigma
        return math.sqrt(sigma) if self.sigma_is == "variance" else sigma

    @property
    def basis(self) -> np.ndarray:
        """Q: the full form's X is the reduced form's X times its transpose."""
        return self._factors(self._generators(self.random_state, 4)[0])[0]

    def _pieces(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        entries, points, inside, outside = self._generators(self.random_state, 4)
        Q, R = self._factors(entries)
        walk_outside = self._walk(outside, self.features)
        for normals in self._walk(inside, self.dimension):
            X = points.normal(size=normals.shape) @ R.T
            if self.normalize:
                X /= np.linalg.norm(X, axis=1, keepdims=True)
            labels = signs(np.einsum("td,td->t", normals, X) >= 0)
            if self.reduced:
                yield X, labels, normals
            else:
                free = next(walk_outside)
                yield X @ Q.T, labels, (normals - free @ Q) @ Q.T + free

    def _factors(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        shape = (self.features, self.dimension)
        draw = {
            "gaussian": lambda: rng.normal(size=shape),
            "uniform": lambda: rng.random(shape),
            "symmetric": lambda: rng.uniform(-1, 1, shape),
        }
        Q, R = np.linalg.qr(draw[self.entries]())
        return Q, R

    def _walk(self, rng: np.random.Generator, width: int) -> Iterator[np.ndarray]:
        place = rng.normal(size=width)
        same_move = rng.normal(size=width)
        while True:
            moves = (
                rng.normal(size=(PIECE, width))
                if self.drift == "random"
                else np.tile(same_move, (PIECE, 1))
            )
            way = np.cumsum(np.vstack([place, self.deviation * moves]), axis=0)
            yield way[:-1]
            place = way[-1]
