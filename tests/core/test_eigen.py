"""Eigenvectors inside compiled code, beside LAPACK's."""

import numpy as np
import pytest

from budgetron.core.compiled import compiled_in_place
from budgetron.core.linalg.eigen import diagonalise
from budgetron.kernels import gaussian

eigen = compiled_in_place(diagonalise)


def points(size, width=3):
    return np.random.default_rng(size).normal(size=(size, width))


MATRICES = {
    "of a Gaussian kernel": lambda n: gaussian(0.1)(points(n), points(n)),
    "of low rank": lambda n: points(n) @ points(n).T,
    "with repeated rows": lambda n: gaussian(1.0)(*[np.repeat(points(n), 2, axis=0)[:n]] * 2),
    "diagonal": lambda n: np.diag(np.arange(n) % 3.0),
    "indefinite": lambda n: points(n, n) + points(n, n).T,
    "zero": lambda n: np.zeros((n, n)),
    "huge": lambda n: 1e300 * gaussian(0.1)(points(n), points(n)),
    "tiny": lambda n: 1e-300 * gaussian(0.1)(points(n), points(n)),
}


@pytest.mark.parametrize("size", [1, 2, 3, 8, 60])
@pytest.mark.parametrize("matrix", MATRICES.values(), ids=MATRICES)
def test_the_matrix_is_made_of_its_eigenvectors(matrix, size):
    A = matrix(size)
    V, values, room = np.full((size + 1, size + 2), 7.0), np.zeros(size + 2), np.zeros(size + 2)
    V[:size, :size] = A
    eigen(V, size, values, room)
    V, values, largest = V[:size, :size], values[:size], np.abs(A).max() or 1.0
    np.testing.assert_allclose(V @ V.T, np.eye(size), atol=1e-13)
    np.testing.assert_allclose((V.T * (values / largest)) @ V, A / largest, atol=1e-13 * size)
    np.testing.assert_allclose(
        np.sort(values / largest), np.linalg.eigvalsh(A / largest), atol=1e-13 * size
    )


def test_what_is_beyond_the_matrix_is_not_looked_at():
    V, values, room = np.full((4, 5), np.nan), np.zeros(4), np.zeros(4)
    V[:2, :2] = [[2.0, 1.0], [1.0, 2.0]]
    eigen(V, 2, values, room)
    assert sorted(values[:2]) == pytest.approx([1, 3])
    assert np.isnan(V[2:]).all() and np.isnan(V[:2, 2:]).all()
