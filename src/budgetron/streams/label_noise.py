"""Labels that are wrong now and then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..parameters import real, whole
from .sample import Sample
from .stream import Stream

__all__ = ["LabelNoise"]


@dataclass(frozen=True)
class LabelNoise(Stream):
    """Another stream, with each label flipped with some probability; `truth` stays.

    Parameters
    ----------
    stream : Stream
    rate : float
        The probability, from 0 to 1.
    random_state : int, default=0

    Examples
    --------
    >>> from budgetron.streams import LabelNoise, ShiftingHyperplanes
    >>> sample = LabelNoise(ShiftingHyperplanes(), rate=0.1).take(1000)
    >>> int((sample.y != sample.truth).sum())
    97
    """

    stream: Stream
    rate: float
    random_state: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.stream, Stream):
            raise TypeError(f"stream must be a Stream, got {self.stream!r}")
        real("rate", self.rate, least=0, most=1)
        whole("random_state", self.random_state, least=0)

    @property
    def near(self) -> float:
        """That of the stream."""
        return self.stream.near

    def _samples(self) -> Iterator[Sample]:
        (coins,) = self._generators(self.random_state, 1)
        for sample in self.stream._samples():
            flipped = coins.random(len(sample)) < self.rate
            yield replace(sample, y=np.where(flipped, -sample.y, sample.y))
