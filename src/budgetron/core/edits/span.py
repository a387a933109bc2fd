"""The span of the supports, in orthonormal coordinates.

With K = L L^T the supports' kernel matrix and M = L^-1, the coordinates of an example x are
z = M k, where k_i = k(x_i, x): inner products of coordinates are those of the projections onto the
span, and |z|^2 is short of k(x, x) by the squared distance from it, the *residual*. A hypothesis in
the span is a vector of weights w, with f(x) = w . z, and any linear learner can be run on z.

M is lower triangular, its rows and columns from the oldest support to the newest. A newcomer adds a
coordinate. A support that leaves takes one with it: rotations turn all others away from it, and
whatever is in the same coordinates follows.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator
from math import hypot, sqrt
from typing import Any, NamedTuple

import numpy as np

from ..buffers import Buffers
from ..compiled import compiled_in_place, inlined, inlined_reassociated
from ..linalg.vectors import axpy, dot, rotate
from ..memory import SOLVED, Memory, Shapes
from ..state import MEMO, POSITION, SEEN, SIZE, LookAhead, State
from .supports import add, k_xx, remove, size

__all__ = [
    "AGES",
    "AVERAGE",
    "BEGAN",
    "BOLD",
    "CAUTIOUS",
    "DOUBT",
    "EXPERTS",
    "LEARNED",
    "LOSS",
    "NO_RECORD",
    "ROSE",
    "WEIGHT",
    "Span",
    "SpanExpansion",
    "SpanPlan",
    "admit",
    "coordinates",
    "cov_downdate",
    "cov_flush",
    "cov_matvec",
    "dismiss",
    "inflate",
    "only_of",
    "residual",
    "store_covariance",
]

CAUTIOUS, BOLD, AVERAGE = range(3)
EXPERTS = 3
"""As many hypotheses are kept; the average is that of the first, and takes no steps."""

LEARNED, ROSE, BEGAN = range(3)
AGES = 3
"""Examples learned: until now, until the covariance rose last, until the average began."""

DOUBT, LOSS, WEIGHT = range(3)
NO_RECORD = 0.0, 1.0, 1.0
"""By how much predictions have been worse than none, their loss and weight: one of nothing."""

FADE, RISE = range(2)
FAINTEST = 1e-3
"""What is stored of the covariance fades no further than this before it is stored anew."""

SMALLEST_PIVOT, LARGEST_ENTRY = 1e-110, 1e200
"""Of a matrix that can be gone on with, for whatever kernel values there may be."""


class Span(
    namedtuple("Span", "inverse weights covariance trust losses mistakes ages record restarts"),
    Memory,
):
    """What is kept in coordinates.

    M, (slots, slots); weights of each expert, (experts, slots); their covariance P, (slots, slots).
    Of the experts: the trust in each, which adds up to 1, losses and mistakes so far. How many
    examples have been learned, and had been at certain times; how predictions have been since it
    began, or began anew; how often all but the supports has been forgotten, (1,).
    """

    weight_error = SOLVED
    makes_room_first = True
    long_blocks = True
    matrices = 2
    signed = ("weights",)

    @classmethod
    def shapes(cls, rule: Any, slots: int) -> Shapes:
        """Two matrices, a vector for each expert, and what does not grow."""
        own = (EXPERTS,)
        square = (slots, slots)
        return square, (EXPERTS, slots), square, own, own, own, (AGES,), (len(NO_RECORD),), (1,)

    @classmethod
    def empty(cls, rule: Any) -> Any:
        """No coordinates yet, and the trust that the experts begin with."""
        zeros = super().empty(rule)
        return zeros._replace(
            trust=np.array([rule.cautious_trust, rule.bold_trust, rule.average_trust]),
            mistakes=np.zeros(EXPERTS, np.int64),
            ages=np.zeros(AGES, np.int64),
            record=np.array(NO_RECORD),
            restarts=np.zeros(1, np.int64),
        )

    @classmethod
    def plan(cls, buffers: Buffers, slots: int, length: int) -> SpanPlan:
        """Coordinates, none of which is known."""
        return SpanPlan(
            buffers.shaped("coordinates", float, length, slots),
            np.zeros(1, np.int64),
            buffers.shaped("images", float, length, slots),
            buffers.shaped("image_of", np.int64, length),
            buffers.shaped("steps", float, length, slots),
            buffers.shaped("gains", float, length),
            np.zeros(1, np.int64),
            np.array([1.0, 0.0]),
            np.zeros(EXPERTS),
        )

    @classmethod
    def scratch_rows(cls, slots: int) -> int:
        """Two."""
        return 2

    def demands(self: Any, state: Any) -> Iterator[tuple[bool, str]]:
        """A filter that can go on."""
        n, seen = int(state.counts[SIZE]), int(state.counts[SEEN])
        pivots = np.abs(np.diagonal(self.inverse)[:n])
        yield bool((pivots >= SMALLEST_PIVOT).all()), "the factor's inverse is singular"
        yield bool((np.diagonal(self.covariance) >= 0).all()), "a variance is negative"
        largest = max(np.abs(array).max(initial=0) for array in self[:3])
        yield bool(largest <= LARGEST_ENTRY), "a matrix or a weight is too large"
        yield bool((self.trust >= 0).all()), "trust is negative"
        yield bool(abs(self.trust.sum() - 1) < 1e-6), "the trust does not add up to 1"
        yield bool((self.losses >= 0).all() and (self.record >= 0).all()), "a loss is negative"
        learned, *earlier = self.ages.tolist()
        ages = 0 <= min(earlier) <= max(earlier) <= learned <= seen
        yield ages, "the ages are not those of the stream"
        yield bool(0 <= self.restarts[0] <= learned), "it has begun anew too often"
        yield bool(self.record[WEIGHT] >= 1), "the record has no weight"
        own = (self.mistakes >= 0) & (self.mistakes <= learned)
        yield bool(own.all()), "an expert has made too many mistakes"
        yield bool(n == 0 or state.numbers[MEMO] > 0), "the scale of the kernel is not positive"


class SpanPlan(NamedTuple):
    """What is known of a block's examples in coordinates, and what is to be stored after it."""

    coordinates: np.ndarray  # (length, slots)
    located: np.ndarray  # (1,): whether they are known for the whole stretch
    images: np.ndarray  # (length, slots): the covariance times coordinates
    image_of: np.ndarray  # which image is an example's, or -1
    steps: np.ndarray  # (length, slots): v in P - gain v v^T
    gains: np.ndarray
    pending: np.ndarray  # how many of them there are
    inflation: np.ndarray  # how the covariance has faded and risen
    margins: np.ndarray  # (experts,): of the current example


