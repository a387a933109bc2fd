"""Rings around a centre that circles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from ..parameters import real, whole
from .moving_target import PIECE, MovingTarget, signs

__all__ = ["OrbitingRings"]


@dataclass(frozen=True)
class OrbitingRings(MovingTarget):
    """Points of a disc that is cut into rings of alternate classes, while its centre circles.

    The points are uniform on the disc of radius 1 around the centre, the rings are of equal area,
    the innermost (a disc) is labelled +1. The target is the angle at which the centre stands on
    its orbit around the origin. No line separates the classes better than a coin.

    Parameters
    ----------
    rings : int, default=2
        An even number, so that the classes are balanced.
    orbit : float, default=1.0
        The radius of the centre's orbit.
    angle : float, default=0.001
        How far the centre moves on its orbit with each row, in radians.
    random_state : int, default=0

    Examples
    --------
    >>> from budgetron.streams import OrbitingRings
    >>> sample = OrbitingRings(angle=0.01).take(1000)
    >>> float(round(sample.total_shift, 2))
    9.99
    """

    rings: int = 2
    orbit: float = 1.0
    angle: float = 0.001
    random_state: int = 0

    def __post_init__(self) -> None:
        if whole("rings", self.rings, least=2) % 2:
            raise ValueError(f"rings must be an even number, got {self.rings}")
        real("orbit", self.orbit, least=0)
        real("angle", self.angle)
        whole("random_state", self.random_state, least=0)

    def _pieces(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        areas, bearings = self._generators(self.random_state, 2)
        for first in count(0, PIECE):
            angles = self.angle * np.arange(first, first + PIECE)
            area, bearing = areas.random(PIECE), 2 * np.pi * bearings.random(PIECE)
            X = self.orbit * _direction(angles) + np.sqrt(area)[:, None] * _direction(bearing)
            yield X, signs(np.floor(self.rings * area) % 2 == 0), angles


def _direction(angles: np.ndarray) -> np.ndarray:
    return np.column_stack([np.cos(angles), np.sin(angles)])
