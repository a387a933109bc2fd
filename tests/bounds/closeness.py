"""Tiny streams of many kinds, and how close what happens on them comes to a bound."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from budgetron.bounds import AssumptionError
from budgetron.comparators import best_fixed, best_scaled, linear_comparators
from budgetron.kernels import linear

ROUNDING = 1e-9


def tiny_stream(rng):
    """Up to 60 rows of norm at most 1, from orthonormal to noisy; some repeat, some contradict."""
    width, length = rng.integers(1, 9), rng.integers(2, 60)
    target = rng.normal(size=width)
    kind = rng.integers(4)
    if kind == 0:
        X = np.eye(width)[rng.permutation(np.arange(length) % width)]
    elif kind == 1:
        X = rng.normal(size=(length, width))
        X += 0.5 * np.outer(np.sign(X @ target), target)
    else:
        X = rng.choice([-1.0, 0.0, 0.5, 1.0], size=(length, width))
    X /= np.maximum(1, np.linalg.norm(X, axis=1))[:, None] if kind == 3 else largest(X)
    y = np.where(X @ target > 0, 1, -1)
    y[rng.random(length) < rng.choice([0, 0.05, 0.3])] *= -1
    return X, y


def largest(X):
    """The radius of the stream."""
    return max(np.linalg.norm(X, axis=1).max(), 1e-9)


def all_mistakes(n=100, scale=1.0):
    """Orthogonal examples, each of which is a mistake, and the competitor they all agree with."""
    X, y = scale * np.eye(n), -np.ones(n, int)
    return X, y, linear_comparators(-np.ones(n) / scale, X, y)


def rivals(rng, X, y, bound):
    """Competitors on these rows: at random, the best of a random norm, and both scaled."""
    if len(y) == 0:
        return []
    anyone = linear_comparators(rng.normal(size=X.shape[1]), X, y)
    best = best_fixed(linear(), X, y, norm=rng.choice([0.5, 2, 3, 8]) / largest(X))
    factors = rng.choice([0.3, 1, 3], size=2)
    return [
        *(anyone.scaled(factor) for factor in factors),
        *(best.scaled(factor) for factor in factors),
        best_scaled(anyone, bound),
        best_scaled(best, bound),
    ]


def closest(cases, examples=60):
    """The largest ratio of observed to bound on random streams; none may be above 1.

    Only telling cases count: against g = 0, whose hinge loss is 1 in every round, most bounds say
    that a mistake is a mistake, and are met exactly.
    """
    telling = []

    @settings(max_examples=examples)
    @given(st.integers(0, 2**32 - 1))
    def no_bound_is_exceeded(seed):
        for ratio, is_telling in cases(np.random.default_rng(seed)):
            assert ratio <= 1 + ROUNDING
            if is_telling:
                telling.append(ratio)

    no_bound_is_exceeded()
    assert len(telling) >= 10
    return max(telling)


def against(comparators, observed, bound):
    """For each comparator that the theorem speaks about: observed to bound, and whether it tells.

    It does if the comparator has at most half the hinge loss of g = 0 on three mistakes or more.
    """
    for comparator in comparators:
        try:
            limit = bound(comparator)
        except AssumptionError:
            continue
        if observed > 0:
            telling = observed >= 3 and comparator.hinge_loss <= observed / 2
            yield observed / limit if limit > 0 else np.inf, telling
