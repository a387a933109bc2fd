"""Requests with an id: the same one is learned once, and answered as before."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

from .log import Position
from .records import Asked

__all__ = ["Before", "Remembered"]


class Before(NamedTuple):
    """A request that has been learned.

    Attributes
    ----------
    digest : bytes
        Of what was asked for.
    start : Position
        Where its group is in the log.
    place : int
        Which request of the group it was.
    """

    digest: bytes
    start: Position
    place: int


class Remembered:
    """The last requests that had an id.

    Parameters
    ----------
    most : int
        How many.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._requests: OrderedDict[str, Before] = OrderedDict()

    def get(self, id: str) -> Before | None:
        """The request of this id, if there was one."""
        return self._requests.get(id)

    def note(self, requests: Sequence[Asked], start: Position) -> None:
        """Remember the requests of a group."""
        for place, asked in enumerate(requests):
            if asked.id is not None:
                self._requests[asked.id] = Before(asked.digest, start, place)
        while len(self._requests) > self.most:
            self._requests.popitem(last=False)

    @property
    def since(self) -> Position | None:
        """Where the oldest of them is in the log; None if there is none."""
        return next(iter(self._requests.values())).start if self._requests else None
