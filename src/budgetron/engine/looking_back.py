"""What scores were in the middle of a block: exactly, though the learners have gone on since."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from ..core.buffers import Buffers
from ..core.exact import UNIT_ROUNDOFF
from ..core.kernel import Rows, error_scale, is_relative, squared_norms
from ..core.state import LARGEST_NORM, Past
from .learner import Learner
from .record import Record
from .shared_supports import CommonSupports
from .winner import in_doubt

__all__ = ["ExactScores", "LookingBack"]


class ExactScores:
    """Kernel values of some examples in float64, for learners in float32.

    Parameters
    ----------
    learner : Learner
        One of those that have the same kernel and kind of rows.
    supports, X : array or CSR matrix
    """

    def __init__(self, learner: Learner, supports: Rows, X: Rows) -> None:
        kernel, supports, X = learner.kernel, _as_kept(learner, supports), _as_kept(learner, X)
        self._values = kernel(supports, X)
        self._concerned = (
            np.abs(self._values) if is_relative(kernel) else np.ones_like(self._values)
        )
        largest = learner.state.numbers[LARGEST_NORM]
        R = np.array([error_scale(kernel, largest, norm) for norm in squared_norms(X)])
        self._rounding = (X.shape[1] + len(self._values) + 8) * UNIT_ROUNDOFF * R

    def of(self, weights: np.ndarray, t: Any = slice(None), which: Any = slice(None)) -> Any:
        """Scores of examples `t` by the weights of some supports; errors as `exact_score` has."""
        values, concerned = self._values[which, t], self._concerned[which, t]
        errors = (concerned.T @ np.abs(weights)).T * self._rounding[t]
        return values.T @ weights, errors.T


class LookingBack:
    """Rivals in float32, whose scores are in doubt where they are close.

    Every learner goes through a block by itself. Which of its scores are close to another one's is
    known afterwards, and by then its weights are others: so it keeps those that it had.

    Parameters
    ----------
    learners : sequence of Learner
    supports : CommonSupports
        As they were before the block.
    """

    def __init__(self, learners: Sequence[Learner], supports: CommonSupports) -> None:
        self._learners, self._supports = learners, supports
        self._buffers = [Buffers() for _ in learners]

    def pasts(self, length: int) -> list[Past]:
        """Where each learner is to keep its weights."""
        self._seen = self._learners[0].seen
        return [
            Past(
                weights=buffers.shaped("weights", float, length, len(learner.state.order)),
                births=buffers.shaped("births", np.int64, length, len(learner.state.order)),
                sizes=buffers.shaped("sizes", np.int64, length),
                kept_at=buffers.shaped("kept_at", np.int64, length),
            )
            for learner, buffers in zip(self._learners, self._buffers, strict=True)
        ]

    def settle(
        self,
        X: Rows,
        first: int,
        learned: np.ndarray,
        pasts: Sequence[Past],
        records: Sequence[Record],
    ) -> None:
        """Evaluate those scores exactly that may be the highest of an example, if it has several.

        The block's examples are those from `first` on; those that were not only looked at are
        `learned`. All other scores are certain.
        """
        here = slice(first, first + len(pasts[0].sizes))
        scores = np.column_stack([record.scores[here] for record in records])
        errors = np.column_stack([record.errors[here] for record in records])
        doubtful = in_doubt(scores, errors)
        for record in records:
            record.errors[here] = 0
        rows = np.flatnonzero(doubtful.any(axis=1))
        if len(rows) == 0:
            return
        kept = {(t, i): _kept(pasts[i], t) for t, i in np.argwhere(doubtful).tolist()}
        births = np.unique(np.concatenate([own for own, _ in kept.values()]))
        exact = ExactScores(self._learners[0], self._instances(births, X[learned]), X[first + rows])
        for (t, i), (own, weights) in kept.items():
            place, found = np.searchsorted(rows, t), np.searchsorted(births, own)
            score, error = exact.of(weights, place, found)
            if error < errors[t, i]:
                records[i].scores[first + t] = score
            records[i].errors[first + t] = min(error, errors[t, i])

    def _instances(self, births: np.ndarray, learned: Rows) -> Rows:
        """Those of supports, some of which are examples that the block has learned."""
        old, new = np.split(births, [np.searchsorted(births, self._seen)])
        before = _as_kept(self._learners[0], self._supports.instances(old))
        since = _as_kept(self._learners[0], learned[new - self._seen])
        return (
            sparse.vstack([before, since])
            if sparse.issparse(before)
            else np.vstack([before, since])
        )


def _kept(past: Past, t: int) -> tuple[np.ndarray, np.ndarray]:
    """The births and weights of the supports that an example was scored with."""
    row = past.kept_at[t]
    own = slice(past.sizes[row])
    return past.births[row, own], past.weights[row, own]


def _as_kept(learner: Learner, rows: Any) -> Any:
    """Rows as a learner sees them, in float64."""
    if learner.sparse:
        rows = sparse.csr_array(rows)
    elif sparse.issparse(rows):
        rows = rows.toarray()
    return rows.astype(learner.dtype).astype(np.float64)
