"""The span of the supports, in orthonormal coordinates.

With K = L L^T the supports' kernel matrix and M = L^-1, the coordinates of an example x are
z = M k, where k_i = k(x_i, x): inner products of coordinates are those of the projections onto the
span, and |z|^2 is short of k(x, x) by the squared distance from it, the *residual*. A hypothesis in
the span is a vector of weights w, with f(x) = w . z, and any linear learner can be run on z.

M is lower triangular, its rows and columns from the oldest support to the newest. A newcomer adds a
coordinate. A support that leaves takes one with it: rotations turn all others away from it, and
whatever is in the same coordinates follows.

While the span stays the same, nothing of the size of the span has to change with each example. In a
*stretch* of examples with coordinates Z, all that is asked of weights w and of their covariance P
is w . z and z' P z for its own examples. A step along v = P z changes the margins of later ones by
v . z, and P by a multiple of v v': both are sums over Z P Z', Z Z', and what has been asked before.
The weights and P follow at the end of the stretch, all at once.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator
from math import hypot, sqrt
from typing import Any, NamedTuple

import numpy as np

from ..buffers import Buffers
from ..compiled import inlined
from ..linalg.vectors import axpy, dot, rotate
from ..memory import SOLVED, Memory, Shapes
from ..state import EDITS, MEMO, POSITION, SEEN, SIZE, LookAhead, State
from .supports import add, k_xx, remove, size

__all__ = [
    "AGES",
    "AVERAGE",
    "BEGAN",
    "BOLD",
    "CAUTIOUS",
    "CHANGE",
    "DOUBT",
    "EXPERTS",
    "FIRST",
    "HAS_OWN",
    "IS_DECIDED",
    "KEPT",
    "LEARNED",
    "LEASTS",
    "LONGEST_STRETCH",
    "LOOKED",
    "LOSS",
    "MANY",
    "NEXT",
    "NOT_KEPT",
    "NOT_KNOWN",
    "NO_RECORD",
    "OLD_AVERAGE",
    "OLD_CAUTIOUS",
    "OWN",
    "PENDING",
    "ROSE",
    "WEIGHT",
    "Span",
    "SpanExpansion",
    "Stretch",
    "admit",
    "begin_step",
    "begin_stretch",
    "dismiss",
    "end_step",
    "follow_average",
    "forget_weights",
    "inflate",
    "is_alone",
    "locate_own",
    "locate_row",
    "margin",
    "margin_of_own",
    "numbers_said",
    "residual",
    "store_row",
    "take_step",
    "variance",
    "variance_of_own",
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

LONGEST_STRETCH = 96
"""So many examples at most: what is done for each of them grows with their number."""

LEASTS = 8
"""So many of the supports that mean least are known, at most."""

FIRST, MANY, PENDING, HAS_OWN, CHANGE, IS_DECIDED, NEXT, OWN = range(8)
"""Places in `Stretch.places`: where the stretch begins in the block, how many examples it has, how
many steps have been taken, whether the least support's own direction is behind the last example,
what the rule is about to do to the supports, and whether it has decided about that before. Then an
example is learned alone, and those from NEXT on to OWN, where the direction is, wait: coordinates
and images follow the change of the span, and need not be found again."""

BASE, RISE = range(2)
"""Of the covariance: by what the stored one is to be multiplied, and what is to be added to its
diagonal, before the steps are taken from it."""

KEPT, OLD_AVERAGE, OLD_CAUTIOUS = range(3)
"""What is left of the stored weights: in those that take steps; and in the average, which is made
of what it was and of what the cautious expert was, and of its steps."""

SMALLEST_PIVOT, LARGEST_ENTRY = 1e-110, 1e200
"""Of a matrix that can be gone on with, for whatever kernel values there may be."""


NOT_KEPT, NOT_KNOWN = -1, -1
"""In the place of a row: of an example that is learned when it is predicted; and of a class."""


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
    matrices = 2
    signed = ("weights",)

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
        rows, columns = min(length, LONGEST_STRETCH) + 1, self.weights.shape[1]

        def shaped(name: str, *shape: int, dtype: Any = float) -> np.ndarray:
            return buffers.shaped(name, dtype, *shape)

        return Stretch(
            np.zeros(8, np.int64),
            shaped("coordinates", rows, slots),
            shaped("images", rows, slots),
            shaped("has_image", rows, dtype=np.bool_),
            shaped("products", rows, rows),
            shaped("covariances", rows, rows),
            shaped("margins", EXPERTS, columns, rows),
            shaped("along", rows, rows),
            shaped("links", rows, rows),
            shaped("taken_by", rows, dtype=np.int64),
            shaped("found_in", rows, 2),
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

    places: np.ndarray  # see FIRST, MANY, PENDING, HAS_OWN, CHANGE, IS_DECIDED
    coordinates: np.ndarray  # (rows, slots): z
    images: np.ndarray  # (rows, slots): the stored P times z, where it is known
    has_image: np.ndarray
    products: np.ndarray  # (rows, rows): z . z'
    covariances: np.ndarray  # (rows, rows): z' P z', where the image of the first is known
    margins: np.ndarray  # (experts, columns, rows): by the weights of now
    along: np.ndarray  # (rows, rows): for each step v, v . z of later examples
    links: np.ndarray  # (rows, rows): how much of each earlier step is taken from v
    taken_by: np.ndarray  # which example each step is of
    found_in: np.ndarray  # (rows, 2): base and rise of the covariance that v was found in
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

    def score_ahead(self) -> None:
        """There is nothing to be scored before coordinates are known."""


# ----------------------------------------------------------------------------------- a stretch


@inlined
def begin_stretch(stretch, first, many):
    """Nothing has been done to weights and covariance."""
    stretch.places[FIRST], stretch.places[MANY] = first, many
    stretch.places[PENDING], stretch.places[HAS_OWN], stretch.places[IS_DECIDED] = 0, 0, 0
    stretch.places[NEXT], stretch.places[OWN] = 0, 0
    stretch.inflation[BASE], stretch.inflation[RISE] = 1, 0
    stretch.left[KEPT], stretch.left[OLD_AVERAGE], stretch.left[OLD_CAUTIOUS] = 1, 1, 0


@inlined
def place(f):
    """Where the current example is in the stretch."""
    return f.ahead.cursor[POSITION] - f.ahead.plan.places[FIRST]


@inlined
def is_alone(f):
    """Whether the stretch is the current example, so that the span may change with it."""
    return f.ahead.plan.places[MANY] == 1


@inlined
def end(f):
    """Behind the last example, and behind the direction that may follow it."""
    return f.ahead.plan.places[MANY] + f.ahead.plan.places[HAS_OWN]


@inlined
def margin(f, e, k):
    """Of an expert for a class."""
    return f.ahead.plan.margins[e, k, place(f)]


@inlined
def residual(f):
    """The current example's squared distance from the span."""
    i = place(f)
    return k_xx(f) - f.ahead.plan.products[i, i]


