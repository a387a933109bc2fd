"""Many classes, a machine for each, on common supports: one factor serves all of them.

Each machine tells its class from all others, by weights of its own. An example is learned by
*turns*: every machine whose margin is short makes its rule's own binary update, those that are
mistaken first. What one of them stores, the others have in their span, where a projection is the
example itself; so there is one set of supports, and one Cholesky factor of their kernel matrix.

The projection of an example is the same for all machines. Each of them says how far it steps along
it, and all steps are taken together when the turns are over.
"""

from __future__ import annotations

from collections import namedtuple
from math import isnan
from typing import NamedTuple

import numpy as np

from .blocks import look_ahead
from .compiled import compiled_in_place, inlined, inlined_reassociated, plain
from .edits.projection import project, rehearse, row_of_current
from .edits.supports import (
    axpy_many,
    correct_ahead,
    end_of_stretch,
    mistaken,
    multiplicity,
    reweigh,
    size,
)
from .exact import exact_score
from .kernel import OwnKernel, diagonal_value
from .linalg.vectors import axpy
from .multiclass import (
    JointExpansion,
    error_between,
    exact_scores,
    first_highest,
    leads,
    level,
    reweigh_class,
    right,
)
from .rule import update
from .state import (
    EDITS,
    IS_SHORT,
    LARGEST_WEIGHT,
    POSITION,
    SCALE,
    SCALE_SUM,
    SIZE,
    slot_of,
)
from .triggers import is_mistake, snapped
from .walk import is_clear, is_wrong, learn_from, settled_score

__all__ = ["SharedExpansion", "Turns"]


class Turns(NamedTuple):
    """What the machines do with the current example."""

    whose: np.ndarray  # one number: the class whose machine has its turn
    scores: np.ndarray  # for each class, on which side of 0 and the threshold is settled
    mistaken: np.ndarray  # for each class, whether its machine is
    steps: np.ndarray  # for each class, how far along the projection it goes
    image: np.ndarray  # what a step of 1 makes of the scores ahead


class SharedExpansion(  # type: ignore[misc]
    namedtuple("SharedExpansion", "kernel state ahead classes turns"), JointExpansion
):
    """The machines of all classes, as a rule sees that one whose turn it is."""

    __slots__ = ()

    def sum_up(self, slots: slice, scores: np.ndarray) -> None:
        """What some slots add to the block's scores, given their kernel values."""
        np.matmul(self.state.weights[slots].T, self.ahead.values[slots], out=scores)
        scores *= self.state.numbers[SCALE]


@inlined
def own(f):
    """The class whose machine has its turn."""
    return f.turns.whose[0]


@inlined
def sign(c, right):
    """The label of an example for the machine of a class."""
    return 1.0 if c == right else -1.0


@multiplicity.register(SharedExpansion)
def _(f):
    return 1


@mistaken.register(SharedExpansion)
def _(f):
    return f.turns.mistaken[own(f)] == 1


@reweigh.register(SharedExpansion)
def _(f, slot, change):
    reweigh_class(f, slot, own(f), change / f.state.numbers[SCALE])


@correct_ahead.register(SharedExpansion)
def _(f, weight, values):
    axpy(f.classes.scores[own(f), f.ahead.cursor[POSITION] + 1 :], weight, values)


@exact_score.register(SharedExpansion)
def _(f):
    exact_scores(f)
    return f.classes.exact[own(f)], f.classes.noises[own(f)]


@project.register(SharedExpansion)
def _(f, weight):
    f.turns.steps[own(f)] += weight


@learn_from.register(SharedExpansion)
def _(f, rule, y, trigger, zero_is_mistake):
    """Let the machines have their turns."""
    turns, t, r = f.turns, f.ahead.cursor[POSITION], right(f)
    many = len(turns.scores)
    turns.steps[:] = 0
    for c in range(many):
        turns.mistaken[c] = is_mistake(turns.scores[c], sign(c, r), zero_is_mistake)
    for i in range(2 * many):
        c = i % many
        is_short = sign(c, r) * turns.scores[c] < trigger.threshold
        if turns.mistaken[c] if i < many else is_short and not turns.mistaken[c]:
            held = size(f)
            turns.whose[0], f.ahead.scores[t], f.ahead.cursor[IS_SHORT] = c, turns.scores[c], 1
            update(rule, f, sign(c, r) * y)
            if size(f) > held:
                take_steps(f, held)
                be_in_span(f)
    take_steps(f, size(f))


@inlined
def be_in_span(f):
    """Let the current example, which is the newest support, be its own projection."""
    t, newest = f.ahead.cursor[POSITION], f.state.counts[SIZE] - 1
    d = f.ahead.plan.coefficients[row_of_current(f)]
    d[:newest], d[newest] = 0, 1  # its coordinates are its row of the factor already
    f.ahead.values[slot_of(f, newest), t] = diagonal_value(f.kernel, f.ahead.block.norms[t])


