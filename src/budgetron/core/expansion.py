"""The expansion f = sum_i weight_i k(x_i, .) and the edits that a rule may make on it.

What an edit does is said once, for whatever class `f` has; the few pieces that depend on how many
scores an example has are chosen by that class: here for the two classes of a binary label, and in
`panel` for any number of them.

`f.kept` is what a learner remembers between examples, a handful of plain arrays. `f.ahead` is the
block of the stream that is next, with its kernel values and scores; each edit also corrects the
scores of the examples that are still to come, so that nothing is evaluated twice.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .blocks import column, filled_terms, look_ahead, terms
from .compiled import by_class, compiled_in_place, inlined, inlined_reassociated
from .kernel import is_relative, of_itself, reach
from .random import draw_below, generator_state
from .storage import enlarged, release, store

__all__ = [
    "Ahead",
    "Expansion",
    "Kept",
    "add",
    "add_heard",
    "agree",
    "changed_slots",
    "correct",
    "count_in",
    "couple",
    "draw",
    "echo",
    "end_of_stretch",
    "exact_column",
    "exact_score",
    "fold",
    "leave",
    "loss",
    "mistaken",
    "mistakes",
    "multiplicity",
    "note",
    "own_value",
    "own_weight",
    "pay",
    "refresh",
    "remember",
    "remembered",
    "remove",
    "rescore",
    "reweigh",
    "reweigh_all",
    "round_to_cells",
    "scale",
    "scale_ahead",
    "score",
    "size",
    "sum_up",
    "weight",
]

# places in `Kept.counts`
SIZE, USED, SEEN, MISTAKES, UPDATES, EDITS, POSITION, TENDED, WEIGHTED, HEEDED = range(10)
# columns of `Ahead.events`
MISTAKE, UPDATE, HELD, EVICTED = range(4)
# places in `Kept.numbers`
SCALE, MASS, LARGEST, OWN, BLUR, CLOCK, PEAK, NOTED = range(8)

UNIT_ROUNDOFF = 2.0**-53

NOBODY = -1
"""In the place of a birth: a slot that no support is in."""

SMALLEST_SCALE = 1e-3
"""Below it, or above its inverse, the scale is multiplied into the weights, so that the clock never
ticks unheard."""

STRETCH = 32
"""How many scores are corrected at once after all weights have changed: see `reweigh_all`."""

STALE = 1e3
"""How many times more weight has left than there is, at most, before scores are summed afresh."""

CELLS = 32
"""How many times wider than the doubt about a kernel value a cell is, at least."""


class Kept(NamedTuple):
    """What a learner keeps: its supports by slot, and a few numbers."""

    rows: Any  # the supports' instances
    weights: np.ndarray  # to be multiplied by the common scale
    tardy: np.ndarray  # each weight's parts times the clock when they came: see `reweigh`
    echoes: np.ndarray  # what supports are told about themselves: see `add_heard`, `gram`
    births: np.ndarray  # when each support came, counted in examples seen before it
    order: np.ndarray  # slots from the oldest support to the newest, then the free slots
    gram: np.ndarray  # (slots, slots + 1): kernel values by slots, or one or two triangles
    counts: np.ndarray  # size, slots used, seen, mistakes, updates, and what the walk counts
    numbers: np.ndarray  # scale, mass, largest norm, rule's own, blur, clock, peak, noted
    randomness: np.ndarray  # the state of the generator

    @classmethod
    def empty(cls, rows: Any, seed: int, blur: float) -> Kept:
        """Nothing learned yet; `blur` is the relative error that the weights will carry."""
        return cls(
            rows=rows,
            weights=np.zeros(0),
            tardy=np.zeros(0),
            echoes=np.zeros(0),
            births=np.zeros(0, np.int64),
            order=np.zeros(0, np.int64),
            gram=np.zeros((0, 1)),
            counts=np.zeros(10, np.int64),
            numbers=np.array([1.0, 0.0, 0.0, 0.0, blur, 0.0, 0.0, 0.0]),
            randomness=generator_state(seed),
        )

    def grown(self, slots: int, *, with_gram: bool) -> Kept:
        """The same with room for `slots` supports."""
        before = len(self.order)
        gram = self.gram
        if with_gram:
            gram = np.zeros((slots, slots + 1))
            gram[:before, : before + 1] = self.gram
        return self._replace(
            rows=self.rows.grown(slots),
            weights=enlarged(self.weights, slots),
            tardy=enlarged(self.tardy, slots),
            echoes=enlarged(self.echoes, slots),
            births=enlarged(self.births, slots),
            order=np.concatenate([self.order, np.arange(before, slots)]),
            gram=gram,
        )

    def trimmed(self) -> Kept:
        """The same without the room that has never been used, which comes last in any order."""
        used = int(self.counts[USED])
        return self._replace(
            rows=self.rows.trimmed(used),
            weights=self.weights[:used],
            tardy=self.tardy[:used],
            echoes=self.echoes[:used],
            births=self.births[:used],
            order=self.order[self.order < used],
            gram=self.gram[:used, : used + 1],
        )


class Ahead(NamedTuple):
    """The look-ahead: a block of examples and what is known of them so far."""

    block: Any
    values: np.ndarray  # (slots, length): k(support, example)
    scores: np.ndarray  # f(example)
    exact: np.ndarray  # a column of kernel values in float64
    events: np.ndarray  # (length, 4): mistake, update, size, evicted
    shares: np.ndarray  # (length, slots): what each support has in a projection: see `factor`
    solved: np.ndarray  # which row of `shares` belongs to an example, or -1
    owed: np.ndarray  # changes of weights that later scores do not show yet: see `reweigh_all`


class Expansion(NamedTuple):
    """f, as a rule sees it in the middle of the stream."""

    kernel: Any
    kept: Kept
    ahead: Ahead

    @property
    def scores(self) -> np.ndarray:
        """The scores of the block's examples."""
        return self.ahead.scores

    def score_ahead(self) -> None:
        """Score the block, given its kernel values."""
        values = self.ahead.values[: int(self.kept.counts[USED])]
        sum_up(self.kept.weights, self.kept.numbers[SCALE], values, self.ahead.scores)


