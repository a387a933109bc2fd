"""The walk through a block: what every rule and every kind of hypothesis have in common.

Compiled once for each of them. What depends on the kind of `f` is chosen by its class: how its
scores are settled, what is to be done before an example is scored, and after.
"""

from __future__ import annotations

import math

import numpy as np

from .blocks import (
    clear_row,
    roundings,
    roundings_of_norms,
    row_norms,
    scatter_row,
    squared_norms,
    terms,
)
from .compiled import by_class, by_reference, compiled_in_place, inlined
from .edits.random_features import FeatureExpansion, feature_score
from .edits.span import SpanExpansion, begin_stretch, is_alone, locate_row, store_row
from .edits.span_on_device import SpanExpansionOnDevice
from .edits.supports import flush, short
from .exact import UNIT_ROUNDOFF, exact_column, exact_score
from .kernel import diagonal_value, error_scale, is_relative, look_ahead_error
from .memory import ImagedProjections, Projections
from .rule import decision_value, init, must_wait, note, update
from .state import (
    ADDED,
    EDITS,
    EVICTED,
    HAS_WEIGHTS,
    IS_PENDING,
    IS_SHORT,
    LARGEST_NORM,
    LARGEST_WEIGHT,
    MASS,
    MISTAKES,
    POSITION,
    SCALE,
    SCALE_SUM,
    SEEN,
    SIZE,
    SIZE_AFTER,
    UPDATES,
    USED,
    WAS_MISTAKE,
    WAS_UPDATE,
    WEIGHT_ERROR,
    WEIGHTED_MISTAKES,
    Past,
    slot_of,
)
from .triggers import is_mistake, snapped

__all__ = [
    "before_block",
    "error_bound",
    "is_clear",
    "is_wrong",
    "learn_from",
    "score_row",
    "settle",
    "settle_one",
    "settled_score",
    "walk",
]

SMALLEST_NORMAL_32 = 2.0**-126
"""Of the normal numbers in float32."""

LARGEST_SCORE = 1e100
"""Of a learner that still learns: steps that are multiplied by weights can grow for ever."""


@compiled_in_place
def walk(rule, f, labels, first, last, trigger, zero_is_mistake, roundoff, limit):
    """Go through the examples `first` to `last - 1` of the block as the papers do, one by one.

    A label is -1 or +1 times the weight of its example, and has its sign even where that is 0. An
    example whose label is NaN is only looked at: it is scored, and nothing else changes.
    `roundoff` is the unit roundoff of the look-ahead's kernel values, or infinity if there was no
    looking ahead: then the block is one example, which may have been put in a moment ago, and if
    its squared norm is not below the limit, its score is NaN and nothing is learned. Returns where
    the walk ended: before `last` at an example that has to wait.
    """
    is_row = roundoff == np.inf
    if is_row and not load_row(f, limit):
        f.ahead.scores[0] = np.nan
        return first
    end = go_through(rule, f, labels, first, last, trigger, zero_is_mistake, roundoff)
    if is_row:
        clear_row(f.ahead.block)
    return end


@compiled_in_place
def score_row(scorer, f, limit):
    """Score a block of one, and learn nothing; NaN as in `walk`."""
    return score_alone(scorer, f) if load_row(f, limit) else np.nan


@compiled_in_place
def settle(scorer, f, first, last, roundoff):
    """Settle scores of the block as `walk` would, and learn nothing; see `rule.scorer`."""
    settle_each(scorer, f, first, last, roundoff)


# apart from the above, so that what they have in common with `go_through` is compiled once


@inlined
def score_alone(scorer, f):
    """Score the row that has been loaded."""
    before_scoring(f)
    score = decision_value(scorer, f, settled_score(f, 0.0, np.inf))
    note(scorer, f)
    clear_row(f.ahead.block)
    return score


@inlined
def settle_each(scorer, f, first, last, roundoff):
    """Settle scores one after the other."""
    before_block(f)
    forget(f.ahead.plan)
    for t in range(first, last):
        f.ahead.cursor[POSITION] = t
        settle_one(f, scorer, roundoff)


@inlined
def load_row(f, limit):
    """Make the example of a block of one known; False if it is too large."""
    row_norms(f.ahead.block)
    if not f.ahead.block.norms[0] < limit:
        return False
    scatter_row(f.ahead.block)
    squared_norms(f.kernel, f.ahead.block)
    f.ahead.cursor[POSITION] = 0
    before_row(f)
    return True


