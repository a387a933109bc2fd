"""Thresholds on one feature that drift and shift."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..parameters import one_of, real, whole
from .moving_target import ROUNDING, MovingTarget, piece_lengths, signs

__all__ = ["DriftingThresholds"]


@dataclass(frozen=True)
class DriftingThresholds(MovingTarget):
    """One feature in [0, 1], labelled +1 from a threshold on that moves.

    The instances are uniform on a window of width gamma / lambda around the threshold, moved into
    [0, 1] where it sticks out: no interval of width gamma has a weight above lambda, which makes
    the distribution lambda-good.

    Parameters
    ----------
    gamma : float, default=0.01
        How far the threshold moves at most from one row to the next without it being a shift;
        above 0 and below 0.5.
    drift_rate : float, optional
        lambda in the paper, from gamma to 1; gamma if not given.
    movement : {"random", "linear", "still"}, default="random"
        By gamma up or down at random, up to 1 and down to 0 and so on, or not at all.
    shift_every : int, optional
        After so many rows the threshold jumps to another place, farther away than gamma.
    random_state : int, default=0

    Examples
    --------
    >>> from budgetron.streams import DriftingThresholds
    >>> sample = DriftingThresholds(shift_every=100).take(300)
    >>> sample.shift_times
    array([100, 200])

    References
    ----------
    K. Crammer, E. Even-Dar, Y. Mansour and J. Wortman Vaughan, "Regret minimization with concept
    drift", COLT 2010, Sections 3 and 5.1.
    """

    gamma: float = 0.01
    drift_rate: float | None = None
    movement: Literal["random", "linear", "still"] = "random"
    shift_every: int | None = None
    random_state: int = 0

    def __post_init__(self) -> None:
        real("gamma", self.gamma, above=0, below=0.5)
        if self.drift_rate is not None:
            real("drift_rate", self.drift_rate, least=self.gamma, most=1)
        one_of("movement", self.movement, ("random", "linear", "still"))
        if self.shift_every is not None:
            whole("shift_every", self.shift_every, least=1)
        whole("random_state", self.random_state, least=0)

    @property
    def near(self) -> float:
        """gamma, and a hair for rounding."""
        return self.gamma + ROUNDING

    @property
    def window(self) -> float:
        """The width of the interval that instances come from."""
        return self.gamma / (self.drift_rate or self.gamma)

    def _pieces(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        points, moves, places = self._generators(self.random_state, 3)
        phase = places.random()
        while True:
            for length in piece_lengths(self.shift_every):
                counts = np.cumsum(self._moves(moves, length))
                way = phase + self.gamma * np.concatenate([[0], counts])
                thresholds = _reflected(way[:-1])
                low = np.clip(thresholds - self.window / 2, 0, 1 - self.window)
                x = low + self.window * points.random(length)
                yield x[:, None], signs(x >= thresholds), thresholds
                phase = way[-1] % 2
            phase = self._far_from(thresholds[-1], places)

    def _moves(self, rng: np.random.Generator, length: int) -> np.ndarray:
        if self.movement == "random":
            return rng.choice([-1, 1], size=length)
        return np.full(length, int(self.movement == "linear"))

    def _far_from(self, threshold: float, rng: np.random.Generator) -> float:
        place = threshold
        while abs(place - threshold) <= self.near:
            place = rng.random()
        return place


def _reflected(way: np.ndarray) -> np.ndarray:
    """A way on the line, folded into [0, 1] as if 0 and 1 were mirrors."""
    return 1 - np.abs(1 - way % 2)
