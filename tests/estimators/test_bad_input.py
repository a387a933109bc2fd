"""Bad input is refused with a clear error, and leaves a learner exactly as it was."""

import math
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import sparse

import budgetron
from budgetron import Forgetron, Perceptron, RandomizedBudgetPerceptron
from covering import naming
from estimators.learners import (
    IN_EVERY_LAYOUT,
    KINDS,
    facts,
    over_kinds,
    over_kinds_with_supports,
    over_learners,
    over_learners_with_supports,
    small,
    stream,
)

X, y = stream(60)


def with_entry(value):
    bad = X.copy()
    bad[40, 2] = value
    return bad


def with_label(label, place=40):
    bad = y.astype(object if isinstance(label, str) else type(label))
    bad[place] = label
    return bad


class Bad(NamedTuple):
    """Input that must be refused, and words of the error."""

    X: Any
    y: Any
    error: str
    kind: type[Exception] = ValueError


EXAMPLES = {
    "nan": Bad(with_entry(np.nan), y, "NaN"),
    "infinity": Bad(with_entry(np.inf), y, "infinity"),
    "sparse nan": Bad(sparse.csr_array(with_entry(np.nan)), y, "NaN"),
    "sparse infinity": Bad(sparse.csr_array(with_entry(-np.inf)), y, "infinity"),
    "one dimension": Bad(X[:, 0], y, "2D"),
    "three dimensions": Bad(X[:, :, None], y, "dim"),
    "no rows": Bad(X[:0], y[:0], "0 sample"),
    "no columns": Bad(X[:, :0], y, "0 feature"),
    "no sparse rows": Bad(sparse.csr_array(X[:0]), y[:0], "0 sample"),
    "text": Bad([["a"] * 4] * 60, y, "convert"),
    "complex": Bad(X + 0j, y, "[Cc]omplex"),
    "ragged": Bad([[1.0, 2.0], [1.0]], [1, -1], "inhomogeneous|sequence"),
    "fewer labels": Bad(X, y[:-1], "inconsistent numbers of samples"),
    "more labels": Bad(X[:-1], y, "inconsistent numbers of samples"),
    "labels in two columns": Bad(X, np.stack([y, y], axis=1), "1d array"),
    "no labels": Bad(X, None, "y"),
    "a nan label": Bad(X, with_label(math.nan), "nan|NaN"),
    "an infinite label": Bad(X, with_label(math.inf), "inf"),
    "continuous labels": Bad(X, X[:, 0], "continuous|a number beside the classes"),
    "too large": Bad(with_entry(1e200), y, "too large"),
    "too large, sparse": Bad(sparse.csr_array(with_entry(1e200)), y, "too large"),
}


@over_kinds
def test_a_new_learner_refuses_bad_examples_and_is_still_new(learner):
    model = small(learner)
    before = facts(model)
    for name, bad in EXAMPLES.items():
        with naming(name):
            with pytest.raises(bad.kind, match=bad.error):
                model.partial_fit(bad.X, bad.y)
            with pytest.raises(bad.kind, match=bad.error):
                model.fit(bad.X, bad.y)
            assert facts(model) == before


@over_kinds
def test_a_learner_in_mid_stream_refuses_bad_examples_and_goes_on_as_if_it_had_not_seen_them(
    learner,
):
    model, other = (small(learner).partial_fit(X[:30], y[:30]) for _ in range(2))
    before = facts(model)
    for name, bad in EXAMPLES.items():
        with naming(name):
            with pytest.raises(bad.kind, match=bad.error):
                model.partial_fit(bad.X, bad.y)
            with pytest.raises(bad.kind, match=bad.error):
                model.fit(bad.X, bad.y)
            assert facts(model) == before
    assert facts(model.partial_fit(X[30:], y[30:])) == facts(other.partial_fit(X[30:], y[30:]))


