"""The verbs that rules are made of: edits of f = sum_i weight_i k(x_i, .), and questions about it.

What an edit does is said once, for whatever class `f` has; the few pieces that depend on how many
scores an example has are chosen by that class: here for the two classes of a binary label, and in
`multiclass` for any number of them. Each edit also corrects the scores of the examples that are
still to come, so that nothing is evaluated twice.
"""

from __future__ import annotations

import math

from ..blocks import look_ahead
from ..compiled import by_class, inlined, inlined_reassociated
from ..exact import exact_score
from ..kernel import diagonal_value
from ..linalg.vectors import axpy, move_down, move_up
from ..memory import SOLVING
from ..random import draw_below
from ..state import (
    ADDED,
    BOUND_SUM,
    EDITS,
    EVICTED,
    IS_PENDING,
    IS_SHORT,
    LARGEST_NORM,
    LARGEST_WEIGHT,
    MASS,
    MEMO,
    OLDEST,
    POSITION,
    SCALE,
    SCALE_SUM,
    SEEN,
    SIZE,
    USED,
    WAS_MISTAKE,
    WEIGHTED_MISTAKES,
    slot_of,
)
from ..storage import release, store

__all__ = [
    "add",
    "add_to_bound",
    "axpy_many",
    "change_weights",
    "clip",
    "correct_ahead",
    "draw",
    "end_of_stretch",
    "flush",
    "fold_scale",
    "k_xx",
    "loss",
    "memo",
    "mistaken",
    "mistakes",
    "multiplicity",
    "own_weight",
    "refresh",
    "remove",
    "rescore",
    "reweigh",
    "reweigh_all",
    "scale",
    "scale_ahead",
    "score",
    "set_memo",
    "short",
    "size",
    "stretch",
    "weight",
    "withdraw",
]

SMALLEST_SCALE = 1e-3
"""Below it, or above its inverse, the scale is multiplied into the weights, so that what is added
to the sum of scales never gets lost in it."""

STRETCH = 32
"""How many scores are corrected at once after all weights have changed: see `reweigh_all`."""

MOST_LEFT = 1e3
"""How many times more weight has left than there is, at most, before scores are summed afresh."""


@inlined
def size(f):
    """The number of supports."""
    return f.state.counts[SIZE]


@inlined
def mistakes(f):
    """The number of mistakes with a weight above 0, the current one included."""
    return f.state.counts[WEIGHTED_MISTAKES]


@by_class
def mistaken(f):
    """Whether the current example is a mistake."""
    return f.ahead.events[f.ahead.cursor[POSITION], WAS_MISTAKE] == 1


@inlined
def short(f):
    """Whether it is a mistake, or its margin below the trigger's threshold: settled exactly."""
    return f.ahead.cursor[IS_SHORT] == 1


@by_class
def own_weight(f, slot):
    """The weight of the support in `slot`, without the common scale."""
    return f.state.weights[slot]


@inlined
def weight(f, i):
    """The weight of support `i`, counted from the oldest."""
    return f.state.numbers[SCALE] * own_weight(f, slot_of(f, i))


@inlined
def memo(f):
    """The one number that a rule may keep for itself."""
    return f.state.numbers[MEMO]


@inlined
def set_memo(f, number):
    """Keep a number until the next update."""
    f.state.numbers[MEMO] = number


@inlined
def add_to_bound(f, amount):
    """Add to the sum that the rule's bound is made of."""
    f.state.numbers[BOUND_SUM] += amount


@by_class
def multiplicity(f):
    """How many times k(x, x) is counted in what a rule takes for the squared length of x."""
    return 1


@inlined
def k_xx(f):
    """The squared length of the current example: k(x, x), as many times as it is counted."""
    k = diagonal_value(f.kernel, f.ahead.block.norms[f.ahead.cursor[POSITION]])
    return multiplicity(f) * k


