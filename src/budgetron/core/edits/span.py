"""The span of the supports, in orthonormal coordinates.

With K = L L^T the supports' kernel matrix and M = L^-1, the coordinates of an example x are
z = M k, where k_i = k(x_i, x): inner products of coordinates are those of the projections onto the
span, and |z|^2 is short of k(x, x) by the squared distance from it, the *residual*. A hypothesis in
the span is a vector of weights w, with f(x) = w . z, and any linear learner can be run on z.

M is lower triangular, its rows and columns from the oldest support to the newest. A newcomer adds a
coordinate. A support that leaves takes one with it: rotations turn all others away from it, and
whatever is in the same coordinates follows.

Nothing of the size of the span has to change with each example. In a *stretch* of examples with
coordinates Z, all that is asked of weights w and of their covariance P is w . z and z' P z for its
own examples. A step along v = P z changes the margins of later ones by v . z, and P by a multiple
of v v': both are sums over Z P Z' and what has been asked before. How much of P will have faded
when it is an example's turn is known before, and so is its row of Z P Z'. A newcomer adds a
coordinate to the later examples; a support that leaves takes from each of them, and from each step,
what they have of the direction that is only its own. The steps are taken from weights and P at the
end of the stretch, all at once.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator
from math import copysign, exp, hypot, isnan, sqrt
from typing import Any, NamedTuple

import numpy as np

from ..buffers import Buffers
from ..compiled import by_class, compiled_in_place, inlined
from ..linalg.symmetric import mirror
from ..linalg.vectors import axpy, dot, rotate
from ..memory import BY_RANK, LOWER, SOLVED, SYMMETRIC, WHOLE, Memory, Shapes
from ..state import EDITS, MEMO, POSITION, SEEN, SIZE, LookAhead, State, slot_of
from .supports import add, k_xx, remove, size

__all__ = [
    "AGES",
    "AVERAGE",
    "BASE",
    "BEGAN",
    "BOLD",
    "CAUTIOUS",
    "CHANGE",
    "DOUBT",
    "EXPERTS",
    "FIRST",
    "GONE",
    "HAS_OWN",
    "IS_LOOK_DUE",
    "JOINED",
    "KEPT",
    "LEARNED",
    "LEASTS",
    "LOOKED",
    "LOSS",
    "MANY",
    "NOT_KEPT",
    "NOT_KNOWN",
    "NO_RECORD",
    "PENDING",
    "RISE",
    "ROSE",
    "WEIGHT",
    "Span",
    "SpanExpansion",
    "Stretch",
    "add_coordinate",
    "admit",
    "advance",
    "begin_stretch",
    "common_weights",
    "dismiss",
    "end",
    "end_step",
    "extend_inverse",
    "find_along",
    "find_own",
    "find_step",
    "follow_average",
    "foresee",
    "forget_least",
    "forget_weights",
    "has_faded",
    "inflate",
    "is_alone",
    "is_overtaken",
    "locate_row",
    "margin",
    "margin_of_own",
    "may_change",
    "need_image",
    "numbers_said",
    "own",
    "place",
    "residual",
    "rotate_along",
    "store_joined",
    "store_row",
    "stretch_length",
    "take_step",
    "variance",
    "variance_of_own",
    "vary",
    "vary_along",
    "volume_of_own",
]

CAUTIOUS, BOLD, AVERAGE = range(3)
EXPERTS = 3
"""As many hypotheses are kept; the average is that of the first, and takes no steps."""

LEARNED, ROSE, BEGAN, LOOKED = range(4)
AGES = 4
"""Examples learned: until now, until the covariance rose last, until the average began, and until
the supports were looked at."""

DOUBT, LOSS, WEIGHT = range(3)
NO_RECORD = 0.0, 1.0, 1.0
"""By how much predictions have been worse than none, their loss and weight: one of nothing."""

SHORT_STRETCH, LONG_STRETCH, FEW = 96, 192, 300
"""How many examples there are in a stretch, with few supports and with more than that: what is done
for each example grows with the one, and what is done for the whole stretch with the other."""

LIKELY_STEP = 0.1
"""An expert is likely to take a step if its margin is at most this far above 1."""

LEASTS = 8
"""So many of the supports that mean least are known, at most."""

FIRST, MANY, PENDING, JOINED, LEARNED_BEFORE, RESTARTS_BEFORE, CHANGE, HAS_OWN = range(8)
GONE, IS_LOOK_DUE = 8, 9
PLACES = 10
"""Places in `Stretch.places`: where the stretch begins in the block, how many examples it has, how
many steps have been taken and how many examples have become supports that M does not know yet, and
how many had been learned and new beginnings made before. What the rule is about to do to the
supports; and whether the direction that is only the least support's stands behind the examples.
Where M and the covariance are elsewhere, the support that has left, or NOT_KEPT; and whether those
that mean least are to be found anew."""

BASE, RISE = range(2)
"""Of the covariance: by what the stored one is to be multiplied, and what is to be added to its
diagonal, before the steps are taken from it."""

KEPT, OLD_AVERAGE, OLD_CAUTIOUS = range(3)
"""What is left of the stored weights: in those that take steps; and in the average, which is made
of what it was and of what the cautious expert was, and of its steps."""

SMALLEST_PIVOT, LARGEST_ENTRY = 1e-110, 1e200
"""Of a matrix that can be gone on with, for whatever kernel values there may be."""


SMALLEST_BASE = 0.1
"""So much must be left of the stored covariance if something is to be added to it."""


NOT_KEPT, NOT_KNOWN = -1, -1
"""In the place of a row: of an example that is learned when it is predicted; and of a class."""


def stretch_length(size: int) -> int:
    """How many examples there are in a stretch, at most, with so many supports."""
    return SHORT_STRETCH if size < FEW else LONG_STRETCH


def numbers_said(columns: int) -> int:
    """How much is noted of an example that is looked at: when it was, and what experts said."""
    return 1 + EXPERTS * columns


class Span(
    namedtuple(
        "Span",
        "inverse weights covariance trust jury losses mistakes ages record restarts exchanges"
        " least",
    ),
    Memory,
):
    """What is kept in coordinates.

    M, (slots, slots); weights of each expert for each class, (experts, columns, slots); the
    covariance P of all of them, (slots, slots). Of the experts: the trust in each, which adds up to
    1, by what they say of an example when it is learned; the same by what they said when it was
    predicted, the *jury*, which predicts; losses and mistakes so far. How many examples have been
    learned, and had been at certain times; how predictions have been since it began, or began anew.
    How often all but the supports has been forgotten, (1,), and how often a support has been
    replaced, (1,). Those that meant least when they were looked for, the least first, then -1,
    (LEASTS,).
    """

    weight_error = SOLVED
    makes_room_first = True
    long_blocks = True
    has_stretches = True
    matrices = 2
    signed = ("weights",)
    forms = LOWER, BY_RANK, SYMMETRIC, *(9 * (WHOLE,))

    @classmethod
    def shapes(cls, rule: Any, slots: int) -> Shapes:
        """Two matrices, a vector for each expert and class, and what does not grow."""
        square, own, record = (slots, slots), (EXPERTS,), (len(NO_RECORD),)
        weights = EXPERTS, rule.columns, slots
        counts = (AGES,), record, (1,), (1,), (LEASTS,)
        return square, weights, square, own, own, own, own, *counts

    @classmethod
    def empty(cls, rule: Any) -> Any:
        """No coordinates yet, and the trust that the experts begin with."""
        zeros = super().empty(rule)
        trust = np.array([rule.cautious_trust, rule.bold_trust, rule.average_trust])
        return zeros._replace(
            trust=trust,
            jury=trust.copy(),
            mistakes=np.zeros(EXPERTS, np.int64),
            ages=np.zeros(AGES, np.int64),
            record=np.array(NO_RECORD),
            restarts=np.zeros(1, np.int64),
            exchanges=np.zeros(1, np.int64),
            least=np.full(LEASTS, -1),
        )

    def plan(self: Any, buffers: Buffers, slots: int, length: int) -> Stretch:
        """A stretch of nothing."""
        rows, columns = min(length, LONG_STRETCH) + 1, self.weights.shape[1]

        def shaped(name: str, *shape: int, dtype: Any = float) -> np.ndarray:
            return buffers.shaped(name, dtype, *shape)

        return Stretch(
            np.zeros(PLACES, np.int64),
            shaped("coordinates", rows, slots),
            shaped("images", rows, slots),
            shaped("advanced", rows, slots),
            shaped("has_image", rows, dtype=np.bool_),
            shaped("wanted", rows, dtype=np.int64),
            shaped("lengths", rows),
            shaped("variances", rows),
            shaped("lessons", rows, dtype=np.int64),
            shaped("inflated", rows, 2),
            shaped("covariances", rows, rows),
            shaped("margins", EXPERTS, columns, rows),
            shaped("along", rows, rows),
            shaped("links", rows, rows),
            shaped("taken_by", rows, dtype=np.int64),
            shaped("joined", rows, dtype=np.int64),
            shaped("gains", rows),
            shaped("steps", rows, AVERAGE, columns),
            shaped("shares", rows),
            np.zeros(2),
            np.zeros(3),
            np.zeros(columns),
            shaped("shown", length, columns),
            np.zeros(length, np.int64),
            np.full(length, NOT_KEPT),
            shaped("now", length, columns),
            shaped("said", 1, numbers_said(columns)),
        )

    @classmethod
    def scratch_rows(cls, slots: int) -> int:
        """Three."""
        return 3

    def demands(self: Any, state: Any) -> Iterator[tuple[bool, str]]:
        """A filter that can go on."""
        n, seen = int(state.counts[SIZE]), int(state.counts[SEEN])
        pivots = np.abs(np.diagonal(self.inverse)[:n])
        yield bool((pivots >= SMALLEST_PIVOT).all()), "the factor's inverse is singular"
        yield bool((np.diagonal(self.covariance) >= 0).all()), "a variance is negative"
        largest = max(np.abs(array).max(initial=0) for array in self[:3])
        yield bool(largest <= LARGEST_ENTRY), "a matrix or a weight is too large"
        for trust in (self.trust, self.jury):
            yield bool((trust >= 0).all()), "trust is negative"
            yield bool(abs(trust.sum() - 1) < 1e-6), "the trust does not add up to 1"
        yield bool((self.losses >= 0).all() and (self.record >= 0).all()), "a loss is negative"
        learned, *earlier = self.ages.tolist()
        ages = 0 <= min(earlier) <= max(earlier) <= learned <= seen
        yield ages, "the ages are not those of the stream"
        yield bool(0 <= self.restarts[0] <= learned), "it has begun anew too often"
        yield bool(self.record[WEIGHT] >= 1), "the record has no weight"
        own = (self.mistakes >= 0) & (self.mistakes <= learned)
        yield bool(own.all()), "an expert has made too many mistakes"
        yield bool(n == 0 or state.numbers[MEMO] > 0), "the scale of the kernel is not positive"
        yield bool(0 <= self.exchanges[0] <= learned), "supports were replaced too often"
        known = np.flatnonzero(self.least >= 0)
        listed = len(known) == len({*self.least[known].tolist()}) == known.max(initial=-1) + 1
        listed &= bool((self.least >= -1).all() and (self.least < max(n, 1)).all())
        yield bool(listed), "supports that mean least are not there"


class Stretch(NamedTuple):
    """Examples in coordinates, and what is to be done to weights and covariance after them."""

    places: np.ndarray  # see FIRST and what follows it
    coordinates: np.ndarray  # (rows, slots): z
    images: np.ndarray  # (rows, slots): the stored P times z, where it is known
    advanced: np.ndarray  # (rows, slots): P z with P as it will be when it is the example's turn
    has_image: np.ndarray
    wanted: np.ndarray  # of which examples images are still to be found
    lengths: np.ndarray  # z . z
    variances: np.ndarray  # z' P z with the stored P, where the image is known
    lessons: np.ndarray  # how many examples of the stretch are learned before each
    inflated: np.ndarray  # (rows, 2): base and rise of the covariance when it is its turn
    covariances: np.ndarray  # (rows, rows): the same times z_s, for later s
    margins: np.ndarray  # (experts, columns, rows): by the weights of now
    along: np.ndarray  # (rows, rows): for each step v, v . z of later examples
    links: np.ndarray  # (rows, rows): how much of each earlier step is taken from v
    taken_by: np.ndarray  # which example each step is of
    joined: np.ndarray  # which examples have become supports
    gains: np.ndarray  # what is to be taken from the covariance, in units of v v'
    steps: np.ndarray  # (rows, experts, columns): how far each expert goes along v
    shares: np.ndarray  # how much of it the average has followed
    inflation: np.ndarray  # see BASE, RISE
    left: np.ndarray  # see KEPT, OLD_AVERAGE, OLD_CAUTIOUS
    mixed: np.ndarray  # (columns,): the experts' prediction for the current example
    shown: np.ndarray  # (length, columns): the scores of the block's examples
    right: np.ndarray  # the block's classes by number, or NOT_KNOWN; of two, any number will do
    kept_in: np.ndarray  # the row of `said` that is each example's, or NOT_KEPT
    now: np.ndarray  # (length, columns): the same for those who learn, by the trust in experts
    said: np.ndarray  # (examples, numbers_said): what experts said when they were only looked at


class SpanExpansion(NamedTuple):
    """The experts' hypotheses, as the rule sees them in the middle of the stream."""

    kernel: Any
    state: State
    ahead: LookAhead

    @property
    def scores(self) -> np.ndarray:
        """The scores of the block's examples; one for each class, if there are more than two."""
        shown = self.ahead.plan.shown
        return shown if shown.shape[1] > 1 else shown[:, 0]

    @property
    def sums(self) -> None:
        """There is nothing to be scored before coordinates are known."""