@over_kinds
def test_a_learner_refuses_to_predict_bad_rows(learner):
    model = small(learner).fit(X, y)
    before = facts(model)
    for width in (3, 5):
        rows = np.ones((2, width))
        with pytest.raises(ValueError, match=f"{width} features, but .* expecting 4"):
            model.partial_fit(rows, y[:2])
        with pytest.raises(ValueError, match=f"{width} features, but .* expecting 4"):
            model.predict(sparse.csr_array(rows))
    for name in ("nan", "infinity", "sparse nan", "one dimension", "no rows", "text", "too large"):
        with naming(name), pytest.raises(ValueError, match=EXAMPLES[name].error):
            model.predict(EXAMPLES[name].X)
    assert facts(model) == before


# --------------------------------------------------------------------------------- classes


@over_kinds
def test_a_label_that_is_none_of_the_classes_is_refused(learner):
    new, model = small(learner), small(learner).partial_fit(X[:30], y[:30], classes=[-1, 1])
    before = facts(new), facts(model)
    with pytest.raises(ValueError, match="is not one of the classes"):
        new.partial_fit(X, y, classes=["ham", "spam"])
    for label in (2, "ham", 0.5):
        with naming(label), pytest.raises(ValueError, match="is not one of the classes"):
            model.partial_fit(X, with_label(label))
    assert (facts(new), facts(model)) == before


@pytest.mark.parametrize(
    ("classes", "error"),
    [([], "classes"), ([math.nan, 1.0], "not one of the classes")],
)
def test_classes_that_are_none_are_refused(classes, error):
    model = small(Perceptron)
    before = facts(model)
    with pytest.raises(ValueError, match=error):
        model.partial_fit(X, y, classes=classes)
    assert facts(model) == before


def test_other_classes_at_a_later_call_are_refused():
    model = small(Perceptron).partial_fit(X, y, classes=[-1, 1])
    before = facts(model)
    with pytest.raises(ValueError, match=r"classes are .* since the first call"):
        model.partial_fit(X, y, classes=[0, 1])
    assert facts(model) == before


@pytest.mark.parametrize(("rows", "labels"), [(X, with_label(2)), (with_entry(1e200), y)])
def test_refused_examples_do_not_use_up_random_numbers(rows, labels):
    model = RandomizedBudgetPerceptron(random_state=np.random.RandomState(0))
    before = facts(model)
    with pytest.raises(ValueError, match=r"classes|too large"):
        model.partial_fit(rows, labels, classes=[-1, 1])
    assert facts(model) == before


# ------------------------------------------------------------------------- too large a kernel

TOO_LARGE = [
    ("float64", {"kernel": "linear"}, 1e160),
    ("float64", {"kernel": "poly", "degree": 3}, 1e60),
    ("float64", {"kernel": "rbf"}, 1e160),
    ("float64", {"kernel": "linear", "normalize": True}, 1e160),
    ("float64", {"kernel": "poly", "degree": 3, "normalize": True}, 1e60),
    ("float32", {"kernel": "linear"}, 1e20),
    ("float32", {"kernel": "poly", "degree": 3}, 1e8),
    ("float32", {"kernel": "rbf"}, 1e20),
    ("float32", {"kernel": "linear", "normalize": True}, 1e20),
    ("float32", {"kernel": "poly", "degree": 3, "normalize": True}, 1e8),
]


@pytest.mark.parametrize(("dtype", "kernel", "size"), TOO_LARGE)
@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("learner", [Forgetron])  # which other tests have in all of these layouts
def test_a_row_whose_kernel_would_overflow_is_refused(learner, dtype, kernel, size, storage):
    model = small(learner, dtype=dtype, **kernel)
    model.partial_fit(storage(X[:30]), y[:30])
    before, rows = facts(model), storage(with_entry(size))
    with pytest.raises(ValueError, match="too large for the kernel"):
        model.partial_fit(rows, y)
    with pytest.raises(ValueError, match="too large for the kernel"):
        model.predict(rows)
    assert facts(model) == before


