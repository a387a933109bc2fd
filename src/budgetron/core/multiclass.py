"""One machine for many classes: a panel of expansions, one for each class, on common supports.

In the joint space of instances and classes, an example x of class r whose highest-scored wrong
class is s, its *rival*, is the instance psi = Phi(x, r) - Phi(x, s) with the label +1. Its margin
is f_r(x) - f_s(x), and its inner product with that of another example is

    <psi, psi'> = ([r = r'] - [r = s'] - [s = r'] + [s = s']) k(x, x'),

2 k(x, x) with itself. A rule makes its own update on psi: it does not know that there are classes.

K. Crammer and Y. Singer, "Ultraconservative online algorithms for multiclass problems", JMLR 3
(2003) 951-991.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .blocks import look_ahead, terms
from .compiled import compiled_in_place, inlined, inlined_reassociated, plain
from .edits.gram import own_score
from .edits.projection import NEARLY, rehearse
from .expansion import (
    BLUR,
    CLOCK,
    EDITS,
    LARGEST,
    PEAK,
    POSITION,
    SCALE,
    SIZE,
    STRETCH,
    UNIT_ROUNDOFF,
    USED,
    Ahead,
    Kept,
    agree,
    correct,
    correct_by_many,
    count_in,
    couple,
    end_of_stretch,
    exact_column,
    exact_score,
    fold,
    leave,
    multiplicity,
    own_weight,
    pay,
    reweigh,
    reweigh_all,
    round_to_cells,
    scale_ahead,
    size,
)
from .kernel import OwnKernel, is_relative, of_itself, reach

__all__ = ["Contest", "Panel", "exact_scores", "highest_wrong"]


class Contest(NamedTuple):
    """The block's examples, as the classes compete for them."""

    right: np.ndarray  # each example's own class
    rivals: np.ndarray  # the wrong class of the highest score, once that is settled
    scores: np.ndarray  # (classes, length): f_c(example)
    masses: np.ndarray  # for each class, what `Kept.numbers` has as the mass
    exact: np.ndarray  # for each class, the current example's score in float64
    noises: np.ndarray  # and a bound on its rounding error


class Panel(NamedTuple):
    """The expansions of all classes, as a rule sees them in the middle of the stream.

    Weights, what is tardy of them and what is owed have a column for each class. The look-ahead's
    scores are margins, each in its place from the moment that it is settled.
    """

    kernel: Any
    kept: Kept
    ahead: Ahead
    contest: Contest

    @property
    def scores(self) -> np.ndarray:
        """The scores of the block's examples, a column for each class."""
        return self.contest.scores.T

    def score_ahead(self) -> None:
        """Score the block, given its kernel values."""
        values = self.ahead.values[: int(self.kept.counts[USED])]
        sum_up_classes(self.kept.weights, self.kept.numbers[SCALE], values, self.contest.scores)


@inlined
def right(f):
    """The class of the current example."""
    return f.contest.right[f.kept.counts[POSITION]]


@inlined
def rival(f):
    """The wrong class of the highest score."""
    return f.contest.rivals[f.kept.counts[POSITION]]


@inlined
def highest_wrong(scores, right):
    """The first of the wrong classes with the highest score."""
    highest = 1 if right == 0 else 0
    for c in range(highest + 1, len(scores)):
        if c != right and scores[c] > scores[highest]:
            highest = c
    return highest


@multiplicity.register(Panel)
def _(f):
    return 2


@own_weight.register(Panel)
def _(f, slot):
    """The weight of a support that was added as it is: its right class's, the only one above 0."""
    largest = 0.0
    for c in range(f.kept.weights.shape[1]):
        largest = max(largest, f.kept.weights[slot, c])
    return largest


@couple.register(Panel)
def _(f):
    """A support's weights show its classes: the right one's is above 0, the rival's below."""
    weights, exact, r, s = f.kept.weights, f.ahead.exact, right(f), rival(f)
    for slot in range(f.kept.counts[USED]):
        exact[slot] *= np.sign(weights[slot, r]) - np.sign(weights[slot, s])


@agree.register(Panel)
def _(f):
    """In float32 the values are evaluated afresh: weights that differ choose other rivals."""
    if f.ahead.values.itemsize == 8:
        round_to_cells(f)
    else:
        exact_column(f)


@own_score.register(Panel)
def _(f, slot):
    total = 0.0
    for other in range(f.kept.counts[USED]):
        total += f.kept.gram[slot, other] * own_weight(f, other)
    return total


@inlined
def _reweigh_class(f, slot, c, stored):
    kept, masses = f.kept, f.contest.masses
    kept.weights[slot, c] += stored
    kept.tardy[slot, c] += stored * kept.numbers[CLOCK]
    masses[c] += abs(stored)
    kept.numbers[PEAK] = max(kept.numbers[PEAK], abs(stored), abs(kept.weights[slot, c]))


@reweigh.register(Panel)
def _(f, slot, change):
    stored = change / f.kept.numbers[SCALE]
    _reweigh_class(f, slot, right(f), stored)
    _reweigh_class(f, slot, rival(f), -stored)


@count_in.register(Panel)
def _(f, weight, values):
    first = f.kept.counts[POSITION] + 1
    correct(f.contest.scores[right(f), first:], weight, values)
    correct(f.contest.scores[rival(f), first:], -weight, values)


@leave.register(Panel)
def _(f, slot):
    kept, values, after = f.kept, f.ahead.values, end_of_stretch(f)
    first = kept.counts[POSITION] + 1
    for c in range(kept.weights.shape[1]):
        scores = f.contest.scores[c]
        weight = kept.numbers[SCALE] * kept.weights[slot, c]
        debt = kept.numbers[SCALE] * f.ahead.owed[slot, c]
        if weight != 0:
            correct(scores[first:], -weight, values[slot, first:])
        if debt != 0:
            correct(scores[after:], debt, values[slot, after:])