@compiled_in_place
def sum_up(weights, scale, values, scores):
    """Scores = scale sum_i weights[i] values[i], in float64."""
    used, length = values.shape
    scores[:] = 0
    fours = used - used % 4
    for i in range(0, fours, 4):
        w0, w1, w2, w3 = weights[i], weights[i + 1], weights[i + 2], weights[i + 3]
        v0, v1, v2, v3 = values[i], values[i + 1], values[i + 2], values[i + 3]
        for t in range(length):
            scores[t] += w0 * v0[t] + w1 * v1[t] + w2 * v2[t] + w3 * v3[t]
    for i in range(fours, used):
        for t in range(length):
            scores[t] += weights[i] * values[i, t]
    scores *= scale


@inlined
def size(f):
    """The number of supports."""
    return f.kept.counts[SIZE]


@inlined
def mistakes(f):
    """The number of mistakes with a weight above 0, the current one included."""
    return f.kept.counts[HEEDED]


@inlined
def mistaken(f):
    """Whether the current example is a mistake."""
    return f.ahead.events[f.kept.counts[POSITION], MISTAKE] == 1


@by_class
def own_weight(f, slot):
    """The weight of the support in `slot`, without the common scale."""
    return f.kept.weights[slot]


@inlined
def weight(f, i):
    """The weight of support `i`, counted from the oldest."""
    return f.kept.numbers[SCALE] * own_weight(f, f.kept.order[i])


@inlined
def remembered(f):
    """The one number that a rule may keep for itself."""
    return f.kept.numbers[OWN]


@inlined
def remember(f, number):
    """Keep a number until the next update."""
    f.kept.numbers[OWN] = number


@inlined
def note(f, amount):
    """Add to the sum that the rule's bound is made of."""
    f.kept.numbers[NOTED] += amount


@by_class
def multiplicity(f):
    """How many times k(x, x) is counted in what a rule takes for the squared length of x."""
    return 1


@inlined
def own_value(f):
    """The squared length of the current example: k(x, x), as many times as it is counted."""
    k = of_itself(f.kernel, f.ahead.block.norms[f.kept.counts[POSITION]])
    return multiplicity(f) * k


@by_class
def reweigh(f, slot, change):
    """Change a weight, and note when.

    The clock adds up the scale over all examples, so that the sum of a weight over the hypotheses
    that predicted them is weight * clock - tardy: averages cost nothing while learning.
    """
    stored = change / f.kept.numbers[SCALE]
    f.kept.weights[slot] += stored
    f.kept.tardy[slot] += stored * f.kept.numbers[CLOCK]
    f.kept.numbers[MASS] += abs(stored)
    f.kept.numbers[PEAK] = max(f.kept.numbers[PEAK], abs(stored), abs(f.kept.weights[slot]))


