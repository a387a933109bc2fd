"""What all streams share: starting anew from their seed, and being cut anyhow."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from zlib import crc32

import numpy as np

from ..parameters import whole
from .sample import Sample, joined

__all__ = ["Stream"]


class Stream(ABC):
    """Rows that come for ever, or to an end, the same at every start.

    A stream holds parameters only, and no position: `blocks` and `take` begin at the first row.
    """

    @property
    def near(self) -> float:
        """A step of the target at most this long is drift, a longer one is a shift."""
        return math.inf

    def blocks(self, size: int = 1024) -> Iterator[Sample]:
        """The stream from its start, in samples of so many rows.

        The rows are the same for every size, bit for bit. The last sample of a stream that ends
        holds what is left.

        Parameters
        ----------
        size : int, default=1024

        Returns
        -------
        iterator of Sample
        """
        return _recut(self._samples(), whole("size", size, least=1))

    def take(self, length: int) -> Sample:
        """The first rows of the stream.

        Parameters
        ----------
        length : int

        Returns
        -------
        Sample
        """
        length = whole("length", length, least=1)
        first = next(self.blocks(length))
        if len(first) < length:
            raise ValueError(f"the stream ends after {len(first)} rows, {length} were asked for")
        return first

    def __iter__(self) -> Iterator[Sample]:
        return self.blocks()

    @abstractmethod
    def _samples(self) -> Iterator[Sample]:
        """The stream from its start, in samples of any length that does not depend on the user."""

    def _generators(self, random_state: int, number: int) -> list[np.random.Generator]:
        """One generator for each quantity; other kinds of streams have others for this seed."""
        kind = crc32(type(self).__name__.encode())
        seeds = np.random.SeedSequence([random_state, kind]).spawn(number)
        return [np.random.default_rng(seed) for seed in seeds]


def _recut(samples: Iterable[Sample], size: int) -> Iterator[Sample]:
    waiting: list[Sample] = []
    missing = size
    for sample in samples:
        first = 0
        while len(sample) - first >= missing:
            last = first + missing
            yield joined([*waiting, sample[first:last]])
            waiting, missing, first = [], size, last
        if first < len(sample):
            waiting.append(sample[first:])
            missing -= len(sample) - first
    if waiting:
        yield joined(waiting)
