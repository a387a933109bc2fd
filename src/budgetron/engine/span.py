"""A learner whose hypotheses are vectors of weights in the span of its supports."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg.blas import dtrmm

from ..core.buffers import Buffer
from ..core.edits.span import AVERAGE, EXPERTS, Span
from ..core.expansion import Ahead, Kept
from ..core.kernel import Kernel, OwnKernel
from ..core.walk_in_span import judge_all, settle, walk_in, walk_through
from .learner import Learner
from .workspace import Workspace

__all__ = ["SpanLearner"]

FEW = 4
"""So many examples are learned faster one by one than by matrix products."""

MANY = 32
"""More steps than this are stored in the covariance before the next stretch."""

STRETCH = 96
"""So many at once, at most: each step is corrected by those before it."""

NEARLY = 0.1
"""An expert is likely to take a step if its margin is at most this far above 1."""


class Plan(NamedTuple):
    """What is known of a block's examples in coordinates, and what is to be stored after it."""

    coordinates: np.ndarray  # (length, slots)
    images: np.ndarray  # (length, slots): the covariance times coordinates
    known: np.ndarray  # which image is an example's, or -1
    steps: np.ndarray  # (length, slots): v in P - gain v v^T
    gains: np.ndarray
    pending: np.ndarray  # how many of them there are
    waited: np.ndarray  # how the covariance has faded and risen
    margins: np.ndarray  # (experts,): of the current example
    scratch: np.ndarray  # (2, slots)


class SpanView(NamedTuple):
    """The supports and their span, with a block ahead."""

    kernel: Any
    kept: Kept
    ahead: Ahead
    span: Any
    plan: Plan

    @property
    def scores(self) -> np.ndarray:
        """The scores of the block's examples."""
        return self.ahead.scores

    def score_ahead(self) -> None:
        """There is nothing to be scored before coordinates are known."""


class SpanWorkspace(Workspace):
    """Buffers for one block at a time, with coordinates."""

    def __init__(self, width: int, **options: Any) -> None:
        super().__init__(width, **options)
        self._coordinates, self._images, self._steps = Buffer(float), Buffer(float), Buffer(float)
        self._known, self._gains, self._scratch = Buffer(np.int64), Buffer(float), Buffer(float)

    def in_view(  # type: ignore[override]
        self, kernel: Kernel | OwnKernel, kept: Kept, block: Any, events: np.ndarray
    ) -> SpanView:
        """The supports, with the block ahead of them and nothing known of it yet."""
        f = super().in_view(kernel, kept, block, events)
        slots, length = len(kept.order), len(block.norms)
        plan = Plan(
            self._coordinates.shaped(length, slots),
            self._images.shaped(length, slots),
            self._known.shaped(length),
            self._steps.shaped(length, slots),
            self._gains.shaped(length),
            np.zeros(1, np.int64),
            np.array([1.0, 0.0]),
            np.zeros(EXPERTS),
            self._scratch.shaped(2, slots),
        )
        return SpanView(kernel, kept, f.ahead, None, plan)


class SpanLearner(Learner):
    """A learner by a rule that keeps a `Span`.

    Its `weights` are those of the experts' common hypothesis, which it predicts with where all of
    them are certain or none is.
    """

    def __init__(self, rule: Any, kernel: Kernel | OwnKernel, width: int, **options: Any) -> None:
        super().__init__(rule, kernel, width, **options)
        self.span = self._no_span()

    _kind_of_workspace = SpanWorkspace

    def _no_span(self) -> Span:
        rule = self.rule
        return Span.empty((rule.cautious_trust, rule.bold_trust, rule.average_trust))

    def fresh(self, seed: int) -> SpanLearner:
        """One that learns in the same way, has learned nothing, and begins here in the stream."""
        learner: Any = super().fresh(seed)
        learner.span = self._no_span()
        return learner

    def mirrored(self, seed: int) -> SpanLearner:
        """One that has learned the opposite."""
        learner: Any = super().mirrored(seed)
        np.negative(learner.span.weights, out=learner.span.weights)
        return learner

    @property
    def weights(self) -> np.ndarray:
        """The supports' weights in the experts' common hypothesis, oldest first."""
        n, span = self.size, self.span
        return span.trust @ span.weights[:, :n] @ span.inverse[:n, :n]

    def make_room_for(self, examples: int, stored: int) -> None:
        """See to it that so many examples, with so many stored values in all, become supports."""
        super().make_room_for(examples, stored)
        slots = len(self.kept.order)
        if slots > len(self.span.inverse):
            self.span = self.span.grown(slots)

    def settle(self, f: Any, roundoff: float) -> None:
        """Score the block in view, and learn nothing."""
        f = f._replace(span=self.span)
        self._look_ahead(f, 0, len(f.scores))
        self.suited(judge_all)(self.rule, f)

    def solve_ahead(self, f: Any, labels: np.ndarray, room: Buffer) -> None:
        """Coordinates are found as the block is walked through."""

    def walk(self, f: Any, labels: np.ndarray, roundoff: float) -> None:
        """Learn the block in view, in stretches of which coordinates are known before.

        A stretch ends when the span changes, for all coordinates change with it.
        """
        f, labels = f._replace(span=self.span), np.ascontiguousarray(labels, np.float64)
        arguments = self.rule, f, labels, self.zero_is_mistake
        if roundoff == np.inf:
            self.suited(walk_in)(*arguments, np.inf)
            return
        walk = self.suited(walk_through)
        t, length = 0, len(labels)
        stretch = STRETCH if self.size == self.rule.budget else 2 * FEW
        while t < length:
            last = min(t + stretch, length)
            is_known = last - t > FEW
            if is_known:
                self._look_ahead(f, t, last)
                self._foresee(f, labels, t, last)
            done = walk(*arguments, t, last, is_known)
            if done == length or f.plan.pending[0] > MANY:
                self._store(f)
            stretch = min(2 * stretch, STRETCH) if done == last else max(FEW, stretch // 2)
            t = done

    def _look_ahead(self, f: SpanView, first: int, last: int) -> None:
        """Find the coordinates of the examples `first` to `last - 1`."""
        n = self.size
        Z = f.plan.coordinates[first:last, :n]
        Z[:] = f.ahead.values[self.slots, first:last].T
        M = self.span.inverse[:n, :n]
        found = dtrmm(1.0, M.T, Z.T, trans_a=True, overwrite_b=True).T if n > 0 else Z
        if not np.may_share_memory(found, Z):
            Z[:] = found

    def _foresee(self, f: SpanView, labels: np.ndarray, first: int, last: int) -> None:
        """Multiply the covariance by the coordinates of those that will likely change weights."""
        n, Z = self.size, f.plan.coordinates[first:last, : self.size]
        margins = np.copysign(1.0, labels[first:last]) * (self.span.weights[:AVERAGE, :n] @ Z.T)
        likely, known = np.flatnonzero(margins.min(axis=0) < 1 + NEARLY), f.plan.known[first:last]
        known[:] = -1
        if len(likely) > 1:
            known[likely] = np.arange(len(likely))
            image = f.plan.images[: len(likely), :n]
            np.matmul(Z[likely], self.span.covariance[:n, :n], out=image)

    def _store(self, f: SpanView) -> None:
        """Store what has happened to the covariance."""
        n, plan, many = self.size, f.plan, int(f.plan.pending[0])
        if many > FEW:
            P, steps = self.span.covariance[:n, :n], plan.steps[:many, :n]
            P -= (plan.gains[:many, None] * steps).T @ steps
            plan.pending[0] = 0
        self.suited(settle)(f)
