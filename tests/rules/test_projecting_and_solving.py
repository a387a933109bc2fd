"""What the papers say of learners that project or solve, and streams that break careless ones."""

from itertools import product

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

import oracle
from budgetron import (
    AdaptiveSecondOrderPerceptron,
    LeastRecentBudgetSecondOrderPerceptron,
    Perceptron,
    Projectron,
    ProjectronPlusPlus,
    PseudoinverseSecondOrderPerceptron,
    RandomizedBudgetSecondOrderPerceptron,
    SecondOrderPerceptron,
    prequential,
)
from laws import runs
from laws.following import assert_follows
from laws.kernels import KERNELS
from laws.learners import LEARNERS, Case, over
from laws.runs import assert_close
from streams import grid_stream, signs, smooth_stream

STREAMS = {"smooth": smooth_stream, "tied": grid_stream}
LINEAR = {"kernel": "linear"}
DUAL_LINEAR = {"kernel": "poly", "degree": 1, "gamma": 1.0}
"""Linear, but not by name: the second-order Perceptron takes its dual form."""
QUADRATIC = {"kernel": "poly", "degree": 2, "gamma": 4.0, "coef0": 1.0}


def prequential_run(estimator, X, y):
    """Let a copy of the learner go over the stream."""
    return runs.prequential_run(clone(estimator), X, y)


def assert_same(run, other):
    runs.assert_same(run, other, tolerance=1e-8)


BOTH_PROJECTRONS = pytest.mark.parametrize("learner", [Projectron, ProjectronPlusPlus])
over_streams = pytest.mark.parametrize("stream", STREAMS)

# ------------------------------------------------------------------------- Projectron


@over_streams
@pytest.mark.parametrize("zero_score", ["positive", "mistake"])
@pytest.mark.parametrize(
    ("kernels", "dimension"), [(LINEAR, 3), (QUADRATIC, 10)], ids=["linear", "quadratic"]
)
def test_an_eta_of_zero_predicts_as_the_perceptron(stream, zero_score, kernels, dimension):
    for seed in range(10):
        X, y = STREAMS[stream](seed, length=150, width=3)
        options = {"zero_score": zero_score, **kernels}
        run = prequential_run(Projectron(eta=0, **options), X, y)
        expected = prequential_run(Perceptron(**options), X, y)
        np.testing.assert_array_equal(run.events[:, :2], expected.events[:, :2])
        assert_close(run.scores, expected.scores, 1e-9)
        assert len(run.supports) <= dimension < len(expected.supports)


SOLVING = [
    case
    for case in LEARNERS
    if case.estimator.__name__.endswith(("SecondOrderPerceptron", "Projectron", "PlusPlus"))
    and "Pseudo" not in case.estimator.__name__
]
WITH_TIES = SOLVING + [
    Case(learner, reference, limits)
    for learner, reference in [
        (Projectron, oracle.projectron),
        (ProjectronPlusPlus, oracle.projectron_plus_plus),
    ]
    for limits in (
        {"eta": 0.1},
        {"eta": 0.2},
        {"budget": 2},
        {"eta": 0.3, "budget": 6},
        {"norm_bound": 2.0, "budget": 6},
    )
]


@over(WITH_TIES)
def test_ties_are_broken_by_the_papers_and_not_by_rounding(case):
    # on a grid, distances of exactly eta and hypotheses that cancel come up all the time
    for seed in range(12):
        X, y = grid_stream(seed, length=40, width=2 + seed % 2)
        assert_follows(case, KERNELS["linear"], X, y)
    assert_follows(case, KERNELS["gaussian"], *smooth_stream())


@over_streams
def test_the_primal_form_follows_the_paper(stream):
    """It keeps independent mistakes alone, where the reference keeps all of them."""
    X, y = STREAMS[stream]()
    learner = SecondOrderPerceptron(a=0.5, kernel="linear")
    rounds = oracle.second_order_perceptron(
        [*zip(map(tuple, X.tolist()), y.tolist(), strict=True)], oracle.linear, a=0.5
    )
    run = prequential_run(learner, X, y)
    np.testing.assert_array_equal(run.events[:, :2], [(r.mistake, r.update) for r in rounds])
    assert_close(run.scores, [r.plain_score for r in rounds], 1e-8)
    for cuts in (range(1, 80), [50], [1, 2, 7, 71]):
        assert_same(runs.prequential_run(clone(learner), X, y, cuts), run)
    assert_same(prequential_run(learner, sparse.csr_array(X), y), run)
    single = prequential_run(clone(learner).set_params(dtype="float32"), X, y)
    assert np.isfinite(single.scores).all() and np.isfinite(single.weights).all()


