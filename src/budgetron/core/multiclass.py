"""One machine for many classes: expansions, one for each class, on common supports.

In the joint space of instances and classes, an example x of class r whose highest-scored wrong
class is s, its *rival*, is the instance psi = Phi(x, r) - Phi(x, s) with the label +1. Its margin
is f_r(x) - f_s(x), and its inner product with that of another example is

    <psi, psi'> = ([r = r'] - [r = s'] - [s = r'] + [s = s']) k(x, x'),

2 k(x, x) with itself. A rule makes its own update on psi: it does not know that there are classes.

K. Crammer and Y. Singer, "Ultraconservative online algorithms for multiclass problems", JMLR 3
(2003) 951-991.
"""

from __future__ import annotations

from math import isnan
from typing import Any, NamedTuple

import numpy as np

from .blocks import look_ahead, terms
from .compiled import by_reference, compiled_in_place, inlined, inlined_reassociated, plain
from .edits.gram import own_score
from .edits.projection import rehearse
from .edits.supports import (
    MOST_LEFT,
    STRETCH,
    axpy_many,
    clip,
    correct_ahead,
    end_of_stretch,
    flush,
    fold_scale,
    multiplicity,
    own_weight,
    refresh,
    reweigh,
    reweigh_all,
    scale_ahead,
    size,
    withdraw,
)
from .exact import (
    UNIT_ROUNDOFF,
    exact_column,
    exact_score,
    to_joint_products,
)
from .kernel import OwnKernel, diagonal_value, error_scale, is_relative
from .linalg.vectors import axpy
from .state import (
    EDITS,
    LARGEST_NORM,
    LARGEST_WEIGHT,
    OLDEST,
    POSITION,
    SCALE,
    SCALE_SUM,
    SIZE,
    USED,
    WEIGHT_ERROR,
    LookAhead,
    State,
    slot_of,
)
from .triggers import is_mistake, snapped
from .walk import before_block, error_bound, is_wrong, settle_one, settled_score

__all__ = [
    "ClassScores",
    "JointExpansion",
    "error_between",
    "exact_scores",
    "first_highest",
    "leads",
    "level",
    "reweigh_class",
    "right",
]


class ClassScores(NamedTuple):
    """The block's examples, as the classes compete for them."""

    right: np.ndarray  # each example's own class
    rivals: np.ndarray  # the wrong class of the highest score, once that is settled
    scores: np.ndarray  # (classes, length): f_c(example)
    masses: np.ndarray  # for each class, the mass of its weights
    exact: np.ndarray  # for each class, the current example's score in float64
    noises: np.ndarray  # and a bound on its rounding error


@by_reference
class JointExpansion(NamedTuple):
    """The expansions of all classes, as a rule sees them in the middle of the stream.

    Weights, their times and what is pending have a column for each class. The look-ahead's scores
    are margins, each in its place from the moment that it is settled.
    """

    kernel: Any
    state: State
    ahead: LookAhead
    classes: ClassScores

    @property
    def scores(self) -> np.ndarray:
        """The scores of the block's examples, a column for each class."""
        return self.classes.scores.T

    @property
    def sums(self) -> np.ndarray:
        """The block's scores, which are sums over slots."""
        return self.classes.scores

    def sum_up(self, slots: slice, scores: np.ndarray) -> None:
        """What some slots add to the block's scores, given their kernel values."""
        weights, values = self.state.weights[slots], self.ahead.values[slots]
        sum_up_classes(weights, self.state.numbers[SCALE], values, scores)


@inlined
def right(f):
    """The class of the current example."""
    return f.classes.right[f.ahead.cursor[POSITION]]


@inlined
def rival(f):
    """The wrong class of the highest score."""
    return f.classes.rivals[f.ahead.cursor[POSITION]]


@inlined
def highest_wrong(scores, right):
    """The first of the wrong classes with the highest score."""
    highest = 1 if right == 0 else 0
    for c in range(highest + 1, len(scores)):
        if c != right and scores[c] > scores[highest]:
            highest = c
    return highest


@multiplicity.register(JointExpansion)
def _(f):
    return 2


@own_weight.register(JointExpansion)
def _(f, slot):
    """The weight of a support that was added as it is: its right class's, the only one above 0."""
    largest = 0.0
    for c in range(f.state.weights.shape[1]):
        largest = max(largest, f.state.weights[slot, c])
    return largest


