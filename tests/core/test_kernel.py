"""Kernels against the oracle's formulas, and the rounding that `error_scale` promises."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import sparse

import oracle
from budgetron.core import blocks
from budgetron.core.compiled import compiled_in_place
from budgetron.core.kernel import Kernel, OwnKernel, diagonal_value, error_scale, squared_norms
from budgetron.core.storage import DenseRows, SparseRows, store
from budgetron.kernels import gaussian, linear, polynomial
from covering import naming


def with_long_indices(X):
    X = sparse.csr_matrix(X)
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    return X


FORMULAS = {
    "linear": (linear(), oracle.linear),
    "polynomial": (polynomial(3, 0.5, 2.0), oracle.polynomial(0.5, 3, 2.0)),
    "gaussian": (gaussian(0.7), oracle.gaussian(0.7)),
    "normalized linear": (linear(normalize=True), oracle.normalized(oracle.linear)),
    "normalized polynomial": (
        polynomial(2, 0.5, 1.0, normalize=True),
        oracle.normalized(oracle.polynomial(0.5, 2, 1.0)),
    ),
}
LAYOUTS = {
    "dense": np.asarray,
    "fortran": np.asfortranarray,
    "csr_matrix": sparse.csr_matrix,
    "csr_array": sparse.csr_array,
    "csr with 64-bit indices": with_long_indices,
}

over_formulas = pytest.mark.parametrize(("kernel", "formula"), FORMULAS.values(), ids=FORMULAS)
over_layouts = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)


@pytest.fixture
def points():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 4)) * (rng.random((7, 4)) < 0.7)
    X[3] = 0
    return X


def each_pair(formula, A, B):
    return np.array([[formula(a, b) for b in B.tolist()] for a in A.tolist()])


# ------------------------------------------------------------------------------- the formulas


@over_formulas
@over_layouts
@pytest.mark.parametrize(("dtype", "digits"), [(np.float64, 1e-14), (np.float32, 1e-5)])
def test_a_matrix_of_kernel_values_holds_the_formula_of_each_pair(
    points, kernel, formula, layout, dtype, digits
):
    points = points.astype(dtype)
    values = kernel(layout(points[:5]), layout(points[2:]))
    assert isinstance(values, np.ndarray)
    np.testing.assert_allclose(
        values, each_pair(formula, points[:5], points[2:]), rtol=digits, atol=digits
    )


@over_formulas
def test_dense_rows_meet_sparse_rows(points, kernel, formula):
    expected = each_pair(formula, points, points)
    np.testing.assert_allclose(kernel(points, sparse.csr_array(points)), expected, atol=1e-13)
    np.testing.assert_allclose(kernel(sparse.csr_array(points), points), expected, atol=1e-13)


@over_formulas
@over_layouts
def test_the_diagonal_holds_the_formula_of_each_row_with_itself(points, kernel, formula, layout):
    expected = [formula(x, x) for x in points.tolist()]
    np.testing.assert_allclose(kernel.diagonal(layout(points)), expected, rtol=1e-13)


@pytest.mark.parametrize("layout", [np.asarray, sparse.csr_array])
def test_norms_of_float32_rows_are_summed_in_float64(layout):
    x = np.full((1, 3), 1e-30, np.float32)
    expected = 3 * float(x[0, 0]) ** 2
    assert linear().diagonal(layout(x))[0] == pytest.approx(expected, rel=1e-14)


def test_the_gaussian_of_a_row_with_itself_is_one_however_far_it_is_from_the_origin():
    assert gaussian(0.1).diagonal(np.full((1, 3), 1e150)).tolist() == [1.0]


@pytest.mark.parametrize("kernel", [linear(normalize=True), polynomial(2, normalize=True)])
def test_a_zero_row_is_orthogonal_to_everything_under_a_normalized_kernel(kernel):
    X = np.array([[0.0, 0.0], [1.0, 2.0]])
    np.testing.assert_allclose(kernel(X, X), [[0, 0], [0, 1]], rtol=1e-15)
    assert kernel.diagonal(X).tolist() == [0, 1]


@pytest.mark.parametrize(
    "parameters",
    [{"degree": 0}, {"degree": -1}, {"gamma": 0}, {"gamma": -1}, {"gamma": math.nan},
     {"gamma": math.inf}, {"coef0": -0.1}, {"coef0": math.nan}],
)  # fmt: skip
def test_a_polynomial_kernel_refuses_numbers_out_of_range(parameters):
    [name] = parameters
    with pytest.raises(ValueError, match=f"^{name} must be"):
        polynomial(**parameters)


@pytest.mark.parametrize("parameters", [{"degree": 1.5}, {"degree": "3"}, {"gamma": "x"}])
def test_a_polynomial_kernel_refuses_what_is_no_number(parameters):
    [name] = parameters
    with pytest.raises(TypeError, match=f"^{name} must be"):
        polynomial(**parameters)


@pytest.mark.parametrize("gamma", [0, -1.0, math.nan, math.inf])
def test_a_gaussian_kernel_refuses_a_gamma_out_of_range(gamma):
    with pytest.raises(ValueError, match=r"^gamma must be a finite number above 0"):
        gaussian(gamma)


# ------------------------------------------------------------------- a kernel of the user's own


def test_an_own_kernel_returns_what_its_function_returns(points):
    own = OwnKernel(lambda A, B: (A @ B.T) ** 2)
    np.testing.assert_array_equal(own(points, points[:2]), (points @ points[:2].T) ** 2)
    np.testing.assert_allclose(own.diagonal(points), np.diag((points @ points.T) ** 2))


def test_an_own_kernel_is_normalized_like_a_built_in_one(points):
    own = OwnKernel(lambda A, B: A @ B.T, normalize=True)
    np.testing.assert_allclose(own(points, points), linear(normalize=True)(points, points))
    np.testing.assert_array_equal(own.diagonal(points), linear(normalize=True).diagonal(points))


def test_normalizing_leaves_the_matrix_of_the_function_alone(points):
    kept = points @ points.T
    before = kept.copy()
    OwnKernel(lambda A, B: kept if len(A) > 1 else A @ B.T, normalize=True)(points, points)
    np.testing.assert_array_equal(kept, before)


def test_an_own_kernel_may_return_a_sparse_matrix(points):
    own, rows = OwnKernel(lambda A, B: A @ B.T), sparse.csr_array(points)
    np.testing.assert_allclose(own(rows, rows), points @ points.T, atol=1e-15)


@pytest.mark.parametrize(
    "function",
    [lambda A, B: B @ A.T, lambda A, B: (A @ B.T)[0], lambda A, B: 1.0, lambda A, B: A],
    ids=["transposed", "one row", "a number", "the rows themselves"],
)
def test_an_own_kernel_of_the_wrong_shape_is_refused(points, function):
    with pytest.raises(ValueError, match=r"the kernel returned shape .* must return \(7, 2\)"):
        OwnKernel(function)(points, points[:2])


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_an_own_kernel_with_values_that_are_not_finite_is_refused(points, value):
    with pytest.raises(ValueError, match="not finite"):
        OwnKernel(lambda A, B: np.full((len(A), len(B)), value))(points, points)


# ------------------------------------------------------------------------------- rounding

BOUNDED = {
    "linear": linear(),
    "polynomial": polynomial(3, 0.5, 2.0),
    "gaussian": gaussian(0.5),
    "wide gaussian": gaussian(1e-6),
    "normalized linear": linear(normalize=True),
    "normalized polynomial": polynomial(2, 0.5, 1.0, normalize=True),
}


def scattered(rng):
    return rng.normal(size=(6, 9))


def tied(rng):
    return rng.choice([-0.2, -0.1, 0.0, 0.1, 0.3], size=(6, 9))


def cancelling(rng):
    half = 1e4 * rng.normal(size=(6, 4))
    return np.hstack([half, half[:, ::-1], np.ones((6, 1))]) * rng.choice([-1, 1], size=9)


def far_from_the_origin(rng):
    return 1e5 + rng.normal(size=(6, 9))


def very_far_from_the_origin(rng):
    return 1e10 + rng.normal(size=(6, 9))


def of_many_magnitudes(rng):
    return rng.normal(size=(6, 9)) * 10 ** rng.uniform(-4, 4, size=(6, 9))


def nearly_the_same(rng):
    return rng.normal(size=9) + 1e-6 * rng.normal(size=(6, 9))


DATA = [
    scattered,
    tied,
    cancelling,
    far_from_the_origin,
    of_many_magnitudes,
    nearly_the_same,
]

over_kernels_and_data = pytest.mark.parametrize(
    ("kernel", "data"),
    [
        *((kernel, data) for kernel in BOUNDED.values() for data in DATA),
        *((BOUNDED[name], very_far_from_the_origin) for name in ("gaussian", "wide gaussian")),
    ],
    ids=[
        *(f"{name}-{data.__name__}" for name in BOUNDED for data in DATA),
        *(f"{name}-very_far_from_the_origin" for name in ("gaussian", "wide gaussian")),
    ],
)
over_storages = pytest.mark.parametrize("storage", ["dense", "sparse"])
over_dtypes = pytest.mark.parametrize("dtype", [np.float64, np.float32])


class Storage(NamedTuple):
    matrix: Any
    rows: Any
    blocks: Any


STORAGES = {
    "dense": Storage(np.asarray, DenseRows, blocks.DenseBlocks),
    "sparse": Storage(sparse.csr_array, SparseRows, blocks.SparseBlocks),
}


@compiled_in_place
def look(kernel, rows, block, t, behind, ahead):
    blocks.column(kernel, rows, 0, len(behind), block, t, behind)
    blocks.look_ahead(kernel, block, t)
    for s in range(len(ahead)):
        ahead[s] = block.own[t, t + 1 + s]


def as_the_engine_sees_it(kernel, X, storage, dtype):
    """k(x, y) for all rows from one matrix product, one example at a time, and looking ahead."""
    length, width = X.shape
    block = storage.blocks(width, np.dtype(dtype), np.dtype(dtype)).cut(
        storage.matrix(X), 0, length
    )
    rows = storage.rows.empty(width, np.dtype(dtype)).with_room_for(X.size)
    rows = rows.grown(length)
    values = np.empty((length, length), dtype)
    blocks.prepare(kernel, rows, 0, block)  # measures the block
    for t in range(length):
        store(rows, t, block, t)
    far = blocks.prepare(kernel, rows, length, block)
    blocks.evaluate(kernel, rows, 0, length, block, values, far)
    exact, ahead = np.empty((length, length)), values.copy()
    for t in range(length):
        look(kernel, rows, block, t, exact[t], ahead[t, t + 1 :])
    return values, exact, ahead


@over_storages
@over_dtypes
@pytest.mark.parametrize("width", [5, 64, 1000])
def test_wide_rows_are_off_by_no_more_than_their_roundings_allow(width, storage, dtype):
    """Where sums of many products are rounded fewer times than there are products."""
    storage, kernel = STORAGES[storage], gaussian(1 / width)
    X = np.random.default_rng(width).choice([0, 1, 3.3, -0.7], size=(60, width)).astype(dtype)
    values, exact, ahead = as_the_engine_sees_it(kernel, X, storage, dtype)
    block = storage.blocks(width, np.dtype(dtype), np.dtype(dtype)).cut(
        storage.matrix(X), 0, len(X)
    )
    blocks.squared_norms(kernel, block)
    norms, u = squared_norms(X), unit_roundoff(dtype)
    for t in range(len(X)):
        bound = (blocks.roundings(block, t) + 8) * u * error_scale(kernel, norms[t], norms.max())
        if dtype == np.float64:
            bound *= 2  # the exact values are off as well
        assert np.abs(values[:, t] - exact[t]).max() <= bound
        assert np.abs(ahead[t, t + 1 :] - exact[t, t + 1 :]).max(initial=0) <= bound


def to_fifty_digits(kernel, x, y):
    """k(x, y) of the numbers as they are, in decimal arithmetic."""
    with localcontext(prec=50):
        value = _unnormalized(kernel, x, y)
        if not kernel.normalize:
            return value
        squares = _unnormalized(kernel, x, x) * _unnormalized(kernel, y, y)
        return value / squares.sqrt() if squares else Decimal(0)


def _unnormalized(kernel, x, y):
    product, norms, constant = map(Fraction, (kernel.product, kernel.norms, kernel.constant))
    z = product * dot(x, y) + norms * (dot(x, x) + dot(y, y)) + constant
    z = Decimal(z.numerator) / Decimal(z.denominator)
    return z.exp() if kernel.exponential else z**kernel.degree


def dot(x, y):
    return sum((Fraction(a) * Fraction(b) for a, b in zip(x, y, strict=True)), Fraction(0))


class Rounding:
    """How far kernel values between the rows of X are off, in units of (n + 8) R."""

    def __init__(self, kernel, X):
        rows = X.tolist()
        self._exact = [[to_fifty_digits(kernel, x, y) for y in rows] for x in rows]
        norms, n = [float(dot(x, x)) for x in rows], X.shape[1] + 2
        self._bounds = [[(n + 8) * error_scale(kernel, a, b) for b in norms] for a in norms]

    def worst(self, computed):
        if not np.isfinite(computed).all():
            return math.inf
        errors = [
            [float(abs(Decimal(value) - exact)) for value, exact in zip(*rows, strict=True)]
            for rows in zip(computed.astype(float).tolist(), self._exact, strict=True)
        ]
        return max(
            error / bound if error else 0.0
            for rows in zip(errors, self._bounds, strict=True)
            for error, bound in zip(*rows, strict=True)
        )


def unit_roundoff(dtype):
    return float(np.finfo(dtype).eps) / 2


@over_kernels_and_data
@over_dtypes
def test_values_are_off_by_no_more_than_their_reach_allows(kernel, data, dtype):
    """Those of single examples are evaluated in float64, whatever the rows are kept in."""
    X = data(np.random.default_rng(1)).astype(dtype)
    rounding, unit = Rounding(kernel, X), unit_roundoff(dtype)
    for name, storage in STORAGES.items():
        with naming(name):
            values, exact, ahead = as_the_engine_sees_it(kernel, X, storage, dtype)
            assert rounding.worst(values) <= unit
            assert rounding.worst(ahead) <= unit
            assert rounding.worst(exact) <= unit_roundoff(np.float64)
    assert rounding.worst(kernel(X, X)) <= unit


@over_kernels_and_data
def test_reach_is_no_less_than_any_kernel_value(kernel, data):
    for x in data(np.random.default_rng(3)).tolist():
        norm = float(dot(x, x))
        assert diagonal_value(kernel, norm) <= (1 + 1e-15) * error_scale(kernel, norm, norm)


@pytest.mark.parametrize("length", [1e-100, 1e100])
def test_reach_survives_squares_that_underflow_or_overflow(length):
    assert error_scale(linear(), length**2, length**2) == pytest.approx(length**2, abs=0)


def test_the_reach_of_an_own_kernel_follows_from_the_diagonal():
    assert error_scale(OwnKernel(np.dot), 4.0, 9.0) == 6.0


def test_a_kernel_is_a_plain_tuple_of_numbers():
    assert Kernel(*gaussian(0.5)) == Kernel(1.0, -0.5, 0.0, 1, True, False)