@inlined
def correct(scores, weight, values):
    """Scores + weight values, in place."""
    for j in range(len(scores)):
        scores[j] += weight * values[j]


@by_class
def reweigh_all(f, weight, parts):
    """Change each support's weight by weight * part, the oldest first.

    The scores of the current stretch are corrected at once. For the others the change is noted,
    and paid when their stretch begins, together with all that other updates owe them.
    """
    _reweigh_all(f, weight, parts)


@inlined_reassociated
def _reweigh_all(f, weight, parts):
    kept, t = f.kept, f.kept.counts[POSITION]
    stored, clock = weight / kept.numbers[SCALE], kept.numbers[CLOCK]
    mass, peak = 0.0, 0.0
    for i in range(kept.counts[SIZE]):
        slot, change = kept.order[i], stored * parts[i]
        kept.weights[slot] += change
        kept.tardy[slot] += change * clock
        f.ahead.owed[slot] += change
        mass += abs(change)
        peak = max(peak, abs(change), abs(kept.weights[slot]))
    kept.numbers[MASS] += mass
    kept.numbers[PEAK] = max(kept.numbers[PEAK], peak)
    kept.counts[EDITS] += 1
    scores = f.ahead.scores[: end_of_stretch(f)]
    correct_by_many(scores, t + 1, weight, parts, f.ahead.values, kept.order, size(f))


@by_class
def pay(f):
    """Bring the scores of the stretch that begins here up to date."""
    _pay(f)


@inlined_reassociated
def _pay(f):
    kept, due, t = f.kept, f.ahead.exact, f.kept.counts[POSITION]
    if t % STRETCH == 0 and t > 0:
        for i in range(kept.counts[SIZE]):
            due[i] = f.ahead.owed[kept.order[i]]
        scores, values = f.ahead.scores[: end_of_stretch(f)], f.ahead.values
        correct_by_many(scores, t, kept.numbers[SCALE], due, values, kept.order, size(f))


@inlined
def end_of_stretch(f):
    """Where the stretch ends whose scores are up to date."""
    t = f.kept.counts[POSITION]
    return min(t + STRETCH - t % STRETCH, len(f.ahead.scores))


@inlined_reassociated
def correct_by_many(scores, first, weight, parts, values, order, many):
    """Add weight sum_i part_i values_i, over `many` slots, to the scores from `first` on."""
    last, fours = len(scores), many - many % 4
    ahead = scores[first:]
    for i in range(0, fours, 4):
        w0, w1 = weight * parts[i], weight * parts[i + 1]
        w2, w3 = weight * parts[i + 2], weight * parts[i + 3]
        if w0 != 0 or w1 != 0 or w2 != 0 or w3 != 0:
            v0, v1 = values[order[i], first:last], values[order[i + 1], first:last]
            v2, v3 = values[order[i + 2], first:last], values[order[i + 3], first:last]
            for j in range(len(ahead)):
                ahead[j] += (w0 * v0[j] + w1 * v1[j]) + (w2 * v2[j] + w3 * v3[j])
    for i in range(fours, many):
        correct(ahead, weight * parts[i], values[order[i], first:last])


@inlined
def add(f, weight):
    """Make the current example the newest support."""
    kept, ahead, t = f.kept, f.ahead, f.kept.counts[POSITION]
    slot = kept.order[kept.counts[SIZE]]
    store(kept.rows, slot, ahead.block, t)
    kept.weights[slot] = 0
    kept.tardy[slot] = 0
    ahead.owed[slot] = 0
    reweigh(f, slot, weight)
    kept.births[slot] = kept.counts[SEEN]
    kept.counts[SIZE] += 1
    kept.counts[USED] = max(kept.counts[USED], slot + 1)
    kept.counts[EDITS] += 1
    kept.numbers[LARGEST] = max(kept.numbers[LARGEST], ahead.block.norms[t])
    look_ahead(f.kernel, ahead.block, t)
    for j in range(t + 1, len(ahead.scores)):
        ahead.values[slot, j] = ahead.block.own[t, j]
    count_in(f, weight, ahead.values[slot, t + 1 :])
    return slot


@by_class
def count_in(f, weight, values):
    """Let the scores ahead know of weight times the current example, given its kernel values."""
    correct(f.ahead.scores[f.kept.counts[POSITION] + 1 :], weight, values)