@over_learners_with_supports
def test_a_learner_ends_in_numbers_whatever_the_size_of_its_rows(learner):
    for size in (1e-170, 1e-160, 1e-100, 1e-12, 1e12, 1e100):
        model = small(learner, kernel="linear").fit(size * X, y)
        assert np.isfinite(model.dual_coef_).all(), size
        assert np.isfinite(model.decision_function(size * X)).all(), size


@over_learners
def test_a_gaussian_learner_ends_in_numbers_however_far_its_rows_are_from_the_origin(learner):
    dtypes = ["float64", "float32"] if learner in IN_EVERY_LAYOUT else ["float64"]
    for distance, dtype in product([1e5, 1e10, 1e15], dtypes):
        rows = X + distance
        scores = small(learner, kernel="rbf", dtype=dtype).fit(rows, y).decision_function(rows)
        assert np.isfinite(scores).all(), (distance, dtype)


# ------------------------------------------------------------------------------- parameters

COMMON = [
    ({"kernel": "gaussian"}, ValueError),
    ({"kernel": None}, ValueError),
    ({"gamma": 0}, ValueError),
    ({"gamma": -1.0}, ValueError),
    ({"gamma": math.nan}, ValueError),
    ({"gamma": math.inf}, ValueError),
    ({"gamma": "x"}, ValueError),
    ({"gamma": None}, TypeError),
    ({"degree": 0, "kernel": "poly"}, ValueError),
    ({"degree": 1.5, "kernel": "poly"}, TypeError),
    ({"degree": "2", "kernel": "poly"}, TypeError),
    ({"coef0": -1, "kernel": "poly"}, ValueError),
    ({"coef0": math.nan, "kernel": "poly"}, ValueError),
    ({"coef0": "x", "kernel": "poly"}, TypeError),
    ({"dtype": "float16"}, ValueError),
    ({"dtype": None}, ValueError),
    ({"zero_score": "negative"}, ValueError),
    ({"zero_score": 0}, ValueError),
    ({"random_state": "x"}, ValueError),
]
OWN = {
    "budget": [(0, ValueError), (-1, ValueError), (1.5, TypeError), ("a", TypeError),
               (True, TypeError), (None, TypeError), (10**30, ValueError)],
    "C": [(0, ValueError), (-1.0, ValueError), (math.nan, ValueError), ("a", TypeError),
          (None, TypeError)],
    "decay": [(-0.1, ValueError), (math.nan, ValueError), (math.inf, ValueError), ("a", TypeError),
              (True, TypeError)],
    "noise": [(0, ValueError), (math.inf, ValueError), ("a", TypeError)],
    "drift": [(-0.1, ValueError), (math.nan, ValueError), (None, TypeError)],
    "sharing": [(-0.1, ValueError), (1.1, ValueError), ("a", TypeError)],
    "exchange": [(True, ValueError), ("always", ValueError)],
    "experts": [((), ValueError), ("brave", ValueError), (("bold", "bold"), ValueError)],
}  # fmt: skip
OWN_OF_A_LEARNER = {
    budgetron.ExponentialDecayPerceptron: [
        ({"decay": 1.0}, ValueError),
        ({"decay": 2}, ValueError),
    ],
}


def bad_parameters(learner):
    """All that must be refused, and with which error; what is common, for one of each kind."""
    if learner in KINDS:
        yield from COMMON
    yield from OWN_OF_A_LEARNER.get(learner, [])
    for name, own in learner().get_params().items():
        for value, kind in OWN.get(name, []):
            if value is not own:
                yield {name: value}, kind


@over_learners
def test_bad_parameters_are_refused_when_a_learner_is_to_learn_and_it_keeps_what_it_knows(learner):
    fitted = small(learner).fit(X, y)
    usual = fitted.get_params()
    for parameters, kind in bad_parameters(learner):
        with naming(parameters):
            error, new = f"{next(iter(parameters))}|seed", small(learner, **parameters)
            before = facts(new)
            with pytest.raises(kind, match=error):
                new.partial_fit(X, y)
            assert facts(new) == before
            before = facts(fitted.set_params(**parameters))
            with pytest.raises(kind, match=error):
                fitted.fit(X, y)
            assert facts(fitted) == before
            fitted.set_params(**usual)