@inlined
def go_through(rule, f, labels, first, last, trigger, zero_is_mistake, roundoff):
    """The walk."""
    counts, numbers = f.state.counts, f.state.numbers
    events, cursor = f.ahead.events, f.ahead.cursor
    if first == 0:
        f.ahead.pending[: counts[USED]] = 0
        cursor[IS_PENDING] = 0
        if roundoff < np.inf:
            before_block(f)
    for t in range(first, last):
        cursor[POSITION] = t
        before_scoring(f)
        is_told, held = not math.isnan(labels[t]), counts[SIZE]
        if is_told and held == 0:
            init(rule, f)
        y = math.copysign(1.0, labels[t])
        score = decision_value(rule, f, settled_score(f, trigger.threshold, roundoff))
        if is_told and labels[t] != 0 and must_wait(rule, f, score, labels[t]):
            return t
        f.ahead.scores[t] = score
        events[t, WAS_MISTAKE], events[t, WAS_UPDATE] = 0, 0
        events[t, SIZE_AFTER], events[t, EVICTED] = held, -1
        keep_weights(f.ahead.past, f)
        if not is_told:
            note(rule, f)
            continue
        numbers[SCALE_SUM] += numbers[SCALE]
        mistake = is_wrong(f, score, y, zero_is_mistake)
        is_short = mistake or y * score < trigger.threshold
        counts[MISTAKES] += mistake
        counts[WEIGHTED_MISTAKES] += mistake and labels[t] != 0
        events[t, WAS_MISTAKE] = mistake
        cursor[EDITS], cursor[IS_SHORT] = 0, is_short
        if labels[t] != 0 and not has_diverged(f, score):
            learn_from(f, rule, labels[t], trigger, zero_is_mistake)
        counts[HAS_WEIGHTS] |= abs(labels[t]) != 1
        events[t, WAS_UPDATE] = cursor[EDITS] > 0
        events[t, SIZE_AFTER] = counts[SIZE]
        counts[UPDATES] += events[t, WAS_UPDATE]
        counts[SEEN] += 1
        after_learning(f)
    return last


# ------------------------------------------------------------- what depends on the kind of `f`


@by_class
def before_row(f):
    """Do for a block of one what was not done by looking ahead."""
    forget(f.ahead.plan)


@by_class
def forget(plan):
    """Let nothing be solved for ahead."""


@forget.register(Projections)
@forget.register(ImagedProjections)
def _(plan):
    plan.row_of[:] = -1


@by_class
def before_block(f):
    """See how much mass there is before the block."""
    mass = 0.0
    for slot in range(f.state.counts[USED]):
        mass += abs(f.state.weights[slot])
    f.ahead.bounds[MASS], f.ahead.bounds[ADDED] = mass, 0


@by_class
def before_scoring(f):
    """Bring what the current example is scored by up to date."""
    flush(f)


@by_class
def learn_from(f, rule, y, trigger, zero_is_mistake):
    """Update, if the example calls for it."""
    if short(f) or trigger.every_example:
        norms, numbers = f.ahead.block.norms, f.state.numbers
        numbers[LARGEST_NORM] = max(numbers[LARGEST_NORM], norms[f.ahead.cursor[POSITION]])
        update(rule, f, y)


@by_class
def after_learning(f):
    """Do what waited for the end of the update."""


@by_class
def keep_weights(past, f):
    """Keep what the current example was scored with."""


@keep_weights.register(Past)
def _(past, f):
    state, t = f.state, f.ahead.cursor[POSITION]
    if t > 0 and not f.ahead.events[t - 1, WAS_UPDATE]:
        past.kept_at[t] = past.kept_at[t - 1]
        return
    past.kept_at[t], past.sizes[t] = t, state.counts[SIZE]
    for i in range(state.counts[SIZE]):
        slot = slot_of(f, i)
        past.weights[t, i] = state.numbers[SCALE] * state.weights[slot]
        past.births[t, i] = state.births[slot]


@by_class
def settle_one(f, scorer, roundoff):
    """Settle the score that the current example is predicted by."""
    score = decision_value(scorer, f, settled_score(f, 0.0, roundoff))
    f.ahead.scores[f.ahead.cursor[POSITION]] = score


@by_class
def is_wrong(f, score, y, zero_is_mistake):
    """Whether the settled score is a mistake."""
    return is_mistake(score, y, zero_is_mistake)


@by_class
def settled_score(f, threshold, roundoff):
    """The score of the current example, evaluated exactly where rounding could decide."""
    t, errors = f.ahead.cursor[POSITION], f.ahead.errors
    if roundoff < np.inf:
        score, mass = f.ahead.scores[t], f.ahead.bounds[MASS]
        errors[t] = error_bound(f, mass, mass, roundoff)
        if is_clear(score, threshold, errors[t]):
            return score
        if is_relative(f.kernel) and f.ahead.values.itemsize == 4:
            for again in range(2):  # newcomers' kernel values are at most 1; then, what they are
                quick = f.ahead.masses[t] + f.ahead.bounds[ADDED]
                valued = summed_values(f) if again else quick
                errors[t] = error_bound(f, mass, relative_mass(f, valued, roundoff), roundoff)
                if is_clear(score, threshold, errors[t]):
                    return score
    score, errors[t] = exact_score(f)
    return snapped(score, threshold, errors[t])