@inlined
def find_image(f, i):
    """Multiply the covariance by the i-th example of the stretch."""
    stretch, n = f.ahead.plan, size(f)
    z, image = stretch.coordinates[i], stretch.images[i]
    for j in range(n):
        image[j] = dot(f.state.memory.covariance[j], z, n)
    for s in range(i, end(f)):
        stretch.covariances[i, s] = dot(image, stretch.coordinates[s], n)
    stretch.has_image[i] = True


@inlined
def covariances_with(f, i, out):
    """Put z' P z_s into `out`, z being the i-th example, for all s from there on."""
    stretch, last = f.ahead.plan, end(f)
    base, rise = stretch.inflation[BASE], stretch.inflation[RISE]
    if not stretch.has_image[i]:
        find_image(f, i)
    for s in range(i, last):
        out[s] = base * stretch.covariances[i, s] + rise * stretch.products[i, s]
    for p in range(stretch.places[PENDING]):
        axpy(out[i:last], -stretch.gains[p] * stretch.along[p, i], stretch.along[p, i:last])


@inlined
def variance(f):
    """Z' P z for the current example: v = P z may be the next step."""
    i, along = place(f), f.ahead.plan.along[f.ahead.plan.places[PENDING]]
    covariances_with(f, i, along)
    return along[i]


@inlined
def take_step(f, e, k, far):
    """Let an expert go so far along v for a class."""
    stretch, i, p = f.ahead.plan, place(f), f.ahead.plan.places[PENDING]
    stretch.steps[p, e, k] = far
    later = stretch.margins[e, k, i + 1 : end(f)]
    axpy(later, far, stretch.along[p, i + 1 :])
    f.ahead.cursor[EDITS] += 1


