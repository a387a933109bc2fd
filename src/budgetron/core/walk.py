"""The walk through a block: what every rule has in common, compiled once for each."""

from __future__ import annotations

import math

import numpy as np

from .blocks import clear_away, lay_out, measure, measure_rows, roundings, terms
from .compiled import by_class, compiled_in_place, inlined
from .edits.random_features import Spectrum, wave_score
from .expansion import (
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
from .kernel import is_relative, reach
from .rule import begin, catch_up, judged, update
from .triggers import is_mistake, snapped

__all__ = [
    "doubt",
    "go_through",
    "is_wrong",
    "look",
    "settle",
    "settled_score",
    "walk",
    "walk_of_waves",
]

SMALLEST = 2.0**-126
"""Of the normal numbers in float32."""


@inlined
def doubt(f, mass, valued_mass, roundoff):
    """How far a score of the current example, a sum of this mass, can be from the exact one.

    Kernel values computed with unit roundoff `roundoff` are off by (n + 8) roundoff R each, with
    `blocks.roundings` for n and `kernels.reach` for R, from those computed exactly from the same
    norms; `valued_mass` is the sum of the weights that this concerns. Scores are summed in float64,
    over all slots and over at most three corrections by each of the block's examples. Weights that
    have left since the block began are still counted in the mass. What the exact score is snapped
    by is added.
    """
    kept, ahead, t = f.kept, f.ahead, f.kept.counts[POSITION]
    R = reach(f.kernel, kept.numbers[LARGEST], ahead.block.norms[t])
    summed = (2 * kept.counts[USED] + 3 * len(ahead.scores)) * UNIT_ROUNDOFF
    valued = (roundings(ahead.block, t) + 8) * roundoff
    snapped_by = (terms(ahead.block, t) + 8) * UNIT_ROUNDOFF
    blur = 2 * kept.numbers[BLUR] * kept.numbers[PEAK] * kept.counts[SIZE]
    rounded = summed * mass + (valued + snapped_by) * valued_mass
    return (rounded + blur) * R * kept.numbers[SCALE]


@inlined
def relative_mass(f, roundoff):
    """The sum of weights that rounding concerns, where it is in proportion to the kernel values.

    Those of the look-ahead are off by (n + 8) roundoff R of themselves, and those that are too
    small for their dtype by less than its smallest number.
    """
    kept, ahead, t = f.kept, f.ahead, f.kept.counts[POSITION]
    mass = 0.0
    for i in range(kept.counts[SIZE]):
        slot = kept.order[i]
        mass += abs(kept.weights[slot]) * ahead.values[slot, t]
    R = reach(f.kernel, kept.numbers[LARGEST], ahead.block.norms[t])
    off = (roundings(ahead.block, t) + 8) * roundoff * R
    return mass * (1 + 2 * off) + kept.numbers[MASS] * SMALLEST if off < 0.25 else np.inf


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
        score, mass = f.ahead.scores[f.kept.counts[POSITION]], f.kept.numbers[MASS]
        if is_clear(score, threshold, doubt(f, mass, mass, roundoff)):
            return score
        if is_relative(f.kernel) and f.ahead.values.itemsize == 4:
            concerned = relative_mass(f, roundoff)
            if is_clear(score, threshold, doubt(f, mass, concerned, roundoff)):
                return score
    score, noise = exact_score(f)
    return snapped(score, threshold, noise)


@inlined
def is_clear(score, threshold, band):
    """Whether a score is as it is on its side of 0 and of the threshold, however far it is off."""
    return abs(score) > band and abs(abs(score) - threshold) > band


@by_class
def is_wrong(f, score, y, zero_is_mistake):
    """Whether the settled score is a mistake."""
    return is_mistake(score, y, zero_is_mistake)


@compiled_in_place
def walk(
    rule, labels, threshold, zero_is_mistake, roundoff, limit, kernel,
    rows, weights, tardy, echoes, births, order, gram, counts, numbers, randomness,
    block, values, scores, exact, events, shares, solved, owed,
):  # fmt: skip
    """Go through the block, example by example, as the papers do.

    `roundoff` is the unit roundoff of the look-ahead's kernel values, or infinity if there was no
    looking ahead: then there is one example, which may have been put in a moment ago, and if its
    squared norm is not below the limit, its score is NaN and nothing is learned. A label is -1 or
    +1 times the weight of its example, and has its sign even where that is 0. The rest are the
    fields of an `Expansion`: one by one they cost a third of what they cost as a tuple, and that is
    most of the time of a single row.
    """
    kept = Kept(rows, weights, tardy, echoes, births, order, gram, counts, numbers, randomness)
    f = Expansion(kernel, kept, Ahead(block, values, scores, exact, events, shares, solved, owed))
    is_single = roundoff == np.inf
    if is_single:
        measure_rows(block)
        if not block.norms[0] < limit:
            scores[0] = np.nan
            return
        lay_out(block)
    else:
        numbers[MASS] = mass_of(weights, counts[USED])
    go_through(rule, f, labels, threshold, zero_is_mistake, roundoff)
    if is_single:
        clear_away(block)


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
    settle_each(rule, f, roundoff)


@inlined
def settle_each(rule, f, roundoff):
    """Apart from `settle`, so that what it has in common with `go_through` is compiled once."""
    f.kept.numbers[MASS] = mass_of(f.kept.weights, f.kept.counts[USED])
    for t in range(len(f.ahead.scores)):
        f.kept.counts[POSITION] = t
        f.ahead.scores[t] = judged(rule, f, settled_score(f, 0.0, roundoff))


@compiled_in_place
def look(
    rule, limit, kernel,
    rows, weights, tardy, echoes, births, order, gram, counts, numbers, randomness,
    block, values, scores, exact, events, shares, solved, owed,
):  # fmt: skip
    """Score the example of a block of one, and learn nothing; NaN as in `walk`."""
    measure_rows(block)
    if not block.norms[0] < limit:
        return np.nan
    kept = Kept(rows, weights, tardy, echoes, births, order, gram, counts, numbers, randomness)
    f = Expansion(kernel, kept, Ahead(block, values, scores, exact, events, shares, solved, owed))
    lay_out(block)
    measure(kernel, block)
    solved[:] = -1
    before = counts[POSITION]
    counts[POSITION] = 0
    score = judged(rule, f, settled_score(f, 0.0, np.inf))
    counts[POSITION] = before
    clear_away(block)
    return score


@compiled_in_place
def walk_of_waves(rule, labels, threshold, zero_is_mistake, roundoff, f):
    """Like `walk`; features are the same with and without looking ahead."""
    go_through(rule, f, labels, threshold, zero_is_mistake, roundoff)


@settled_score.register(Spectrum)
def _(f, threshold, roundoff):
    score, noise = wave_score(f)
    return snapped(score, threshold, noise)
