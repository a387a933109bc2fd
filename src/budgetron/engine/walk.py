"""The walk through a block: what every rule has in common, compiled once for each."""

from __future__ import annotations

import math

import numpy as np

from ..blocks import filled_terms, measure, terms
from ..compiled import by_class, compiled_in_place, inlined
from ..expansion import (
    BLUR,
    CLOCK,
    EDITS,
    EVICTED,
    HEEDED,
    HELD,
    LARGEST,
    MASS,
    MISTAKE,
    MISTAKES,
    PEAK,
    POSITION,
    SCALE,
    SEEN,
    SIZE,
    UNIT_ROUNDOFF,
    UPDATE,
    UPDATES,
    USED,
    WEIGHTED,
    Ahead,
    Expansion,
    Kept,
    exact_score,
)
from ..kernels import reach
from ..rule import begin, catch_up, judged, update
from ..triggers import is_mistake, snapped

__all__ = ["doubt", "go_through", "is_wrong", "settle", "settled_score", "walk"]


@inlined
def doubt(f, mass, roundoff):
    """How far a score of the current example, a sum of this mass, can be from the exact one.

    Kernel values computed with unit roundoff `roundoff` are off by (n + 8) roundoff R each, with
    `kernels.reach` for R, from those computed exactly from the same norms; scores are summed in
    float64, over all slots and over at most three corrections by each of the block's examples.
    Weights that have left since the block began are still counted in the mass. What the exact score
    is snapped by is added.
    """
    kept, ahead, t = f.kept, f.ahead, f.kept.counts[POSITION]
    R = reach(f.kernel, kept.numbers[LARGEST], ahead.block.norms[t])
    summed = (2 * kept.counts[USED] + 3 * len(ahead.scores)) * UNIT_ROUNDOFF
    valued = (filled_terms(ahead.block, t) + 8) * roundoff
    snapped_by = (terms(ahead.block, t) + 8) * UNIT_ROUNDOFF
    blur = 2 * kept.numbers[BLUR] * kept.numbers[PEAK] * kept.counts[SIZE]
    rounded = (summed + valued + snapped_by) * mass
    return (rounded + blur) * R * kept.numbers[SCALE]


@inlined
def mass_of(weights, used):
    """The sum of the weights' magnitudes."""
    mass = 0.0
    for slot in range(used):
        mass += abs(weights[slot])
    return mass


@by_class
def settled_score(f, threshold, roundoff):
    """The score of the current example, evaluated exactly where the look-ahead's is in doubt."""
    if roundoff < np.inf:
        score = f.ahead.scores[f.kept.counts[POSITION]]
        band = doubt(f, f.kept.numbers[MASS], roundoff)
        if abs(score) > band and abs(abs(score) - threshold) > band:
            return score
    score, noise = exact_score(f)
    return snapped(score, threshold, noise)


@by_class
def is_wrong(f, score, y, zero_is_mistake):
    """Whether the settled score is a mistake."""
    return is_mistake(score, y, zero_is_mistake)


@compiled_in_place
def walk(
    rule, labels, threshold, zero_is_mistake, roundoff, kernel,
    rows, weights, tardy, echoes, births, order, gram, counts, numbers, randomness,
    block, values, scores, exact, events, shares, solved, owed,
):  # fmt: skip
    """Go through the block, example by example, as the papers do.

    `roundoff` is the unit roundoff of the look-ahead's kernel values, or infinity if there was no
    looking ahead. A label is -1 or +1 times the weight of its example, and has its sign even where
    that is 0. The rest are the fields of an `Expansion`: one by one they cost a third of what they
    cost as a tuple, and that is most of the time of a single row.
    """
    kept = Kept(rows, weights, tardy, echoes, births, order, gram, counts, numbers, randomness)
    f = Expansion(kernel, kept, Ahead(block, values, scores, exact, events, shares, solved, owed))
    numbers[MASS] = mass_of(weights, counts[USED])
    go_through(rule, f, labels, threshold, zero_is_mistake, roundoff)


@inlined
def go_through(rule, f, labels, threshold, zero_is_mistake, roundoff):
    """The walk, for whatever class `f` has, once its mass is known."""
    counts, numbers, events = f.kept.counts, f.kept.numbers, f.ahead.events
    if roundoff == np.inf:
        measure(f.kernel, f.ahead.block)
        f.ahead.solved[:] = -1
    f.ahead.owed[: counts[USED]] = 0
    for t in range(len(labels)):
        counts[POSITION] = t
        catch_up(rule, f)
        if counts[SIZE] == 0:
            begin(rule, f)
        numbers[CLOCK] += numbers[SCALE]
        y, score = (
            math.copysign(1.0, labels[t]),
            judged(rule, f, settled_score(f, threshold, roundoff)),
        )
        f.ahead.scores[t] = score
        mistake = is_wrong(f, score, y, zero_is_mistake)
        counts[MISTAKES] += mistake
        counts[HEEDED] += mistake and labels[t] != 0
        events[t, MISTAKE] = mistake
        events[t, EVICTED] = -1
        counts[EDITS] = 0
        if labels[t] != 0 and (mistake or y * score < threshold):
            numbers[LARGEST] = max(numbers[LARGEST], f.ahead.block.norms[t])
            update(rule, f, labels[t])
        counts[WEIGHTED] |= abs(labels[t]) != 1
        events[t, UPDATE] = counts[EDITS] > 0
        events[t, HELD] = counts[SIZE]
        counts[UPDATES] += events[t, UPDATE]
        counts[SEEN] += 1


@compiled_in_place
def settle(rule, f, roundoff):
    """Settle the scores of the block as `walk` would, and learn nothing."""
    f.kept.numbers[MASS] = mass_of(f.kept.weights, f.kept.counts[USED])
    for t in range(len(f.ahead.scores)):
        f.kept.counts[POSITION] = t
        f.ahead.scores[t] = judged(rule, f, settled_score(f, 0.0, roundoff))
