"""A learner whose hypotheses are vectors of weights in the span of its supports."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import solve_triangular
from scipy.linalg.blas import dgemm, dtrmm, dtrsm

from ..core.buffers import Buffers
from ..core.edits.span import (
    AVERAGE,
    CAUTIOUS,
    CHANGE,
    FIRST,
    HAS_OWN,
    IS_DECIDED,
    KEPT,
    LONGEST_STRETCH,
    MANY,
    NEXT,
    NOT_KNOWN,
    OLD_AVERAGE,
    OLD_CAUTIOUS,
    OWN,
    PENDING,
    begin_stretch,
)
from ..core.state import LARGEST_NORM, SIZE
from ..core.storage import SparseRows
from ..rules.budgetron import NEAR, NOTHING, ROOM_FOR_ONE
from .learner import Learner

__all__ = ["Lessons", "SpanLearner"]

ONE_BY_ONE, SHORT_STRETCH = 4, 8
"""So many examples are learned faster one by one than by matrix products; and the shortest stretch
that is tried after one that was even shorter."""

LIKELY_STEP = 0.1
"""An expert is likely to take a step if its margin is at most this far above 1."""


@dataclass(frozen=True, eq=False)
class Lessons:
    """Labels of a stream, with what is to be known of its examples beside.

    Attributes
    ----------
    labels : ndarray
        As those of `Learner`; of more than two classes, weights.
    right : ndarray of int
        Classes by number, if there are more than two.
    kept_in : ndarray of int
        The row of `said` that is each example's, or NOT_KEPT.
    now : ndarray of shape (n_examples, columns)
        Where it is written down what experts say together when an example is learned.
    said : ndarray
        What was said of examples when they were only looked at: see `edits.span`.
    """

    labels: np.ndarray
    right: np.ndarray
    kept_in: np.ndarray
    now: np.ndarray
    said: np.ndarray

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, here: slice) -> Lessons:
        labels, right, kept_in = self.labels[here], self.right[here], self.kept_in[here]
        return Lessons(labels, right, kept_in, self.now[here], self.said)


class SpanLearner(Learner):
    """A learner by a rule that keeps a `Span`.

    Its `weights` are those of the experts' common hypothesis, which it predicts with where all of
    them are certain or none is.
    """

    @property
    def columns(self) -> int:
        """How many hypotheses each expert has: one for two classes, else one for each."""
        return int(self.rule.columns)

    @property
    def weights(self) -> np.ndarray:
        """The supports' weights in the experts' common hypothesis, oldest first."""
        n, span = self.size, self.state.memory
        common = np.tensordot(span.jury, span.weights[:, :, :n], 1) @ span.inverse[:n, :n]
        return common if self.columns > 1 else common[0]

    def shape_of_scores(self, length: int) -> tuple[int, ...]:
        """The shape of an array with the scores of `length` examples."""
        return (length, self.columns) if self.columns > 1 else (length,)

    def add_class(self, place: int) -> None:
        """Let there be one class more, the `place`-th, of which nothing is known."""
        span, weights = self.state.memory, self.state.memory.weights
        if self.columns == 1:
            weights = np.concatenate([-weights, weights], axis=1)
        weights = np.insert(weights, place, 0.0, axis=1)
        self.rule = self.rule._replace(columns=weights.shape[1])
        self.state = self.state._replace(memory=span._replace(weights=weights))

    def settle(self, f: Any, roundoff: float) -> None:
        """Score the block in view, and learn nothing."""
        f.ahead.plan.right[:] = NOT_KNOWN
        for first in range(0, len(f.ahead.scores), LONGEST_STRETCH):
            last = min(first + LONGEST_STRETCH, len(f.ahead.scores))
            self._locate(f, first, last)
            self.settle_part(f, first, last, roundoff)

    def solve_ahead(self, f: Any, labels: np.ndarray, buffers: Buffers) -> None:
        """Coordinates are found as the block is walked through."""

    def walk(self, f: Any, labels: Any, roundoff: float) -> None:
        """Learn the block in view, in stretches of which coordinates are known before.

        A stretch ends at an example with which the span may change, which is learned alone. Labels
        are as those of `Learner`, or `Lessons`.
        """
        if isinstance(labels, Lessons):
            plan = f.ahead.plan._replace(kept_in=labels.kept_in, now=labels.now, said=labels.said)
            f = f._replace(ahead=f.ahead._replace(plan=plan))
            plan.right[:] = np.where(np.isnan(labels.labels), NOT_KNOWN, labels.right)
            labels = labels.labels
        labels = np.ascontiguousarray(labels, np.float64)
        if roundoff == np.inf:
            self.walk_part(f, labels, 0, len(labels), roundoff)
            return
        t, length = 0, len(labels)
        stretch = SHORT_STRETCH
        while t < length:
            if self.size == self.rule.budget:
                stretch = LONGEST_STRETCH
            first, last = t, min(t + stretch, length)
            if last - first > ONE_BY_ONE:
                self._locate(f, first, last)
                self._foresee(f, labels, first, last)
                t = self._walk_stretch(f, labels, first, last, roundoff)
            else:
                begin_stretch(f.ahead.plan, first, 1)
                t = self.walk_part(f, labels, first, last, roundoff)
            stretch = min(max(2 * (t - first), SHORT_STRETCH), LONGEST_STRETCH)

    def _walk_stretch(
        self, f: Any, labels: np.ndarray, first: int, last: int, roundoff: float
    ) -> int:
        """Learn the examples `first` to `last - 1`, and say where it ended.

        As long as the rule knows what it does to the supports, what is known of later examples
        follows, and the stretch goes on.
        """
        t = first
        while True:
            t = self.walk_part(f, labels, t, last, roundoff)
            self._store(f, t - first)
            if t == last:
                return t
            goes_on = self._leave_alone(f, t)
            t = self.walk_part(f, labels, t, t + 1, roundoff)
            if not goes_on or t == last:
                return t
            self._go_on(f, first, t, last)

    def _leave_alone(self, f: Any, t: int) -> bool:
        """Let the example that ended a stretch be one by itself; whether the others may wait."""
        stretch, n = f.ahead.plan, self.size
        i, many = t - int(stretch.places[FIRST]), int(stretch.places[MANY])
        change, has_own = int(stretch.places[CHANGE]), bool(stretch.places[HAS_OWN])
        goes_on = change == ROOM_FOR_ONE or (change != NOTHING and has_own)
        goes_on = goes_on and self._is_foreseen(stretch, i)
        stretch.coordinates[0, :n] = stretch.coordinates[i, :n]
        margins = stretch.margins[:, :, i].copy()
        stretch.margins[:, :, 0], stretch.products[0, 0] = margins, stretch.products[i, i]
        begin_stretch(stretch, t, 1)
        stretch.places[IS_DECIDED] = change != NOTHING
        if goes_on:
            stretch.places[[NEXT, OWN]] = i + 1, many
        return goes_on

    def _is_foreseen(self, stretch: Any, done: int) -> bool:
        """Whether there are examples from there on, and the images of all of them are known."""
        rest = stretch.has_image[done : stretch.places[MANY]]
        return len(rest) > 0 and bool(rest.all())

    def _go_on(self, f: Any, first: int, t: int, last: int) -> None:
        """Let the stretch be what has waited."""
        stretch, span, n = f.ahead.plan, self.state.memory, self.size
        i, many = t - first, last - first
        begin_stretch(stretch, first, many)
        rest = slice(i, many)
        Z, images = stretch.coordinates[rest, :n], stretch.images[rest, :n]
        stretch.margins[:, :, rest] = span.weights[:, :, :n] @ Z.T
        stretch.products[rest, rest], stretch.covariances[rest, rest] = Z @ Z.T, images @ Z.T
        stretch.has_image[rest] = True
        self._find_own(f, i, many)

    def rescale(self, factors: np.ndarray) -> None:
        """Multiply all supports' features; weights of kernel functions stay what they are.

        Supports that are then in the span of those before them leave.
        """
        n, state, span = self.size, self.state, self.state.memory
        slots = self.slots.copy()
        state.rows.rescale(slots, factors)
        if n == 0:
            return
        state.numbers[LARGEST_NORM] = max(
            state.numbers[LARGEST_NORM], state.rows.norms[slots].max()
        )
        M = span.inverse[:n, :n]
        weights, covariance = span.weights[:, :, :n] @ M, M.T @ span.covariance[:n, :n] @ M
        K = self.kernel(self.supports, self.supports)
        kept = _independent(K)
        m, left = len(kept), np.setdiff1d(np.arange(n), kept)
        L = np.linalg.cholesky(K[np.ix_(kept, kept)])
        onto = solve_triangular(
            L.T, solve_triangular(L, K[kept], lower=True, check_finite=False), check_finite=False
        )
        span.inverse[:n, :n], span.weights[:, :, :n], span.covariance[:n, :n] = 0, 0, 0
        span.inverse[:m, :m] = np.tril(solve_triangular(L, np.eye(m), lower=True))
        span.weights[:, :, :m] = weights @ onto.T @ L
        P = L.T @ (onto @ covariance @ onto.T) @ L
        span.covariance[:m, :m] = (P + P.T) / 2
        if isinstance(state.rows, SparseRows):
            state.rows.lengths[slots[left]] = 0
        state.order[:n] = np.concatenate([slots[kept], slots[left]])
        state.counts[SIZE], span.least[:] = m, -1

    def _locate(self, f: Any, first: int, last: int) -> None:
        """Begin a stretch: find coordinates and margins of the examples `first` to `last - 1`."""
        n, many, span, stretch = self.size, last - first, self.state.memory, f.ahead.plan
        begin_stretch(stretch, first, many)
        Z = stretch.coordinates[:many, :n]
        Z[:] = f.ahead.values[self.slots, first:last].T
        if n > 0:
            found = dtrmm(1.0, span.inverse[:n, :n].T, Z.T, trans_a=True, overwrite_b=True).T
            if not np.may_share_memory(found, Z):
                Z[:] = found
        stretch.margins[:, :, :many] = span.weights[:, :, :n] @ Z.T

    def _foresee(self, f: Any, labels: np.ndarray, first: int, last: int) -> None:
        """Multiply the covariance by the coordinates of those that will likely change weights."""
        stretch, many = f.ahead.plan, last - first
        likely = self._likely(stretch, labels[first:last])
        Z, P = stretch.coordinates[:many, : self.size], self.state.memory.covariance
        P = P[: self.size, : self.size]
        np.matmul(Z, Z.T, out=stretch.products[:many, :many])
        if 2 * np.count_nonzero(likely) > many:
            stretch.has_image[:many] = True
            images = np.matmul(Z, P, out=stretch.images[:many, : self.size])
            np.matmul(images, Z.T, out=stretch.covariances[:many, :many])
        else:
            some, stretch.has_image[:many] = np.flatnonzero(likely), likely
            images = stretch.images[some, : self.size] = Z[some] @ P
            stretch.covariances[some, :many] = images @ Z.T
        self._find_own(f, 0, many)

    def _find_own(self, f: Any, first: int, many: int) -> None:
        """Let the direction that is only the least support's stand behind the examples."""
        stretch, span, n = f.ahead.plan, self.state.memory, self.size
        least = int(span.least[0])
        if least >= 0:
            own, direction = span.inverse[:n, least], stretch.coordinates[many, :n]
            np.divide(own, math.sqrt(own @ own), out=direction)
            image = stretch.images[many, :n] = span.covariance[:n, :n] @ direction
            Z = stretch.coordinates[first : many + 1, :n]
            stretch.margins[:, :, many] = span.weights[:, :, :n] @ direction
            stretch.products[first : many + 1, many] = Z @ direction
            stretch.covariances[first : many + 1, many] = Z @ image
            stretch.has_image[many], stretch.places[HAS_OWN] = True, 1

    def _likely(self, stretch: Any, labels: np.ndarray) -> np.ndarray:
        """Which of them an expert will likely take a step with."""
        many, likely = len(labels), np.zeros(len(labels), bool)
        margins = stretch.margins[:AVERAGE, :, :many]
        if self.columns == 1:
            lowest = (np.copysign(1.0, labels) * margins[:, 0]).min(axis=0)
        else:
            first, rows = stretch.places[FIRST], np.arange(many)
            right = stretch.right[first : first + many]
            signed = -margins
            signed[:, right, rows] *= -1
            lowest = signed.min(axis=(0, 1))
        np.less(lowest, 1 + LIKELY_STEP, out=likely, where=labels == labels)
        return likely

    def _store(self, f: Any, done: int) -> None:
        """Let weights and covariance follow the examples of the stretch.

        So do the images of those that are not done yet, and that of the direction behind them.
        """
        stretch, span, n = f.ahead.plan, self.state.memory, self.size
        many, left = int(stretch.places[PENDING]), stretch.left
        weights, P, (base, rise) = span.weights, span.covariance, stretch.inflation.tolist()
        if n < weights.shape[2]:
            weights, P = weights[:, :, :n], P[:n, :n]
        rest = slice(done, int(stretch.places[MANY] + stretch.places[HAS_OWN]))
        images, waits = stretch.images[rest, :n], self._is_foreseen(stretch, done)
        if waits:
            images *= base
            images += rise * stretch.coordinates[rest, :n]
        average = weights[AVERAGE]
        average *= left[OLD_AVERAGE]
        average += left[OLD_CAUTIOUS] * weights[CAUTIOUS]
        weights[:AVERAGE] *= left[KEPT]
        if many == 0:
            P *= base
        else:
            steps, far = self._steps(stretch, many), stretch.steps[:many]
            average += (stretch.shares[:many, None] * far[:, CAUTIOUS]).T @ steps
            weights[:AVERAGE] += (far.reshape(many, -1).T @ steps).reshape(AVERAGE, -1, n)
            found = dgemm(
                *(-1.0, (stretch.gains[:many, None] * steps).T, steps.T),
                beta=base,
                c=P.T,
                trans_b=True,
                overwrite_c=True,
            ).T
            if not np.may_share_memory(found, P):
                P[:] = found
            if waits:
                images -= (stretch.along[:many, rest] * stretch.gains[:many, None]).T @ steps
        np.einsum("ii->i", P)[:] += rise

    def _steps(self, stretch: Any, many: int) -> np.ndarray:
        """All v = P z of the stretch: each is found in what those before have left of P."""
        taken_by, found_in = stretch.taken_by[:many], stretch.found_in[:many]
        steps = stretch.images[taken_by, : self.size]
        steps *= found_in[:, :1]
        steps += found_in[:, 1:] * stretch.coordinates[taken_by, : self.size]
        links = stretch.links[:many, :many].T
        return dtrsm(1.0, links, steps.T, side=1, lower=0, diag=1, overwrite_b=True).T


def _independent(K: np.ndarray) -> np.ndarray:
    """Those that are far from the span of the ones before them, given their kernel matrix."""
    L = np.zeros_like(K)
    kept: list[int] = []
    for i in range(len(K)):
        m = len(kept)
        z = solve_triangular(L[:m, :m], K[i][kept], lower=True, check_finite=False)
        distance = K[i, i] - z @ z
        if distance > NEAR * K[i, i]:
            L[m, :m], L[m, m] = z, np.sqrt(distance)
            kept.append(i)
    return np.array(kept)
