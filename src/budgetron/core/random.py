"""Random numbers that cost nothing to draw and little to keep: xorshift64, one word of state."""

from __future__ import annotations

import numpy as np

from .compiled import inlined

__all__ = ["draw_below", "draw_unit", "generator_state"]


def generator_state(seed: int) -> np.ndarray:
    """The state, not zero, from which a generator starts."""
    return np.random.SeedSequence(seed).generate_state(1, np.uint64) | np.uint64(1)


@inlined
def next_word(randomness):
    """The next 64 bits (Marsaglia, 2003)."""
    state = randomness[0]
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    randomness[0] = state
    return state


@inlined
def draw_below(randomness, n):
    """A number from 0 to n - 1, each equally likely (n far below 2^32)."""
    return (np.int64(next_word(randomness) >> np.uint64(32)) * n) >> 32


@inlined
def draw_unit(randomness):
    """A number from 0 to 1, without 1."""
    return np.float64(next_word(randomness) >> np.uint64(11)) * 2.0**-53
