"""The walk through a block for rules that keep a span, compiled once for each."""

from __future__ import annotations

from math import copysign

import numpy as np

from .blocks import clear_away, lay_out, measure, measure_rows
from .compiled import compiled_in_place, inlined
from .edits.span import locate, settle_covariance
from .expansion import (
    EDITS,
    EVICTED,
    HEEDED,
    HELD,
    MISTAKE,
    MISTAKES,
    POSITION,
    SEEN,
    SIZE,
    UPDATE,
    UPDATES,
    WEIGHTED,
    exact_column,
)
from .rule import judged, update
from .triggers import is_mistake

__all__ = ["judge_all", "look_in", "settle", "walk_in", "walk_through"]


@compiled_in_place
def judge_all(rule, f):
    """Score the block, whose coordinates are known."""
    for t in range(len(f.ahead.scores)):
        f.kept.counts[POSITION] = t
        f.ahead.scores[t] = judged(rule, f, 0.0)


@compiled_in_place
def settle(f):
    """Store what has happened to the covariance."""
    settle_covariance(f)


@compiled_in_place
def walk_through(rule, f, labels, zero_is_mistake, first, last, is_known):
    """Learn the examples from `first` on, up to `last`, and return where it ended."""
    return go_through(rule, f, labels, zero_is_mistake, first, last, is_known)


@compiled_in_place
def walk_in(rule, f, labels, zero_is_mistake, limit):
    """Learn a block of one, which may have been put in a moment ago.

    If its squared norm is not below the limit, its score is NaN and nothing is learned.
    """
    if meet(f, limit):
        go_through(rule, f, labels, zero_is_mistake, 0, 1, False)
        clear_away(f.ahead.block)
    else:
        f.ahead.scores[0] = np.nan


@compiled_in_place
def look_in(rule, f, limit):
    """Score a block of one, and learn nothing; NaN as in `walk_in`."""
    before = f.kept.counts[POSITION]
    if not meet(f, limit):
        return np.nan
    locate(f)
    score = judged(rule, f, 0.0)
    f.kept.counts[POSITION] = before
    clear_away(f.ahead.block)
    return score


@inlined
def meet(f, limit):
    """Get to know the example of a block of one; False if it is too large."""
    measure_rows(f.ahead.block)
    if not f.ahead.block.norms[0] < limit:
        return False
    lay_out(f.ahead.block)
    measure(f.kernel, f.ahead.block)
    f.kept.counts[POSITION] = 0
    exact_column(f)
    return True


@inlined
def go_through(rule, f, labels, zero_is_mistake, first, last, is_known):
    """The walk. If coordinates are known, it ends where the span has changed."""
    counts, events, scores = f.kept.counts, f.ahead.events, f.ahead.scores
    for t in range(first, last):
        counts[POSITION] = t
        if not is_known:
            locate(f)
            f.plan.known[t] = -1
        y, score = copysign(1.0, labels[t]), judged(rule, f, 0.0)
        scores[t] = score
        mistake = is_mistake(score, y, zero_is_mistake)
        counts[MISTAKES] += mistake
        counts[HEEDED] += mistake and labels[t] != 0
        events[t, MISTAKE] = mistake
        events[t, EVICTED] = -1
        counts[EDITS] = 0
        size = counts[SIZE]
        if labels[t] != 0:
            update(rule, f, labels[t])
        counts[WEIGHTED] |= abs(labels[t]) != 1
        events[t, UPDATE] = counts[EDITS] > 0
        events[t, HELD] = counts[SIZE]
        counts[UPDATES] += events[t, UPDATE]
        counts[SEEN] += 1
        if not is_known:
            settle_covariance(f)
        elif counts[SIZE] != size or events[t, EVICTED] >= 0:
            return t + 1
    return last
