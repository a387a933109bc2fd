"""A row at a time, with as little as possible between it and the compiled walk."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import sparse

from ..core.blocks import DenseBlock, SparseBlock
from ..core.compiled import direct
from ..core.expansion import SIZE, TENDED, UPDATES, USED
from ..core.kernel import Rows, largest_norm
from ..core.rule import most_supports, trigger
from ..core.walk import look, walk
from ..core.walk_in_span import look_in, walk_in
from .learner import UNTENDED, Learner
from .span import SpanLearner

__all__ = ["OneRow", "RowBuffer", "SpanRow", "one_row"]


class RowBuffer:
    """Where a row is put before it is learned or scored."""

    def __init__(self, learner: Learner) -> None:
        self._width, self._dtype, self._sparse = learner.width, learner.dtype, learner.sparse
        self._is_double = self._dtype == np.float64
        self.limit = largest_norm(learner.kernel, learner.dtype)
        self._places = np.full(self._width if self._sparse else 0, -1, np.int32)
        self._make_block(64)

    def _make_block(self, stored: int) -> None:
        norms, dtype = np.zeros(1), self._dtype
        own = np.zeros((1, 1), dtype)
        if self._sparse:
            self._starts, self._features = np.zeros(2, np.int64), np.zeros(stored, np.int64)
            self._values, spread = np.zeros(stored, dtype), np.zeros((stored, 1), dtype)
            row, places = (self._starts, self._features, self._values), self._places
            placed = np.zeros(stored, places.dtype)
            self.block: Any = SparseBlock(*row, places, placed, spread, norms, own)
        else:
            rows, lifted = np.zeros((1, self._width), dtype), np.zeros((1, self._width + 2), dtype)
            self._values = rows[0]
            self.block = DenseBlock(rows, lifted, norms, own, np.zeros(1, np.int64))

    @property
    def stored(self) -> int:
        """The number of values in the row."""
        return self._starts.item(1) if self._sparse else self._width

    def matrix(self) -> Rows:
        """The row as a matrix of one."""
        if not self._sparse:
            return self.block.rows.copy()
        here = slice(self.stored)
        parts = self._values[here].copy(), self._features[here].copy(), self._starts.copy()
        row = sparse.csr_array(parts, shape=(1, self._width))
        row.sort_indices()
        return row

    def put(self, x: Any) -> None:
        """Put a row in, given all its features."""
        x = np.asarray(x)
        if x.shape != (self._width,):
            raise ValueError(f"a row has {self._width} features, got shape {x.shape}")
        if x.dtype.kind not in "fiub":
            raise ValueError(f"features must be real numbers, got {x.dtype}")
        if self._sparse:
            features = np.flatnonzero(x)
            self.put_sparse(features, x[features])
        else:
            self._values[:] = x if self._is_double else _in_single(x)

    def put_sparse(self, features: Any, values: Any) -> None:
        """Put a row in, given the places and values of some features; the others are 0."""
        stored = len(features)
        if stored > len(self._features):
            self._make_block(2 * stored)
        self._features[:stored] = features
        self._values[:stored] = values if self._is_double else _in_single(values)
        self._starts[1] = stored

    def check(self) -> None:
        """Raise ValueError for a row that is not finite, or too large for the kernel."""
        values = self._values[: self.stored].astype(np.float64)
        if not np.isfinite(values).all():
            raise ValueError("a row contains NaN or infinity")
        with np.errstate(over="ignore"):
            norm = values.dot(values)
        if not norm < self.limit:
            raise ValueError(
                f"an example of squared norm {norm:g} is too large for the kernel in {self._dtype};"
                " scale the data"
            )


def _in_single(values: Any) -> np.ndarray:
    """Values in float32; one that is too large becomes infinite, and is refused as such."""
    with np.errstate(over="ignore"):
        return np.asarray(values, np.float64).astype(np.float32)


class OneRow:
    """Lets a learner learn or score the row in a buffer, as `one_by_one` would.

    It is for one thread at a time.

    Parameters
    ----------
    learner : Learner
    buffer : RowBuffer
    """

    def __init__(self, learner: Learner, buffer: RowBuffer) -> None:
        self._learner, self._buffer = learner, buffer
        self._label, self.events = np.ones(1), np.zeros((1, 4), np.int64)
        self._workspace = learner.new_workspace()
        self._get_ready()

    def learn(self, label: float) -> float:
        """Learn the row, and return the score that it had before.

        The label is -1 or +1, times the weight.
        """
        if self._is_stale() or self._is_full():
            self._learner.make_room_for(1, self._buffer.stored)
            if self._is_stale():
                self._get_ready()
        self._label[0] = label
        self._take(*self._taken)
        return self._checked(self._scores.item(0))

    def score(self) -> float:
        """The score of the row."""
        if self._is_stale():
            self._get_ready()
        return self._checked(self._look(*self._looked))

    def _checked(self, score: float) -> float:
        if score != score:  # nothing was learned
            self._buffer.check()
        return score

    def _is_stale(self) -> bool:
        return self._learner.kept is not self._kept or self._buffer.block is not self._block

    def _is_full(self) -> bool:
        """Whether there may be no room for the row, or a factor is to be looked after."""
        counts, rows = self._kept.counts, self._kept.rows
        return (
            counts.item(SIZE) + 2 > self._room
            or counts.item(UPDATES) - counts.item(TENDED) > UNTENDED * counts.item(USED)
            or (
                self._learner.sparse
                and rows.ends.item(0) + 2 * self._buffer.stored > len(rows.values)
            )
        )

    def _get_ready(self) -> None:
        learner, self._block = self._learner, self._buffer.block
        self._kept, self._slots = learner.kept, len(learner.kept.order)
        self._room = math.inf if self._slots >= most_supports(learner.rule) else self._slots
        f = self._workspace.in_view(learner.kernel, learner.kept, self._block, self.events)
        self._scores = f.scores
        self._get_used_to(f)
        self._take = direct(learner.suited(self._walk), self._taken)
        self._look = direct(learner.suited(self._score), self._looked)

    def _get_used_to(self, f: Any) -> None:
        """Choose the machine code for `f`, and what it is to be given."""
        learner, state = self._learner, (f.kernel, *f.kept, *f.ahead)
        threshold, limit = float(trigger(learner.rule).threshold), self._buffer.limit
        how = threshold, learner.zero_is_mistake, math.inf, limit
        self._taken = (learner.rule, self._label, *how, *state)
        self._looked = (learner.rule, limit, *state)
        self._walk: Any = walk
        self._score: Any = look


class SpanRow(OneRow):
    """The same for a learner in the span of its supports."""

    def _get_used_to(self, f: Any) -> None:
        learner: Any = self._learner
        rule, limit, f = learner.rule, self._buffer.limit, f._replace(span=learner.span)
        self._taken = rule, f, self._label, learner.zero_is_mistake, limit
        self._looked = rule, f, limit
        self._walk, self._score = walk_in, look_in


def one_row(learner: Learner, buffer: RowBuffer) -> OneRow:
    """What lets this learner learn or score the row in the buffer."""
    return (SpanRow if isinstance(learner, SpanLearner) else OneRow)(learner, buffer)
