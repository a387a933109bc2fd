"""No bound is exceeded on random streams by any competitor, and the closest case is close.

What is asserted of the closest case is what makes the rest worth something: a bound that nothing
comes near would hold for a wrong formula as well.
"""

import numpy as np
import pytest

from bounds.closeness import against, closest, largest, rivals, tiny_stream
from budgetron import (
    AdaptiveSecondOrderPerceptron,
    Perceptron,
    Projectron,
    PseudoinverseSecondOrderPerceptron,
    SecondOrderPerceptron,
    ShiftingPerceptron,
    WhitenedPerceptron,
    prequential,
)
from budgetron.bounds import perceptron, projectron, second_order, tracking
from budgetron.comparators import best_fixed, best_piecewise, best_scaled, linear_comparators
from budgetron.kernels import gaussian, linear


def mistakes(learner, X, y):
    return prequential(learner, X, y, classes=[-1, 1]).mistakes


@pytest.mark.parametrize(
    "bound", [perceptron.separable_mistakes, perceptron.additive_mistakes, perceptron.mistakes]
)
def test_the_perceptron_stays_within_its_bounds(bound):
    def cases(rng):
        X, y = tiny_stream(rng)
        X *= rng.choice([0.1, 1, 5])
        wrong = mistakes(Perceptron(kernel="linear"), X, y)

        def limit(g):
            return bound(g.norm, g.hinge_loss, largest(X[wrong]))

        yield from against(rivals(rng, X[wrong], y[wrong], limit), wrong.sum(), limit)

    assert closest(cases) > 0.98


def test_the_perceptron_stays_within_its_bound_with_a_gaussian_kernel():
    kernel = gaussian(2.0)

    def cases(rng):
        X, y = tiny_stream(rng)
        wrong = mistakes(Perceptron(kernel="rbf", gamma=2.0), X, y)

        def limit(g):
            return perceptron.mistakes(g.norm, g.hinge_loss)

        if not wrong.any():
            return
        best = best_fixed(kernel, X[wrong], y[wrong], norm=rng.uniform(0.5, 5))
        yield from against([best, best_scaled(best, limit)], wrong.sum(), limit)

    assert closest(cases) > 0.98


def test_the_sharper_perceptron_bound_is_never_the_larger_one():
    rng = np.random.default_rng(0)
    for norm, hinge_loss, radius in rng.lognormal(sigma=2, size=(1000, 3)):
        sharp = perceptron.mistakes(norm, hinge_loss, radius)
        assert sharp <= perceptron.additive_mistakes(norm, hinge_loss, radius) * (1 + 1e-12)


def test_the_shifting_perceptron_stays_within_both_its_bounds():
    def cases(rng):
        X, y = tiny_stream(rng)
        turn = rng.integers(1, len(y))
        y[turn:] *= -1
        truth = best_piecewise(linear(), X, y, norm=rng.uniform(0.5, 3), starts=[0, turn])
        decay = tracking.recommended_decay(truth.norm + 1e-9, truth.total_shift)
        wrong = mistakes(ShiftingPerceptron(decay=decay, kernel="linear"), X, y)
        on_mistakes = truth.over(wrong)

        def limit(u):
            return tracking.shifting_mistakes(u.norm, u.hinge_loss, u.total_shift, decay)

        def tuned(u):
            return tracking.tuned_shifting_mistakes(
                truth.norm + 1e-9, u.hinge_loss, truth.total_shift, decay
            )

        yield from against([on_mistakes, truth], wrong.sum(), limit)
        yield from against([on_mistakes], wrong.sum(), tuned)

    assert closest(cases, examples=120) > 0.05  # e^2 times what the Perceptron needs, and more


def test_the_shifting_perceptron_stays_within_its_bound_for_targets_that_turn():
    def cases(rng):
        length, decay = 400, rng.choice([0, 0.1, 1, 5])
        angles = np.cumsum(rng.normal(scale=rng.choice([0.01, 0.1]), size=length))
        targets = np.column_stack([np.cos(angles), np.sin(angles)])
        X = rng.normal(size=(length, 2))
        X /= np.linalg.norm(X, axis=1)[:, None]
        scores = (X * targets).sum(axis=1)
        clear = np.abs(scores) > 0.3
        X, y, targets = X[clear], np.where(scores > 0, 1, -1)[clear], targets[clear]
        wrong = mistakes(ShiftingPerceptron(decay=decay, kernel="linear"), X, y)

        def limit(u):
            return tracking.shifting_mistakes(u.norm, u.hinge_loss, u.total_shift, decay)

        truth = linear_comparators(targets, X, y).over(wrong)
        yield from against([truth, best_scaled(truth, limit)], wrong.sum(), limit)

    assert closest(cases, examples=60) > 0.05


