import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import LinearSVC

from budgetron.bounds import AssumptionError, forgetron, perceptron
from budgetron.comparators import (
    Comparator,
    best_fixed,
    best_piecewise,
    best_scaled,
    linear_comparators,
)
from budgetron.kernels import OwnKernel, gaussian, linear, polynomial
from streams import gaussian_stream

KERNELS = {
    "linear": linear(),
    "polynomial": polynomial(3, coef0=1.0, normalize=True),
    "gaussian": gaussian(0.5),
    "own": OwnKernel(lambda A, B: (A @ B.T) ** 2),
}
over_kernels = pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)


def optimum(kernel, X, y, C):
    """What LinearSVC finds without a bias: its norm, and the least hinge loss for that norm."""
    values, vectors = np.linalg.eigh(kernel(X, X))
    kept = values > 1e-8 * values[-1]
    features = vectors[:, kept] * np.sqrt(values[kept])
    machine = LinearSVC(C=C, loss="hinge", fit_intercept=False, max_iter=10**6, tol=1e-5)
    w = machine.fit(features, y).coef_.ravel()
    return np.linalg.norm(w), np.maximum(0, 1 - y * (features @ w)).sum()


@over_kernels
@pytest.mark.parametrize("C", [0.01, 0.3])
def test_the_best_fixed_competitor_is_as_good_as_a_support_vector_machine(kernel, C):
    X, y = gaussian_stream(length=250)
    norm, loss = optimum(kernel, X, y, C)
    best = best_fixed(kernel, X, y, norm)
    assert best.norm <= norm * (1 + 1e-12)
    assert 0.999 * loss - 1e-6 <= best.hinge_loss <= 1.01 * loss + 0.1


@over_kernels
def test_norms_and_margins_are_those_of_a_function_of_the_kernels_space(kernel):
    X, y = gaussian_stream(length=120)
    best = best_fixed(kernel, X, y, norm=2.0)
    gram = kernel(X, X)
    interpolation = np.linalg.lstsq(gram, y * best.margins, rcond=1e-10)[0]
    assert gram @ interpolation == pytest.approx(y * best.margins, abs=1e-5)
    assert np.sqrt(interpolation @ gram @ interpolation) == pytest.approx(best.norm, rel=1e-3)
    assert (best.norms == best.norm).all() and best.total_shift == 0


def test_a_few_rows_span_enough_for_many():
    X, y = gaussian_stream(length=800)
    few = best_fixed(gaussian(0.5), X, y, norm=8.0, span=150)
    all_rows = best_fixed(gaussian(0.5), X, y, norm=8.0, span=800)
    assert few.norm <= 8 * (1 + 1e-12)
    assert all_rows.hinge_loss * 0.99 <= few.hinge_loss <= 1.1 * all_rows.hinge_loss


def test_sparse_rows_are_taken_as_dense_ones():
    X, y = gaussian_stream(length=100)
    dense, rows = best_fixed(gaussian(0.5), X, y, 3.0), sparse.csr_array(X)
    assert best_fixed(gaussian(0.5), rows, y, 3.0).margins == pytest.approx(dense.margins, abs=1e-4)
    target = np.array([1.0, -2.0, 0.5])
    assert linear_comparators(target, rows, y).margins == pytest.approx(y * (X @ target))


def test_each_segment_has_its_own_best_competitor():
    X, y = gaussian_stream(length=200)
    y = np.concatenate([y[:100], -y[100:]])
    pieces = best_piecewise(linear(), X, y, norm=3.0, starts=[0, 100])
    for part in (slice(0, 100), slice(100, 200)):
        alone = best_fixed(linear(), X[part], y[part], norm=3.0)
        assert pieces.losses[part].sum() == pytest.approx(alone.hinge_loss, rel=0.01)
    assert np.flatnonzero(pieces.shifts).tolist() == [100]
    assert 1.8 < pieces.total_shift / pieces.norm <= 2  # from one side nearly to the other
    assert pieces.hinge_loss < best_fixed(linear(), X, y, norm=3.0).hinge_loss * 0.75


@pytest.mark.parametrize("starts", [[], [1], [0, 0], [0, 5, 3], [0, 10]])
def test_segments_that_are_none_are_refused(starts):
    with pytest.raises(ValueError, match="segments must start"):
        best_piecewise(linear(), np.ones((10, 1)), np.ones(10), 1.0, starts)


def test_labels_other_than_signs_are_refused():
    with pytest.raises(ValueError, match="-1 and"):
        best_fixed(linear(), np.ones((2, 1)), [0, 1], 1.0)


def test_rows_that_are_all_zero_leave_only_the_zero_competitor():
    best = best_fixed(linear(), np.zeros((3, 2)), [1, -1, 1], norm=5.0)
    assert (best.norm, best.hinge_loss) == (0, 3)


def test_over_some_rounds_the_shifts_between_them_are_added_up():
    u = Comparator(np.arange(5.0), np.arange(5.0) - 2, np.array([0, 1, 2, 3, 4.0]))
    some = u.over(np.array([False, True, False, True, True]))
    assert some.norms.tolist() == [1, 3, 4]
    assert some.shifts.tolist() == [0, 5, 4]
    assert some.hinge_loss == 2
    nothing = u.over(np.zeros(5, bool))
    assert (nothing.norm, nothing.hinge_loss, nothing.total_shift) == (0, 0, 0)


def test_linear_comparators_are_the_targets_of_their_rows():
    targets = np.array([[1.0, 0], [0, 1], [0, 1]])
    u = linear_comparators(targets, np.array([[2.0, 5], [5, 3], [1, 1]]), [1, 1, -1], scale=2)
    assert u.margins.tolist() == [4, 6, -2]
    assert u.norms.tolist() == [2, 2, 2]
    assert u.shifts == pytest.approx([0, np.sqrt(8), 0])
    assert u.squared_scores == 56


def test_the_best_scale_makes_the_bound_smallest_where_the_theorem_allows_it():
    X, y = gaussian_stream(length=300)
    X /= np.linalg.norm(X, axis=1)[:, None]
    g = linear_comparators([1.0, 0, 0], X, y)

    def limit(g):
        return perceptron.mistakes(g.norm, g.hinge_loss)

    def narrow(g):
        return forgetron.mistakes(g.norm, g.hinge_loss, budget=83)

    best = limit(best_scaled(g, limit))
    assert all(best <= limit(g.scaled(factor)) + 1e-6 for factor in np.geomspace(0.01, 100, 200))
    with pytest.raises(AssumptionError):
        narrow(best_scaled(g, limit))
    assert best_scaled(g, narrow).norm == pytest.approx(forgetron.largest_norm(83), rel=1e-5)