@inlined
def begin_step(f):
    """Nobody has gone anywhere along v."""
    f.ahead.plan.steps[f.ahead.plan.places[PENDING]] = 0


@inlined
def end_step(f, gain):
    """Take gain v v' from the covariance."""
    stretch, i, p = f.ahead.plan, place(f), f.ahead.plan.places[PENDING]
    for q in range(p):
        stretch.links[p, q] = stretch.gains[q] * stretch.along[q, i]
    stretch.taken_by[p], stretch.shares[p], stretch.gains[p] = i, 0, gain
    stretch.found_in[p, BASE] = stretch.inflation[BASE]
    stretch.found_in[p, RISE] = stretch.inflation[RISE]
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
    """The weight in the direction that is only the least support's: it is behind the examples."""
    return f.ahead.plan.margins[e, k, f.ahead.plan.places[MANY]]


@inlined
def variance_of_own(f):
    """The variance of that weight."""
    stretch = f.ahead.plan
    i, spare = stretch.places[MANY], stretch.along[stretch.places[PENDING] + 1]
    covariances_with(f, i, spare)
    return spare[i]


@inlined
def volume_of_own(f):
    """1 over the squared distance of the least support from the span of the others."""
    n, total = size(f), 0.0
    for j in range(n):
        total += f.state.memory.inverse[j, f.state.memory.least[0]] ** 2
    return total


# ------------------------------------------------------------------------------ an example alone


@inlined
def locate_row(f):
    """Find the coordinates of the current example, and let it be the stretch."""
    stretch, n, t = f.ahead.plan, size(f), f.ahead.cursor[POSITION]
    k, z = f.ahead.scratch[0], stretch.coordinates[0]
    for i in range(n):
        k[i] = f.ahead.values[f.state.order[i], t]
    for i in range(n):
        z[i] = dot(f.state.memory.inverse[i], k, i + 1)
    begin_stretch(stretch, t, 1)
    find_margins(f)


@inlined
def find_margins(f):
    """Find what does not depend on the covariance, given the example's coordinates."""
    stretch, n, z = f.ahead.plan, size(f), f.ahead.plan.coordinates[0]
    stretch.has_image[0], stretch.products[0, 0] = False, dot(z, z, n)
    for e in range(EXPERTS):
        for k in range(len(stretch.mixed)):
            stretch.margins[e, k, 0] = dot(f.state.memory.weights[e, k], z, n)


@inlined
def locate_own(f):
    """Let the least support's own direction stand behind the example that is alone."""
    stretch, span, n = f.ahead.plan, f.state.memory, size(f)
    own = stretch.coordinates[1]
    for j in range(n):
        own[j] = span.inverse[j, span.least[0]]
    length = sqrt(dot(own, own, n))
    for j in range(n):
        own[j] /= length
    stretch.places[HAS_OWN], stretch.has_image[1] = 1, False
    stretch.products[0, 1], stretch.products[1, 1] = dot(stretch.coordinates[0], own, n), 1
    for e in range(EXPERTS):
        for k in range(len(stretch.mixed)):
            stretch.margins[e, k, 1] = dot(span.weights[e, k], own, n)


@inlined
def store_row(f):
    """Let weights and covariance follow the example that was alone."""
    stretch, span, n = f.ahead.plan, f.state.memory, size(f)
    base, rise = stretch.inflation[BASE], stretch.inflation[RISE]
    step, P = stretch.images[0], span.covariance
    pending = stretch.places[PENDING] > 0
    if pending:
        found_base, found_rise = stretch.found_in[0, BASE], stretch.found_in[0, RISE]
        for j in range(n):
            step[j] = found_base * step[j] + found_rise * stretch.coordinates[0, j]
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
    for s in range(stretch.places[NEXT], stretch.places[OWN]):
        z, image = stretch.coordinates[s], stretch.images[s]
        for j in range(n):
            image[j] = base * image[j] + rise * z[j]
        if pending:
            axpy(image[:n], -stretch.gains[0] * dot(step, z, n), step)


@inlined
def follow_row(f, pending):
    """Let the weights follow."""
    stretch, span, n = f.ahead.plan, f.state.memory, size(f)
    left, step = stretch.left, stretch.images[0]
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


