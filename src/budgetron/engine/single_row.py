"""A row at a time, with as little as possible between it and the compiled walk."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import sparse

from ..core.blocks import DenseBlock, SparseBlock
from ..core.edits.span import NOT_KNOWN, SpanExpansion
from ..core.kernel import Rows, largest_norm
from ..core.rule import most_supports, scorer
from ..core.state import SEEN, SIZE
from ..core.walk import score_row, walk
from .learner import Learner

__all__ = ["RowBuffer", "SingleRow"]


class RowBuffer:
    """Where a row is put before it is learned or scored."""

    def __init__(self, learner: Any) -> None:
        self._width, self._dtype, self._sparse = learner.width, learner.dtype, learner.sparse
        self._is_double = self._dtype == np.float64
        self.limit = largest_norm(learner.kernel, learner.dtype)
        self._places = np.full(self._width if self._sparse else 0, -1, np.int32)
        self._make_block(64)

    def _make_block(self, stored: int) -> None:
        norms, dtype = np.zeros(1), self._dtype
        own = np.zeros((1, 1), dtype)
        starts, features = np.zeros(2, np.int64), np.zeros(stored, np.int64)
        if self._sparse:
            values, scattered = np.zeros(stored, dtype), np.zeros((stored, 1), dtype)
            places, placed = self._places, np.zeros(stored, self._places.dtype)
            block: Any = SparseBlock(
                starts, features, values, places, placed, scattered, norms, own
            )
        else:
            rows, lifted = np.zeros((1, self._width), dtype), np.zeros((1, self._width + 2), dtype)
            values, block = rows[0], DenseBlock(rows, lifted, norms, own, np.zeros(1, np.int64))
        # all at once: an exception may come between any two lines
        self.block, self._starts, self._features, self._values = block, starts, features, values

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

    def parts(self) -> tuple[np.ndarray, ...]:
        """The arrays that the row is put into, as long as the block is the same."""
        if self._sparse:
            return self._starts, self._features, self._values
        return (self.block.rows,)

    def put_copy(self, other: RowBuffer) -> None:
        """Put in the row that is in another one."""
        if self._sparse:
            here = slice(other.stored)
            self.put_sparse(other._features[here], other._values[here])
        else:
            self._values[:] = other._values

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
        values = self._finite_values()
        with np.errstate(over="ignore"):
            norm = values.dot(values)
        if not norm < self.limit:
            raise ValueError(
                f"an example of squared norm {norm:g} is too large for the kernel in {self._dtype};"
                " scale the data"
            )

    def check_as_put(self) -> None:
        """The same for a row that nothing has been done to since it was put in."""
        self.check()

    def _finite_values(self) -> np.ndarray:
        values = self._values_to_check()
        if not np.isfinite(values).all():
            raise ValueError("a row contains NaN or infinity")
        return values

    def _values_to_check(self) -> np.ndarray:
        return self._values[: self.stored].astype(np.float64)


def _in_single(values: Any) -> np.ndarray:
    """Values in float32; one that is too large becomes infinite, and is refused as such."""
    with np.errstate(over="ignore"):
        return np.asarray(values, np.float64).astype(np.float32)


class SingleRow:
    """Lets a learner learn or score the row in a buffer, as `one_by_one` would.

    It is for one thread at a time.

    Parameters
    ----------
    learner : Learner
    buffer : RowBuffer

    Attributes
    ----------
    scores, errors, events : ndarray of one row
        Of the row that was learned last; the error, also of the one that was scored last. Scores
        are of all classes, if the learner has one for each: then those that were scored, too.
    """

    def __init__(self, learner: Learner, buffer: RowBuffer) -> None:
        self._learner, self._buffer = learner, buffer
        self._label, self.events = np.ones(1), np.zeros((1, 4), np.int64)
        self._workspace = learner.new_workspace()
        self._state: Any = None  # there is nothing to work with yet: see `_prepare`

    @property
    def seen(self) -> int:
        """How many examples the learner has seen."""
        return self._learner.state.counts.item(SEEN)

    def remember(self, other: SingleRow) -> None:
        """Know of the row that was learned last what another one knows."""
        self.scores[:], self.errors[:], self.events[:] = other.scores, other.errors, other.events
        if self._stretch is not None:
            self.said[:], self.now[:] = other.said, other.now

    @property
    def now(self) -> np.ndarray:
        """What a filter's experts say together of the row that was learned last."""
        assert self._stretch is not None
        return self._stretch.now

    @property
    def said(self) -> np.ndarray:
        """What the experts of a filter said of the row that was scored last, if they are to know.

        It can be written on: see `walk`.
        """
        if self._is_stale():
            self._prepare()
        assert self._stretch is not None
        return self._stretch.said[0]

    def learn(self, label: float) -> float:
        """Learn the row, and return the score that it had before.

        The label is -1 or +1, times the weight.
        """
        self.make_room()
        return self.walk(label)

    def make_room(self, rows: int = 1) -> None:
        """See to it that so many rows can be learned without any memory being asked for.

        Of sparse ones only those that are no longer than the one in the buffer.
        """
        if self._is_stale() or self._is_full(rows):
            self._learner.make_room_for(rows, rows * self._buffer.stored)
            if self._is_stale():
                self._prepare()

    def walk(self, label: float, right: int = 0, *, is_late: bool = False) -> float:
        """Learn the row where there is room for it; of more than two classes, the `right` one.

        If it is late, what was `said` before is learned by.
        """
        self._label[0] = label
        if self._stretch is not None:
            self._stretch.right[0], self._stretch.kept_in[0] = right, is_late - 1
        self._walk()(*self._walked)
        return self._checked(self._score_of_walk.item(0))

    def score(self) -> float:
        """The score of the row."""
        if self._is_stale():
            self._prepare()
        if self._stretch is not None:
            self._stretch.right[0], self._stretch.kept_in[0] = NOT_KNOWN, 0
        score = self._checked(self._score()(*self._scored))
        return score if self._stretch is None else self.scores.item(0)

    def _checked(self, score: float) -> float:
        if score != score:  # nothing was learned
            self._buffer.check()
        return score

    def _is_stale(self) -> bool:
        return self._learner.state is not self._state or self._buffer.block is not self._block

    def _is_full(self, coming: int) -> bool:
        """Whether there may be no room for so many rows, or a memory is to be maintained."""
        rows = self._state.rows
        return (
            self._state.counts.item(SIZE) + coming + 1 > self._room
            or self._learner.is_due()
            or (
                self._learner.sparse
                and rows.ends.item(0) + (coming + 1) * self._buffer.stored > len(rows.values)
            )
        )

    def _prepare(self) -> None:
        """Choose the machine code for what there is, and what it is to be given."""
        learner, block, limit = self._learner, self._buffer.block, self._buffer.limit
        rule, state = learner.rule, learner.state
        f = self._workspace.view(learner.kernel, state, block, self.events)
        how = learner.trigger, learner.zero_is_mistake, math.inf, limit
        self._walked = rule, f, self._label, 0, 1, *how
        self._scored = scorer(rule), f, limit
        self._walk: Any = learner.machine_code(walk, rule, self._walked)
        self._score: Any = learner.machine_code(score_row, scorer(rule), self._scored)
        slots = len(state.order)
        self._room = math.inf if slots >= most_supports(rule) else slots
        self.scores, self.errors, self._score_of_walk = f.scores, f.ahead.errors, f.ahead.scores
        self._stretch = f.ahead.plan if isinstance(f, SpanExpansion) else None
        self._state, self._block = state, block  # last: what is stale is prepared again
