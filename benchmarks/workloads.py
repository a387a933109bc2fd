"""The streams that contenders go over: real ones where their files are, else stand-ins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

import budgetron
from budgetron import datasets, prequential
from budgetron.core.kernel import squared_norms
from budgetron.datasets.catalogue import catalogue
from budgetron.papers.tracking.corpus import dataset_of

__all__ = ["WORKLOADS", "Shape", "Stream", "Workload", "chosen", "stand_in"]

TUNED_ON, WITH_BUDGET = 10_000, 300
"""The first rows, and the learner's budget, with which the width of the kernel is chosen."""
WIDTHS = 2.0 ** np.arange(-6, 5)
"""Of which the best is taken, times one over the mean squared length of a row."""

TOPICS, PREFERENCE, CURVATURE = 6, 5, 1.0
"""Of stand-ins: how many topics, how strongly they prefer, how much depends on two together."""


class Shape(NamedTuple):
    """What a stand-in has in common with the data that it takes the place of."""

    rows: int
    features: int
    filled: float  # values of a row that are not 0, on average
    values: str  # "one", "between 0 and 1", or "of length one" in all
    is_sparse: bool
    classes: int = 2


@dataclass(frozen=True, eq=False)
class Stream:
    """Labelled rows, with 0 and 1 as labels."""

    name: str
    X: Any
    y: np.ndarray
    is_real: bool

    @property
    def features(self) -> int:
        """The number of columns."""
        return self.X.shape[1]

    @property
    def is_sparse(self) -> bool:
        """Whether the rows are a CSR matrix."""
        return sparse.issparse(self.X)

    @property
    def width(self) -> int:
        """How many numbers a stored row takes: its values, with their places if it is sparse."""
        return 2 * round(self.X.nnz / self.X.shape[0]) if self.is_sparse else self.features

    @cached_property
    def gamma(self) -> float:
        """The width of the Gaussian kernel with which a Forgetron errs least at the start."""
        X, y = self.X[:TUNED_ON], self.y[:TUNED_ON]
        unit = 1 / squared_norms(X).mean()
        mistakes = {
            float(f"{width * unit:.2g}"): prequential(
                budgetron.Forgetron(WITH_BUDGET, gamma=width * unit), X, y, [0, 1]
            ).mistakes.sum()
            for width in WIDTHS
        }
        return min(mistakes, key=mistakes.get)

    @property
    def gammas(self) -> tuple[float, ...]:
        """That width and smoother ones, which other learners may prefer."""
        return (self.gamma, self.gamma / 2, self.gamma / 4)


@dataclass(frozen=True)
class Workload:
    """A data set by name: its shape, and how it is loaded if its files are there.

    Attributes
    ----------
    name : str
    dataset : str
        Its name in `budgetron.datasets`.
    shape : Shape
    load : callable
        Returns rows, and labels of 0 and 1, or more if there are more classes.
    """

    name: str
    dataset: str
    shape: Shape
    load: Callable[[], tuple[Any, np.ndarray]]

    @property
    def is_at_hand(self) -> bool:
        """Whether its files are there."""
        return any(entry.at_hand for entry in catalogue() if entry.name == self.dataset)

    def stream(self, rows: int) -> Stream:
        """So many of its rows at most, as two classes."""
        stream = _stream(self, rows)
        upper_half = stream.y >= self.shape.classes // 2
        return Stream(self.name, stream.X, upper_half.astype(int), stream.is_real)

    def classes(self, rows: int) -> Stream:
        """The same with all its classes."""
        return _stream(self, rows)


@lru_cache(maxsize=1)
def _stream(workload: Workload, rows: int) -> Stream:
    if workload.is_at_hand:
        X, y = workload.load()
        return Stream(workload.name, X[:rows], y[:rows], is_real=True)
    shape = workload.shape
    X, y = stand_in(shape._replace(rows=min(rows, shape.rows)))
    return Stream(workload.name, X, y, is_real=False)


