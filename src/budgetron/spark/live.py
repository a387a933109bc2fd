"""The learners that a Python worker has at hand, so that it need not load them again.

Workers import this module, so it lasts from one micro-batch to the next; what is defined in
`__main__` would be copied for each.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

__all__ = ["keep", "take"]

Bucket = tuple[str, Any]
"""What a query does, and a bucket of its keys: of two that do the same, the last one's is kept."""
Learners = OrderedDict[Any, Any]
"""By their keys, those used last at the end."""

_at_hand: dict[Bucket, tuple[bytes, Learners]] = {}


def take(bucket: Bucket, stamp: bytes | None) -> Learners:
    """The learners of the state with this stamp; none if those at hand are of another state.

    They are not at hand meanwhile: who fails on the way leaves nothing behind that is half learned.
    """
    of_stamp, learners = _at_hand.pop(bucket, (None, OrderedDict()))
    return learners if of_stamp == stamp and stamp is not None else OrderedDict()


def keep(bucket: Bucket, stamp: bytes | None, learners: Learners, most: int) -> None:
    """Have these at hand for the state with this stamp, at most so many of them."""
    while len(learners) > most:
        learners.popitem(last=False)
    if stamp is not None:
        _at_hand[bucket] = stamp, learners