@inlined
def remove(f, i):
    """Forget support `i`, counted from the oldest."""
    kept, ahead, t = f.kept, f.ahead, f.kept.counts[POSITION]
    slot, last = kept.order[i], kept.counts[SIZE] - 1
    leave(f, slot)
    ahead.owed[slot] = 0
    ahead.events[t, EVICTED] = kept.births[slot]
    kept.weights[slot] = 0
    release(kept.rows, slot)
    for j in range(i, last):
        kept.order[j] = kept.order[j + 1]
    kept.order[last] = slot
    kept.counts[SIZE] = last
    kept.counts[EDITS] += 1


@by_class
def leave(f, slot):
    """Take the support in `slot` out of the scores ahead."""
    kept, ahead, t = f.kept, f.ahead, f.kept.counts[POSITION]
    weight = kept.numbers[SCALE] * kept.weights[slot]
    correct(ahead.scores[t + 1 :], -weight, ahead.values[slot, t + 1 :])
    after = end_of_stretch(f)
    debt = kept.numbers[SCALE] * ahead.owed[slot]
    correct(ahead.scores[after:], debt, ahead.values[slot, after:])


@inlined
def scale(f, factor):
    """Multiply all weights by `factor` > 0, in constant time."""
    kept = f.kept
    kept.numbers[SCALE] *= factor
    kept.counts[EDITS] += 1
    scale_ahead(f, factor)
    if not SMALLEST_SCALE <= kept.numbers[SCALE] <= 1 / SMALLEST_SCALE:
        fold(f)
        for slot in range(kept.counts[USED]):
            kept.echoes[slot] *= kept.numbers[SCALE]
        kept.numbers[PEAK] *= kept.numbers[SCALE]
        kept.numbers[CLOCK] = 0
        kept.numbers[SCALE] = 1


@by_class
def scale_ahead(f, factor):
    """Multiply the scores ahead by `factor`."""
    scores = f.ahead.scores
    for j in range(f.kept.counts[POSITION] + 1, len(scores)):
        scores[j] *= factor


@by_class
def fold(f):
    """Multiply the scale into the weights, as if the clock had been set to 0 before."""
    kept = f.kept
    for slot in range(kept.counts[USED]):
        kept.tardy[slot] -= kept.weights[slot] * kept.numbers[CLOCK]
        kept.weights[slot] *= kept.numbers[SCALE]
        f.ahead.owed[slot] *= kept.numbers[SCALE]
    kept.numbers[MASS] *= kept.numbers[SCALE]


@inlined
def refresh(f):
    """Sum the scores ahead afresh, if what has left outweighs what is there by far.

    What has left takes its digits with it: after a hypothesis has nearly cancelled and is scaled
    up, the scores' rounding is scaled up as well.
    """
    kept, ahead, t = f.kept, f.ahead, f.kept.counts[POSITION]
    mass = 0.0
    for slot in range(kept.counts[USED]):
        mass += abs(kept.weights[slot])
    if kept.numbers[MASS] > STALE * mass:
        kept.numbers[MASS] = mass
        scores = ahead.scores[t + 1 :]
        scores[:] = 0
        for i in range(kept.counts[SIZE]):
            correct(scores, weight(f, i), ahead.values[kept.order[i], t + 1 :])


@inlined
def draw(f, n):
    """A number from 0 to n - 1, each equally likely."""
    return draw_below(f.kept.randomness, n)


@by_class
def exact_score(f):
    """f(x) of the current example, evaluated afresh in float64, and a bound on its rounding error.

    Each kernel value is off by at most (n + 8) u R, with `kernels.reach` for R, and a sum of m
    products adds at most m u sum |weight_i k_i|; with |k_i| <= R this is together
    (n + m + 8) u R sum |weight_i|. Weights that are solved for carry an error of their own, in
    proportion to the largest weight or change of a weight so far.
    """
    kept, ahead, t = f.kept, f.ahead, f.kept.counts[POSITION]
    supports = kept.counts[SIZE]
    exact_column(f)
    total, mass, values, relative = 0.0, 0.0, 0.0, is_relative(f.kernel)
    for i in range(supports):
        slot = kept.order[i]
        total += kept.weights[slot] * ahead.exact[slot]
        mass += abs(kept.weights[slot]) * (abs(ahead.exact[slot]) if relative else 1.0)
        values += abs(ahead.exact[slot])
    R = reach(f.kernel, kept.numbers[LARGEST], ahead.block.norms[t])
    roundings = terms(ahead.block, t) + supports + 8
    noise = roundings * UNIT_ROUNDOFF * R * mass + kept.numbers[BLUR] * kept.numbers[PEAK] * values
    return kept.numbers[SCALE] * total, kept.numbers[SCALE] * noise


