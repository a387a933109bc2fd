"""Small streams: of Gaussian data, of data with ties on purpose, and of words."""

import numpy as np
import pytest
from hypothesis import strategies as st
from scipy import sparse

TIES = (-0.2, -0.1, 0.0, 0.1, 0.3)


def gaussian_stream(seed=0, length=300, width=3):
    """Points of a normal distribution; their labels follow a curved border, not quite strictly."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(length, width))
    border = X[:, 0] + X[:, 1] ** 2 - 1 + 0.3 * rng.normal(size=length)
    return X, signs(border > 0)


def tied_stream(seed=0, length=300, width=3):
    """Points of a coarse grid, with zero rows, and repetitions with the opposite label."""
    rng = np.random.default_rng(seed)
    X = rng.choice(TIES, size=(length, width))
    X[rng.random(length) < 0.05] = 0
    labels = signs(rng.random(length) < 0.5)
    for t in np.flatnonzero(rng.random(length) < 0.3)[1:]:
        earlier = rng.integers(t)
        X[t], labels[t] = X[earlier], -labels[earlier]
    return X, labels


def wordy_stream(seed=0, length=300, width=40):
    """Counts of words, most of them zero; the label is whether the first words prevail."""
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.15, size=(length, width)).astype(float)
    return X, signs(X[:, : width // 2].sum(axis=1) > X[:, width // 2 :].sum(axis=1))


def smooth_stream(seed=0, length=80, width=2):
    """Normal points around a curved border that is not quite strict."""
    rng = np.random.default_rng(seed)
    X = rng.normal(scale=0.5, size=(length, width))
    border = X[:, 0] + 2 * X[:, 1] ** 2 - 0.4 + 0.2 * rng.normal(size=length)
    return X, signs(border > 0)


def grid_stream(seed=0, length=80, width=3):
    """Points of a coarse grid with any labels, a third of them repeated with the opposite label."""
    rng = np.random.default_rng(seed)
    X, y = rng.choice(TIES, size=(length, width)), signs(rng.random(length) < 0.5)
    for t in np.flatnonzero(rng.random(length) < 0.3)[1:]:
        earlier = rng.integers(t)
        X[t], y[t] = X[earlier], -y[earlier]
    return X, y


def signs(positive):
    """+1 and -1, as the engine takes them."""
    return np.where(positive, 1, -1).astype(np.float64)


tied_streams = st.lists(
    st.tuples(*[st.sampled_from(TIES)] * 3, st.booleans()), min_size=1, max_size=40
).map(lambda examples: (np.array(examples, float)[:, :3], signs([e[3] for e in examples])))

STREAMS = {"gaussian": gaussian_stream, "tied": tied_stream}
STORAGES = {"dense": np.asarray, "sparse": sparse.csr_array}

LAYOUTS = {
    "dense": (np.asarray, "float64"),
    "sparse": (sparse.csr_array, "float64"),
    "float32": (np.asarray, "float32"),
}
"""Storage and precision; what is compiled for sparse rows in float32 is made of the same pieces."""

over_streams = pytest.mark.parametrize("stream", STREAMS.values(), ids=STREAMS)
over_storages = pytest.mark.parametrize("storage", STORAGES.values(), ids=STORAGES)
