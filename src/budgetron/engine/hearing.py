"""What is said of one example, and because of which supports."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from ..core.edits.span import EXPERTS
from ..core.kernel import Rows
from ..core.panel import Room, advise, numbers_kept
from ..rules.budgetron import SHARPNESS
from .blocked import decide
from .pool import Pool

__all__ = ["Hearing", "hear", "kernel_values"]


class Hearing(NamedTuple):
    """What a pool says of one example; of two classes there is one column, else one for each."""

    panel: np.ndarray  # (filters and two others, columns): how certain each is, from -1 to 1
    readings: np.ndarray  # (filters, EXPERTS, columns): the same of the experts within filters
    births: np.ndarray  # of all filters' supports, in order, each once
    parts: np.ndarray  # (columns, supports): what each adds to the filters' mean score
    instances: Rows  # the supports, with features as they came


def hear(pool: Pool, X: Rows) -> Hearing:
    """Ask everybody about the only example in `X`, which changes nothing."""
    X, columns, filters = pool.as_seen(X), pool.columns_of_scores, pool.filters or [pool.lead]
    many, panel = len(pool.filters), pool.panel
    scores = np.empty((many, 1, columns))
    readings = np.empty((many, EXPERTS, columns))
    trust = panel.trust[:many]
    shares, parts = trust / (trust.sum() or 1.0), [np.zeros((columns, 0))]
    for j, one in enumerate(pool.filters):
        n, span, values = one.size, one.state.memory, kernel_values(one, X)
        scores[j] = decide(one, X).reshape(1, columns)
        margins = span.weights[:, :, :n] @ (span.inverse[:n, :n] @ values)
        readings[j] = np.clip(SHARPNESS * margins, -1, 1)
        parts.append(shares[j] * SHARPNESS * np.atleast_2d(one.weights) * values)
    room, nothing_kept = Room.of(panel), np.empty((0, numbers_kept(pool.slots, columns)))
    advise(panel, room, scores, np.empty((1, columns)), nothing_kept)
    births, first, which = np.unique(
        np.concatenate([one.births for one in filters]), return_index=True, return_inverse=True
    )
    together = np.zeros((len(births), columns))
    np.add.at(together, which, np.concatenate(parts, axis=1).T)
    rows = [one.supports for one in filters]
    supports = (sparse.vstack(rows, format="csr") if pool.sparse else np.concatenate(rows))[first]
    if pool.columns is not None:
        supports = pool.columns.restored(supports)
    return Hearing(room.advice, readings, births, together.T, supports)


def kernel_values(learner: Any, X: Rows) -> np.ndarray:
    """The kernel's values between the only example in `X` and the supports, oldest first."""
    supports = learner.supports
    if sparse.issparse(X) != sparse.issparse(supports):
        X = sparse.csr_array(X) if sparse.issparse(supports) else X.toarray()
    values: np.ndarray = learner.kernel(X, supports)[0]
    return values
