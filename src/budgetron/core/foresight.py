"""Who can be forgotten in the next block, by rules that say whom they forget."""

from __future__ import annotations

from typing import Any

import numpy as np

from .compiled import compiled_in_place
from .linalg.vectors import move_down
from .memory import LabelledFactor
from .random import draw_below
from .rule import Forgets, contract
from .state import SIZE, State

__all__ = ["is_foreseen", "leavers", "may_be_forgotten"]


def is_foreseen(rule: Any) -> bool:
    """Whether it is known ahead what a rule will ask a device for.

    That is so if it learns in stretches, or says whom it forgets and has no factor to tell of it.
    """
    keeps = contract(rule).keeps
    forgets = contract(rule).forgets is not None and keeps is not LabelledFactor
    return forgets or keeps.has_stretches


def leavers(rule: Any, state: State, updates: int) -> np.ndarray:
    """Who leaves by so many updates, one after the other: places from the oldest on as it is now.

    Somebody who is not there yet is -1.
    """
    gone: list[int] = []
    forgets = contract(rule).forgets
    if forgets in (Forgets.OLDEST, Forgets.DRAWN):
        places, randomness = list(range(state.counts[SIZE])), state.randomness.copy()
        for _ in range(updates):
            if len(places) == rule.budget:
                is_oldest = forgets is Forgets.OLDEST
                gone.append(places.pop(0 if is_oldest else draw_below(randomness, rule.budget)))
            places.append(-1)
    return np.array(gone, np.int64)


def may_be_forgotten(rule: Any, state: State, length: int) -> np.ndarray:
    """The slots of supports that go if all of the next `length` examples are added."""
    size, forgets = int(state.counts[SIZE]), contract(rule).forgets
    if forgets is Forgets.NOBODY:
        return state.order[:0]
    removals = max(0, size + length - rule.budget)
    if forgets is Forgets.OLDEST:
        return state.order[: min(size, removals)]
    ranks = np.empty(removals, np.int64)
    gone = _draw_ahead(state.randomness.copy(), rule.budget, size, ranks)
    return state.order[ranks[len(ranks) - gone :]]


@compiled_in_place
def _draw_ahead(randomness, budget, size, ranks):
    """Draw one for each newcomer beyond the budget, and find the old supports among them.

    Their places, counted from the oldest as it was before, come in order at the end of `ranks`.
    Behind those that are left, there are the newcomers.
    """
    gone = 0
    for _ in range(len(ranks)):
        place = draw_below(randomness, budget)
        if place < size - gone:
            found = ranks[len(ranks) - gone :]
            i, end = 0, gone
            while i < end:  # how many of those that are gone came before
                middle = (i + end) // 2
                if found[middle] - middle <= place:
                    i = middle + 1
                else:
                    end = middle
            gone += 1
            earlier = ranks[len(ranks) - gone :]
            move_down(earlier[:i], found[:i])
            earlier[i] = place + i
    return gone