@inlined
def exact_column(f):
    """Evaluate the current example's kernel values afresh in float64."""
    kept, ahead, t = f.kept, f.ahead, f.kept.counts[POSITION]
    used = kept.counts[USED]
    column(f.kernel, kept.rows, 0, used, ahead.block, t, ahead.exact)
    for slot in range(used):
        ahead.values[slot, t] = ahead.exact[slot]


@inlined
def score(f):
    """f(x) of the current example, for a rule that puts it into a weight.

    The look-ahead's score carries the rounding of the kernel values; in float32 that is seven
    digits, too few for weights that later scores are compared with.
    """
    seen = f.ahead.scores[f.kept.counts[POSITION]]
    if f.ahead.values.itemsize == 8 or seen == 0:
        return seen
    return exact_score(f)[0]


@inlined
def loss(f, y):
    """The hinge loss of the current example, whatever the weight that its label `y` carries."""
    return 1 - math.copysign(1.0, y) * score(f)


@inlined
def rescore(f, score):
    """Correct the score of the current example itself, for a hypothesis chosen in its sight."""
    f.ahead.scores[f.kept.counts[POSITION]] = score


@inlined
def add_heard(f, weight):
    """Add, and let every support hear what the newcomer says of it.

    The echo of support i is then sum_{j >= i} weight_j k(x_j, x_i), j running over itself and all
    that came later. Where the oldest is always the first to go, its echo is f at its own instance.
    """
    kept, stored = f.kept, weight / f.kept.numbers[SCALE]
    agree(f)
    couple(f)
    for slot in range(kept.counts[USED]):
        kept.echoes[slot] += stored * f.ahead.exact[slot]
    slot = add(f, weight)
    kept.echoes[slot] = stored * own_value(f)


@by_class
def couple(f):
    """Make inner products of the supports with the current example of the values in `exact`."""


@by_class
def agree(f):
    """Put the current example's kernel values, the same however the stream is cut, into `exact`.

    A value of the look-ahead and the exact one are off by at most (n + 8) u R each, with
    `kernels.reach` for R and n for the features that are not 0, which dense and sparse rows agree
    on. Both are rounded to a multiple of a cell that is wide beside this doubt; where the doubt
    leaves two multiples, the exact value decides. A rule whose steps depend on sums of such values
    would otherwise amplify the last digit until its runs part. In float32 the cells would be too
    wide.
    """
    if f.ahead.values.itemsize == 8:
        round_to_cells(f)
    else:
        for slot in range(f.kept.counts[USED]):
            f.ahead.exact[slot] = f.ahead.values[slot, f.kept.counts[POSITION]]


@inlined
def round_to_cells(f):
    """Put the kernel values into `exact`, rounded to what all ways to evaluate them agree on."""
    kept, ahead, t, values = f.kept, f.ahead, f.kept.counts[POSITION], f.ahead.exact
    used = kept.counts[USED]
    for slot in range(used):
        values[slot] = ahead.values[slot, t]
    R = reach(f.kernel, kept.numbers[LARGEST], ahead.block.norms[t])
    doubt = 2 * (filled_terms(ahead.block, t) + 8) * UNIT_ROUNDOFF * R
    cell = math.ldexp(1.0, math.frexp(CELLS * doubt)[1])
    for slot in range(used):
        place = values[slot] / cell
        if abs(abs(place - nearest(place)) - 0.5) <= 1 / CELLS:
            column(f.kernel, kept.rows, slot, slot + 1, ahead.block, t, values)
        values[slot] = nearest(values[slot] / cell) * cell


@inlined
def nearest(number):
    """The nearest whole number of one below 2^51: a sum of this size has no room for fractions."""
    return (number + 1.5 * 2.0**52) - 1.5 * 2.0**52


@inlined
def echo(f, i):
    """What support `i` has heard: see `add_heard`."""
    return f.kept.numbers[SCALE] * f.kept.echoes[f.kept.order[i]]


@compiled_in_place
def changed_slots(order, counts, births, known, places, owners, came):
    """Find the slots that have other supports than they were known to have."""
    found = 0
    for i in range(len(order)):
        slot = order[i]
        now = births[slot] if i < counts[SIZE] else NOBODY
        if now != known[slot]:
            if known[slot] != NOBODY:
                owners[places[slot]] -= 1
            if now != NOBODY:
                came[found] = slot
                found += 1
            known[slot] = now
    return found