# ----------------------------------------------------------------------------------- a stretch


@inlined
def begin_stretch(stretch, first, many):
    """Nothing has been done to weights and covariance."""
    places = stretch.places
    places[FIRST], places[MANY] = first, many
    places[PENDING], places[JOINED], places[HAS_OWN] = 0, 0, 0
    places[GONE], places[IS_LOOK_DUE] = NOT_KEPT, 0
    stretch.inflation[BASE], stretch.inflation[RISE] = 1, 0
    stretch.left[KEPT], stretch.left[OLD_AVERAGE], stretch.left[OLD_CAUTIOUS] = 1, 1, 0


@inlined
def place(f):
    """Where the current example is in the stretch."""
    return f.ahead.cursor[POSITION] - f.ahead.plan.places[FIRST]


@inlined
def is_alone(f):
    """Whether the stretch is the current example."""
    return f.ahead.plan.places[MANY] == 1


@by_class
def is_overtaken(f):
    """Whether the covariance is not what it was expected to be by now."""
    stretch, span = f.ahead.plan, f.state.memory
    expected = stretch.places[LEARNED_BEFORE] + stretch.lessons[place(f)]
    is_new = span.restarts[0] != stretch.places[RESTARTS_BEFORE]
    return is_new or span.ages[LEARNED] != expected