@to_joint_products.register(JointExpansion)
def _(f):
    """A support's weights show its classes: the right one's is above 0, the rival's below."""
    weights, exact, r, s = f.state.weights, f.ahead.column, right(f), rival(f)
    for slot in range(f.state.counts[USED]):
        exact[slot] *= np.sign(weights[slot, r]) - np.sign(weights[slot, s])


@own_score.register(JointExpansion)
def _(f, slot):
    total = 0.0
    for other in range(f.state.counts[USED]):
        total += f.state.memory.gram[slot, other] * own_weight(f, other)
    return total


@inlined
def reweigh_class(f, slot, c, stored):
    """Change a support's weight for a class, without the common scale."""
    state, masses = f.state, f.classes.masses
    state.weights[slot, c] += stored
    state.weight_time[slot, c] += stored * state.numbers[SCALE_SUM]
    masses[c] += abs(stored)
    state.numbers[LARGEST_WEIGHT] = max(
        state.numbers[LARGEST_WEIGHT], abs(stored), abs(state.weights[slot, c])
    )


@reweigh.register(JointExpansion)
def _(f, slot, change):
    stored = change / f.state.numbers[SCALE]
    reweigh_class(f, slot, right(f), stored)
    reweigh_class(f, slot, rival(f), -stored)


@correct_ahead.register(JointExpansion)
def _(f, weight, values):
    first = f.ahead.cursor[POSITION] + 1
    axpy(f.classes.scores[right(f), first:], weight, values)
    axpy(f.classes.scores[rival(f), first:], -weight, values)


@withdraw.register(JointExpansion)
def _(f, slot):
    state, values, after = f.state, f.ahead.values, end_of_stretch(f)
    first = f.ahead.cursor[POSITION] + 1
    for c in range(state.weights.shape[1]):
        scores = f.classes.scores[c]
        weight = state.numbers[SCALE] * state.weights[slot, c]
        due = state.numbers[SCALE] * f.ahead.pending[slot, c]
        if weight != 0:
            axpy(scores[first:], -weight, values[slot, first:])
        if due != 0:
            axpy(scores[after:], due, values[slot, after:])


@scale_ahead.register(JointExpansion)
def _(f, factor):
    scores = f.classes.scores
    for c in range(len(scores)):
        for j in range(f.ahead.cursor[POSITION] + 1, scores.shape[1]):
            scores[c, j] *= factor


@fold_scale.register(JointExpansion)
def _(f):
    state, scale = f.state, f.state.numbers[SCALE]
    for c in range(state.weights.shape[1]):
        for slot in range(state.counts[USED]):
            state.weight_time[slot, c] -= state.weights[slot, c] * state.numbers[SCALE_SUM]
            state.weights[slot, c] *= scale
            f.ahead.pending[slot, c] *= scale
        f.classes.masses[c] *= scale


@reweigh_all.register(JointExpansion)
def _(f, weight, parts):
    _reweigh_class_by_parts(f, right(f), weight, parts)
    _reweigh_class_by_parts(f, rival(f), -weight, parts)
    f.ahead.cursor[EDITS] += 1


@inlined_reassociated
def _reweigh_class_by_parts(f, c, weight, parts):
    state = f.state
    stored, scale_sum = weight / state.numbers[SCALE], state.numbers[SCALE_SUM]
    order, mass, largest = f.ahead.order[f.ahead.cursor[OLDEST] :], 0.0, 0.0
    for i in range(state.counts[SIZE]):
        slot, change = order[i], stored * parts[i]
        state.weights[slot, c] += change
        state.weight_time[slot, c] += change * scale_sum
        f.ahead.pending[slot, c] += change
        mass += abs(change)
        largest = max(largest, abs(change), abs(state.weights[slot, c]))
    f.classes.masses[c] += mass
    state.numbers[LARGEST_WEIGHT] = max(state.numbers[LARGEST_WEIGHT], largest)
    scores, first = f.classes.scores[c, : end_of_stretch(f)], f.ahead.cursor[POSITION] + 1
    axpy_many(f, scores, first, weight, parts, size(f))


