"""`average=True` predicts with the average of the hypotheses that predicted the examples so far."""

import numpy as np
import pytest
from sklearn.base import clone

import budgetron
from budgetron import (
    AdaptiveSecondOrderPerceptron,
    ExponentialDecayPerceptron,
    ModifiedPerceptron,
    NystromGradientDescent,
    PassiveAggressive,
    PassiveAggressiveI,
    PassiveAggressiveII,
    Perceptron,
    Projectron,
    ProjectronPlusPlus,
    SecondOrderPerceptron,
    ShiftingPerceptron,
    Stoptron,
    prequential,
)
from streams import signs

LEARNERS = [
    Perceptron(),
    ShiftingPerceptron(decay=0.5),
    ShiftingPerceptron(decay=50.0),
    ExponentialDecayPerceptron(decay=0.1),
    ExponentialDecayPerceptron(decay=0.9),  # its scale falls below 1e-100
    PassiveAggressive(),
    PassiveAggressiveI(C=0.5),
    PassiveAggressiveII(C=0.5),
    ModifiedPerceptron(),
    Stoptron(budget=10),
    Projectron(eta=0.3),
    Projectron(budget=10),
    ProjectronPlusPlus(norm_bound=2.0),
    SecondOrderPerceptron(a=0.5),
    SecondOrderPerceptron(a=0.5, kernel="linear"),
    AdaptiveSecondOrderPerceptron(c=0.1),
    NystromGradientDescent(budget=10, rank=4),
]
over_learners = pytest.mark.parametrize("learner", LEARNERS, ids=str)
EVICTING = [
    "Ahpatron",
    "BudgetPerceptron",
    "BudgetedPassiveAggressive",
    "Forgetron",
    "FourierGradientDescent",
    "LeastRecentBudgetPerceptron",
    "LeastRecentBudgetSecondOrderPerceptron",
    "RandomizedBudgetPerceptron",
    "RandomizedBudgetSecondOrderPerceptron",
]


def noise(length=300):
    """Labels that nothing can learn, the first of them positive."""
    rng = np.random.default_rng(0)
    y = signs(rng.random(length) < 0.5)
    y[0] = 1
    return rng.normal(scale=0.7, size=(length, 2)), y


def average_of_hypotheses(learner, X, y, examples):
    """The mean score over the hypotheses that predicted X, the first of them included."""
    learner, total = clone(learner), np.zeros(len(examples))
    if isinstance(learner, ModifiedPerceptron):  # it begins with the first example as positive
        total += clone(learner).partial_fit(X[:1], y[:1], [-1, 1]).decision_function(examples)
    for t in range(len(y) - 1):
        learner.partial_fit(X[t : t + 1], y[t : t + 1], classes=[-1, 1])
        total += learner.decision_function(examples)
    return total / len(y)


@over_learners
def test_the_average_is_that_of_all_hypotheses(learner):
    X, y = noise()
    learner = clone(learner).set_params(gamma=1.0)
    expected = average_of_hypotheses(learner, X, y, X[:30])
    averaging = clone(learner).set_params(average=True).fit(X, y)
    np.testing.assert_allclose(averaging.decision_function(X[:30]), expected, rtol=0, atol=1e-9)
    last = learner.fit(X, y).decision_function(X[:30])
    assert np.abs(last - expected).max() > 1e-3


@over_learners
def test_any_cut_gives_the_same_average(learner):
    X, y = noise()
    learner = clone(learner).set_params(gamma=1.0, average=True)
    expected = clone(learner).fit(X, y).decision_function(X)
    for first in range(0, 300, 20):
        learner.partial_fit(X[first : first + 20], y[first : first + 20], classes=[-1, 1])
    scale = np.abs(expected).max()
    np.testing.assert_allclose(learner.decision_function(X), expected, rtol=0, atol=1e-9 * scale)


@over_learners
def test_learning_goes_on_with_the_last_hypothesis(learner):
    X, y = noise()
    plain = prequential(clone(learner).set_params(gamma=1.0), X, y)
    averaging = prequential(clone(learner).set_params(gamma=1.0, average=True), X, y)
    np.testing.assert_array_equal(averaging.scores, plain.scores)
    np.testing.assert_array_equal(averaging.updates, plain.updates)


@over_learners
def test_the_weights_are_those_of_the_average(learner):
    X, y = noise(100)
    learner = clone(learner).set_params(kernel="linear", average=True).fit(X, y)
    w = learner.dual_coef_ @ learner.support_vectors_
    scores = learner.decision_function(X)
    np.testing.assert_allclose(scores, (X @ w.T)[:, 0], rtol=0, atol=1e-9 * np.abs(scores).max())


def test_the_average_of_one_example_is_the_first_hypothesis():
    learner = Perceptron(average=True, kernel="linear")
    learner.partial_fit([[1.0, 2.0]], [-1], classes=[-1, 1])
    assert learner.decision_function([[1.0, 2.0]]) == 0
    learner.partial_fit([[1.0, 2.0]], [-1])
    assert learner.decision_function([[1.0, 2.0]]) == pytest.approx(-5 / 2)


def test_averaging_can_be_switched_on_afterwards():
    X, y = noise()
    learner = Perceptron(gamma=1.0).fit(X, y)
    expected = Perceptron(gamma=1.0, average=True).fit(X, y).decision_function(X)
    np.testing.assert_array_equal(learner.set_params(average=True).decision_function(X), expected)


@pytest.mark.parametrize("name", EVICTING)
def test_learners_that_evict_have_no_average(name):
    assert "average" not in getattr(budgetron, name)().get_params()
