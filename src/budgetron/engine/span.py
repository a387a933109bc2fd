"""A learner whose hypotheses are vectors of weights in the span of its supports."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import solve_triangular
from scipy.linalg.blas import dtrmm

from ..core.buffers import Buffers
from ..core.edits.span import AVERAGE, store_covariance
from ..core.state import LARGEST_NORM, SIZE
from ..core.storage import SparseRows
from ..rules.budgetron import NEAR
from .learner import Learner

__all__ = ["SpanLearner"]

ONE_BY_ONE = 4
"""So many examples are learned faster one by one than by matrix products."""

MOST_PENDING = 32
"""More steps than this are stored in the covariance before the next stretch."""

LONGEST_STRETCH = 96
"""So many at once, at most: each step is corrected by those before it."""

LIKELY_STEP = 0.1
"""An expert is likely to take a step if its margin is at most this far above 1."""


class SpanLearner(Learner):
    """A learner by a rule that keeps a `Span`.

    Its `weights` are those of the experts' common hypothesis, which it predicts with where all of
    them are certain or none is.
    """

    @property
    def weights(self) -> np.ndarray:
        """The supports' weights in the experts' common hypothesis, oldest first."""
        n, span = self.size, self.state.memory
        return span.trust @ span.weights[:, :n] @ span.inverse[:n, :n]

    def settle(self, f: Any, roundoff: float) -> None:
        """Score the block in view, and learn nothing."""
        self._locate(f, 0, len(f.scores))
        super().settle(f, roundoff)

    def solve_ahead(self, f: Any, labels: np.ndarray, buffers: Buffers) -> None:
        """Coordinates are found as the block is walked through."""

    def walk(self, f: Any, labels: np.ndarray, roundoff: float) -> None:
        """Learn the block in view, in stretches of which coordinates are known before.

        A stretch ends when the span changes, for all coordinates change with it.
        """
        if roundoff == np.inf:
            super().walk(f, labels, roundoff)
            return
        labels = np.ascontiguousarray(labels, np.float64)
        t, length, plan = 0, len(labels), f.ahead.plan
        stretch = LONGEST_STRETCH if self.size == self.rule.budget else 2 * ONE_BY_ONE
        while t < length:
            last = min(t + stretch, length)
            plan.located[0] = last - t > ONE_BY_ONE
            if plan.located[0]:
                self._locate(f, t, last)
                self._foresee(f, labels, t, last)
            done = self.walk_part(f, labels, t, last, roundoff)
            if done == length or plan.pending[0] > MOST_PENDING:
                self._store(f)
            stretch = (
                min(2 * stretch, LONGEST_STRETCH) if done == last else max(ONE_BY_ONE, stretch // 2)
            )
            t = done

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
        weights, covariance = span.weights[:, :n] @ M, M.T @ span.covariance[:n, :n] @ M
        K = self.kernel(self.supports, self.supports)
        kept = _independent(K)
        m, left = len(kept), np.setdiff1d(np.arange(n), kept)
        L = np.linalg.cholesky(K[np.ix_(kept, kept)])
        onto = solve_triangular(
            L.T, solve_triangular(L, K[kept], lower=True, check_finite=False), check_finite=False
        )
        span.inverse[:n, :n], span.weights[:, :n], span.covariance[:n, :n] = 0, 0, 0
        span.inverse[:m, :m] = np.tril(solve_triangular(L, np.eye(m), lower=True))
        span.weights[:, :m] = weights @ onto.T @ L
        P = L.T @ (onto @ covariance @ onto.T) @ L
        span.covariance[:m, :m] = (P + P.T) / 2
        if isinstance(state.rows, SparseRows):
            state.rows.lengths[slots[left]] = 0
        state.order[:n] = np.concatenate([slots[kept], slots[left]])
        state.counts[SIZE] = m

    def _locate(self, f: Any, first: int, last: int) -> None:
        """Find the coordinates of the examples `first` to `last - 1`."""
        n = self.size
        Z = f.ahead.plan.coordinates[first:last, :n]
        Z[:] = f.ahead.values[self.slots, first:last].T
        M = self.state.memory.inverse[:n, :n]
        found = dtrmm(1.0, M.T, Z.T, trans_a=True, overwrite_b=True).T if n > 0 else Z
        if not np.may_share_memory(found, Z):
            Z[:] = found

    def _foresee(self, f: Any, labels: np.ndarray, first: int, last: int) -> None:
        """Multiply the covariance by the coordinates of those that will likely change weights."""
        plan, span, n = f.ahead.plan, self.state.memory, self.size
        Z, image_of = plan.coordinates[first:last, :n], plan.image_of[first:last]
        margins = np.copysign(1.0, labels[first:last]) * (span.weights[:AVERAGE, :n] @ Z.T)
        likely = np.flatnonzero(margins.min(axis=0) < 1 + LIKELY_STEP)
        image_of[:] = -1
        if len(likely) > 1:
            image_of[likely] = np.arange(len(likely))
            np.matmul(Z[likely], span.covariance[:n, :n], out=plan.images[: len(likely), :n])

    def _store(self, f: Any) -> None:
        """Store what has happened to the covariance."""
        n, plan, many = self.size, f.ahead.plan, int(f.ahead.plan.pending[0])
        if many > ONE_BY_ONE:
            P, steps = self.state.memory.covariance[:n, :n], plan.steps[:many, :n]
            P -= (plan.gains[:many, None] * steps).T @ steps
            plan.pending[0] = 0
        self.suited(store_covariance, self.rule)(f)


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