@inlined
def has_faded(f):
    """Whether so little is left of the stored covariance that nothing can be added to it."""
    return f.ahead.plan.inflation[BASE] < SMALLEST_BASE


@by_class
def may_change(f, replaces):
    """Whether supports may come, or be replaced, before what has been learned is stored."""
    return not has_faded(f)


@inlined
def own(f):
    """Where the direction that is only the least support's is: behind the examples."""
    return f.ahead.plan.places[MANY]


@inlined
def end(f):
    """Behind the last example, and behind the direction that may follow it."""
    places = f.ahead.plan.places
    return 1 if places[MANY] == 1 else places[MANY] + places[HAS_OWN]


@inlined
def margin(f, e, k):
    """Of an expert for a class."""
    return f.ahead.plan.margins[e, k, place(f)]


@inlined
def residual(f):
    """The current example's squared distance from the span."""
    return k_xx(f) - f.ahead.plan.lengths[place(f)]


@compiled_in_place
def foresee(f, labels, done, fading, level):
    """Find out what will be asked of the examples from `done` on, given coordinates and margins.

    In each round the covariance fades by exp(-fading), towards the level. Returns how many of the
    images are wanted: those of examples that an expert will likely take a step with.
    """
    stretch, span, n = f.ahead.plan, f.state.memory, size(f)
    first, many = stretch.places[FIRST], stretch.places[MANY]
    stretch.places[LEARNED_BEFORE] = span.ages[LEARNED]
    stretch.places[RESTARTS_BEFORE] = span.restarts[0]
    lessons, wanted = 0, 0
    for s in range(done, many):
        y, z = labels[first + s], stretch.coordinates[s]
        base = exp(-fading * (span.ages[LEARNED] - span.ages[ROSE] + lessons))
        stretch.inflated[s, BASE], stretch.inflated[s, RISE] = base, level * (1 - base)
        stretch.lengths[s], stretch.lessons[s] = dot(z, z, n), lessons
        if not isnan(y):
            lessons += y != 0
            if not stretch.has_image[s] and is_step_likely(f, s, y):
                stretch.wanted[wanted] = s
                wanted += 1
    if span.least[0] >= 0:
        locate_own(f)
        stretch.wanted[wanted] = many
        wanted += 1
    return wanted