class SpanExpansion(NamedTuple):
    """The experts' hypotheses, as the rule sees them in the middle of the stream."""

    kernel: Any
    state: State
    ahead: LookAhead

    @property
    def scores(self) -> np.ndarray:
        """The scores of the block's examples."""
        return self.ahead.scores

    def score_ahead(self) -> None:
        """There is nothing to be scored before coordinates are known."""


@inlined
def coordinates(f):
    """Find the coordinates of the current example."""
    state, t, n = f.state, f.ahead.cursor[POSITION], size(f)
    k, z = f.ahead.scratch[0], f.ahead.plan.coordinates[t]
    for i in range(n):
        k[i] = f.ahead.values[state.order[i], t]
    for i in range(n):
        z[i] = dot(f.state.memory.inverse[i], k, i + 1)


@inlined
def residual(f):
    """The current example's squared distance from the span."""
    z = f.ahead.plan.coordinates[f.ahead.cursor[POSITION]]
    return k_xx(f) - dot(z, z, size(f))


@inlined
def only_of(f, i, out):
    """The direction that is lost with support `i`: M's i-th column, of length 1 / its distance."""
    length = 0.0
    for j in range(size(f)):
        out[j] = f.state.memory.inverse[j, i]
        length += out[j] * out[j]
    length = sqrt(length)
    for j in range(size(f)):
        out[j] /= length
    return length