@refresh.register(JointExpansion)
def _(f):
    state, ahead, masses = f.state, f.ahead, f.classes.masses
    first = ahead.cursor[POSITION] + 1
    for c in range(len(masses)):
        mass = 0.0
        for slot in range(state.counts[USED]):
            mass += abs(state.weights[slot, c])
        if masses[c] > MOST_LEFT * mass:
            masses[c] = mass
            ahead.pending[: state.counts[USED], c] = 0
            scores = f.classes.scores[c, first:]
            scores[:] = 0
            for i in range(state.counts[SIZE]):
                slot = slot_of(f, i)
                w = state.numbers[SCALE] * state.weights[slot, c]
                axpy(scores, w, ahead.values[slot, first:])


@clip.register(JointExpansion)
def _(f, largest):
    state, change = f.state, f.ahead.scratch[0]
    for c in range(state.weights.shape[1]):
        is_cut = False
        for i in range(state.counts[SIZE]):
            w = state.numbers[SCALE] * state.weights[slot_of(f, i), c]
            change[i] = min(max(w, -largest), largest) - w
            is_cut |= change[i] != 0
        if is_cut:
            _reweigh_class_by_parts(f, c, 1.0, change)
            f.ahead.cursor[EDITS] += 1


@flush.register(JointExpansion)
def _(f):
    t = f.ahead.cursor[POSITION]
    if t % STRETCH == 0 and t > 0:
        for c in range(len(f.classes.scores)):
            _flush_class(f, c)


@inlined_reassociated
def _flush_class(f, c):
    state, due, t = f.state, f.ahead.column, f.ahead.cursor[POSITION]
    for i in range(state.counts[SIZE]):
        due[i] = f.ahead.pending[slot_of(f, i), c]
    axpy_many(f, f.classes.scores[c, : end_of_stretch(f)], t, state.numbers[SCALE], due, size(f))


@inlined
def exact_scores(f):
    """Put each class's score of the current example, as `exact_score` would sum it, into `exact`.

    A bound on its rounding error is beside it.
    """
    state, ahead, classes, t = f.state, f.ahead, f.classes, f.ahead.cursor[POSITION]
    exact_column(f)
    supports, relative, values = state.counts[SIZE], is_relative(f.kernel), 0.0
    classes.exact[:] = 0
    classes.noises[:] = 0
    for i in range(supports):
        slot = slot_of(f, i)
        k = ahead.column[slot]
        values += abs(k)
        for c in range(len(classes.exact)):
            weight = state.weights[slot, c]
            classes.exact[c] += weight * k
            classes.noises[c] += abs(weight) * (abs(k) if relative else 1.0)
    R = error_scale(f.kernel, state.numbers[LARGEST_NORM], ahead.block.norms[t])
    rounding = (terms(ahead.block, t) + supports + 8) * UNIT_ROUNDOFF * R
    solved = ahead.bounds[WEIGHT_ERROR] * state.numbers[LARGEST_WEIGHT] * values
    scale = state.numbers[SCALE]
    for c in range(len(classes.exact)):
        classes.exact[c] *= scale
        classes.noises[c] = scale * (rounding * classes.noises[c] + solved)


@exact_score.register(JointExpansion)
def _(f):
    exact_scores(f)
    exact, noises, r, s = f.classes.exact, f.classes.noises, right(f), rival(f)
    return exact[r] - exact[s], noises[r] + noises[s]


@rehearse.register(JointExpansion)
def _(f, labels, threshold, likely):
    foresee = plain(_foresee) if isinstance(f.kernel, OwnKernel) else _foresee
    scores, right, found = f.classes.scores.copy(), f.classes.right, f.ahead.plan.row_of
    foresee(f.kernel, f.ahead.block, right, labels, threshold, likely, scores, found)


@compiled_in_place
def _foresee(kernel, block, right, labels, threshold, likely, scores, found):
    for t in range(len(right)):
        if isnan(labels[t]):
            continue
        r, s = right[t], highest_wrong(scores[:, t], right[t])
        margin = scores[r, t] - scores[s, t]
        if margin < threshold + likely:
            found[t] = 0
        if margin < threshold or margin <= 0:
            k = 2 * diagonal_value(kernel, block.norms[t])
            step = min(1.0, (1 - margin) / k) if k > 0 else 0.0
            look_ahead(kernel, block, t)
            values = block.own[t, t + 1 :]
            axpy(scores[r, t + 1 :], step, values)
            axpy(scores[s, t + 1 :], -step, values)