@inlined
def take_steps(f, many):
    """Let each machine step along the projection onto the oldest `many` supports."""
    steps, furthest = f.turns.steps, 0.0
    for c in range(len(steps)):
        furthest = max(furthest, abs(steps[c]))
    if furthest > 0:
        d = f.ahead.plan.coefficients[row_of_current(f)]
        _reweigh_by_steps(f, d, many, furthest)
        _correct_by_steps(f, d, many)
        f.ahead.cursor[EDITS] += 1
        steps[:] = 0


@inlined_reassociated
def _reweigh_by_steps(f, d, many, furthest):
    state, steps, masses = f.state, f.turns.steps, f.classes.masses
    scale, scale_sum = state.numbers[SCALE], state.numbers[SCALE_SUM]
    total, largest = 0.0, state.numbers[LARGEST_WEIGHT]
    for i in range(many):
        slot, part = slot_of(f, i), d[i] / scale
        if part != 0:
            total += abs(part)
            largest = max(largest, furthest * abs(part))
            weights, times = state.weights[slot], state.weight_time[slot]
            pending = f.ahead.pending[slot]
            for c in range(len(steps)):
                change = steps[c] * part
                weights[c] += change
                times[c] += change * scale_sum
                pending[c] += change
            largest = max(largest, largest_of(weights))
    for c in range(len(steps)):
        masses[c] += abs(steps[c]) * total
    state.numbers[LARGEST_WEIGHT] = largest


@inlined
def largest_of(weights):
    """The largest in size; two at a time, since a maximum has to wait for the one before."""
    even, odd, many = 0.0, 0.0, len(weights) - len(weights) % 2
    for c in range(0, many, 2):
        even, odd = max(even, abs(weights[c])), max(odd, abs(weights[c + 1]))
    return max(even, odd, abs(weights[len(weights) - 1]))


@inlined
def _correct_by_steps(f, d, many):
    """The scores of the stretch; for all later ones the change is pending."""
    first, last, steps = f.ahead.cursor[POSITION] + 1, end_of_stretch(f), f.turns.steps
    image = f.turns.image[:last]
    image[first:] = 0
    axpy_many(f, image, first, 1.0, d, many)
    for c in range(len(steps)):
        if steps[c] != 0:
            axpy(f.classes.scores[c, first:last], steps[c], image[first:])


@settled_score.register(SharedExpansion)
def _(f, threshold, roundoff):
    """The lowest margin of all machines, and every machine's score.

    All are evaluated exactly where a side of 0 or of the threshold is in doubt, or which class
    wins.
    """
    classes, scores, t, r = f.classes, f.turns.scores, f.ahead.cursor[POSITION], right(f)
    is_known = roundoff < np.inf and all_clear(f, threshold, error_between(f, roundoff))
    if not is_known:
        exact_scores(f)
        level(f, first_highest(classes.exact), -1)
    lowest = np.inf
    for c in range(len(scores)):
        scores[c] = classes.scores[c, t]
        if not is_known:
            scores[c] = snapped(classes.exact[c], threshold, classes.noises[c])
        lowest = min(lowest, sign(c, r) * scores[c])
    return lowest


@inlined
def all_clear(f, threshold, band):
    """Whether the band leaves the winner, and each score's side of 0 and the threshold."""
    scores = f.classes.scores[:, f.ahead.cursor[POSITION]]
    for c in range(len(scores)):
        if not is_clear(scores[c], threshold, band):
            return False
    return leads(f, first_highest(scores), band)


@is_wrong.register(SharedExpansion)
def _(f, margin, y, zero_is_mistake):
    """Of equal scores the first class's wins."""
    return first_highest(f.classes.scores[:, f.ahead.cursor[POSITION]]) != right(f)


@rehearse.register(SharedExpansion)
def _(f, labels, threshold, likely):
    foresee = plain(_foresee) if isinstance(f.kernel, OwnKernel) else _foresee
    scores, right, found = f.classes.scores.copy(), f.classes.right, f.ahead.plan.row_of
    foresee(f.kernel, f.ahead.block, right, labels, threshold, likely, scores, found)


@compiled_in_place
def _foresee(kernel, block, right, labels, threshold, likely, scores, found):
    for t in range(len(right)):
        if isnan(labels[t]):
            continue
        lowest = np.inf
        for c in range(len(scores)):
            lowest = min(lowest, sign(c, right[t]) * scores[c, t])
        if lowest < threshold + likely:
            found[t] = 0
        if lowest < threshold or lowest <= 0:
            k = diagonal_value(kernel, block.norms[t])
            look_ahead(kernel, block, t)
            for c in range(len(scores)):
                y = sign(c, right[t])
                margin = y * scores[c, t]
                if margin < threshold or margin <= 0:
                    step = min(1.0, (1 - margin) / k) if k > 0 else 0.0
                    axpy(scores[c, t + 1 :], y * step, block.own[t, t + 1 :])