@inlined
def admit(f, squared_distance, variance):
    """Make the current example a support, its weights 0 and their variance this."""
    span, n, t = f.state.memory, size(f), f.ahead.cursor[POSITION]
    M, P, z = span.inverse, span.covariance, f.ahead.plan.coordinates[t]
    newest, distance = M[n], sqrt(squared_distance)
    for j in range(n):
        newest[j] = 0
    for i in range(n):
        axpy(newest[: i + 1], -z[i] / distance, M[i])
    newest[n] = 1 / distance
    for j in range(n):
        P[n, j] = 0
        P[j, n] = 0
    P[n, n] = variance
    f.ahead.plan.image_of[t] = -1
    for e in range(len(span.weights)):
        span.weights[e, n] = 0
    z[n] = distance
    add(f, 0.0)


@inlined
def dismiss(f, i):
    """Forget support `i`.

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
    rotate_along(span.weights, len(span.weights), cosines, sines, i, n)
    for row in range(n):
        for j in range(i, n - 1):
            M[row, j] = M[row, j + 1]
        M[row, n - 1] = 0
    remove(f, i)


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


@inlined
def cov_matvec(f, vector, known, out):
    """P times a vector, for the covariance P.

    Since P was stored, it has become fade (P + rise I - sum_p gain_p v_p v_p^T). If the stored one
    has been multiplied by the vector before, it is `known` where the product is.
    """
    plan, n = f.ahead.plan, size(f)
    if known >= 0:
        for j in range(n):
            out[j] = plan.images[known, j]
    else:
        for j in range(n):
            out[j] = dot(f.state.memory.covariance[j], vector, n)
    axpy(out[:n], plan.inflation[RISE], vector)
    subtract_outer(plan.steps, plan.gains, plan.pending[0], vector, out, n)
    for j in range(n):
        out[j] *= plan.inflation[FADE]


@inlined_reassociated
def subtract_outer(steps, gains, many, vector, out, n):
    """Take sum_p gain_p v_p (v_p . vector) from `out`, four at a time."""
    fours = many - many % 4
    for p in range(0, fours, 4):
        a, b, c, d = steps[p], steps[p + 1], steps[p + 2], steps[p + 3]
        on_a, on_b, on_c, on_d = 0.0, 0.0, 0.0, 0.0
        for j in range(n):
            x = vector[j]
            on_a += a[j] * x
            on_b += b[j] * x
            on_c += c[j] * x
            on_d += d[j] * x
        on_a, on_b = gains[p] * on_a, gains[p + 1] * on_b
        on_c, on_d = gains[p + 2] * on_c, gains[p + 3] * on_d
        for j in range(n):
            out[j] -= (on_a * a[j] + on_b * b[j]) + (on_c * c[j] + on_d * d[j])
    for p in range(fours, many):
        axpy(out[:n], -gains[p] * dot(steps[p], vector, n), steps[p])


@inlined
def inflate(f, fade, level):
    """Let the covariance fade, and rise towards the level: fade P + (1 - fade) level I.

    After a long time so little is left of what is stored that it is stored anew, and what was known
    of it is not known any more.
    """
    inflation, P, n = f.ahead.plan.inflation, f.state.memory.covariance, size(f)
    if inflation[FADE] * fade > FAINTEST:
        inflation[FADE] *= fade
        inflation[RISE] += (1 - fade) * level / inflation[FADE]
        return
    cov_flush(f)
    f.ahead.plan.image_of[:] = -1
    for i in range(n):
        for j in range(n):
            P[i, j] *= fade
        P[i, i] += (1 - fade) * level


@inlined
def cov_downdate(f, gain):
    """Take gain v v^T from the covariance, v being the vector that was put into the next step."""
    plan = f.ahead.plan
    plan.gains[plan.pending[0]] = gain / plan.inflation[FADE]
    plan.pending[0] += 1


@inlined_reassociated
def cov_flush(f):
    """Store what has happened to the covariance."""
    plan, n, P = f.ahead.plan, size(f), f.state.memory.covariance
    fade = plan.inflation[FADE]
    for i in range(n):
        row = P[i]
        row[i] += plan.inflation[RISE]
        for p in range(plan.pending[0]):
            step = plan.steps[p]
            axpy(row[:n], -plan.gains[p] * step[i], step)
        for j in range(n):
            row[j] *= fade
    plan.inflation[FADE], plan.inflation[RISE] = 1, 0
    plan.pending[0] = 0


@compiled_in_place
def store_covariance(f):
    """The same, from Python."""
    cov_flush(f)