@inlined
def is_step_likely(f, i, y):
    """Whether the margin of an expert that takes steps is short of 1, or not by much above it."""
    stretch = f.ahead.plan
    right = stretch.right[stretch.places[FIRST] + i]
    for k in range(len(stretch.mixed)):
        sign = copysign(1.0, y) if len(stretch.mixed) == 1 else (1.0 if k == right else -1.0)
        for e in range(AVERAGE):
            if sign * stretch.margins[e, k, i] < 1 + LIKELY_STEP:
                return True
    return False


@compiled_in_place
def advance(f, done):
    """Find what follows from the images of the examples from `done` on."""
    for s in range(done, end(f)):
        if f.ahead.plan.has_image[s]:
            advance_one(f, s)


@inlined
def advance_one(f, i):
    """The same for one of them."""
    advance_to(f, i, size(f))


@inlined
def advance_to(f, i, n):
    """The same in so many coordinates."""
    stretch = f.ahead.plan
    base, rise = stretch.inflated[i, BASE], stretch.inflated[i, RISE]
    z, image, advanced = stretch.coordinates[i], stretch.images[i], stretch.advanced[i]
    stretch.variances[i] = dot(image, z, n)
    for j in range(n):
        advanced[j] = base * image[j] + rise * z[j]


@inlined
def find_image(f, i):
    """Multiply the covariance, of which the lower half is read, by the i-th of the stretch."""
    stretch, n = f.ahead.plan, size(f)
    z, image = stretch.coordinates[i], stretch.images[i]
    for j in range(n):
        row = f.state.memory.covariance[j]
        image[j] = dot(row, z, j + 1)
        axpy(image[:j], z[j], row)
    stretch.has_image[i] = True
    advance_one(f, i)
    for s in range(i, end(f)):
        stretch.covariances[i, s] = dot(stretch.advanced[i], stretch.coordinates[s], n)


@by_class
def need_image(f, i):
    """See to it that the i-th image is known."""
    if not f.ahead.plan.has_image[i]:
        find_image(f, i)