@scale_ahead.register(Panel)
def _(f, factor):
    scores = f.contest.scores
    for c in range(len(scores)):
        for j in range(f.kept.counts[POSITION] + 1, scores.shape[1]):
            scores[c, j] *= factor


@fold.register(Panel)
def _(f):
    kept, scale = f.kept, f.kept.numbers[SCALE]
    for c in range(kept.weights.shape[1]):
        for slot in range(kept.counts[USED]):
            kept.tardy[slot, c] -= kept.weights[slot, c] * kept.numbers[CLOCK]
            kept.weights[slot, c] *= scale
            f.ahead.owed[slot, c] *= scale
        f.contest.masses[c] *= scale


@reweigh_all.register(Panel)
def _(f, weight, parts):
    _reweigh_pair(f, right(f), weight, parts)
    _reweigh_pair(f, rival(f), -weight, parts)
    f.kept.counts[EDITS] += 1


@inlined_reassociated
def _reweigh_pair(f, c, weight, parts):
    kept = f.kept
    stored, clock = weight / kept.numbers[SCALE], kept.numbers[CLOCK]
    mass, peak = 0.0, 0.0
    for i in range(kept.counts[SIZE]):
        slot, change = kept.order[i], stored * parts[i]
        kept.weights[slot, c] += change
        kept.tardy[slot, c] += change * clock
        f.ahead.owed[slot, c] += change
        mass += abs(change)
        peak = max(peak, abs(change), abs(kept.weights[slot, c]))
    f.contest.masses[c] += mass
    kept.numbers[PEAK] = max(kept.numbers[PEAK], peak)
    scores, first = f.contest.scores[c, : end_of_stretch(f)], kept.counts[POSITION] + 1
    correct_by_many(scores, first, weight, parts, f.ahead.values, kept.order, size(f))


@pay.register(Panel)
def _(f):
    t = f.kept.counts[POSITION]
    if t % STRETCH == 0 and t > 0:
        for c in range(len(f.contest.scores)):
            _pay_class(f, c)


@inlined_reassociated
def _pay_class(f, c):
    kept, due, t = f.kept, f.ahead.exact, f.kept.counts[POSITION]
    for i in range(kept.counts[SIZE]):
        due[i] = f.ahead.owed[kept.order[i], c]
    scores, values = f.contest.scores[c, : end_of_stretch(f)], f.ahead.values
    correct_by_many(scores, t, kept.numbers[SCALE], due, values, kept.order, size(f))


@inlined
def exact_scores(f):
    """Put each class's score of the current example, as `exact_score` would sum it, into `exact`.

    A bound on its rounding error is beside it.
    """
    kept, ahead, contest, t = f.kept, f.ahead, f.contest, f.kept.counts[POSITION]
    exact_column(f)
    supports, relative, values = kept.counts[SIZE], is_relative(f.kernel), 0.0
    contest.exact[:] = 0
    contest.noises[:] = 0
    for i in range(supports):
        slot = kept.order[i]
        k = ahead.exact[slot]
        values += abs(k)
        for c in range(len(contest.exact)):
            weight = kept.weights[slot, c]
            contest.exact[c] += weight * k
            contest.noises[c] += abs(weight) * (abs(k) if relative else 1.0)
    R = reach(f.kernel, kept.numbers[LARGEST], ahead.block.norms[t])
    rounding = (terms(ahead.block, t) + supports + 8) * UNIT_ROUNDOFF * R
    blur, scale = kept.numbers[BLUR] * kept.numbers[PEAK] * values, kept.numbers[SCALE]
    for c in range(len(contest.exact)):
        contest.exact[c] *= scale
        contest.noises[c] = scale * (rounding * contest.noises[c] + blur)


@exact_score.register(Panel)
def _(f):
    exact_scores(f)
    exact, noises, r, s = f.contest.exact, f.contest.noises, right(f), rival(f)
    return exact[r] - exact[s], noises[r] + noises[s]


@rehearse.register(Panel)
def _(f, labels, threshold):
    foresee = plain(_foresee) if isinstance(f.kernel, OwnKernel) else _foresee
    scores, right, likely = f.contest.scores.copy(), f.contest.right, f.ahead.solved
    foresee(f.kernel, f.ahead.block, right, threshold, scores, likely)


@compiled_in_place
def _foresee(kernel, block, right, threshold, scores, likely):
    for t in range(len(right)):
        r, s = right[t], highest_wrong(scores[:, t], right[t])
        margin = scores[r, t] - scores[s, t]
        if margin < threshold + NEARLY:
            likely[t] = 0
        if margin < threshold or margin <= 0:
            k = 2 * of_itself(kernel, block.norms[t])
            step = min(1.0, (1 - margin) / k) if k > 0 else 0.0
            look_ahead(kernel, block, t)
            values = block.own[t, t + 1 :]
            correct(scores[r, t + 1 :], step, values)
            correct(scores[s, t + 1 :], -step, values)


@compiled_in_place
def sum_up_classes(weights, scale, values, scores):
    """Scores[c] = scale sum_i weights[i, c] values[i] in float64: most weights are 0."""
    scores[:] = 0
    for i in range(len(values)):
        for c in range(len(scores)):
            if weights[i, c] != 0:
                correct(scores[c], weights[i, c], values[i])
    for c in range(len(scores)):
        for t in range(scores.shape[1]):
            scores[c, t] *= scale
