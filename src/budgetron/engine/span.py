"""A learner whose hypotheses are vectors of weights in the span of its supports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import solve_triangular
from scipy.linalg.blas import dsyrk, dtrmm, dtrsm

from ..core.edits.span import (
    AVERAGE,
    CAUTIOUS,
    EXPERTS,
    HAS_OWN,
    JOINED,
    NOT_KNOWN,
    PENDING,
    advance,
    begin_stretch,
    foresee,
    store_joined,
    stretch_length,
)
from ..core.linalg.symmetric import mirror
from ..core.state import LARGEST_NORM, MEMO, SIZE
from ..core.storage import SparseRows
from ..rules.budgetron import HIGHEST, NEAR
from .device import CPU
from .learner import Learner, Solve
from .span_on_device import SpanOnDevice

__all__ = ["Lessons", "SpanLearner"]

ONE_BY_ONE = 4
"""So many examples are learned faster one by one than by matrix products."""

MOST = 0.7
"""Of the slots: if more than this part of them is used, what is wanted is found faster for all."""

TO_COPY = 30
"""To copy an example takes as long as to multiply it by so many rows of a matrix."""

PIECE = 48
"""So many examples at a time are multiplied by those that come after them."""


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

    def come_home(self) -> None:
        """Have M and the covariance here."""
        if self._mirror is not None:
            with self._mirror.lock:
                self._mirror.span.come_home(self.state.memory)

    def _who_multiplies(self, f: Any) -> Any:
        """What has M and the covariance, and lets them follow what is learned."""
        return self if self.device == CPU else SpanOnDevice(self, f)

    def settle(self, f: Any, roundoff: float) -> None:
        """Score the block in view, and learn nothing."""
        matrices = self._who_multiplies(f)
        f.ahead.plan.right[:] = NOT_KNOWN
        length = stretch_length(self.size)
        for first in range(0, len(f.ahead.scores), length):
            last = min(first + length, len(f.ahead.scores))
            matrices.locate(f, first, last)
            self.settle_part(f, first, last, roundoff)

    def solve_ahead(self, f: Any, labels: np.ndarray, solve: Solve) -> None:
        """Coordinates are found as the block is walked through."""

    def walk(self, f: Any, labels: Any, roundoff: float) -> None:
        """Learn the block in view, in stretches of which coordinates are known before.

        Labels are as those of `Learner`, or `Lessons`.
        """
        if isinstance(labels, Lessons):
            plan = f.ahead.plan._replace(kept_in=labels.kept_in, now=labels.now, said=labels.said)
            f = f._replace(ahead=f.ahead._replace(plan=plan))
            plan.right[:] = np.where(np.isnan(labels.labels), NOT_KNOWN, labels.right)
            labels = labels.labels
        labels = np.ascontiguousarray(labels, np.float64)
        if roundoff == np.inf:
            self.come_home()
            self.walk_part(f, labels, 0, len(labels), roundoff)
            return
        first, length, matrices = 0, len(labels), self._who_multiplies(f)
        while first < length:
            last = min(first + stretch_length(self.size), length)
            if self.size == 0:
                last = first + 1
            if last - first > ONE_BY_ONE or (matrices is not self and self.size > 0):
                self._walk_stretch(matrices, f, labels, first, last, roundoff)
            else:
                begin_stretch(f.ahead.plan, first, 1)
                self.walk_part(f, labels, first, last, roundoff)
            first = last

    def _walk_stretch(
        self, matrices: Any, f: Any, labels: np.ndarray, first: int, last: int, roundoff: float
    ) -> None:
        """Learn the examples `first` to `last - 1`."""
        matrices.locate(f, first, last)
        f, t = matrices.view(f), first
        while t < last:
            matrices.foresee(f, labels, t, first, last)
            t = self.walk_part(f, labels, t, last, roundoff)
            self._store(matrices, f)

    def rescale(self, factors: np.ndarray) -> None:
        """Multiply all supports' features; weights of kernel functions stay what they are.

        Supports that are then in the span of those before them leave.
        """
        self.come_home()
        self._descent = None  # no device has these supports
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

    def view(self, f: Any) -> Any:
        """`f` as it is walked through."""
        return f

    def locate(self, f: Any, first: int, last: int) -> None:
        """Find coordinates and margins of the examples `first` to `last - 1`, a new stretch."""
        n, width, many, stretch = self.size, self._width(), last - first, f.ahead.plan
        begin_stretch(stretch, first, many)
        Z = stretch.coordinates[:many, :width]
        Z[:, :n], Z[:, n:] = f.ahead.values[self.slots, first:last].T, 0
        if n > 0:
            M = self.state.memory.inverse[:width, :width]
            found = dtrmm(1.0, M.T, Z.T, trans_a=True, overwrite_b=True).T
            if not np.may_share_memory(found, Z):
                Z[:] = found
        self._find_margins(stretch, 0, many)

    def _width(self) -> int:
        """Of matrices that are worked on: all slots if most are used, so as not to copy them."""
        slots = len(self.state.order)
        return slots if self.size > MOST * slots else self.size

    def _find_margins(self, stretch: Any, first: int, last: int) -> None:
        """Score some examples of the stretch by the weights that are stored."""
        n, weights = self.size, self.state.memory.weights
        Z, all_weights = stretch.coordinates[first:last, :n], EXPERTS * self.columns
        found = weights.reshape(all_weights, weights.shape[2])[:, :n] @ Z.T
        stretch.margins[:, :, first:last] = found.reshape(EXPERTS, self.columns, last - first)

    def foresee(self, f: Any, labels: np.ndarray, t: int, first: int, last: int) -> None:
        """Find what is asked of the covariance by those from `t` on that will likely take a step.

        The least support's own direction stands behind the examples, if it is known.
        """
        stretch, span, n = f.ahead.plan, self.state.memory, self.size
        done, many = t - first, last - first
        if done > 0:
            begin_stretch(stretch, first, many)
            self._find_margins(stretch, done, many)
        stretch.has_image[:many] = False
        fading, level = self.rule.drift / HIGHEST, HIGHEST / self.state.numbers[MEMO]
        wanted = stretch.wanted[: self.call(foresee, f, labels, done, fading, level)]
        here = slice(done, many + int(stretch.places[HAS_OWN]))
        P, Z = span.covariance[:n, :n], stretch.coordinates[:, :n]
        if len(wanted) * (n + TO_COPY) > len(Z[here]) * n:
            np.matmul(Z[here], P, out=stretch.images[here, :n])
            stretch.has_image[here] = True
        else:
            stretch.images[wanted, :n] = Z[wanted] @ P
            stretch.has_image[wanted] = True
        self.call(advance, f, done)
        known = done + np.flatnonzero(stretch.has_image[here])
        for i in range(0, len(known), PIECE):
            rows, later = known[i : i + PIECE], slice(known[i], here.stop)
            stretch.covariances[rows, later] = stretch.advanced[rows, :n] @ Z[later].T

    def call(self, function: Any, *arguments: Any) -> Any:
        """Call a compiled function with such arguments as it always has."""
        return self.machine_code(function, self.rule, arguments)()(*arguments)

    def _store(self, matrices: Any, f: Any) -> None:
        """Let M, the weights and the covariance follow the examples of the stretch."""
        stretch, many = f.ahead.plan, int(f.ahead.plan.places[PENDING])
        kept, old_average, old_cautious = stretch.left.tolist()
        far = stretch.steps[:many].reshape(many, AVERAGE * self.columns)
        by_average = stretch.shares[:many, None] * far[:, : self.columns]
        moves = matrices.store(f, np.hstack([far, by_average]))
        weights = self.state.memory.weights[:, :, : moves.shape[1]]
        weights[AVERAGE] *= old_average
        weights[AVERAGE] += old_cautious * weights[CAUTIOUS]
        weights[:AVERAGE] *= kept
        weights += moves.reshape(weights.shape)

    def store(self, f: Any, far: np.ndarray) -> np.ndarray:
        """Let M and the covariance follow, and say how the weights do, so `far` along each step."""
        stretch, width = f.ahead.plan, self._width()
        steps = self._steps(stretch, len(far), width)
        if stretch.places[JOINED] > ONE_BY_ONE:
            self._extend_inverse(stretch)
        else:
            self.call(store_joined, f)
        self._shrink(stretch, steps, width)
        moves: np.ndarray = far.T @ steps
        return moves

    def _shrink(self, stretch: Any, steps: np.ndarray, width: int) -> None:
        """Let the covariance fade and rise, and take the steps of the cautious expert from it."""
        whole, (base, rise) = self.state.memory.covariance, stretch.inflation.tolist()
        P, gains = whole[:width, :width], stretch.gains[: len(steps)]
        own = np.flatnonzero(gains)
        if len(own) > 0:
            taken = steps[own] * np.sqrt(gains[own, None])
            found = dsyrk(-1.0, taken.T, beta=base, c=P.T, overwrite_c=True).T
            if not np.may_share_memory(found, P):
                P[:] = found
        else:
            P *= base
        self.call(mirror, whole, self.size)
        np.einsum("ii->i", P)[: self.size] += rise

    def _steps(self, stretch: Any, many: int, width: int) -> np.ndarray:
        """All v = P z of the stretch: each is found in what those before have left of P."""
        steps = stretch.advanced[stretch.taken_by[:many], :width]
        steps[:, self.size :] = 0
        links = stretch.links[:many, :many].T
        if many == 0:
            return steps
        return dtrsm(1.0, links, steps.T, side=1, lower=0, diag=1, overwrite_b=True).T

    def _extend_inverse(self, stretch: Any) -> None:
        """Add rows to M for the examples that have become supports.

        With their coordinates (Y, T) in the old span and in the new directions, the inverse of
        (L 0; Y T) is (M 0; -T^-1 Y M, T^-1).
        """
        joined, M, n = int(stretch.places[JOINED]), self.state.memory.inverse, self.size
        old, rows = n - joined, stretch.joined[:joined]
        width = self._width()
        T, Y = np.tril(stretch.coordinates[rows, old:n]), stretch.coordinates[rows, :width]
        Y[:, old:] = 0
        YM = dtrmm(1.0, M[:width, :width].T, Y.T).T[:, :old]
        M[old:n, :old] = -solve_triangular(T, YM, lower=True, check_finite=False)
        M[old:n, old:n] = solve_triangular(T, np.eye(joined), lower=True, check_finite=False)


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