@inlined
def variance_at(f, i):
    """Z' P z for the i-th example, with P as it is now."""
    stretch = f.ahead.plan
    need_image(f, i)
    base, rise = stretch.inflation[BASE], stretch.inflation[RISE]
    total = base * stretch.variances[i] + rise * stretch.lengths[i]
    for p in range(stretch.places[PENDING]):
        total -= stretch.gains[p] * stretch.along[p, i] ** 2
    return total


@inlined
def variance(f):
    """Z' P z for the current example."""
    return variance_at(f, place(f))


@inlined
def find_step(f):
    """Let v = P z be the next step, the covariance having faded for the current example: v . z."""
    stretch, i, last = f.ahead.plan, place(f), end(f)
    along = stretch.along[stretch.places[PENDING]]
    stretch.steps[stretch.places[PENDING]] = 0
    find_along(f, i, along)
    for p in range(stretch.places[PENDING]):
        axpy(along[i:last], -stretch.gains[p] * stretch.along[p, i], stretch.along[p, i:last])
    return along[i]


@by_class
def find_along(f, i, along):
    """Find v . z of the i-th example and later ones, were there no steps before."""
    stretch = f.ahead.plan
    need_image(f, i)
    if is_alone(f):
        stretch.inflated[i, BASE] = stretch.inflation[BASE]
        stretch.inflated[i, RISE] = stretch.inflation[RISE]
        advance_one(f, i)
        stretch.covariances[i, i] = dot(stretch.advanced[i], stretch.coordinates[i], size(f))
    for s in range(i, end(f)):
        along[s] = stretch.covariances[i, s]


@inlined
def take_step(f, e, k, far):
    """Let an expert go so far along v for a class."""
    stretch, i, p = f.ahead.plan, place(f), f.ahead.plan.places[PENDING]
    stretch.steps[p, e, k] = far
    later = stretch.margins[e, k, i + 1 : end(f)]
    axpy(later, far, stretch.along[p, i + 1 :])
    f.ahead.cursor[EDITS] += 1


@inlined
def end_step(f, gain):
    """Take gain v v' from the covariance."""
    stretch, i, p = f.ahead.plan, place(f), f.ahead.plan.places[PENDING]
    for q in range(p):
        stretch.links[p, q] = stretch.gains[q] * stretch.along[q, i]
    stretch.taken_by[p], stretch.shares[p], stretch.gains[p] = i, 0, gain
    stretch.places[PENDING] += 1


@inlined
def inflate(f, fade, level):
    """Let the covariance fade, and rise towards the level: fade P + (1 - fade) level I."""
    stretch = f.ahead.plan
    stretch.inflation[BASE] *= fade
    stretch.inflation[RISE] += (1 - fade) * (level - stretch.inflation[RISE])
    for p in range(stretch.places[PENDING]):
        stretch.gains[p] *= fade


@inlined
def follow_average(f, part):
    """Let the average go this part of the way to the cautious expert."""
    stretch, first, last = f.ahead.plan, place(f) + 1, end(f)
    for k in range(len(stretch.mixed)):
        average, cautious = stretch.margins[AVERAGE, k], stretch.margins[CAUTIOUS, k]
        for s in range(first, last):
            average[s] += part * (cautious[s] - average[s])
    left = stretch.left
    left[OLD_AVERAGE] -= part * left[OLD_AVERAGE]
    left[OLD_CAUTIOUS] += part * (left[KEPT] - left[OLD_CAUTIOUS])
    for p in range(stretch.places[PENDING]):
        stretch.shares[p] += part * (1 - stretch.shares[p])


@inlined
def forget_weights(f):
    """Let all weights be 0."""
    stretch, first, last = f.ahead.plan, place(f) + 1, end(f)
    stretch.margins[:, :, first:last] = 0
    stretch.left[:] = 0
    stretch.steps[: stretch.places[PENDING]] = 0
    f.ahead.cursor[EDITS] += 1


@inlined
def margin_of_own(f, e, k):
    """The weight of the least support."""
    return f.ahead.plan.margins[e, k, own(f)]


@inlined
def variance_of_own(f):
    """The variance of that weight."""
    return variance_at(f, own(f))


@inlined
def volume_of_own(f):
    """1 over the squared distance of the least support from the span of the others."""
    return f.ahead.plan.lengths[own(f)]


@inlined
def find_own(f):
    """Find the direction that is only the least support's, if it is not known."""
    stretch, i = f.ahead.plan, own(f)
    if stretch.places[HAS_OWN] == 0:
        extend_inverse(f)
        locate_own(f)
        z, n = stretch.coordinates[i], size(f)
        for s in range(place(f), i):
            if stretch.has_image[s]:
                stretch.covariances[s, i] = dot(stretch.advanced[s], z, n)


