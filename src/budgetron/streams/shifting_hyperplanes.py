"""Hyperplanes that change now and then."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from typing import Literal

import numpy as np

from ..parameters import one_of, whole
from .moving_target import ROUNDING, MovingTarget, piece_lengths, signs

__all__ = ["ShiftingHyperplanes"]


@dataclass(frozen=True)
class ShiftingHyperplanes(MovingTarget):
    """Unit vectors in all directions, labelled by a hyperplane that changes every so many rows.

    The target of a row is the unit normal of the hyperplane that labelled it. With abrupt and
    recurring changes there is one shift at each change, with incremental ones there is none, only
    drift. With gradual changes old and new hyperplane alternate for a while; each time that two
    neighbouring rows have different ones counts as a shift and in the total shift, so that there
    are many for each change.

    Parameters
    ----------
    dimension : int, default=10
        At least 2.
    every : int, default=1000
        Rows from one change to the next.
    change : {"abrupt", "gradual", "incremental", "recurring"}, default="abrupt"
        "abrupt": to a new random normal at once. "recurring": to the next of a few fixed normals
        in turn. "gradual": to a new normal, which labels each row with a probability that rises
        from 0 to 1. "incremental": to a new normal by turning the old one in equal angles.
    width : int, optional
        Rows that a gradual or incremental change takes, at most `every`; half of that if not
        given.
    concepts : int, default=2
        The number of recurring normals.
    random_state : int, default=0

    Examples
    --------
    >>> from budgetron.streams import ShiftingHyperplanes
    >>> ShiftingHyperplanes(every=500).take(2000).shift_times
    array([ 500, 1000, 1500])
    >>> ShiftingHyperplanes(every=500, change="incremental").take(2000).shifts
    0
    """

    dimension: int = 10
    every: int = 1000
    change: Literal["abrupt", "gradual", "incremental", "recurring"] = "abrupt"
    width: int | None = None
    concepts: int = 2
    random_state: int = 0

    def __post_init__(self) -> None:
        whole("dimension", self.dimension, least=2)
        whole("every", self.every, least=1)
        one_of("change", self.change, ("abrupt", "gradual", "incremental", "recurring"))
        if self.width is not None and whole("width", self.width, least=1) > self.every:
            raise ValueError(f"width must be at most every={self.every}, got {self.width}")
        whole("concepts", self.concepts, least=2)
        whole("random_state", self.random_state, least=0)

    @property
    def near(self) -> float:
        """0, or the longest step of a normal that is turned by half a circle at most."""
        if self.change != "incremental":
            return 0.0
        return 2 * math.sin(math.pi / (2 * self._width)) + ROUNDING

    @property
    def _width(self) -> int:
        return max(self.every // 2, 1) if self.width is None else self.width

    def _pieces(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        points, places, coins = self._generators(self.random_state, 3)
        normals = self._normals(places)
        old = new = next(normals)
        while True:
            since = 0
            for length in piece_lengths(self.every):
                rows = np.arange(since, since + length)[:, None]
                targets = self._between(old, new, rows, coins)
                X = _units(points.normal(size=(length, self.dimension)))
                yield X, signs(np.einsum("td,td->t", targets, X) >= 0), targets
                since += length
            old, new = new, next(normals)

    def _normals(self, rng: np.random.Generator) -> Iterator[np.ndarray]:
        if self.change == "recurring":
            yield from cycle(_units(rng.normal(size=(self.concepts, self.dimension))))
        while True:
            yield _units(rng.normal(size=self.dimension))

    def _between(
        self, old: np.ndarray, new: np.ndarray, rows: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """The targets of the rows of these numbers since the change from `old` to `new`."""
        if self.change == "gradual":
            return np.where(rng.random(rows.shape) < rows / self._width, new, old)
        if self.change == "incremental" and old is not new:
            angle = math.acos(np.clip(old @ new, -1, 1))
            part = np.minimum((rows + 1) / self._width, 1)
            turned = np.sin((1 - part) * angle) * old + np.sin(part * angle) * new
            return turned / math.sin(angle)
        return np.tile(new, (len(rows), 1))


def _units(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
