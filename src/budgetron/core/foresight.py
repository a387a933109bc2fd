"""Who can be forgotten in the next block, by rules that say whom they forget."""

from __future__ import annotations

from typing import Any

import numpy as np

from .compiled import compiled_in_place
from .random import draw_below
from .rule import Forgets, contract
from .state import SIZE, State

__all__ = ["may_be_forgotten"]


def may_be_forgotten(rule: Any, state: State, length: int) -> np.ndarray:
    """The slots of supports that go if all of the next `length` examples are added."""
    size, forgets = int(state.counts[SIZE]), contract(rule).forgets
    if forgets is Forgets.NOBODY:
        return state.order[:0]
    removals = max(0, size + length - rule.budget)
    if forgets is Forgets.OLDEST:
        return state.order[: min(size, removals)]
    ranks = np.empty(removals, np.int64)
    return state.order[ranks[: _draw_ahead(state.randomness.copy(), rule.budget, size, ranks)]]


@compiled_in_place
def _draw_ahead(randomness, budget, size, ranks):
    """Draw one for each newcomer beyond the budget, and find the old supports among them.

    Their places, counted from the oldest as it was before, are put into `ranks` in order. Behind
    those that are left, there are the newcomers.
    """
    gone = 0
    for _ in range(len(ranks)):
        place = draw_below(randomness, budget)
        if place < size - gone:
            i = 0
            while i < gone and ranks[i] <= place:
                place += 1
                i += 1
            for j in range(gone, i, -1):
                ranks[j] = ranks[j - 1]
            ranks[i] = place
            gone += 1
    return gone
