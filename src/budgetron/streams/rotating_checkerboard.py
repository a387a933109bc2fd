"""A checkerboard that turns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from ..parameters import real, whole
from .moving_target import PIECE, MovingTarget, signs

__all__ = ["RotatingCheckerboard"]


@dataclass(frozen=True)
class RotatingCheckerboard(MovingTarget):
    """Points of a square, labelled by a checkerboard under it that turns about its middle.

    The points are uniform on [-1, 1]^2; turned by a right angle the board has changed its colours,
    so the classes are balanced. The target is the angle of the board.

    Parameters
    ----------
    squares : int, default=4
        So many fit on a side of the points' square.
    angle : float, default=0.0002
        How far the board turns with each row, in radians.
    random_state : int, default=0

    Examples
    --------
    >>> from budgetron.streams import RotatingCheckerboard
    >>> sample = RotatingCheckerboard().take(1000)
    >>> sample.X.shape, sample.shifts
    ((1000, 2), 0)
    """

    squares: int = 4
    angle: float = 0.0002
    random_state: int = 0

    def __post_init__(self) -> None:
        whole("squares", self.squares, least=2)
        real("angle", self.angle)
        whole("random_state", self.random_state, least=0)

    def _pieces(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        (points,) = self._generators(self.random_state, 1)
        for first in count(0, PIECE):
            angles = self.angle * np.arange(first, first + PIECE)
            X = points.uniform(-1, 1, size=(PIECE, 2))
            along = np.cos(angles) * X[:, 0] + np.sin(angles) * X[:, 1]
            across = np.cos(angles) * X[:, 1] - np.sin(angles) * X[:, 0]
            side = 2 / self.squares
            yield X, signs((along // side + across // side) % 2 == 0), angles