@inlined
def locate_own(f):
    """Find that direction, M's column, and what follows from the steps that have been taken."""
    stretch, span, n, i = f.ahead.plan, f.state.memory, size(f), own(f)
    z, left, pending = stretch.coordinates[i], stretch.left, stretch.places[PENDING]
    for j in range(n):
        z[j] = span.inverse[j, span.least[0]]
    stretch.places[HAS_OWN], stretch.has_image[i], stretch.lengths[i] = 1, False, dot(z, z, n)
    stretch.inflated[i, BASE], stretch.inflated[i, RISE] = 1, 0
    for p in range(pending):
        along = dot(stretch.advanced[stretch.taken_by[p]], z, n)
        for q in range(p):
            along -= stretch.links[p, q] * stretch.along[q, i]
        stretch.along[p, i] = along
    for k in range(len(stretch.mixed)):
        cautious, margins = dot(span.weights[CAUTIOUS, k], z, n), stretch.margins[:, k, i]
        margins[CAUTIOUS] = left[KEPT] * cautious
        margins[BOLD] = left[KEPT] * dot(span.weights[BOLD, k], z, n)
        margins[AVERAGE] = left[OLD_AVERAGE] * dot(span.weights[AVERAGE, k], z, n)
        margins[AVERAGE] += left[OLD_CAUTIOUS] * cautious
        for p in range(pending):
            step = stretch.steps[p, CAUTIOUS, k] * stretch.along[p, i]
            margins[CAUTIOUS] += step
            margins[AVERAGE] += stretch.shares[p] * step
            margins[BOLD] += stretch.steps[p, BOLD, k] * stretch.along[p, i]


@inlined
def common_weights(f, k, w):
    """The experts' common hypothesis for a class as it is now, by the trust in each."""
    stretch, span, n, left = f.ahead.plan, f.state.memory, size(f), f.ahead.plan.left
    trust, pending = span.trust, stretch.places[PENDING]
    cautious = trust[CAUTIOUS] * left[KEPT] + trust[AVERAGE] * left[OLD_CAUTIOUS]
    bold, average = trust[BOLD] * left[KEPT], trust[AVERAGE] * left[OLD_AVERAGE]
    for j in range(n):
        w[j] = cautious * span.weights[CAUTIOUS, k, j] + bold * span.weights[BOLD, k, j]
        w[j] += average * span.weights[AVERAGE, k, j]
    far = stretch.along[pending]
    for p in range(pending):
        both = trust[CAUTIOUS] + trust[AVERAGE] * stretch.shares[p]
        far[p] = both * stretch.steps[p, CAUTIOUS, k] + trust[BOLD] * stretch.steps[p, BOLD, k]
    for p in range(pending - 1, -1, -1):
        axpy(far[:p], -far[p], stretch.links[p])
        axpy(w[:n], far[p], stretch.advanced[stretch.taken_by[p]])


# ------------------------------------------------------------------------------ an example alone


@inlined
def locate_row(f):
    """Find coordinates and margins of the current example, and let it be the stretch."""
    stretch, n, t = f.ahead.plan, size(f), f.ahead.cursor[POSITION]
    k, z = f.ahead.scratch[0], stretch.coordinates[0]
    for i in range(n):
        k[i] = f.ahead.values[slot_of(f, i), t]
    for i in range(n):
        z[i] = dot(f.state.memory.inverse[i], k, i + 1)
    begin_stretch(stretch, t, 1)
    stretch.has_image[0], stretch.lengths[0] = False, dot(z, z, n)
    stretch.inflated[0, BASE], stretch.inflated[0, RISE] = 1, 0
    for e in range(EXPERTS):
        for c in range(len(stretch.mixed)):
            stretch.margins[e, c, 0] = dot(f.state.memory.weights[e, c], z, n)


@inlined
def store_row(f):
    """Let weights and covariance follow the example that was alone."""
    stretch, span, n = f.ahead.plan, f.state.memory, size(f)
    base, rise = stretch.inflation[BASE], stretch.inflation[RISE]
    step, P = stretch.advanced[0], span.covariance
    pending = stretch.places[PENDING] > 0
    extend_inverse(f)
    follow_row(f, pending)
    if base == 1 and rise == 0 and not pending:
        return
    for i in range(n):
        row = P[i]
        for j in range(n):
            row[j] *= base
        row[i] += rise
        if pending:
            axpy(row[:n], -stretch.gains[0] * step[i], step)


@inlined
def follow_row(f, pending):
    """Let the weights follow."""
    stretch, span, n = f.ahead.plan, f.state.memory, size(f)
    left, step = stretch.left, stretch.advanced[0]
    for k in range(len(stretch.mixed)):
        average, cautious = span.weights[AVERAGE, k], span.weights[CAUTIOUS, k]
        for j in range(n):
            average[j] = left[OLD_AVERAGE] * average[j] + left[OLD_CAUTIOUS] * cautious[j]
        if pending and stretch.steps[0, CAUTIOUS, k] != 0:
            axpy(average[:n], stretch.shares[0] * stretch.steps[0, CAUTIOUS, k], step)
        for e in range(AVERAGE):
            w = span.weights[e, k]
            if left[KEPT] != 1:
                for j in range(n):
                    w[j] *= left[KEPT]
            if pending and stretch.steps[0, e, k] != 0:
                axpy(w[:n], stretch.steps[0, e, k], step)