@inlined
def admit(f, squared_distance, first_variance):
    """Make the current example, which is alone, a support: its weights 0, their variance this."""
    span, stretch, n = f.state.memory, f.ahead.plan, size(f)
    M, P, z = span.inverse, span.covariance, stretch.coordinates[0]
    newest, distance = M[n], sqrt(squared_distance)
    for j in range(n):
        newest[j] = 0
    for i in range(n):
        axpy(newest[: i + 1], -z[i] / distance, M[i])
    newest[n] = 1 / distance
    for j in range(n):
        P[n, j] = 0
        P[j, n] = 0
    P[n, n] = first_variance
    span.weights[:, :, n] = 0
    stretch.has_image[0] = False
    stretch.products[0, 0] += squared_distance
    stretch.places[HAS_OWN] = 0
    slot, t = add(f, 0.0), f.ahead.cursor[POSITION]
    for s in range(stretch.places[NEXT], stretch.places[OWN]):
        other, later = stretch.coordinates[s], t + 1 + s - stretch.places[NEXT]
        other[n] = (f.ahead.values[slot, later] - dot(z, other, n)) / distance
        stretch.images[s, n] = first_variance * other[n]
    z[n] = distance


@inlined
def dismiss(f, i):
    """Forget support `i`, the current example being alone.

    Rotations of neighbouring coordinates push M's i-th column down into its last row, which goes.
    """
    span, n = f.state.memory, size(f)
    M, P, cosines, sines = span.inverse, span.covariance, f.ahead.scratch[0], f.ahead.scratch[1]
    for j in range(i, n - 1):
        length = hypot(M[j, i], M[j + 1, i])
        cosines[j] = M[j + 1, i] / length if length > 0 else 1.0
        sines[j] = M[j, i] / length if length > 0 else 0.0
        rotate(M[j], M[j + 1], cosines[j], sines[j], min(j + 2, n))
        rotate(P[j], P[j + 1], cosines[j], sines[j], n)
    rotate_along(P, n, cosines, sines, i, n)
    for e in range(EXPERTS):
        rotate_along(span.weights[e], span.weights.shape[1], cosines, sines, i, n)
    rotate_along(f.ahead.plan.coordinates, 1, cosines, sines, i, n)
    turn_away(f.ahead.plan, cosines, sines, i, n)
    for row in range(n):
        for j in range(i, n - 1):
            M[row, j] = M[row, j + 1]
        M[row, n - 1] = 0
    forget_least(span.least, i)
    remove(f, i)
    find_margins(f)


@inlined
def turn_away(stretch, cosines, sines, first, n):
    """Let the examples that wait follow such rotations, the last coordinate being lost.

    That is the direction whose image is in OWN: what P z has of it goes as well.
    """
    waiting, own = stretch.places[NEXT], stretch.places[OWN]
    if own > waiting:
        rows = own - waiting
        rotate_along(stretch.coordinates[waiting:own], rows, cosines, sines, first, n)
        rotate_along(stretch.images[waiting : own + 1], rows + 1, cosines, sines, first, n)
    for s in range(waiting, own):
        lost = stretch.coordinates[s, n - 1]
        axpy(stretch.images[s, : n - 1], -lost, stretch.images[own])


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
def rotate_along(rows, many, cosines, sines, first, n):
    """Rotate the entries of each row, from the `first` on, against the next one.

    Each waits for the one before: four rows at a time keep the processor busy.
    """
    fours = many - many % 4
    for i in range(0, fours, 4):
        a, b, c, d = rows[i], rows[i + 1], rows[i + 2], rows[i + 3]
        at_a, at_b, at_c, at_d = a[first], b[first], c[first], d[first]
        for j in range(first, n - 1):
            cosine, sine = cosines[j], sines[j]
            to_a, to_b, to_c, to_d = a[j + 1], b[j + 1], c[j + 1], d[j + 1]
            a[j], b[j] = cosine * at_a - sine * to_a, cosine * at_b - sine * to_b
            c[j], d[j] = cosine * at_c - sine * to_c, cosine * at_d - sine * to_d
            at_a, at_b = sine * at_a + cosine * to_a, sine * at_b + cosine * to_b
            at_c, at_d = sine * at_c + cosine * to_c, sine * at_d + cosine * to_d
        a[n - 1], b[n - 1], c[n - 1], d[n - 1] = at_a, at_b, at_c, at_d
    for i in range(fours, many):
        row = rows[i]
        at = row[first]
        for j in range(first, n - 1):
            to = row[j + 1]
            row[j] = cosines[j] * at - sines[j] * to
            at = sines[j] * at + cosines[j] * to
        row[n - 1] = at