def stand_in(shape: Shape, seed: int = 0) -> tuple[Any, np.ndarray]:
    """Rows of two topics each, which prefer some features to others.

    The class is the one that the two topics together speak for most: a linear model sees what each
    says alone, and no straight border divides the rest. One label in twenty is wrong.
    """
    rng = np.random.default_rng(seed)
    topics = rng.integers(TOPICS, size=(2, shape.rows))
    preferred = np.stack([rng.permutation(shape.features) for _ in range(2 * TOPICS)])
    draws = shape.filled
    for _ in range(4):  # a feature that is drawn twice counts once
        sample = _bags(topics[:, :500], preferred, draws, np.random.default_rng(seed))
        draws *= shape.filled / (sample.nnz / sample.shape[0])
    X = _bags(topics, preferred, draws, rng)
    X.data[:] = 1 if shape.values == "one" else rng.uniform(0.05, 1, size=X.nnz)
    if shape.values == "of length one":
        X.data /= np.sqrt(np.repeat(squared_norms(X), np.diff(X.indptr)))
    alone = rng.normal(size=(2, TOPICS, shape.classes))
    both = rng.normal(size=(TOPICS, TOPICS, shape.classes))
    first, second = topics
    spoken_for = alone[0][first] + alone[1][second] + CURVATURE * both[first, second]
    y = spoken_for.argmax(axis=1)
    wrong = rng.random(shape.rows) < 0.05
    y[wrong] = rng.integers(shape.classes, size=wrong.sum())
    return X if shape.is_sparse else X.toarray(), y


def _bags(topics: np.ndarray, preferred: np.ndarray, draws: float, rng: Any) -> sparse.csr_matrix:
    """Features drawn by the rows' two topics, about so many of them for each row."""
    length, features = topics.shape[1], preferred.shape[1]
    counts = np.maximum(2, rng.poisson(draws, size=length))
    rows = np.repeat(np.arange(length), counts)
    which = rng.integers(2, size=len(rows))
    rank = (features * rng.random(len(rows)) ** PREFERENCE).astype(int)
    places = preferred[TOPICS * which + topics[which, rows], rank]
    return sparse.csr_matrix((np.ones(len(rows)), (rows, places)), (length, features))


def _a9a() -> tuple[Any, np.ndarray]:
    data = datasets.load_a9a(download=False)
    return data.X.toarray(), data.y


def _w8a() -> tuple[Any, np.ndarray]:
    data = datasets.load_w8a(download=False)
    order = np.random.default_rng(0).permutation(len(data.y))  # the file has one class first
    return data.X[order].toarray(), data.y[order]


def _mnist() -> tuple[Any, np.ndarray]:
    data = datasets.load_mnist(download=False)
    return data.X.astype(float), data.y


def _spam() -> tuple[Any, np.ndarray]:
    data = datasets.load_spam_katakis(download=False)
    return data.X, data.y


def _reuters() -> tuple[Any, np.ndarray]:
    X, signs = dataset_of("reuters21578", 11_200, shifts=7, dataset=0)
    return X, (signs > 0).astype(int)


WORKLOADS = {
    workload.name: workload
    for workload in (
        Workload("a9a", "a9a", Shape(32_561, 123, 13.9, "one", False), _a9a),
        Workload("w8a", "w8a", Shape(49_749, 300, 11.7, "one", False), _w8a),
        Workload(
            "digits", "mnist", Shape(60_000, 784, 149.9, "between 0 and 1", False, 10), _mnist
        ),
        Workload("spam", "spam_katakis", Shape(9324, 39_916, 156.2, "one", True), _spam),
        Workload(
            "reuters", "reuters21578", Shape(11_200, 2**16, 75.0, "of length one", True), _reuters
        ),
    )
}

MEANING = {
    "a9a": "census answers: who earns more than 50,000 dollars",
    "w8a": "web pages as sets of key words: which are of a category",
    "digits": "the digits of MNIST, 0 to 4 against 5 to 9",
    "spam": "the mails of Katakis and others as sets of words: which are spam",
    "reuters": "Reuters-21578 as weighted words: which are of the topic of interest,"
    " which changes seven times",
}


def chosen(scale: Any, *names: str) -> list[Workload]:
    """The workloads of a scale, or those of them with these names."""
    wanted = names or tuple(WORKLOADS)
    return [
        WORKLOADS[name] for name in wanted if scale.workloads is None or name in scale.workloads
    ]