# ------------------------------------------------------------------------- supports come and go


@inlined
def admit(f, squared_distance, first_variance):
    """Make the current example a support: its weights 0, their variance this."""
    stretch, n = f.ahead.plan, size(f)
    stored = (first_variance - stretch.inflation[RISE]) / stretch.inflation[BASE]
    f.state.memory.weights[:, :, n] = 0
    stretch.joined[stretch.places[JOINED]] = place(f)
    stretch.places[JOINED] += 1
    stretch.places[HAS_OWN] = 0
    vary(f, n, stored)
    add_coordinate(f, add(f, 0.0), n, sqrt(squared_distance), stored)
    vary_along(f, n, stored)


@by_class
def vary(f, n, stored):
    """Let P be diagonal in the n-th coordinate, with this variance."""
    P = f.state.memory.covariance
    for j in range(n):
        P[n, j] = 0
        P[j, n] = 0
    P[n, n] = stored
    f.ahead.plan.advanced[: place(f), n] = 0


@compiled_in_place
def store_joined(f):
    """Add rows to M at the end of a stretch."""
    extend_inverse(f)


@inlined
def extend_inverse(f):
    """Add rows to M for the examples that have become supports."""
    stretch, M = f.ahead.plan, f.state.memory.inverse
    first = size(f) - stretch.places[JOINED]
    for n in range(first, size(f)):
        newest, z = M[n], stretch.coordinates[stretch.joined[n - first]]
        for j in range(n):
            newest[j] = 0
        for i in range(n):
            axpy(newest[: i + 1], -z[i] / z[n], M[i])
        newest[n] = 1 / z[n]
    stretch.places[JOINED] = 0


@by_class
def add_coordinate(f, slot, n, distance, stored):
    """Find the n-th coordinate, in which P is diagonal, of the current example and later ones."""
    stretch, i, t = f.ahead.plan, place(f), f.ahead.cursor[POSITION]
    z = stretch.coordinates[i]
    for s in range(i + 1, stretch.places[MANY]):
        other = stretch.coordinates[s]
        other[n] = (f.ahead.values[slot, t + s - i] - dot(z, other, n)) / distance
        stretch.images[s, n] = stored * other[n]
        stretch.lengths[s] += other[n] ** 2
    z[n], stretch.images[i, n] = distance, stored * distance
    stretch.lengths[i] += distance * distance


@by_class
def vary_along(f, n, stored):
    """Let what is known of the covariance follow the n-th coordinate, which is new."""
    stretch, many = f.ahead.plan, f.ahead.plan.places[MANY]
    new = stretch.along[stretch.places[PENDING]]
    for s in range(place(f), many):
        new[s] = stretch.coordinates[s, n]
    for s in range(place(f), many):
        if stretch.has_image[s]:
            base, rise = stretch.inflated[s, BASE], stretch.inflated[s, RISE]
            stretch.variances[s] += stored * new[s] ** 2
            stretch.advanced[s, n] = (base * stored + rise) * new[s]
            axpy(stretch.covariances[s, s:many], stretch.advanced[s, n], new[s:many])


@by_class
def dismiss(f, i):
    """Forget support `i`, the direction that is only its own being known.

    Rotations of neighbouring coordinates push M's i-th column down into its last row, which goes.
    """
    span, n, M = f.state.memory, size(f), f.state.memory.inverse
    cosines, sines = f.ahead.scratch[0], f.ahead.scratch[1]
    need_image(f, own(f))
    for j in range(i, n - 1):
        length = hypot(M[j, i], M[j + 1, i])
        cosines[j] = M[j + 1, i] / length if length > 0 else 1.0
        sines[j] = M[j, i] / length if length > 0 else 0.0
        rotate(M[j], M[j + 1], cosines[j], sines[j], j + 2)
        for c in range(i, j + 1):
            M[j, c] = M[j, c + 1]
        M[j, j + 1] = 0
    rotate_both(span.covariance, cosines, sines, i, n)
    if is_alone(f):
        mirror(span.covariance, n)
    for e in range(EXPERTS):
        rotate_along(span.weights[e], cosines, sines, i, n)
    turn_away(f, cosines, sines, i, n)
    forget_least(span.least, i)
    remove(f, i)