def test_the_shifting_perceptrons_norm_stays_within_its_bound():
    def cases(rng):
        X, y = tiny_stream(rng)
        decay = rng.choice([0, 0.3, 1, 10])
        learner = ShiftingPerceptron(decay=decay, kernel="linear", zero_score="mistake").fit(X, y)
        norm = np.linalg.norm(learner.dual_coef_ @ learner.support_vectors_)
        yield norm / tracking.shifting_norm(learner.n_mistakes_, decay), True

    assert closest(cases) > 0.35


@pytest.mark.parametrize("bound", [projectron.additive_mistakes, projectron.mistakes])
def test_the_projectron_stays_within_its_bounds(bound):
    def cases(rng):
        X, y = tiny_stream(rng)
        X *= rng.choice([0.5, 1, 1.2])
        eta = rng.choice([0, 0.05, 0.2, 0.5])
        wrong = mistakes(Projectron(kernel="linear", eta=eta), X, y)

        def limit(g):
            return bound(g.norm, g.hinge_loss, eta, largest(X[wrong]))

        yield from against(rivals(rng, X[wrong], y[wrong], limit), wrong.sum(), limit)

    assert closest(cases) > 0.75


def test_the_tuned_projectron_stays_within_its_bound():
    def cases(rng):
        X, y = tiny_stream(rng)
        U = rng.choice([1, 2, 5])
        wrong = mistakes(Projectron(kernel="linear", norm_bound=U), X, y)

        def limit(g):
            return projectron.tuned_mistakes(g.norm, g.hinge_loss, U, largest(X[wrong]))

        yield from against(rivals(rng, X[wrong], y[wrong], limit), wrong.sum(), limit)

    assert closest(cases) > 0.45  # twice the Perceptron's


def spectrum(X):
    """Eigenvalues of the linear kernel matrix, zeros left out."""
    return np.linalg.svd(X, compute_uv=False) ** 2


def test_the_second_order_perceptron_stays_within_its_bound():
    def cases(rng):
        X, y = tiny_stream(rng)
        a = rng.choice([0.1, 1, 10, 1000])
        wrong = mistakes(SecondOrderPerceptron(kernel="linear", a=a), X, y)

        def limit(g):
            determinant = second_order.log_determinant(spectrum(X[wrong]), a)
            return second_order.mistakes(g.norm, g.hinge_loss, g.squared_scores, determinant, a)

        yield from against(rivals(rng, X[wrong], y[wrong], limit), wrong.sum(), limit)

    assert closest(cases) > 0.98


def test_the_adaptive_second_order_perceptron_stays_within_its_bound():
    def cases(rng):
        X, y = tiny_stream(rng)
        c = rng.choice([0.1, 1, 10, 1000])
        learner = AdaptiveSecondOrderPerceptron(c=c, radius=1.0, kernel="linear")
        wrong = mistakes(learner, X, y)
        M = int(wrong.sum())
        if M == 0:
            return

        def limit(g):
            determinant = second_order.log_determinant(spectrum(X[wrong]), c * M)
            return second_order.adaptive_mistakes(
                g.norm, g.hinge_loss, g.squared_scores, determinant, M, c, radius=largest(X[wrong])
            )

        yield from against(rivals(rng, X[wrong], y[wrong], limit), M, limit)

    assert closest(cases) > 0.6


def test_the_pseudoinverse_second_order_perceptron_stays_within_its_bound():
    def cases(rng):
        X, y = tiny_stream(rng)
        trace = prequential(PseudoinverseSecondOrderPerceptron(), X, y, classes=[-1, 1])
        wrong, M = trace.mistakes, int(trace.updates.sum())
        if M == 0:
            return
        kept = X[trace.updates]
        lowest = second_order.smallest_eigenvalue(kept @ kept.T)
        rank = int(np.linalg.matrix_rank(kept, tol=1e-5))

        def limit(g):
            return second_order.pseudoinverse_mistakes(
                g.hinge_loss, g.squared_scores, rank, lowest, M, largest(kept)
            )

        yield from against(rivals(rng, X[wrong], y[wrong], limit), wrong.sum(), limit)

    assert closest(cases) > 0.65


def test_the_whitened_perceptron_stays_within_its_bound_on_separable_streams():
    def cases(rng):
        X, y = tiny_stream(rng)
        target = rng.normal(size=X.shape[1])
        X = X[X @ target != 0]
        y = np.where(X @ target > 0, 1, -1)
        if len(np.unique(y)) < 2:
            return
        learner = WhitenedPerceptron(kernel="linear", zero_score="mistake").fit(X, y)
        leverage = np.einsum("ij,ij->i", X @ np.linalg.pinv(X.T @ X), X).max()

        def limit(g):
            return second_order.whitened_mistakes(g.squared_scores, leverage, g.margins.min())

        wide = best_fixed(linear(), X, y, norm=50)
        truth = linear_comparators(target, X, y)
        yield from against([truth, wide], learner.n_mistakes_, limit)

    assert closest(cases) > 0.98
