"""Where a bound is met exactly, a learner that loses or repeats one update is found out."""

import numpy as np
import pytest

from bounds.closeness import all_mistakes
from budgetron import (
    Forgetron,
    Perceptron,
    Projectron,
    SecondOrderPerceptron,
    WhitenedPerceptron,
    prequential,
)
from budgetron.bounds import forgetron, perceptron, projectron, second_order
from budgetron.comparators import linear_comparators

N = 100


def mistakes(learner, X, y):
    return prequential(learner, X, y, classes=[-1, 1]).mistakes.sum()


@pytest.mark.parametrize("scale", [0.5, 1, 3])
@pytest.mark.parametrize(
    "bound", [perceptron.separable_mistakes, perceptron.additive_mistakes, perceptron.mistakes]
)
def test_the_perceptron_makes_as_many_mistakes_as_its_bounds_allow(bound, scale):
    X, y, g = all_mistakes(scale=scale)
    limit = bound(g.norm, g.hinge_loss, radius=scale)
    assert mistakes(Perceptron(kernel="linear"), X, y) == N
    assert limit == pytest.approx(N, rel=1e-12)


def test_a_forgetron_that_removes_nothing_meets_the_perceptrons_bound_and_its_own_lemma():
    X, y, g = all_mistakes()
    assert mistakes(Forgetron(budget=N, kernel="linear"), X, y) == N
    assert perceptron.additive_mistakes(g.norm, g.hinge_loss) == pytest.approx(N, rel=1e-12)
    limit = forgetron.run_mistakes(g.norm, g.hinge_loss, [], [], norm_bound=g.norm)
    assert limit == pytest.approx(N, rel=1e-12)


@pytest.mark.parametrize("bound", [projectron.additive_mistakes, projectron.mistakes])
def test_the_projectron_without_projections_meets_both_its_bounds(bound):
    X, y, g = all_mistakes()
    assert mistakes(Projectron(kernel="linear", eta=0.0), X, y) == N
    assert bound(g.norm, g.hinge_loss, eta=0) == pytest.approx(N, rel=1e-12)


def test_the_whitened_perceptron_meets_its_bound():
    X, y = np.diag(np.linspace(1, 3, N)), np.resize([-1, 1], N)  # whitening undoes the lengths
    g = linear_comparators(y / np.diag(X), X, y)
    learner = WhitenedPerceptron(kernel="linear", zero_score="mistake").fit(X, y)
    leverage = np.einsum("ij,ij->i", X @ np.linalg.inv(X.T @ X), X).max()
    limit = second_order.whitened_mistakes(g.squared_scores, leverage, g.margins.min())
    assert learner.n_mistakes_ == N
    assert limit == pytest.approx(N, rel=1e-12)


@pytest.mark.parametrize(("a", "ratio"), [(0.1, 0.616), (1, 0.849), (10, 0.977), (1000, 1.0)])
def test_the_second_order_perceptron_comes_closer_to_its_bound_as_a_grows(a, ratio):
    X, y, g = all_mistakes()
    observed = mistakes(SecondOrderPerceptron(kernel="linear", a=a), X, y)
    determinant = second_order.log_determinant(np.ones(N), a)
    limit = second_order.mistakes(g.norm, g.hinge_loss, g.squared_scores, determinant, a)
    assert observed / limit == pytest.approx(ratio, abs=5e-4)


def perceptron_by_hand(X, y, forgets=(), repeats=()):
    """The Perceptron, which can be told to lose an update or to count one twice."""
    w, errors = np.zeros(X.shape[1]), 0
    for t, (x, label) in enumerate(zip(X, y, strict=True)):
        if (1 if w @ x >= 0 else -1) != label:
            errors += 2 if t in repeats else 1
            w += 0 if t in forgets else label * x
    return errors


def test_one_lost_update_or_one_counted_twice_exceeds_the_bound():
    X, y, g = all_mistakes()
    X, y = np.vstack([X, X]), np.concatenate([y, y])  # the second time there is nothing to learn
    limit = perceptron.mistakes(g.norm, 0)
    assert perceptron_by_hand(X, y) == mistakes(Perceptron(kernel="linear"), X, y)
    assert perceptron_by_hand(X, y) <= limit * (1 + 1e-12)
    assert perceptron_by_hand(X, y, forgets={17}) > limit * (1 + 1e-12)
    assert perceptron_by_hand(X, y, repeats={17}) > limit * (1 + 1e-12)
