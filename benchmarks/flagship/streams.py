"""The streams of the flagship's page, each with the width of the kernel that it is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import sparse

from budgetron import datasets
from budgetron.papers.tracking.corpus import dataset_of
from budgetron.streams import OrbitingRings

__all__ = ["CHANGING", "HELD_OUT", "TEN", "Given", "at_hand", "rows_of"]


@dataclass(frozen=True, eq=False)
class Given:
    """A stream, its width, and the errors that were asked for, by budget.

    Attributes
    ----------
    name : str
    gamma : float
    load : callable
    is_free : bool
        Whether its order means nothing, so that it is shuffled.
    rows : int or None
        At most.
    asked : dict of int to float
        The largest error, in percent, by budget.
    """

    name: str
    gamma: float
    load: Callable[[], tuple[Any, np.ndarray]] = field(repr=False)
    is_free: bool = False
    rows: int | None = None
    asked: dict[int, float] = field(default_factory=dict)


def at_hand(streams):
    """Those whose files are there, if they need any."""
    for stream in streams:
        try:
            _loaded(stream)
        except OSError:
            continue
        yield stream


def rows_of(stream, permutation=0, rows=None):
    """Rows and labels of -1 and 1, in the order of a permutation if the order is free."""
    X, y = _loaded(stream)
    if stream.is_free:
        order = np.random.default_rng(permutation).permutation(len(y))
        X, y = X[order], y[order]
    many = min(rows or len(y), stream.rows or len(y))
    return X[:many], y[:many]


@lru_cache(maxsize=1)
def _loaded(stream):
    X, y = stream.load()
    X = sparse.csr_array(X, dtype=float) if sparse.issparse(X) else np.asarray(X, float)
    return X, np.where(np.asarray(y) > 0, 1, -1)


def _of(load, *, dense=False, **options):
    def rows():
        found = load(**options)
        return found.X.toarray() if dense and sparse.issparse(found.X) else found.X, found.y

    return rows


def _all_of_a9a():
    parts = [datasets.load_a9a(split=part, download=False) for part in ("train", "test")]
    X = sparse.vstack([part.X for part in parts]).toarray()
    return X, np.concatenate([part.y for part in parts])


def _digits():
    found = datasets.load_mnist(download=False).against_rest(datasets.mnist_problems()[0])
    return found.X[:20_000], found.y[:20_000]


def _reuters():
    return dataset_of("reuters21578", 11_200, 7, 0)


def _rings():
    found = OrbitingRings(angle=0.001).take(20_000)
    return found.X, found.y


def _changing():
    still, moving = (OrbitingRings(angle=angle, random_state=0) for angle in (0.0, 0.003))
    parts = [still.take(10_000), moving.take(5_000)]
    y = np.concatenate([part.y for part in parts])
    wrong = np.random.default_rng(0).random(len(y)) < 0.1
    return np.concatenate([part.X for part in parts]), np.where(wrong, -y, y)


TEN = (
    Given("a9a", 0.03, _all_of_a9a, is_free=True, asked={100: 15.6, 400: 15.4}),
    Given("Elec2", 1.0, _of(datasets.load_elec2, download=False), asked={100: 9.0}),
    Given(
        *("w8a", 0.03, _of(datasets.load_w8a, dense=True, download=False)),
        is_free=True,
        asked={100: 2.7, 400: 2.1},
    ),
    Given("digits", 0.02, _digits, is_free=True, asked={100: 12.2, 400: 6.8}),
    Given("mails", 0.5, _of(datasets.load_spam)),
    Given("Katakis spam", 0.002, _of(datasets.load_spam_katakis, download=False)),
    Given("Usenet 1", 0.1, _of(datasets.load_usenet1, download=False)),
    Given("Usenet 2", 0.1, _of(datasets.load_usenet2, download=False)),
    Given("Reuters, 7 shifts", 0.5, _reuters),
    Given("orbiting rings", 2.0, _rings),
)
CHANGING = Given("rings that begin to move", 2.0, _changing)
"""They stand still for ten thousand rows, and a tenth of the labels is wrong."""

HELD_OUT = (
    Given(
        *("census", 0.1, _of(datasets.load_census_income, split="test", download=False)),
        rows=50_000,
    ),
)
"""Nobody looked at it while constants were chosen."""
