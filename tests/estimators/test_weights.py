"""Sample weights and class weights: a step is multiplied by them."""

from inspect import signature

import numpy as np
import pytest

from budgetron import (
    DriftingThreshold,
    ModifiedPerceptron,
    PassiveAggressiveI,
    Perceptron,
    RestartingExperts,
    SecondOrderPerceptron,
    certify,
    prequential,
)
from budgetron.engine import blocked
from estimators.learners import facts, over_kinds, over_learners, small, stream
from laws.kernels import KERNELS
from laws.learners import LEARNERS, over
from laws.runs import assert_same, run
from streams import gaussian_stream, tied_stream

X, y = stream()

WEIGHTED = [
    case
    for case in LEARNERS
    if "weights" in signature(case.reference).parameters
    and "Pseudo" not in case.estimator.__name__  # which keeps independent mistakes alone
]


@over(WEIGHTED)
def test_weights_are_those_of_the_slow_reference(case):
    for stream_of in (gaussian_stream, tied_stream):
        rows, labels = stream_of(length=100)
        weights = np.random.default_rng(1).choice([0.0, 0.5, 1.0, 3.0], len(labels))
        kernels = KERNELS["gaussian"]
        learner = case.at_work(kernels.engine, rows)
        expected = case.by_reference(
            kernels.reference, rows, labels, beside=learner, weights=weights
        )
        found = run(blocked, learner, rows, labels * weights)
        assert_same(found, expected, tolerance=1e-8, where=stream_of.__name__)


@over_learners
def test_weights_of_one_change_nothing(learner):
    plain, ones = small(learner).fit(X, y), small(learner).fit(X, y, np.ones(len(y)))
    assert facts(plain._learner) == facts(ones._learner)


@over_learners
def test_an_example_of_weight_zero_is_predicted_and_forgotten(learner):
    light, without = small(learner), small(learner)
    weights = np.where(np.arange(len(y)) % 3 == 1, 0.0, 1.0)
    trace = prequential(light, X, y, sample_weight=weights)
    without.fit(X[weights > 0], y[weights > 0])
    assert not trace.updates[weights == 0].any()
    assert light.n_seen_ == len(y)
    assert light.n_updates_ == without.n_updates_
    np.testing.assert_allclose(light.dual_coef_, without.dual_coef_, atol=1e-12)


def test_a_perceptrons_weight_is_the_examples():
    model = Perceptron(kernel="linear").fit([[1.0], [2.0]], [-1, 1], sample_weight=[3.0, 0.5])
    assert model.dual_coef_.tolist() == [[-3.0, 0.5]]


def test_the_passive_aggressive_step_is_multiplied():
    model = PassiveAggressiveI(C=10.0, kernel="linear")
    model.partial_fit([[2.0]], [1], classes=[-1, 1], sample_weight=[0.5])
    assert model.dual_coef_.tolist() == [[0.125]]  # half of 1/4


def test_the_second_order_target_is_multiplied():
    model = SecondOrderPerceptron(a=1.0, kernel="rbf", gamma=1.0)
    model.partial_fit([[0.0]], [-1], classes=[-1, 1], sample_weight=[4.0])
    assert model.dual_coef_.tolist() == [[-2.0]]  # (1 + 1)^-1 (-4)


def test_a_reflection_is_whole_or_none():
    weights = np.random.default_rng(0).choice([0.5, 1.0, 7.0], len(y))
    plain, heavy = ModifiedPerceptron(gamma=0.5), ModifiedPerceptron(gamma=0.5)
    plain.fit(X, y)
    heavy.fit(X, y, weights)
    np.testing.assert_array_equal(plain.dual_coef_, heavy.dual_coef_)


@over_kinds
def test_class_weights_are_sample_weights_by_class(learner):
    by_class = small(learner, class_weight={1: 3.0}).fit(X, y)
    by_sample = small(learner).fit(X, y, np.where(y == 1, 3.0, 1.0))
    assert facts(by_class._learner) == facts(by_sample._learner)


def test_balanced_weights_follow_the_classes_seen_so_far():
    labels = np.array(["a", "a", "b", "a", "c"])
    rows = np.eye(5)
    weights = np.array([1 / 1, 2 / 2, 3 / (2 * 1), 4 / (2 * 3), 5 / (3 * 1)])
    balanced = Perceptron(gamma=1.0, class_weight="balanced").fit(rows, labels)
    by_sample = Perceptron(gamma=1.0).fit(rows, labels, weights)
    np.testing.assert_allclose(balanced.dual_coef_, by_sample.dual_coef_)
    cut = Perceptron(gamma=1.0, class_weight="balanced")
    for t in range(5):
        cut.partial_fit(rows[t : t + 1], labels[t : t + 1])
    np.testing.assert_allclose(cut.dual_coef_, balanced.dual_coef_)


def test_a_rare_class_that_counts_more_is_found_more_often():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(3000, 2))
    labels = (rows[:, 0] + rng.normal(size=3000) > 1.8).astype(int)
    found = [
        model.fit(rows[:2000], labels[:2000]).predict(rows[2000:])[labels[2000:] == 1].mean()
        for model in (
            PassiveAggressiveI(C=0.1, gamma=0.5),
            PassiveAggressiveI(C=0.1, gamma=0.5, class_weight="balanced"),
        )
    ]
    assert found[1] > found[0] + 0.2


@pytest.mark.parametrize(
    ("class_weight", "error"),
    [("heavy", ValueError), ({1: -1.0}, ValueError), ({1: np.inf}, ValueError), (3.0, TypeError)],
)
def test_bad_class_weights_are_refused(class_weight, error):
    with pytest.raises(error, match="class_weight"):
        Perceptron(class_weight=class_weight).fit(X, y)


@pytest.mark.parametrize("weights", [-np.ones(len(y)), np.full(len(y), np.nan), np.ones(3)])
def test_bad_sample_weights_are_refused_and_change_nothing(weights):
    model = Perceptron().fit(X, y)
    before = facts(model)
    with pytest.raises(ValueError, match=r"[Ww]eight|NaN"):
        model.partial_fit(X, y, sample_weight=weights)
    assert facts(model) == before


def test_experts_lose_what_an_example_weighs():
    learner = RestartingExperts([lambda X: np.ones(len(X)), lambda X: -np.ones(len(X))])
    learner.partial_fit(X[:2], [1, 1], classes=[-1, 1], sample_weight=[2.0, 0.0])
    assert learner.shares_[0] == pytest.approx(1 / (1 + np.exp(-2 * learner.learning_rate_)))


def test_a_threshold_learns_nothing_from_what_weighs_nothing():
    learner = DriftingThreshold(gamma=0.1)
    learner.partial_fit([[0.5]], [1], classes=[0, 1], sample_weight=[0.0])
    assert learner.interval_ == (-0.1, 1.1)
    assert learner.n_updates_ == 0


def test_bounds_are_for_examples_of_weight_one():
    with pytest.raises(ValueError, match="weight 1"):
        certify(Perceptron(gamma=1.0, class_weight={1: 2.0}), X, y)
