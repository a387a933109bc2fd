"""The three numbers that most theorems want to know about a stream and its competitor."""

from __future__ import annotations

from typing import NamedTuple

from ..parameters import real

__all__ = ["Competitor"]


class Competitor(NamedTuple):
    """A competitor g, or the largest of a sequence of them, and the radius of the stream."""

    norm: float  # |g|, or U = max |u_t|
    hinge_loss: float  # D, the sum of max(0, 1 - y g(x))
    radius: float  # R = max sqrt(k(x, x))

    @classmethod
    def measured(cls, norm: float, hinge_loss: float, radius: float) -> Competitor:
        """The three numbers, none of them negative."""
        return cls(
            real("norm", norm, least=0),
            real("hinge_loss", hinge_loss, least=0),
            real("radius", radius, least=0),
        )