@by_class
def reweigh(f, slot, change):
    """Change a weight, and note when.

    The scale is summed over all examples, so that the sum of a weight over the hypotheses that
    predicted them is weight * scale sum - weight time: averages cost nothing while learning.
    """
    state, stored = f.state, change / f.state.numbers[SCALE]
    state.weights[slot] += stored
    state.weight_time[slot] += stored * state.numbers[SCALE_SUM]
    f.ahead.bounds[MASS] += abs(stored)
    f.ahead.bounds[ADDED] += abs(stored)
    largest = max(state.numbers[LARGEST_WEIGHT], abs(stored), abs(state.weights[slot]))
    state.numbers[LARGEST_WEIGHT] = largest


@by_class
def reweigh_all(f, weight, parts):
    """Change each support's weight by weight * part, the oldest first.

    The scores of the current stretch are corrected at once. For the others the change is pending,
    and made when their stretch begins, together with all that other updates owe them.
    """
    change_weights(f, weight, parts)
    ahead, t, stored = f.ahead, f.ahead.cursor[POSITION], weight / f.state.numbers[SCALE]
    for i in range(size(f)):
        ahead.pending[slot_of(f, i)] += stored * parts[i]
    ahead.cursor[IS_PENDING] = 1
    scores = ahead.scores[: end_of_stretch(f)]
    axpy_many(f, scores, t + 1, weight, parts, size(f))


@inlined_reassociated
def change_weights(f, weight, parts):
    """The same, of which no score knows."""
    state, ahead = f.state, f.ahead
    stored, scale_sum = weight / state.numbers[SCALE], state.numbers[SCALE_SUM]
    order, mass, largest = f.ahead.order[f.ahead.cursor[OLDEST] :], 0.0, 0.0
    for i in range(state.counts[SIZE]):
        slot, change = order[i], stored * parts[i]
        state.weights[slot] += change
        state.weight_time[slot] += change * scale_sum
        mass += abs(change)
        largest = max(largest, abs(change), abs(state.weights[slot]))
    ahead.bounds[MASS] += mass
    ahead.bounds[ADDED] += mass
    state.numbers[LARGEST_WEIGHT] = max(state.numbers[LARGEST_WEIGHT], largest)
    ahead.cursor[EDITS] += 1


@by_class
def flush(f):
    """Bring the scores of the stretch that begins here up to date."""
    t = f.ahead.cursor[POSITION]
    if t % STRETCH == 0 and t > 0 and f.ahead.cursor[IS_PENDING] == 1:
        make_due(f.state.memory, f)


@by_class
def make_due(memory, f):
    """Add all that is pending to the scores of the stretch that begins here."""
    state, ahead, t = f.state, f.ahead, f.ahead.cursor[POSITION]
    scores = ahead.scores[t : end_of_stretch(f)]
    for i in range(state.counts[SIZE]):
        slot = slot_of(f, i)
        if ahead.pending[slot] != 0:
            axpy(scores, state.numbers[SCALE] * ahead.pending[slot], ahead.values[slot, t:])


def _make_much_due(memory, f):
    """The same where most weights change most of the time."""
    state, ahead, t, due = f.state, f.ahead, f.ahead.cursor[POSITION], f.ahead.scratch[0]
    scores = ahead.scores[: end_of_stretch(f)]
    for i in range(state.counts[SIZE]):
        due[i] = ahead.pending[slot_of(f, i)]
    axpy_many(f, scores, t, state.numbers[SCALE], due, size(f))


for _kind in SOLVING:
    make_due.register(_kind)(_make_much_due)


@inlined
def end_of_stretch(f):
    """Where the stretch ends whose scores are up to date."""
    t = f.ahead.cursor[POSITION]
    return min(t + STRETCH - t % STRETCH, len(f.ahead.scores))


