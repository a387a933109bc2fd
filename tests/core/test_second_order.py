"""The second-order update: a Cholesky factor in orthonormal coordinates of the supports' span."""

import numpy as np
import pytest

from budgetron.core.state import UPDATES
from budgetron.engine import Learner, Record, blocked, decide, one_by_one
from budgetron.kernels import gaussian, linear, polynomial
from budgetron.rules.pseudoinverse_second_order_perceptron import (
    PseudoinverseSecondOrderPerceptron,
)
from budgetron.rules.second_order_perceptron import SpanSecondOrderPerceptron
from streams import signs

ENGINES = pytest.mark.parametrize("engine", [one_by_one, blocked])
RULES = pytest.mark.parametrize(
    ("rule", "ridge"),
    [(SpanSecondOrderPerceptron(0.5), 0.5), (PseudoinverseSecondOrderPerceptron(), 0.0)],
    ids=["ridge", "pseudoinverse"],
)
KERNELS = pytest.mark.parametrize(
    ("kernel", "dimension"),
    [(linear(), 4), (linear(normalize=True), 4), (polynomial(2, 0.5), 10)],
    ids=["linear", "normalized", "quadratic"],
)


def noise(length=200):
    """Labels that nothing can learn: every other example is a mistake."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(length, 4)), signs(rng.random(length) < 0.5)


def learned(rule, kernel, engine=blocked, length=200):
    """A learner, its mistakes and their labels."""
    (X, y), record = noise(length), Record(length)
    learner = Learner(rule, kernel, 4)
    engine(learner, X, y, record)
    updated = record.events[:, 1] == 1
    return learner, X[updated], y[updated]


def factors(learner):
    """L, R, and the coordinates' vector v."""
    size, memory = learner.size, learner.state.memory
    L, R = np.tril(memory.L[:size, :size]), np.tril(memory.R[:size, :size].T)
    return L, R, memory.vector[:size]


@ENGINES
@RULES
@KERNELS
def test_the_matrix_is_that_of_all_mistakes_in_the_span_of_a_few(
    engine, rule, ridge, kernel, dimension
):
    learner, mistakes, labels = learned(rule, kernel, engine)
    L, R, v = factors(learner)
    assert learner.size == dimension
    assert len(mistakes) > 5 * dimension
    K = kernel(learner.supports, learner.supports)
    assert_near(L @ L.T, K)
    Z = np.linalg.solve(L, kernel(learner.supports, mistakes))
    assert_near(R @ R.T, ridge * np.eye(dimension) + Z @ Z.T)
    assert_near(v, Z @ labels)
    assert_near(learner.weights, np.linalg.solve(L.T, np.linalg.solve(R @ R.T, v)))


def assert_near(matrix, other):
    np.testing.assert_allclose(matrix, other, rtol=0, atol=1e-9 * np.abs(other).max())


@ENGINES
@RULES
def test_with_the_linear_kernel_it_is_ridge_regression_on_the_mistakes(engine, rule, ridge):
    learner, mistakes, labels = learned(rule, linear(), engine)
    moments = ridge * np.eye(4) + mistakes.T @ mistakes
    w = np.linalg.solve(moments, mistakes.T @ labels)
    np.testing.assert_allclose(learner.weights @ learner.supports, w, rtol=0, atol=1e-12)


def test_ten_thousand_updates_leave_the_scores_exact():
    learner, mistakes, labels = learned(SpanSecondOrderPerceptron(0.5), linear(), length=21_000)
    assert learner.state.counts[UPDATES] > 10_000
    w = np.linalg.solve(0.5 * np.eye(4) + mistakes.T @ mistakes, mistakes.T @ labels)
    expected = mistakes @ w
    np.testing.assert_allclose(decide(learner, mistakes), expected, rtol=0, atol=1e-12)


def test_mistakes_outside_the_span_widen_it():
    learner, mistakes, labels = learned(SpanSecondOrderPerceptron(0.5), gaussian(5.0))
    K = gaussian(5.0)(mistakes, mistakes)
    alpha = np.linalg.solve(0.5 * np.eye(len(labels)) + K, labels)
    np.testing.assert_array_equal(learner.supports, mistakes)
    np.testing.assert_allclose(decide(learner, mistakes), K @ alpha, rtol=0, atol=1e-11)