# -------------------------------------------------------------------- a kernel of the user's own


class NoSuchRowError(Exception):
    """An error of the user's."""


def failing(how):
    """A linear kernel that fails where it meets a row that begins with 666."""

    def kernel(A, B):
        if (A[:, 0] == 666).any() or (B[:, 0] == 666).any():
            return how(A, B)
        return A @ B.T

    return kernel


def complain(A, B):
    raise NoSuchRowError("no such row")


FAILURES = {
    "wrong shape": (lambda A, B: np.ones((1, 1, 1)), ValueError, "the kernel returned shape"),
    "nan": (lambda A, B: np.full((len(A), len(B)), np.nan), ValueError, "not finite"),
    "infinity": (lambda A, B: np.full((len(A), len(B)), np.inf), ValueError, "not finite"),
    "negative": (lambda A, B: np.full((len(A), len(B)), -1.0), ValueError, "be negative"),
    "text": (lambda A, B: "x", ValueError, "x"),
    "an error of its own": (complain, NoSuchRowError, "no such row"),
}


@over_kinds_with_supports
def test_a_kernel_that_fails_leaves_a_new_learner_new(learner):
    for (name, (how, kind, words)), place in product(FAILURES.items(), (0, 59)):
        with naming(f"{name} in row {place}"):
            model, rows = small(learner, kernel=failing(how)), X.copy()
            before, rows[place, 0] = facts(model), 666
            with pytest.raises(kind, match=words):
                model.partial_fit(rows, y)
            assert facts(model) == before


@over_kinds_with_supports
@pytest.mark.parametrize("rows", [2, 30], ids=["one by one", "in a block"])
def test_a_kernel_that_fails_in_mid_stream_leaves_a_learner_as_it_was(learner, rows):
    for name, (how, kind, words) in FAILURES.items():
        kernel, bad = failing(how), X[30:].copy()
        bad[rows - 1, 0] = 666
        model, other = (small(learner, kernel=kernel).partial_fit(X[:30], y[:30]) for _ in range(2))
        before = facts(model)
        with naming(name):
            with pytest.raises(kind, match=words):
                model.partial_fit(bad[:rows], y[30:][:rows])
            with pytest.raises(kind, match=words):
                model.predict(bad)
            assert facts(model) == before
            on, beside = (one.partial_fit(X[30:], y[30:]) for one in (model, other))
            assert facts(on) == facts(beside)


def test_a_kernel_too_large_for_float32_is_refused():
    def kernel(A, B):
        return 1e39 * (A @ B.T.astype(float))

    model = small(RandomizedBudgetPerceptron, dtype="float32", kernel=kernel)
    before = facts(model)
    with pytest.raises(ValueError, match=r"too large|not finite"):
        model.fit(X, y)
    assert facts(model) == before


@over_kinds_with_supports
def test_an_own_kernel_learns_without_a_warning(learner):
    model = small(learner, kernel=lambda A, B: A @ B.T)
    for t in range(3):
        model.partial_fit(X[t : t + 1], y[t : t + 1], classes=[-1, 1])
    assert model.partial_fit(X, y).n_seen_ == 63


@pytest.mark.parametrize("method", ["partial_fit", "predict"])
@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
@pytest.mark.parametrize("part", ["indices", "indptr"])
@pytest.mark.parametrize("place", [10**7, -(10**7)])
def test_a_sparse_matrix_that_points_outside_of_itself_is_refused(method, layout, part, place):
    model = small(Forgetron).partial_fit(sparse.csr_array(X), y)
    before, broken = facts(model), sparse.csr_array(X).asformat(layout, copy=True)
    array = broken.coords[part == "indptr"] if layout == "coo" else getattr(broken, part)
    array[3] = place
    with pytest.raises(ValueError, match=r"indices|indptr|outside"):
        model.partial_fit(broken, y) if method == "partial_fit" else model.predict(broken)
    assert facts(model) == before
