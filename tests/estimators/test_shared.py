"""Machines on common supports, as an estimator and beside the slow reference."""

import numpy as np
import pytest

import oracle
from budgetron import Projectron, ProjectronPlusPlus, prequential
from estimators.test_one_vs_rest import CLASSES, blobs, over_streams, tied
from laws.kernels import KERNELS

WAYS = {"budget": {"budget": 8}, "eta": {"eta": 0.3}, "norm_bound": {"norm_bound": 3.0}}
over_ways = pytest.mark.parametrize("parameters", WAYS.values(), ids=WAYS)


def shared(**parameters):
    return ProjectronPlusPlus(**{"gamma": 0.5, "multi_class": "shared"} | parameters)


def assert_follows(rounds, model, trace):
    """All that is known of the run is what the reference knows."""
    np.testing.assert_array_equal(trace.mistakes, [r.mistake for r in rounds])
    np.testing.assert_array_equal(trace.updates, [r.update for r in rounds])
    np.testing.assert_array_equal(trace.sizes, [len(r.supports) for r in rounds])
    weights = [[float(own.get(c, 0)) for _, own in rounds[-1].supports] for c in CLASSES.tolist()]
    np.testing.assert_allclose(model.dual_coef_, weights, atol=1e-8)
    assert model.n_mistakes_ == sum(r.mistake for r in rounds)


@over_ways
@pytest.mark.parametrize(("stream", "weighted"), [(blobs, True), (tied, False)])
@pytest.mark.parametrize("kernel", ["gaussian", "normalized"])
def test_the_machines_are_those_of_the_slow_reference(parameters, stream, weighted, kernel):
    X, y = stream()
    weights = np.random.default_rng(2).choice([0, 0.5, 1, 2], len(y)) if weighted else None
    kernels = KERNELS[kernel]
    for zero_score in ("mistake", "positive"):
        model = shared(**parameters, **kernels.estimator, zero_score=zero_score)
        rounds = oracle.shared_projectron_plus_plus(
            [*zip(map(tuple, X.tolist()), y.tolist(), strict=True)],
            kernels.reference,
            classes=CLASSES.tolist(),
            weights=None if weights is None else weights.tolist(),
            zero_score=zero_score,
            **parameters,
        )
        assert_follows(rounds, model, prequential(model, X, y, CLASSES, sample_weight=weights))


@over_ways
def test_late_classes_are_those_of_the_slow_reference(parameters):
    X, y = blobs()
    rounds = oracle.shared_projectron_plus_plus(
        [*zip(map(tuple, X.tolist()), y.tolist(), strict=True)],
        KERNELS["gaussian"].reference,
        **parameters,
    )
    model = shared(**parameters)
    trace = prequential(model, X, y)
    assert_follows(rounds, model, trace)
    assert trace.mistakes[sorted(map(y.tolist().index, CLASSES.tolist()))[2:]].all()


@over_streams
def test_any_cut_gives_the_same_run_though_no_class_is_named(stream):
    X, y = stream()
    whole = shared(budget=8).partial_fit(X, y)
    cut, rows = shared(budget=8), shared(budget=8)
    for t in range(0, len(y), 7):
        cut.partial_fit(X[t : t + 7], y[t : t + 7])
    for x, label in zip(X, y, strict=True):
        rows.learn_one(x, label)
    for other in (cut, rows):
        for counted in ("n_seen_", "n_mistakes_", "n_updates_"):
            assert getattr(other, counted) == getattr(whole, counted), counted
        np.testing.assert_allclose(other.dual_coef_, whole.dual_coef_, atol=1e-9)
    assert [rows.predict_one(x) for x in X] == whole.predict(X).tolist()


def test_by_hand():
    X, y = np.eye(2)[[0, 1, 0]], ["a", "b", "c"]
    model = shared(kernel="linear", budget=2).partial_fit(X, y, classes=["a", "b", "c"])
    # zero scores: all machines are mistaken in the first two rows, and each is stored once; the
    # third is in the span, where "a" is wrong with 1, "b" is right with -1 and "c" wrong with -1
    assert model.support_vectors_.tolist() == [[1, 0], [0, 1]]
    assert model.dual_coef_.tolist() == [[0, -1], [-1, 1], [0, -1]]


def test_two_classes_are_one_binary_learner():
    X, y = blobs()
    two = np.isin(y, ["a", "b"])
    model, plain = shared(budget=8), shared(budget=8, multi_class="one_vs_rest")
    for each in (model, plain):
        each.fit(X[two], y[two])
    assert model.dual_coef_.tolist() == plain.dual_coef_.tolist()


def test_scores_are_sums_over_supports_and_have_probabilities():
    X, y = blobs(400)
    model = shared(budget=20, probability=True).fit(X, y)
    expected = model._learner.kernel(X, model.support_vectors_) @ model.dual_coef_.T
    np.testing.assert_allclose(model.decision_function(X), expected, atol=1e-9)
    assert model.dual_coef_.shape == (4, 20)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert model.score(X, y) > 0.7


def test_other_learners_say_which_ways_they_have():
    X, y = tied()
    with pytest.raises(ValueError, match="multi_class"):
        Projectron(multi_class="shared").fit(X, y)
