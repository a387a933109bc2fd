"""Times of several things, in turns, so that a noisy moment hits all of them."""

from __future__ import annotations

from statistics import median
from time import perf_counter

__all__ = ["best_and_median", "in_turns"]


def in_turns(makers, repeats):
    """Yield (name, repeat, seconds) for all in turn.

    Each maker makes a new thing to be run, which has not learned from the turn before.
    """
    for repeat in range(repeats):
        for name, make in makers.items():
            go = make()
            start = perf_counter()
            go()
            yield name, repeat, perf_counter() - start


def best_and_median(records, value="seconds"):
    """Of the repeats."""
    values = [record[value] for record in records]
    return min(values), median(values)
