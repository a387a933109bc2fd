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

from math import hypot, sqrt
from typing import Any, NamedTuple

import numpy as np

from ..compiled import inlined, inlined_reassociated
from ..expansion import POSITION, add, correct, own_value, remove, size
from .projection import dot, rotate

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
    "admit",
    "dismiss",
    "locate",
    "only_of",
    "residual",
    "settle_covariance",
    "sharpen",
    "spread",
    "wait",
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


class Span(NamedTuple):
    """What is kept in coordinates."""

    inverse: np.ndarray  # M, (slots, slots)
    weights: np.ndarray  # (experts, slots)
    covariance: np.ndarray  # P, (slots, slots)
    trust: np.ndarray  # (experts,), adds up to 1
    losses: np.ndarray  # (experts,), so far
    mistakes: np.ndarray  # (experts,), so far
    ages: np.ndarray  # how many examples have been learned, and had been at certain times
    record: np.ndarray  # how predictions have been since it began, or began anew
    restarts: np.ndarray  # (1,), how often all but the supports has been forgotten

    @classmethod
    def empty(cls, trust: Any) -> Span:
        """No coordinates yet; trust is what the experts begin with."""
        return cls(
            inverse=np.zeros((0, 0)),
            weights=np.zeros((len(trust), 0)),
            covariance=np.zeros((0, 0)),
            trust=np.array(trust, float),
            losses=np.zeros(len(trust)),
            mistakes=np.zeros(len(trust), np.int64),
            ages=np.zeros(AGES, np.int64),
            record=np.array(NO_RECORD),
            restarts=np.zeros(1, np.int64),
        )

    def grown(self, slots: int) -> Span:
        """The same with room for so many coordinates."""
        more = slots - len(self.inverse)
        square = (0, more), (0, more)
        return self._replace(
            inverse=np.pad(self.inverse, square),
            weights=np.pad(self.weights, ((0, 0), (0, more))),
            covariance=np.pad(self.covariance, square),
        )

    def trimmed(self, slots: int) -> Span:
        """The same without the room beyond."""
        return self._replace(
            inverse=self.inverse[:slots, :slots],
            weights=self.weights[:, :slots],
            covariance=self.covariance[:slots, :slots],
        )


@inlined
def locate(f):
    """Find the coordinates of the current example."""
    kept, t, n = f.kept, f.kept.counts[POSITION], size(f)
    k, z = f.plan.scratch[0], f.plan.coordinates[t]
    for i in range(n):
        k[i] = f.ahead.values[kept.order[i], t]
    for i in range(n):
        z[i] = dot(f.span.inverse[i], k, i + 1)


@inlined
def residual(f):
    """The current example's squared distance from the span."""
    z = f.plan.coordinates[f.kept.counts[POSITION]]
    return own_value(f) - dot(z, z, size(f))


@inlined
def only_of(f, i, out):
    """The direction that is lost with support `i`: M's i-th column, of length 1 / its distance."""
    length = 0.0
    for j in range(size(f)):
        out[j] = f.span.inverse[j, i]
        length += out[j] * out[j]
    length = sqrt(length)
    for j in range(size(f)):
        out[j] /= length
    return length


@inlined
def admit(f, squared_distance, variance):
    """Make the current example a support, its weights 0 and their variance this."""
    span, n, t = f.span, size(f), f.kept.counts[POSITION]
    M, P, z = span.inverse, span.covariance, f.plan.coordinates[t]
    newest, distance = M[n], sqrt(squared_distance)
    for j in range(n):
        newest[j] = 0
    for i in range(n):
        correct(newest[: i + 1], -z[i] / distance, M[i])
    newest[n] = 1 / distance
    for j in range(n):
        P[n, j] = 0
        P[j, n] = 0
    P[n, n] = variance
    f.plan.known[t] = -1
    for e in range(len(span.weights)):
        span.weights[e, n] = 0
    z[n] = distance
    add(f, 0.0)


@inlined
def dismiss(f, i):
    """Forget support `i`.

    Rotations of neighbouring coordinates push M's i-th column down into its last row, which goes.
    """
    span, n = f.span, size(f)
    M, P, cosines, sines = span.inverse, span.covariance, f.plan.scratch[0], f.plan.scratch[1]
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
def spread(f, vector, known, out):
    """P times a vector, for the covariance P.

    Since P was stored, it has become fade (P + rise I - sum_p gain_p v_p v_p^T). If the stored one
    has been multiplied by the vector before, it is `known` where the product is.
    """
    plan, n = f.plan, size(f)
    if known >= 0:
        for j in range(n):
            out[j] = plan.images[known, j]
    else:
        for j in range(n):
            out[j] = dot(f.span.covariance[j], vector, n)
    correct(out[:n], plan.waited[RISE], vector)
    sharpened(plan.steps, plan.gains, plan.pending[0], vector, out, n)
    for j in range(n):
        out[j] *= plan.waited[FADE]


@inlined_reassociated
def sharpened(steps, gains, many, vector, out, n):
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
        correct(out[:n], -gains[p] * dot(steps[p], vector, n), steps[p])


@inlined
def wait(f, fade, level):
    """Let the covariance fade, and rise towards the level: fade P + (1 - fade) level I.

    After a long time so little is left of what is stored that it is stored anew, and what was known
    of it is not known any more.
    """
    waited, P, n = f.plan.waited, f.span.covariance, size(f)
    if waited[FADE] * fade > FAINTEST:
        waited[FADE] *= fade
        waited[RISE] += (1 - fade) * level / waited[FADE]
        return
    settle_covariance(f)
    f.plan.known[:] = -1
    for i in range(n):
        for j in range(n):
            P[i, j] *= fade
        P[i, i] += (1 - fade) * level


@inlined
def sharpen(f, gain):
    """Take gain v v^T from the covariance, v being what was spread into the next step."""
    plan = f.plan
    plan.gains[plan.pending[0]] = gain / plan.waited[FADE]
    plan.pending[0] += 1


@inlined_reassociated
def settle_covariance(f):
    """Store what has happened to the covariance."""
    plan, n, P = f.plan, size(f), f.span.covariance
    fade = plan.waited[FADE]
    for i in range(n):
        row = P[i]
        row[i] += plan.waited[RISE]
        for p in range(plan.pending[0]):
            step = plan.steps[p]
            correct(row[:n], -plan.gains[p] * step[i], step)
        for j in range(n):
            row[j] *= fade
    plan.waited[FADE], plan.waited[RISE] = 1, 0
    plan.pending[0] = 0
