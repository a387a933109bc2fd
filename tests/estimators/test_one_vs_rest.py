"""More than two classes: one machine for each, with one kernel evaluation for all."""

from functools import partial

import numpy as np
import pytest

import oracle
from budgetron import Budgetron, Perceptron, RandomizedBudgetPerceptron, prequential
from covering import across
from estimators.learners import EXPANSIONS, over_kinds, small, storages
from estimators.learners import LEARNERS as ALL
from laws.kernels import KERNELS
from laws.learners import LEARNERS, over
from streams import TIES

CLASSES = np.array(["a", "b", "c", "d"])


def blobs(length=120, seed=0):
    """Four overlapping clouds, in an order in which all classes appear late."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 4, length)
    codes[:40] = np.minimum(codes[:40], rng.integers(0, 4, 40))
    centres = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0], [-1, -1, 0.5]])
    return centres[codes] + 0.6 * rng.normal(size=(length, 3)), CLASSES[codes]


def tied(length=120, seed=1):
    """Points of a coarse grid with labels at random."""
    rng = np.random.default_rng(seed)
    return rng.choice(TIES, size=(length, 3)), CLASSES[rng.integers(0, 4, length)]


OTHERS = ("Modified", "Adaptive", "Pseudoinverse", "LeastRecentBudgetSecondOrder")
WITH_REFERENCE = [
    case
    for case in LEARNERS
    if case.keeps_examples and not case.draws and not case.estimator.__name__.startswith(OTHERS)
    if case.estimator is not Budgetron  # its classes share supports
]
over_streams = pytest.mark.parametrize("stream", [blobs, tied])


def by_reference(case, kernels, X, y, weights, *, named):
    zero_score = case.new().zero_score
    learner = partial(case.reference, kernel=kernels.reference, **case.asked_of(case.reference))
    rows, labels = [*map(tuple, X.tolist())], y.tolist()
    if named:
        machine = partial(learner, zero_score=zero_score)
        return oracle.one_vs_rest(lambda c: machine, rows, labels, CLASSES.tolist(), weights)
    return oracle.one_vs_rest_late_classes(
        lambda c: learner, rows, labels, weights, zero_score=zero_score
    )


@over(WITH_REFERENCE)
@pytest.mark.parametrize(("stream", "weighted"), [(blobs, True), (tied, False)])
def test_named_classes_are_learned_as_by_the_slow_reference(case, stream, weighted):
    X, y = stream()
    kernels = KERNELS["gaussian"]
    weights = np.random.default_rng(2).choice([0, 0.5, 1, 2], len(y)) if weighted else None
    rounds = by_reference(
        case, kernels, X, y, None if weights is None else weights.tolist(), named=True
    )
    model = case.new(**kernels.estimator)
    trace = prequential(model, X, y, CLASSES, sample_weight=weights)
    np.testing.assert_array_equal(trace.updates, [any(r.updates.values()) for r in rounds])
    np.testing.assert_array_equal(trace.sizes, [sum(r.sizes.values()) for r in rounds])
    np.testing.assert_array_equal(trace.predictions, [r.prediction for r in rounds])
    scores = np.array([[float(r.scores[c]) for c in CLASSES.tolist()] for r in rounds])
    np.testing.assert_allclose(trace.scores, scores, atol=1e-6 * max(1, np.abs(scores).max()))


@across(WITH_REFERENCE, stream=(blobs, tied))
def test_late_classes_are_learned_as_by_the_slow_reference(case, stream):
    X, y = stream()
    kernels = KERNELS["gaussian"]
    rounds = by_reference(case, kernels, X, y, None, named=False)
    model = case.new(**kernels.estimator)
    trace = prequential(model, X, y)
    third = next(t for t in range(len(y)) if len({*y[: t + 1]}) == 3)
    np.testing.assert_array_equal(trace.updates, [any(r.updates.values()) for r in rounds])
    np.testing.assert_array_equal(
        trace.sizes[third:], [sum(r.sizes.values()) for r in rounds][third:]
    )
    np.testing.assert_array_equal(trace.predictions[third:], [r.prediction for r in rounds][third:])
    np.testing.assert_array_equal(trace.mistakes[third:], [r.mistake for r in rounds][third:])
    known = next(t for t in range(len(y)) if len({*y[:t]}) == len(CLASSES))
    scores = np.array([[float(r.scores[c]) for c in CLASSES.tolist()] for r in rounds[known:]])
    atol = 1e-6 * max(1, np.abs(scores).max())
    np.testing.assert_allclose(trace.scores[known:], scores, atol=atol)


@across(ALL, "learner", length=(1, 7), storage=storages)
def test_any_cut_gives_the_same_run_though_no_class_is_named(learner, length, storage):
    X, y = blobs()
    X = storage(X)
    whole, cut = small(learner, probability=True), small(learner, probability=True)
    trace = prequential(whole, X, y)
    pieces = [
        prequential(cut, X[t : t + length], y[t : t + length]) for t in range(0, len(y), length)
    ]
    assert cut.classes_.tolist() == CLASSES.tolist()
    for field in ("updates", "evicted"):
        parts = np.concatenate([getattr(piece, field) for piece in pieces])
        third = next(t for t in range(len(y)) if len({*y[: t + 1]}) == 3)
        np.testing.assert_array_equal(parts[third:], getattr(trace, field)[third:])
    assert (cut.n_seen_, cut.n_updates_) == (whole.n_seen_, whole.n_updates_)
    np.testing.assert_allclose(cut.dual_coef_, whole.dual_coef_, atol=1e-9)
    np.testing.assert_allclose(cut.predict_proba(X), whole.predict_proba(X), atol=1e-6)


@across(EXPANSIONS, "learner", storage=storages)
def test_the_scores_are_sums_over_common_supports(learner, storage):
    X, y = blobs()
    model = small(learner).fit(storage(X), y)
    kernel = model._learner.kernel(storage(X), model.support_vectors_)
    expected = kernel @ model.dual_coef_.T
    scores = model.decision_function(storage(X))
    if model._learner.machines[0].rule.__class__.__name__.startswith("Pseudo"):
        expected = np.where(scores == 0, 0, expected)
    np.testing.assert_allclose(scores, expected, atol=1e-8 * max(1, np.abs(expected).max()))
    np.testing.assert_array_equal(model.predict(X), CLASSES[scores.argmax(axis=1)])


def test_a_support_that_several_classes_have_is_there_once():
    X, y = blobs()
    model = Perceptron(gamma=0.5).fit(X, y)
    stored = sum(machine.size for machine in model._learner.machines)
    assert model.support_vectors_.shape == (model.dual_coef_.shape[1], 3)
    assert len(np.unique(model.support_vectors_, axis=0)) == len(model.support_vectors_) < stored


def test_each_class_has_its_budget():
    X, y = blobs(400)
    model = RandomizedBudgetPerceptron(budget=6, gamma=0.5, random_state=0)
    trace = prequential(model, X, y)
    assert all(machine.size == 6 for machine in model._learner.machines)
    assert trace.sizes.max() == trace.sizes[-1] == 24


def test_machines_that_draw_do_not_draw_the_same():
    X, y = blobs(400)
    model = RandomizedBudgetPerceptron(budget=6, gamma=0.5, random_state=0).fit(X, y)
    states = [int(machine.state.randomness[0]) for machine in model._learner.machines]
    assert len({*states}) == 4


@over_kinds
def test_two_classes_need_no_names_however_the_stream_is_cut(learner):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    for first in ("a", "b"):
        y = np.where(X[:, 0] + X[:, 1] ** 2 > 1, "a", "b")
        y[:5] = first
        named, unnamed = small(learner), small(learner)
        named.partial_fit(X, y, classes=["a", "b"])
        for t in range(60):
            unnamed.partial_fit(X[t : t + 1], y[t : t + 1])
        assert (named.n_updates_, named.n_mistakes_) == (unnamed.n_updates_, unnamed.n_mistakes_)
        np.testing.assert_allclose(unnamed.dual_coef_, named.dual_coef_, atol=1e-9)
        np.testing.assert_array_equal(unnamed.predict(X), named.predict(X))


def test_a_class_is_no_surprise_after_its_first_example():
    X = np.vstack([np.eye(3)] * 4)
    y = np.array(["a", "b", "c"] * 4)
    trace = prequential(Perceptron(gamma=50.0), X, y)
    assert trace.mistakes[2]
    assert not trace.mistakes[6:].any()


def test_labels_of_another_kind_are_no_classes():
    model = Perceptron().fit([[0.0], [1.0]], [0, 1])
    for label in ["ham", 0.5, None]:
        with pytest.raises(ValueError, match=r"kind|number|NaN|label"):
            model.partial_fit([[2.0]], [label])
    assert model.classes_.tolist() == [0, 1]


def test_there_is_an_end_to_classes():
    X, y = np.zeros((2404, 1)), np.repeat(np.arange(1202), 2)
    with pytest.raises(ValueError, match="more than 1000"):
        Perceptron().fit(X, y)