@BOTH_PROJECTRONS
def test_no_limit_at_all_is_an_eta_of_a_tenth(learner):
    X, y = smooth_stream()
    run = prequential_run(learner(gamma=2.0), X, y)
    assert_same(run, prequential_run(learner(eta=0.1, gamma=2.0), X, y))
    assert 1 < len(run.supports) < run.events[:, 0].sum()


@BOTH_PROJECTRONS
def test_a_larger_eta_keeps_fewer_supports(learner):
    X, y = smooth_stream(length=150)
    sizes = [
        len(prequential_run(learner(eta=eta, gamma=2.0), X, y).supports)
        for eta in (0.01, 0.1, 0.3, 0.6, 0.9)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 2 * sizes[-1]


@BOTH_PROJECTRONS
def test_norm_bound_and_eta_exclude_each_other(learner):
    X, y = smooth_stream()
    with pytest.raises(ValueError, match="norm_bound and eta"):
        learner(norm_bound=2.0, eta=0.1).fit(X, y)


@BOTH_PROJECTRONS
@pytest.mark.parametrize("limit", [{"eta": 1.0}, {"eta": 3}, {"norm_bound": 0.75}], ids=str)
@pytest.mark.parametrize(
    "kernel", [{"kernel": "rbf"}, {"kernel": "linear", "normalize": True}], ids=["rbf", "unit"]
)
def test_a_limit_that_never_learns_is_warned_of(learner, limit, kernel):
    X, y = smooth_stream()
    idle = learner(**limit, **kernel)
    with pytest.warns(UserWarning, match=f"with {next(iter(limit))}=.* f = 0"):
        idle.fit(X, y)
    assert len(idle.support_vectors_) == 0
    assert idle.n_mistakes_ == len(y)
    np.testing.assert_array_equal(idle.decision_function(X), 0)


@BOTH_PROJECTRONS
@pytest.mark.parametrize("limit", [{"eta": 0.999}, {"norm_bound": 0.751}], ids=str)
def test_a_limit_just_below_learns(learner, limit):
    X, y = smooth_stream()
    assert len(learner(**limit).fit(X, y).support_vectors_) > 0


@BOTH_PROJECTRONS
@pytest.mark.parametrize("limit", [{"eta": 2.0}, {"norm_bound": 0.5}], ids=str)
def test_where_examples_have_any_length_nothing_is_warned_of(learner, limit):
    X, y = smooth_stream()
    assert len(learner(kernel="linear", **limit).fit(10 * X, y).support_vectors_) > 0


# ------------------------------------------------------------------------- second order


@over_streams
@pytest.mark.parametrize(
    "parameters",
    [{"kernel": "linear"}, DUAL_LINEAR, {"kernel": "rbf", "gamma": 2.0}],
    ids=["primal", "dual", "gaussian"],
)
def test_with_a_huge_a_the_second_order_perceptron_errs_where_the_perceptron_does(
    stream, parameters
):
    for seed in range(5):
        X, y = STREAMS[stream](seed, length=150)
        run = prequential_run(SecondOrderPerceptron(a=1e15, **parameters), X, y)
        expected = prequential_run(Perceptron(**parameters), X, y)
        np.testing.assert_array_equal(run.events[:, 0], expected.events[:, 0])
        assert_close(1e15 * run.scores, expected.scores, 1e-9)


def own_linear(A, B):
    return A @ B.T


@over_streams
@pytest.mark.parametrize(("a", "scale"), [(0.01, 1.0), (1.0, 0.01), (1.0, 100.0), (100.0, 1.0)])
def test_primal_and_dual_form_agree(stream, a, scale):
    X, y = STREAMS[stream](length=150)
    primal = prequential_run(SecondOrderPerceptron(a=a, kernel="linear"), scale * X, y)
    for kernel in ({"kernel": own_linear}, DUAL_LINEAR):
        dual = prequential_run(SecondOrderPerceptron(a=a, **kernel), scale * X, y)
        np.testing.assert_array_equal(primal.events[:, :2], dual.events[:, :2])
        assert_close(primal.scores, dual.scores, 1e-9)
        assert len(primal.supports) <= X.shape[1] < len(dual.supports)
        # dual weights solve a matrix of this condition, and each update loses as much as a solution
        condition = np.linalg.norm(scale * X) ** 2 / a
        tolerance = max(1e-9, len(dual.supports) * condition * np.finfo(float).eps)
        assert_close(primal.weights @ primal.supports, dual.weights @ dual.supports, tolerance)


@pytest.mark.parametrize(
    "learner",
    [
        SecondOrderPerceptron(kernel="linear"),
        SecondOrderPerceptron(**DUAL_LINEAR),
        LeastRecentBudgetSecondOrderPerceptron(budget=20, kernel="linear"),
        AdaptiveSecondOrderPerceptron(kernel="linear"),
    ],
    ids=["primal", "dual", "budget", "adaptive"],
)
def test_long_examples_have_scores(learner):
    # k(x, x) is near 1e8 beside an a of 1, and the scores are still near 1
    X, y = smooth_stream(length=150, width=3)
    scores = prequential_run(learner, 1e4 * X, y).scores
    assert np.count_nonzero(scores == 0) == 1  # the first


def test_the_second_order_perceptron_takes_its_dual_form_for_a_kernel_of_ones_own():
    X, y = smooth_stream()
    own = prequential_run(SecondOrderPerceptron(a=0.5, kernel=own_linear), X, y)
    assert_same(own, prequential_run(SecondOrderPerceptron(a=0.5, **DUAL_LINEAR), X, y))
    assert len(own.supports) > X.shape[1]


@over_streams
@pytest.mark.parametrize("scale", [1e-4, 1e4])
def test_the_second_order_perceptron_does_not_see_the_unit_of_its_features(stream, scale):
    X, y = STREAMS[stream](length=150)
    for kernel in ("linear", own_linear):
        run = prequential_run(SecondOrderPerceptron(a=0.5, kernel=kernel), X, y)
        other = SecondOrderPerceptron(a=0.5 * scale**2, kernel=kernel)
        scaled = prequential_run(other, scale * X, y)
        np.testing.assert_array_equal(scaled.events, run.events)
        assert_close(scaled.scores, run.scores, 1e-9)


@pytest.mark.parametrize(
    "learner",
    [
        PseudoinverseSecondOrderPerceptron(kernel="linear"),
        SecondOrderPerceptron(kernel="linear", a=1e-10),
    ],
    ids=["pseudoinverse", "small a"],
)
def test_without_a_ridge_it_is_least_squares_on_the_mistakes(learner):
    X, y = smooth_stream(length=150, width=3)
    trace = prequential(learner, X, y)
    w, *_ = np.linalg.lstsq(X[trace.updates], y[trace.updates], rcond=None)
    np.testing.assert_allclose(learner.decision_function(X), X @ w, rtol=0, atol=1e-8)


# ------------------------------------------------------------------------- hard streams

LENGTH = 120
ALTERNATING = signs(np.arange(LENGTH) % 2)


def with_opposite_labels():
    return np.repeat(smooth_stream(length=LENGTH // 2)[0], 2, axis=0), ALTERNATING


def with_constant_columns():
    X, y = smooth_stream(length=LENGTH)
    return np.hstack([X, np.ones((LENGTH, 2)), np.zeros((LENGTH, 1))]), y


def rank_deficient():
    X, y = smooth_stream(length=LENGTH)
    return X @ np.array([[1, 2, 3, 0.1], [0.3, 1, -1, 7]]), y


HARD = {
    "opposite labels": with_opposite_labels,
    "constant columns": with_constant_columns,
    "rank deficient": rank_deficient,
    "short": lambda: (1e-4 * smooth_stream(length=LENGTH)[0], ALTERNATING),
    "long": lambda: (1e4 * smooth_stream(length=LENGTH)[0], ALTERNATING),
    "all equal": lambda: (np.full((LENGTH, 3), 0.1), ALTERNATING),
    "all zero": lambda: (np.zeros((LENGTH, 3)), ALTERNATING),
    "tied": lambda: grid_stream(length=LENGTH),
}
OF_ANY_KERNEL = [
    Projectron(),
    Projectron(eta=0),
    Projectron(norm_bound=5.0),
    Projectron(budget=10),
    ProjectronPlusPlus(),
    ProjectronPlusPlus(eta=0),
    ProjectronPlusPlus(norm_bound=5.0),
    ProjectronPlusPlus(budget=10),
    SecondOrderPerceptron(),
    PseudoinverseSecondOrderPerceptron(),
    AdaptiveSecondOrderPerceptron(),
    RandomizedBudgetSecondOrderPerceptron(budget=10, random_state=0),
    LeastRecentBudgetSecondOrderPerceptron(budget=10),
]
CHOICES = {"default": {}, "linear": {"kernel": "linear"}, "quadratic": QUADRATIC}
INDEPENDENT = Projectron | PseudoinverseSecondOrderPerceptron


@pytest.mark.parametrize("learner", OF_ANY_KERNEL, ids=str)
def test_hard_streams_leave_everything_finite(learner):
    for kernel, stream in product(CHOICES, HARD):
        X, y = HARD[stream]()
        run = prequential_run(clone(learner).set_params(**CHOICES[kernel]), X, y)
        assert np.isfinite(run.scores).all(), (kernel, stream)
        assert np.isfinite(run.weights).all(), (kernel, stream)
        if isinstance(learner, INDEPENDENT):
            assert len(np.unique(run.supports, axis=0)) == len(run.supports), (kernel, stream)


@pytest.mark.parametrize("a", [1e-14, 1e-20])
@pytest.mark.parametrize(
    "learner",
    [SecondOrderPerceptron(), LeastRecentBudgetSecondOrderPerceptron(budget=10)],
    ids=lambda learner: type(learner).__name__,
)
def test_an_a_that_rounding_swallows_leaves_everything_finite(learner, a):
    X, y = with_opposite_labels()
    run = prequential_run(clone(learner).set_params(a=a, gamma=2.0), X, y)
    assert np.isfinite(run.scores).all() and np.isfinite(run.weights).all()


@pytest.mark.parametrize("c", [1e-14, 1e-20])
def test_a_c_that_rounding_swallows_leaves_everything_finite(c):
    X, y = with_opposite_labels()
    run = prequential_run(AdaptiveSecondOrderPerceptron(c=c, gamma=2.0), X, y)
    assert np.isfinite(run.scores).all() and np.isfinite(run.weights).all()


@pytest.mark.parametrize("c", [1e-6, 1e-3, 1e3])
def test_the_adaptive_ridge_may_be_small_or_large(c):
    X, y = smooth_stream()
    stream = [*zip(map(tuple, X.tolist()), y.tolist(), strict=True)]
    rounds = oracle.adaptive_second_order_perceptron(stream, oracle.gaussian(2.0), c=c, radius=1)
    run = prequential_run(AdaptiveSecondOrderPerceptron(c=c, gamma=2.0), X, y)
    np.testing.assert_array_equal(run.events[:, 0], [r.mistake for r in rounds])
    assert_close(run.scores, [r.plain_score for r in rounds], 1e-7)


# ------------------------------------------------------------------------- bad parameters


@pytest.mark.parametrize(
    ("learner", "bad"),
    [
        *((Projectron, bad) for bad in ({"eta": -0.1}, {"norm_bound": 0}, {"budget": 0})),
        *((ProjectronPlusPlus, bad) for bad in ({"eta": np.nan}, {"norm_bound": -1.0})),
        *((SecondOrderPerceptron, bad) for bad in ({"a": 0}, {"a": -1.0}, {"a": np.inf})),
        *((AdaptiveSecondOrderPerceptron, bad) for bad in ({"c": 0}, {"radius": 0.0})),
        *((RandomizedBudgetSecondOrderPerceptron, bad) for bad in ({"a": 0}, {"budget": 0})),
        *((LeastRecentBudgetSecondOrderPerceptron, bad) for bad in ({"a": -1}, {"budget": -3})),
    ],
    ids=str,
)
def test_bad_parameters_are_refused_and_what_was_learned_stays(learner, bad):
    X, y = smooth_stream()
    fitted = learner(gamma=2.0).fit(X, y)
    scores, seen = fitted.decision_function(X), fitted.n_seen_
    fitted.set_params(**bad)
    with pytest.raises(ValueError, match=f"{next(iter(bad))} must be"):
        fitted.fit(X, -y)
    np.testing.assert_array_equal(fitted.decision_function(X), scores)
    assert fitted.n_seen_ == seen
