"""The eight streams of docs/choosing.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from budgetron import datasets

__all__ = ["Stream", "at_hand"]


@dataclass(frozen=True, eq=False)
class Stream:
    """Rows and labels, in order."""

    name: str
    X: Any
    y: np.ndarray

    def first(self, rows):
        """Its beginning."""
        return Stream(self.name, self.X[:rows], self.y[:rows])

    def as_dense(self):
        """The same with an array of rows."""
        return Stream(self.name, self.X.toarray() if issparse(self.X) else self.X, self.y)


def _w8a():
    data = datasets.load_w8a(download=False)
    order = np.random.default_rng(0).permutation(len(data.y))  # the file has one class first
    return data.X[order], data.y[order]


def _mnist():
    data = datasets.load_mnist(download=False).against_rest(datasets.mnist_problems()[0])
    return data.X[:20_000], data.y[:20_000]


def _all_of(load, **options):
    def rows():
        data = load(**options)
        return data.X, data.y

    return rows


STREAMS = {
    "a9a": _all_of(datasets.load_a9a, download=False),
    "w8a": _w8a,
    "MNIST": _mnist,
    "Elec2": _all_of(datasets.load_elec2, download=False),
    "spam": _all_of(datasets.load_spam),
    "spam (Katakis)": _all_of(datasets.load_spam_katakis, download=False),
    "Usenet 1": _all_of(datasets.load_usenet1, download=False),
    "Usenet 2": _all_of(datasets.load_usenet2, download=False),
}
INSIDE = ("spam",)
"""Of the package: the only one that a scale of few workloads goes over."""


def at_hand(scale):
    """Those whose files are there, up to as many rows as the scale has."""
    for name in STREAMS if scale.workloads is None else INSIDE:
        try:
            X, y = STREAMS[name]()
        except OSError:
            continue
        yield Stream(name, X, y).first(scale.rows)
