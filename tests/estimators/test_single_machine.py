"""One machine for all classes, as an estimator and beside the slow reference."""

from functools import partial
from inspect import signature

import numpy as np
import pytest

import oracle
from budgetron import Perceptron, ProjectronPlusPlus, SecondOrderPerceptron, prequential
from estimators.test_one_vs_rest import CLASSES, blobs, over_streams, tied
from laws.kernels import KERNELS
from laws.learners import in_snake_case, xorshift
from laws.many_classes import CASES

over_cases = pytest.mark.parametrize(
    ("learner", "reference", "parameters"),
    [
        pytest.param(
            case.estimator,
            reference := getattr(oracle, f"joint_{in_snake_case(case.estimator.__name__)}"),
            case.asked_of(reference),
            id=str(case),
        )
        for case in CASES
    ],
)


def single(learner, **parameters):
    return learner(**parameters, multi_class="single_machine", random_state=0)


@over_cases
@pytest.mark.parametrize(("stream", "weighted"), [(blobs, True), (tied, False)])
def test_the_machine_is_that_of_the_slow_reference(
    learner, reference, parameters, stream, weighted
):
    X, y = stream()
    weights = np.random.default_rng(2).choice([0, 0.5, 1, 2], len(y)) if weighted else None
    kernels = KERNELS["gaussian"]
    model = single(learner, **parameters, **kernels.estimator)
    given = dict(parameters)
    if "draw" in signature(reference).parameters:
        started = single(learner, **parameters, **kernels.estimator).partial_fit(
            X[:1], y[:1], classes=CLASSES, sample_weight=[0.0]
        )
        given["draw"] = xorshift(int(started._learner.state.randomness[0]))
    rounds = reference(
        [*zip(map(tuple, X.tolist()), y.tolist(), strict=True)],
        kernels.reference,
        classes=CLASSES.tolist(),
        weights=None if weights is None else weights.tolist(),
        zero_score=model.zero_score,
        **given,
    )
    trace = prequential(model, X, y, CLASSES, sample_weight=weights)
    np.testing.assert_array_equal(trace.mistakes, [r.mistake for r in rounds])
    np.testing.assert_array_equal(trace.updates, [r.update for r in rounds])
    np.testing.assert_array_equal(trace.sizes, [len(r.supports) for r in rounds])
    expected = np.array(
        [[float(own.get(c, 0)) for _, own in rounds[-1].supports] for c in CLASSES.tolist()]
    )
    np.testing.assert_allclose(model.dual_coef_, expected, atol=1e-8)


@over_cases
def test_late_classes_are_those_of_the_slow_reference(learner, reference, parameters):
    if "draw" in signature(reference).parameters:
        parameters = parameters | {"budget": 1000}  # without a draw
        reference = partial(reference, draw=None)
    X, y = blobs()
    kernels = KERNELS["gaussian"]
    model = single(learner, **parameters, **kernels.estimator)
    rounds = reference(
        [*zip(map(tuple, X.tolist()), y.tolist(), strict=True)],
        kernels.reference,
        zero_score=model.zero_score,
        **parameters,
    )
    trace = prequential(model, X, y)
    np.testing.assert_array_equal(trace.updates[1:], [r.update for r in rounds][1:])
    np.testing.assert_array_equal(trace.sizes, [len(r.supports) for r in rounds])


@over_cases
@over_streams
def test_any_cut_gives_the_same_run_though_no_class_is_named(
    learner, reference, parameters, stream
):
    X, y = stream()
    whole = single(learner, **parameters, gamma=0.5).partial_fit(X, y)
    cut, rows = (single(learner, **parameters, gamma=0.5) for _ in range(2))
    for t in range(0, len(y), 7):
        cut.partial_fit(X[t : t + 7], y[t : t + 7])
    for x, label in zip(X, y, strict=True):
        rows.learn_one(x, label)
    for other in (cut, rows):
        assert (other.n_seen_, other.n_updates_) == (whole.n_seen_, whole.n_updates_)
        np.testing.assert_allclose(other.dual_coef_, whole.dual_coef_, atol=1e-9)
    assert [rows.predict_one(x) for x in X] == whole.predict(X).tolist()


def test_its_scores_are_sums_over_its_supports():
    X, y = blobs()
    model = ProjectronPlusPlus(budget=20, gamma=0.5, multi_class="single_machine").fit(X, y)
    expected = model._learner.kernel(X, model.support_vectors_) @ model.dual_coef_.T
    np.testing.assert_allclose(model.decision_function(X), expected, atol=1e-9)
    assert model.score(X, y) > 0.6


def test_two_classes_are_one_score():
    X, y = blobs()
    two = np.isin(y, ["a", "b"])
    model = Perceptron(gamma=0.5, multi_class="single_machine").fit(X[two], y[two])
    assert model.decision_function(X).shape == (len(y),)
    assert model.score(X[two], y[two]) > 0.6


def test_it_has_probabilities():
    X, y = blobs(400)
    model = Perceptron(gamma=0.5, multi_class="single_machine", probability=True).fit(X, y)
    chances = model.predict_proba(X)
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert (CLASSES[chances.argmax(axis=1)] == y).mean() > 0.6


def test_other_learners_say_that_they_have_none():
    X, y = tied()
    with pytest.raises(ValueError, match="no single machine"):
        SecondOrderPerceptron(multi_class="single_machine").fit(X, y)
    with pytest.raises(ValueError, match="multi_class"):
        Perceptron(multi_class="ovo").fit(X, y)
