"""The different supports of learners that go over the same stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..core.expansion import SIZE, Kept

__all__ = ["Union", "united"]


class Union(NamedTuple):
    """Every support once, whoever has it."""

    rows: Any
    births: np.ndarray  # in order
    by_birth: np.ndarray  # which row is the support of each birth
    places: list[np.ndarray]  # which row each learner's supports are, oldest first


def united(learners: Sequence[Kept]) -> Union:
    """The supports of all learners; one is known by its birth, the number of examples before it."""
    slots = [kept.order[: kept.counts[SIZE]] for kept in learners]
    all_births = [kept.births[own] for kept, own in zip(learners, slots, strict=True)]
    births, found, which = np.unique(
        np.concatenate(all_births), return_index=True, return_inverse=True
    )
    ends = np.cumsum([len(own) for own in slots])
    owners = np.split(np.sort(found), np.searchsorted(np.sort(found), ends[:-1]))
    rows = type(learners[0].rows).joined(
        [
            (kept.rows, own[mine - (end - len(own))])
            for kept, own, mine, end in zip(learners, slots, owners, ends, strict=True)
        ]
    )
    by_birth = np.argsort(np.argsort(found))
    return Union(rows, births, by_birth, np.split(by_birth[which], ends[:-1]))