@inlined_reassociated
def axpy_many(f, scores, first, weight, parts, many):
    """Add weight sum_i part_i k(x_i, .), over the `many` oldest, to the scores from `first` on."""
    values, order = f.ahead.values, f.ahead.order[f.ahead.cursor[OLDEST] :]
    last, fours, ahead = len(scores), many - many % 4, scores[first:]
    for i in range(0, fours, 4):
        w0, w1 = weight * parts[i], weight * parts[i + 1]
        w2, w3 = weight * parts[i + 2], weight * parts[i + 3]
        if w0 != 0 or w1 != 0 or w2 != 0 or w3 != 0:
            v0, v1 = values[order[i], first:last], values[order[i + 1], first:last]
            v2, v3 = values[order[i + 2], first:last], values[order[i + 3], first:last]
            for j in range(len(ahead)):
                ahead[j] += (w0 * v0[j] + w1 * v1[j]) + (w2 * v2[j] + w3 * v3[j])
    for i in range(fours, many):
        axpy(ahead, weight * parts[i], values[order[i], first:last])


@inlined
def add(f, weight):
    """Make the current example the newest support."""
    state, ahead, t = f.state, f.ahead, f.ahead.cursor[POSITION]
    slot = slot_of(f, state.counts[SIZE])
    store(state.rows, slot, ahead.block, t)
    state.weights[slot] = 0
    state.weight_time[slot] = 0
    ahead.pending[slot] = 0
    reweigh(f, slot, weight)
    state.births[slot] = state.counts[SEEN]
    state.counts[SIZE] += 1
    state.counts[USED] = max(state.counts[USED], slot + 1)
    ahead.cursor[EDITS] += 1
    state.numbers[LARGEST_NORM] = max(state.numbers[LARGEST_NORM], ahead.block.norms[t])
    look_ahead(f.kernel, ahead.block, t)
    for j in range(t + 1, len(ahead.scores)):
        ahead.values[slot, j] = ahead.block.own[t, j]
    correct_ahead(f, weight, ahead.values[slot, t + 1 :])
    return slot


@by_class
def correct_ahead(f, weight, values):
    """Add weight times the current example to the scores ahead, given its kernel values."""
    axpy(f.ahead.scores[f.ahead.cursor[POSITION] + 1 :], weight, values)


@inlined
def remove(f, i):
    """Forget support `i`, counted from the oldest."""
    state, ahead, t = f.state, f.ahead, f.ahead.cursor[POSITION]
    slot = slot_of(f, i)
    withdraw(f, slot)
    ahead.pending[slot] = 0
    ahead.events[t, EVICTED] = state.births[slot]
    state.weights[slot] = 0
    release(state.rows, slot)
    move_behind(f, i)
    state.counts[SIZE] -= 1
    ahead.cursor[EDITS] += 1


@inlined
def move_behind(f, i):
    """Move the slot of support `i` behind those of all others, before the free ones.

    The younger ones go one place down; or if there is room, and they are more, the older and the
    free ones go one up.
    """
    order, first = f.ahead.order, f.ahead.cursor[OLDEST]
    slot, last, end = order[first + i], first + f.state.counts[SIZE] - 1, first + len(f.state.order)
    if i + end - last < last - first - i and end < len(order):
        move_up(order[last + 1 : end], order[last + 2 : end + 1])
        move_up(order[first : first + i], order[first + 1 : first + i + 1])
        order[last + 1] = slot
        f.ahead.cursor[OLDEST] = first + 1
    else:
        move_down(order[first + i : last], order[first + i + 1 : last + 1])
        order[last] = slot


@by_class
def withdraw(f, slot):
    """Take the support in `slot` out of the scores ahead."""
    state, ahead, t = f.state, f.ahead, f.ahead.cursor[POSITION]
    weight = state.numbers[SCALE] * state.weights[slot]
    axpy(ahead.scores[t + 1 :], -weight, ahead.values[slot, t + 1 :])
    after = end_of_stretch(f)
    due = state.numbers[SCALE] * ahead.pending[slot]
    axpy(ahead.scores[after:], due, ahead.values[slot, after:])