@compiled_in_place
def sum_up_classes(weights, scale, values, scores):
    """Scores[c] = scale sum_i weights[i, c] values[i] in float64: most weights are 0."""
    scores[:] = 0
    for i in range(len(values)):
        for c in range(len(scores)):
            if weights[i, c] != 0:
                axpy(scores[c], weights[i, c], values[i])
    for c in range(len(scores)):
        for t in range(scores.shape[1]):
            scores[c, t] *= scale


# ------------------------------------------------------- which class wins, and its rival


@before_block.register(JointExpansion)
def _(f):
    """See how much mass each class has before the block."""
    masses, weights = f.classes.masses, f.state.weights
    masses[:] = 0
    for slot in range(f.state.counts[USED]):
        for c in range(len(masses)):
            masses[c] += abs(weights[slot, c])


@settle_one.register(JointExpansion)
def _(f, scorer, roundoff):
    """Settle which class wins."""
    scores = f.classes.scores[:, f.ahead.cursor[POSITION]]
    if not leads(f, first_highest(scores), error_between(f, roundoff)):
        exact_scores(f)
        level(f, first_highest(f.classes.exact), -1)


@is_wrong.register(JointExpansion)
def _(f, margin, y, zero_is_mistake):
    """Of equal scores the first class's wins."""
    t = f.ahead.cursor[POSITION]
    rival_wins_ties = f.classes.rivals[t] < f.classes.right[t]
    return is_mistake(margin, y, zero_is_mistake or rival_wins_ties)


@settled_score.register(JointExpansion)
def _(f, threshold, roundoff):
    """The margin of the current example, and its rival, evaluated exactly where they are in doubt.

    Without a wrong class there is no rival, and no margin is larger.
    """
    classes, t = f.classes, f.ahead.cursor[POSITION]
    right = classes.right[t]
    if len(classes.scores) < 2:
        classes.rivals[t] = right
        classes.scores[:, t] = 0
        return np.inf
    if roundoff < np.inf:
        classes.rivals[t] = highest_wrong(classes.scores[:, t], right)
        band = error_between(f, roundoff)
        far_ahead = leads(f, right, threshold + band)
        if far_ahead or is_certain(f, right, classes.rivals[t], threshold, band):
            return classes.scores[right, t] - classes.scores[classes.rivals[t], t]
    exact_scores(f)
    highest = highest_wrong(classes.exact, right)
    classes.rivals[t] = level(f, highest, right)
    noise = classes.noises[right] + classes.noises[highest]
    margin = snapped(classes.exact[right] - classes.exact[highest], threshold, noise)
    if margin == 0:
        classes.scores[right, t] = classes.exact[highest]
    return margin


@inlined
def first_highest(scores):
    """The first class with the highest score."""
    highest = 0
    for c in range(1, len(scores)):
        if scores[c] > scores[highest]:
            highest = c
    return highest


@inlined
def error_between(f, roundoff):
    """How far the difference of two classes' scores can be from the exact one."""
    largest = 0.0
    for mass in f.classes.masses:
        largest = max(largest, mass)
    return 2 * error_bound(f, largest, largest, roundoff)


@inlined
def leads(f, leader, lead):
    """Whether a class is ahead of every other by more than `lead`."""
    scores, t = f.classes.scores, f.ahead.cursor[POSITION]
    for c in range(len(scores)):
        if c != leader and scores[leader, t] - scores[c, t] <= lead:
            return False
    return True


@inlined
def is_certain(f, right, rival, threshold, band):
    """Whether the band leaves the rival and the side of 0 and of the threshold as they are."""
    scores, t = f.classes.scores, f.ahead.cursor[POSITION]
    margin = scores[right, t] - scores[rival, t]
    if abs(margin) <= band or abs(abs(margin) - threshold) <= band:
        return False
    for c in range(len(scores)):
        if c != right and c != rival and scores[rival, t] - scores[c, t] <= band:
            return False
    return True


@inlined
def level(f, highest, right):
    """Take over the exact scores, and raise to the highest all that rounding cannot tell from it.

    The first class of them is returned; the right one, which has a margin, is left out.
    """
    classes, t = f.classes, f.ahead.cursor[POSITION]
    exact, noises, first = classes.exact, classes.noises, -1
    for c in range(len(exact)):
        classes.scores[c, t] = exact[c]
        if c != right and exact[highest] - exact[c] <= noises[highest] + noises[c]:
            classes.scores[c, t] = exact[highest]
            if first < 0:
                first = c
    return first