@inlined
def turn_away(f, cosines, sines, first, n):
    """Let the current example, later ones and steps follow, the last coordinate being lost.

    With u the direction that is lost, P becomes (I - u u') P (I - u u').
    """
    stretch, i, many, pending = f.ahead.plan, place(f), own(f), f.ahead.plan.places[PENDING]
    lost, known = stretch.along[pending], stretch.along[pending + 1]  # u . z; the rest of u' P z
    length, image, count = sqrt(stretch.lengths[many]), stretch.images[many], 0
    rotate_along(stretch.images[many : many + 1], cosines, sines, first, n)
    for j in range(n):
        image[j] /= length
    for top in range(i, many, 4):
        rows = stretch.coordinates[top : min(top + 4, many)]
        rotate_along(rows, cosines, sines, first, n)
        for s in range(top, top + len(rows)):
            z = stretch.coordinates[s]
            lost[s], known[s] = z[n - 1], dot(image, z, n - 1)
            stretch.lengths[s] -= lost[s] ** 2
            if stretch.has_image[s]:
                stretch.wanted[count] = s
                count += 1
    for k in range(0, count, 4):
        four = stretch.wanted[k : min(k + 4, count)]
        rotate_some(stretch.images, four, cosines, sines, first, n)
        for s in four:
            base, rise = stretch.inflated[s, BASE], stretch.inflated[s, RISE]
            varied = stretch.covariances[s, s:many]
            axpy(varied, -(base * stretch.images[s, n - 1] + rise * lost[s]), lost[s:many])
            axpy(varied, -base * lost[s], known[s:many])
            axpy(stretch.images[s, : n - 1], -lost[s], image)
            advance_to(f, s, n - 1)
    rotate_some(stretch.advanced, stretch.taken_by[:pending], cosines, sines, first, n)
    for p in range(pending):
        axpy(stretch.along[p, i:many], -stretch.along[p, many] / length, lost[i:many])
    for e in range(EXPERTS):
        for k in range(len(stretch.mixed)):
            margins = stretch.margins[e, k]
            axpy(margins[i:many], -margins[many] / length, lost[i:many])
    stretch.places[HAS_OWN] = 0


@inlined
def rotate_both(P, cosines, sines, first, n):
    """Rotate neighbouring rows and columns of a symmetric matrix; its lower half alone follows."""
    for top in range(first + 1, n, 4):
        rows = P[top : min(top + 4, n)]
        rotate_along(rows, cosines, sines, first, top)
        for r in range(top, top + len(rows)):
            rotate_along(P[r : r + 1], cosines, sines, top - 1, r)
            cosine, sine, upper, lower = cosines[r - 1], sines[r - 1], P[r - 1], P[r]
            rotate(upper, lower, cosine, sine, r - 1)
            a, b, d = upper[r - 1], lower[r - 1], lower[r]
            upper[r - 1] = cosine * (cosine * a - sine * b) - sine * (cosine * b - sine * d)
            lower[r - 1] = cosine * (sine * a + cosine * b) - sine * (sine * b + cosine * d)
            lower[r] = sine * (sine * a + cosine * b) + cosine * (sine * b + cosine * d)


@inlined
def forget_least(least, i):
    """Support `i` is there no more, and the later ones are one place nearer."""
    kept = 0
    for j in range(LEASTS):
        if least[j] != i:
            least[kept] = least[j] - (least[j] > i)
            kept += 1
    least[kept:] = -1


@inlined
def rotate_along(rows, cosines, sines, first, n):
    """Rotate the entries of each row, from the `first` on, against the next one."""
    fours = len(rows) - len(rows) % 4
    for i in range(0, fours, 4):
        rotate_four(rows[i], rows[i + 1], rows[i + 2], rows[i + 3], cosines, sines, first, n)
    for i in range(fours, len(rows)):
        rotate_one(rows[i], cosines, sines, first, n)


@inlined
def rotate_some(rows, which, cosines, sines, first, n):
    """The same for some of the rows."""
    fours = len(which) - len(which) % 4
    for i in range(0, fours, 4):
        a, b, c, d = which[i], which[i + 1], which[i + 2], which[i + 3]
        rotate_four(rows[a], rows[b], rows[c], rows[d], cosines, sines, first, n)
    for i in range(fours, len(which)):
        rotate_one(rows[which[i]], cosines, sines, first, n)


@inlined
def rotate_four(a, b, c, d, cosines, sines, first, n):
    """The same for four rows: as each rotation waits for the one before, one row is too few."""
    at_a, at_b, at_c, at_d = a[first], b[first], c[first], d[first]
    for j in range(first, n - 1):
        cosine, sine = cosines[j], sines[j]
        to_a, to_b, to_c, to_d = a[j + 1], b[j + 1], c[j + 1], d[j + 1]
        a[j], b[j] = cosine * at_a - sine * to_a, cosine * at_b - sine * to_b
        c[j], d[j] = cosine * at_c - sine * to_c, cosine * at_d - sine * to_d
        at_a, at_b = sine * at_a + cosine * to_a, sine * at_b + cosine * to_b
        at_c, at_d = sine * at_c + cosine * to_c, sine * at_d + cosine * to_d
    a[n - 1], b[n - 1], c[n - 1], d[n - 1] = at_a, at_b, at_c, at_d


@inlined
def rotate_one(row, cosines, sines, first, n):
    """The same for one row."""
    at = row[first]
    for j in range(first, n - 1):
        to = row[j + 1]
        row[j] = cosines[j] * at - sines[j] * to
        at = sines[j] * at + cosines[j] * to
    row[n - 1] = at