@inlined
def stretch(f, factor):
    """Multiply all weights by a factor that may be above 1: digits that are lost do not show."""
    scale(f, factor)
    refresh(f)


@inlined
def scale(f, factor):
    """Multiply all weights by a factor from 0 to 1, without 0, in constant time."""
    state = f.state
    state.numbers[SCALE] *= factor
    f.ahead.cursor[EDITS] += factor != 1 and state.counts[SIZE] > 0
    scale_ahead(f, factor)
    if not SMALLEST_SCALE <= state.numbers[SCALE] <= 1 / SMALLEST_SCALE:
        fold_scale(f)
        scale_memory(state.memory, f, state.numbers[SCALE])
        state.numbers[LARGEST_WEIGHT] *= state.numbers[SCALE]
        state.numbers[SCALE_SUM] = 0
        state.numbers[SCALE] = 1


@by_class
def scale_memory(memory, f, factor):
    """Multiply what is kept without the common scale by `factor`."""


@by_class
def scale_ahead(f, factor):
    """Multiply the scores ahead by `factor`."""
    scores = f.ahead.scores
    for j in range(f.ahead.cursor[POSITION] + 1, len(scores)):
        scores[j] *= factor


@by_class
def fold_scale(f):
    """Multiply the scale into the weights, as if the sum of scales had been set to 0 before."""
    state = f.state
    for slot in range(state.counts[USED]):
        state.weight_time[slot] -= state.weights[slot] * state.numbers[SCALE_SUM]
        state.weights[slot] *= state.numbers[SCALE]
        f.ahead.pending[slot] *= state.numbers[SCALE]
    f.ahead.bounds[MASS] *= state.numbers[SCALE]
    f.ahead.bounds[ADDED] *= state.numbers[SCALE]
    for t in range(len(f.ahead.masses)):
        f.ahead.masses[t] *= state.numbers[SCALE]


@by_class
def refresh(f):
    """Sum the scores ahead afresh, if what has left outweighs what is there by far.

    What has left takes its digits with it: after a hypothesis has nearly cancelled and is scaled
    up, the scores' rounding is scaled up as well.
    """
    state, ahead, t = f.state, f.ahead, f.ahead.cursor[POSITION]
    mass = 0.0
    for slot in range(state.counts[USED]):
        mass += abs(state.weights[slot])
    if ahead.bounds[MASS] > MOST_LEFT * mass:
        ahead.bounds[MASS] = mass
        ahead.pending[: state.counts[USED]] = 0
        scores = ahead.scores[t + 1 :]
        scores[:] = 0
        for i in range(state.counts[SIZE]):
            axpy(scores, weight(f, i), ahead.values[slot_of(f, i), t + 1 :])


@by_class
def clip(f, largest):
    """Cut every weight off at -largest and largest."""
    change, is_cut = f.ahead.scratch[0], False
    for i in range(size(f)):
        w = weight(f, i)
        change[i] = min(max(w, -largest), largest) - w
        is_cut |= change[i] != 0
    if is_cut:
        reweigh_all(f, 1.0, change)


@inlined
def draw(f, n):
    """A number from 0 to n - 1, each equally likely."""
    return draw_below(f.state.randomness, n)


@inlined
def score(f):
    """f(x) of the current example, for a rule that puts it into a weight.

    The look-ahead's score carries the rounding of the kernel values; in float32 that is seven
    digits, too few for weights that later scores are compared with.
    """
    known = f.ahead.scores[f.ahead.cursor[POSITION]]
    if f.ahead.values.itemsize == 8 or known == 0:
        return known
    return exact_score(f)[0]


@inlined
def loss(f, y):
    """The hinge loss of the current example, whatever the weight that its label `y` carries."""
    return 1 - math.copysign(1.0, y) * score(f)


@inlined
def rescore(f, score):
    """Correct the score of the current example itself, for a hypothesis chosen in its sight."""
    f.ahead.scores[f.ahead.cursor[POSITION]] = score
