"""Streams that break careless arithmetic: scores stay finite, and nothing warns."""

from itertools import product

import numpy as np

from covering import across
from laws.kernels import KERNELS
from laws.learners import LEARNERS, ONE_OF_EACH_KIND, over, storages
from laws.runs import assert_same, prequential_run
from streams import STORAGES, gaussian_stream, signs

LENGTH = 80
ALTERNATING = signs(np.arange(LENGTH) % 2)


def of_many_scales():
    rng = np.random.default_rng(0)
    X, y = gaussian_stream(length=LENGTH)
    return X * 10.0 ** rng.integers(-6, 7, size=(LENGTH, 1)), y


def repeated_with_opposite_labels():
    X, _ = gaussian_stream(length=LENGTH // 2)
    return np.repeat(X, 2, axis=0), ALTERNATING


def half_zero():
    X, y = gaussian_stream(length=LENGTH)
    X[::2] = 0
    return X, y


STREAMS = {
    "repeated with opposite labels": repeated_with_opposite_labels,
    "half zero": half_zero,
    "all zero": lambda: (np.zeros((LENGTH, 3)), ALTERNATING),
    "all equal": lambda: (np.full((LENGTH, 3), 0.1), ALTERNATING),
    "of many scales": of_many_scales,
    "tiny": lambda: (1e-6 * gaussian_stream(length=LENGTH)[0], ALTERNATING),
    "huge": lambda: (1e6 * gaussian_stream(length=LENGTH)[0], ALTERNATING),
    "a single example": lambda: (np.ones((1, 3)), signs([True])),
}

CHOICES = {name: kernels.estimator for name, kernels in KERNELS.items()} | {
    "default": {},
    "float32": {"dtype": "float32"},
}


def choices(case):
    """All of them; float32 for one learner of each kind."""
    names = CHOICES if case in ONE_OF_EACH_KIND else CHOICES.keys() - {"float32"}
    return {name: choice for name, choice in CHOICES.items() if name in names}


@across(LEARNERS, choice=choices)
def test_everything_stays_finite(case, choice):
    for name, storage in product(STREAMS, ["dense"] if "dtype" in choice else storages(case)):
        X, y = STREAMS[name]()
        X = STORAGES[storage](X)
        learner = case.new(random_state=0, **choice)
        run = prequential_run(learner, X, y)
        assert np.isfinite(run.scores).all(), (name, storage)
        assert np.isfinite(run.weights).all(), (name, storage)
        assert np.isfinite(learner.decision_function(X)).all(), (name, storage)


@over(LEARNERS)
def test_a_stream_may_begin_with_one_class_alone(case):
    X, y = gaussian_stream(length=LENGTH)
    for label, prefix in product((-1, 1), (1, 4, 5, 64, 65, LENGTH)):
        labels = y.copy()
        labels[:prefix] = label
        cut = [prefix] if prefix < LENGTH else []
        first_alone = prequential_run(case.new(random_state=0), X, labels, cut)
        whole = prequential_run(case.new(random_state=0), X, labels)
        assert np.isfinite(first_alone.scores).all(), (label, prefix)
        assert_same(first_alone, whole, case.tolerance, f"{prefix} times {label}")
