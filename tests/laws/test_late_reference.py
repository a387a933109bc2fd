"""A Budgetron whose labels come late does what the slow reference does."""

import numpy as np
import pytest

import oracle
from budgetron import Budgetron, prequential
from covering import naming
from streams import gaussian_stream, over_streams

LENGTH = 120
FILTER = "cautious", "bold", "average"
CLASSES = {2: np.array([-1, 1]), 3: np.array([-1, 1, 3])}


def irregular():
    """Some labels come at once, some together, some late and some never."""
    rng = np.random.default_rng(5)
    late = np.round(rng.exponential(8, size=LENGTH), 1)
    late[rng.random(LENGTH) < 0.2] = 0
    late[rng.random(LENGTH) < 0.1] = np.inf
    return np.arange(LENGTH) + late


DELAYS = {"1": 1, "5": 5, "20": 20, "irregular": irregular()}


def labelled(stream, classes, length=LENGTH):
    """A stream of two classes, or of three."""
    X, y = stream(length=length)
    return X, np.where(X[:, 2] > 0.15, 3, y).astype(int) if classes == 3 else y.astype(int)


def assert_follows(X, y, classes, delay, weights=None, **settings):
    named, kernel, length = CLASSES[classes], oracle.gaussian(0.5), len(y)
    times = np.arange(length) + delay if np.ndim(delay) == 0 else delay
    rows = [*zip(map(tuple, X.tolist()), y.tolist(), strict=True)]
    given = None if weights is None else weights.tolist()
    scores = oracle.budgetron_late(
        rows, kernel, times.tolist(), named.tolist(), weights=given, **settings
    )
    learner = Budgetron(gamma=0.5, **settings)
    trace = prequential(learner, X, y, named, delay=delay, sample_weight=weights)
    first = int(np.floor(times.min())) + 1  # before, nothing was known
    ours = trace.scores.reshape(length, -1)[first:]
    np.testing.assert_allclose(ours, [*scores][first:], rtol=0, atol=1e-6)


@over_streams
@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("delay", DELAYS.values(), ids=DELAYS)
@pytest.mark.parametrize("experts", [(*FILTER, "labels", "stack"), FILTER], ids=["all", "filter"])
def test_scores_are_those_of_the_reference(stream, classes, delay, experts):
    X, y = labelled(stream, classes)
    assert_follows(X, y, classes, delay, budget=8, patience=3.0, experts=experts)


@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("delay", ["5", "irregular"])
def test_weights_are_those_of_the_reference(classes, delay):
    X, y = labelled(gaussian_stream, classes)
    weights = np.random.default_rng(0).choice([0.5, 1.0, 1.0, 2.0], size=LENGTH)
    assert_follows(X, y, classes, DELAYS[delay], weights, budget=20, patience=3.0)


@pytest.mark.parametrize("classes", CLASSES)
def test_average_that_is_behind_starts_again(classes):
    X, y = labelled(gaussian_stream, classes, 240)
    y = np.where((np.arange(240) // 80 == 1) & (y < 3), -y, y)
    settings = {"patience": 1000.0, "drift": 0.05, "exchange": "never", "experts": FILTER}
    assert_follows(X, y, classes, 5, budget=20, **settings)


@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("exchange", ["eager", "careful"])
def test_exchanges_are_those_of_the_reference(classes, exchange):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X, y = rng.choice(5, size=(40, 1)) / 2, rng.choice(CLASSES[classes], size=40)
        settings = {"exchange": exchange, "patience": None, "experts": FILTER}
        with naming(seed):
            assert_follows(X, y, classes, 10, budget=2 + 2 * (seed % 2), **settings)
