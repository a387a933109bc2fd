"""Budgetron with more than two classes, which share supports and a covariance."""

from itertools import pairwise

import numpy as np
import pytest

import oracle
from budgetron import Budgetron, prequential
from estimators.test_one_vs_rest import CLASSES, blobs, tied
from laws.kernels import KERNELS

FILTER = "cautious", "bold", "average"
CHOICES = {
    "a filter": {"budget": 8, "patience": 3.0, "experts": FILTER},
    "a panel": {"budget": 8},
    "eager": {"budget": 20, "patience": 3.0, "exchange": "eager"},
    "never": {"budget": 5, "exchange": "never"},
    "bold alone": {"budget": 6, "experts": ("bold",), "drift": 0.1},
}
over_choices = pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES)


def assert_follows(choice, kernels, X, y, *, named, weights=None):
    """All at once and row by row; what the reference did."""
    rounds = oracle.budgetron_of_classes(
        [*zip(map(tuple, X.tolist()), y.tolist(), strict=True)],
        kernels.reference,
        CLASSES.tolist() if named else None,
        weights=None if weights is None else weights.tolist(),
        **choice,
    )
    whole, rows = (Budgetron(**choice, **kernels.estimator) for _ in range(2))
    trace = prequential(whole, X, y, CLASSES if named else None, sample_weight=weights)
    third = 0 if named else next(t for t in range(len(y)) if len({*y[: t + 1]}) == 3)
    np.testing.assert_array_equal(trace.updates, [r.update for r in rounds])
    np.testing.assert_array_equal(trace.sizes, [len(r.supports) for r in rounds])
    removed = [r.removed[0] if r.removed else -1 for r in rounds]
    np.testing.assert_array_equal(trace.evicted, removed)
    np.testing.assert_array_equal(trace.predictions[third:], [r.prediction for r in rounds][third:])
    np.testing.assert_array_equal(trace.mistakes[third:], [r.mistake for r in rounds][third:])
    known = 0 if named else next(t for t in range(len(y)) if len({*y[:t]}) == len(CLASSES))
    scores = [[*r.scores.values()] for r in rounds[known:]]
    np.testing.assert_allclose(trace.scores[known:], scores, atol=1e-6)

    for t in range(len(y)):
        row = X[t : t + 1]
        if t > 0 and len(rounds[t].scores) > 2:
            expected = [*rounds[t].scores.values()]
            assert rows.decision_function(row)[0] == pytest.approx(expected, abs=1e-6), t
        if t == 0:
            given = None if weights is None else weights[:1]
            rows.partial_fit(row, y[:1], CLASSES if named else None, sample_weight=given)
        else:
            weight = 1.0 if weights is None else weights[t]
            rows.learn_one(X[t], y[t], sample_weight=weight)
    for model in (whole, rows):
        assert model.dual_coef_.shape == (len(CLASSES), len(rounds[-1].supports))
        weights_of = [[own[c] for _, own in rounds[-1].supports] for c in CLASSES.tolist()]
        np.testing.assert_allclose(model.dual_coef_, weights_of, atol=1e-6)
        np.testing.assert_array_equal(
            model.support_vectors_, X[[i for i, _ in rounds[-1].supports]]
        )
    return rounds


@over_choices
@pytest.mark.parametrize(("stream", "weighted"), [(blobs, True), (tied, False)])
def test_named_classes_are_learned_as_by_the_slow_reference(choice, stream, weighted):
    X, y = stream(160)
    weights = np.random.default_rng(2).choice([0, 0.5, 1, 2], len(y)) if weighted else None
    assert_follows(choice, KERNELS["gaussian"], X, y, named=True, weights=weights)


@over_choices
@pytest.mark.parametrize("stream", [blobs, tied])
def test_late_classes_are_learned_as_by_the_slow_reference(choice, stream):
    assert_follows(choice, KERNELS["gaussian"], *stream(160), named=False)


@pytest.mark.parametrize("kernel", KERNELS)
def test_every_kernel_is_learned_with_as_by_the_slow_reference(kernel):
    assert_follows(CHOICES["a filter"], KERNELS[kernel], *blobs(), named=True)


def test_exchanges_are_limited_as_by_the_slow_reference():
    rng = np.random.default_rng(0)
    X, y = rng.uniform(-1, 1, size=(250, 6)), CLASSES[rng.integers(0, 4, 250)]
    choice = {"budget": 30, "exchange": "eager", "patience": 3.0}
    rounds = assert_follows(choice, KERNELS["gaussian"], X, y, named=True)
    made = np.cumsum([bool(r.removed) for r in rounds])
    limits = 30 / 10 + 10 * np.arange(250) / 30
    assert (made[:-1] >= limits[1:]).sum() > 20


def test_least_supports_are_looked_for_again_as_by_the_slow_reference():
    rng = np.random.default_rng(1)
    X = rng.uniform(-1, 1, size=(600, 4))
    y = CLASSES[(np.digitize(X[:, 0], [-0.5, 0, 0.5]) + np.arange(600) // 150) % 4]
    choice = {"budget": 20, "patience": 5.0}
    rounds = assert_follows(choice, KERNELS["gaussian"], X, y, named=True)
    exchanges = [t for t, r in enumerate(rounds) if r.removed]
    assert len(exchanges) > 16
    assert any(b - a > 100 for a, b in pairwise(exchanges))