@inlined
def error_bound(f, mass, valued_mass, roundoff):
    """How far a score of the current example, a sum of this mass, can be from the exact one.

    Kernel values computed with unit roundoff `roundoff` are off by `value_error` each from those
    computed exactly from the same norms; `valued_mass` is the sum of the weights that this
    concerns. With `kernel.error_scale` for R, others are off by (n + 8) u R. Scores are summed in
    float64, over all slots and over at most three corrections by each of the block's examples.
    Weights that have left since the block began are still counted in the mass. What the exact score
    is snapped by is added.
    """
    state, ahead, t = f.state, f.ahead, f.ahead.cursor[POSITION]
    R = error_scale(f.kernel, state.numbers[LARGEST_NORM], ahead.block.norms[t])
    summed = (2 * state.counts[USED] + 3 * len(ahead.scores)) * UNIT_ROUNDOFF
    valued = value_error(f) * roundoff
    snapped_by = (terms(ahead.block, t) + 8) * UNIT_ROUNDOFF * R
    solved = 2 * ahead.bounds[WEIGHT_ERROR] * state.numbers[LARGEST_WEIGHT] * state.counts[SIZE]
    rounded = (summed * mass + solved) * R + (valued + snapped_by) * valued_mass
    return rounded * state.numbers[SCALE]


@inlined
def value_error(f):
    """How far the look-ahead's kernel values of the current example are off, in roundoffs."""
    block, t = f.ahead.block, f.ahead.cursor[POSITION]
    n, m, largest = roundings(block, t), roundings_of_norms(block, t), f.state.numbers[LARGEST_NORM]
    return look_ahead_error(f.kernel, largest, block.norms[t], n, m)


@inlined
def relative_mass(f, valued, roundoff):
    """The sum of weights that rounding concerns, where it is in proportion to the kernel values.

    Those of the look-ahead are off by `value_error` of themselves, and those that are too
    small for their dtype by less than its smallest number.
    """
    off, mass = value_error(f) * roundoff, f.ahead.bounds[MASS]
    return valued * (1 + 2 * off) + mass * SMALLEST_NORMAL_32 if off < 0.25 else np.inf


@inlined
def summed_values(f):
    """The sum of the weights' magnitudes times the current example's kernel values."""
    state, total = f.state, 0.0
    for i in range(state.counts[SIZE]):
        slot = slot_of(f, i)
        total += abs(state.weights[slot]) * f.ahead.values[slot, f.ahead.cursor[POSITION]]
    return total


@inlined
def has_diverged(f, score):
    """Whether the score is so large, beside k(x, x), that another step would leave no numbers."""
    if abs(score) < LARGEST_SCORE:
        return False
    k = diagonal_value(f.kernel, f.ahead.block.norms[f.ahead.cursor[POSITION]])
    return not abs(score) / LARGEST_SCORE < k


@inlined
def is_clear(score, threshold, band):
    """Whether a score is as it is on its side of 0 and of the threshold, however far it is off."""
    return abs(score) > band and abs(abs(score) - threshold) > band


# ---------------------------------------------------------------- in the span of the supports

by_reference(SpanExpansion)


@before_block.register(SpanExpansion)
def _(f):
    """Scores are not sums over supports."""


@before_row.register(SpanExpansion)
def _(f):
    begin_stretch(f.ahead.plan, 0, 1)
    exact_column(f)


@before_scoring.register(SpanExpansion)
def _(f):
    if is_alone(f):
        locate_row(f)


@settled_score.register(SpanExpansion)
def _(f, threshold, roundoff):
    """The rule finds it in coordinates: see `decision_value`."""
    return 0.0


@after_learning.register(SpanExpansion)
def _(f):
    if is_alone(f):
        store_row(f)


by_reference(SpanExpansionOnDevice)


@before_scoring.register(SpanExpansionOnDevice)
def _(f):
    """Coordinates are known, and elsewhere."""


@after_learning.register(SpanExpansionOnDevice)
def _(f):
    """What is learned is stored when the stretch ends."""


# ---------------------------------------------------------------------------- on random features


@before_block.register(FeatureExpansion)
def _(f):
    """There are no supports."""


@before_scoring.register(FeatureExpansion)
def _(f):
    """Features are known, and scores summed one by one."""


@settled_score.register(FeatureExpansion)
def _(f, threshold, roundoff):
    t, errors = f.ahead.cursor[POSITION], f.ahead.errors
    score, errors[t] = feature_score(f)
    return snapped(score, threshold, errors[t])
