"""Room to look ahead in: the buffers that a learner works with and does not keep."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.blocks import DenseBlocks, SparseBlocks
from ..core.buffers import Buffers
from ..core.edits.random_features import FeatureExpansion, Features, RandomFeatures, featurize
from ..core.edits.span import Span, SpanExpansion
from ..core.kernel import Kernel, OwnKernel, Rows
from ..core.multiclass import ClassScores, JointExpansion
from ..core.shared import SharedExpansion, Turns
from ..core.state import OLDEST, WEIGHT_ERROR, Expansion, LookAhead, NoPast, Past, State

__all__ = ["View", "Workspace"]

NO_PAST = NoPast()

MANY_SLOTS, ROOM_TO_LEAVE = 4096, 512
"""To move so many takes as long as all else when somebody leaves; and so many may leave."""

View = Expansion | JointExpansion | SharedExpansion | SpanExpansion | FeatureExpansion


class Workspace:
    """Buffers for one block at a time; of many classes, shared by machines or of a single one.

    Rows are kept in one dtype, and their kernel values in another if that is `evaluated`.
    """

    def __init__(
        self,
        width: int,
        *,
        sparse: bool,
        dtype: np.dtype[Any],
        evaluated: np.dtype[Any] | None = None,
        shared: bool = False,
    ) -> None:
        self._dtype, self._shared = evaluated or dtype, shared
        self._blocks = (SparseBlocks if sparse else DenseBlocks)(width, dtype, self._dtype)
        self._featurized: tuple[Any, Any] = None, None
        self._room: tuple[np.ndarray, ...] = ()
        self._room_for: Any = None
        self.buffers = Buffers()

    def cut(self, X: Rows, first: int, last: int) -> Any:
        """The block of the examples `first` to `last - 1`."""
        return self._blocks.cut(X, first, last)

    def view(
        self,
        kernel: Kernel | OwnKernel,
        state: State,
        block: Any,
        events: np.ndarray,
        past: Past | NoPast = NO_PAST,
    ) -> Any:
        """f, with the block ahead of it, none of its examples scored yet."""
        memory, length = state.memory, len(block.norms)
        room_for = type(memory), length, state.weights.shape
        if self._room_for != room_for:
            self._room, self._room_for = self._new_room(state, length), room_for
        values, scores, masses, errors, pending, column, scratch, cursor, bounds = self._room
        masses[:], cursor[OLDEST] = np.inf, 0
        plan = memory.plan(self.buffers, len(state.order), length)
        ahead = LookAhead(
            *(block, values, scores, masses, errors, events, pending),
            *(column, scratch, cursor, bounds, plan, past, self._order(state, length)),
        )
        if isinstance(memory, Span):
            return SpanExpansion(kernel, state, ahead)
        if isinstance(memory, RandomFeatures):
            features = self._features(block, memory.frequencies)
            return FeatureExpansion(kernel, state, ahead._replace(plan=Features(features)))
        if state.weights.ndim == 2:
            classes = self._class_scores(state, length)
            if self._shared:
                return SharedExpansion(kernel, state, ahead, classes, self._turns(state, length))
            return JointExpansion(kernel, state, ahead, classes)
        return Expansion(kernel, state, ahead)

    def _new_room(self, state: State, length: int) -> tuple[np.ndarray, ...]:
        """All of a look-ahead but block, events, plan and past, in the order of its fields."""
        memory, slots, shaped = state.memory, len(state.order), self.buffers.shaped
        cursor, bounds = np.zeros(5, np.int64), np.zeros(3)
        bounds[WEIGHT_ERROR] = memory.weight_error
        return (
            shaped("values", self._dtype, slots, length),
            shaped("scores", float, length),
            shaped("masses", float, length),
            shaped("errors", float, length),
            shaped("pending", float, *state.weights.shape),
            shaped("column", float, slots),
            shaped("scratch", float, memory.scratch_rows(slots), slots),
            cursor,
            bounds,
        )

    def _order(self, state: State, length: int) -> np.ndarray:
        """That of the state; for many slots and a block of many a copy with room behind it."""
        slots = len(state.order)
        if length == 1 or slots < MANY_SLOTS or isinstance(state.memory, Span):
            return state.order
        order = self.buffers.shaped("order", np.int64, slots + ROOM_TO_LEAVE)
        order[:slots] = state.order
        return order

    def _class_scores(self, state: State, length: int) -> ClassScores:
        shaped, classes = self.buffers.shaped, state.weights.shape[1]
        return ClassScores(
            right=shaped("right", np.int64, length),
            rivals=shaped("rivals", np.int64, length),
            scores=shaped("class_scores", float, classes, length),
            masses=shaped("masses", float, classes),
            exact=shaped("exact_scores", float, classes),
            noises=shaped("noises", float, classes),
        )

    def _turns(self, state: State, length: int) -> Turns:
        shaped, classes = self.buffers.shaped, state.weights.shape[1]
        return Turns(
            whose=shaped("whose", np.int64, 1),
            scores=shaped("settled_scores", float, classes),
            mistaken=shaped("mistaken", np.int64, classes),
            steps=shaped("steps", float, classes),
            image=shaped("image", float, length),
        )

    def _features(self, block: Any, frequencies: np.ndarray) -> np.ndarray:
        """Of the block; learners with the same frequencies, one for each class, share them."""
        many = 2 * frequencies.shape[1]
        features = self.buffers.shaped("features", float, len(block.norms), many)
        if self._featurized[0] is not block or self._featurized[1] is not frequencies:
            featurize(block, frequencies, features)
            self._featurized = block, frequencies
        return features
