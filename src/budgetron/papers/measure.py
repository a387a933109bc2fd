"""A number that was measured several times."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from typing import NamedTuple

import numpy as np

__all__ = ["Measure"]


class Measure(NamedTuple):
    """Mean, standard deviation and number of measurements."""

    mean: float
    deviation: float = 0.0
    times: int = 1

    @classmethod
    def of(cls, values: Iterable[float]) -> Measure:
        """What these values come to; one of them alone deviates by nothing."""
        numbers = np.array([*values], dtype=float)
        deviation = numbers.std(ddof=min(1, len(numbers) - 1))
        return cls(float(numbers.mean()), float(deviation), len(numbers))

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.deviation / sqrt(self.times)

    def __str__(self) -> str:
        if self.deviation == 0 and self.mean == round(self.mean):
            return f"{self.mean:.0f}"
        digits = 1 if self.mean >= 100 else 2
        spread = f" ± {self.deviation:.{digits}f}" if self.deviation else ""
        return f"{self.mean:.{digits}f}{spread}"
