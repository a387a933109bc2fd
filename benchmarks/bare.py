"""The bare kernel evaluation: exp(-gamma |s - x|^2) for all supports and rows, learning nothing."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.linalg.blas import dtrsm

from budgetron.core.kernel import squared_norms

__all__ = ["dense_evaluation", "projecting_evaluation", "sparse_evaluations"]

LARGEST_DENSE = 2**30
"""Bytes that dense supports may take."""


def dense_evaluation(supports, X, length, gamma):
    """A block of rows at a time, with NumPy's matrix product."""
    norms, gamma = squared_norms(supports).astype(X.dtype), X.dtype.type(gamma)
    buffer = np.empty((len(supports), length), X.dtype)

    def evaluate():
        for first in range(0, len(X), length):
            x = X[first : first + length]
            K = buffer[:, : len(x)]
            np.matmul(supports, x.T, out=K)
            _finish(K, norms, (x * x).sum(axis=1), gamma)

    return evaluate


def projecting_evaluation(supports, X, length, gamma, needed):
    """The same, and two triangular solves (dtrsm) for the rows of a block that need a projection.

    It is what Projectrons cannot do without. The factor is made beforehand, and not timed.
    """
    norms = squared_norms(supports)
    K = np.exp(gamma * (2 * (supports @ supports.T) - norms[:, None] - norms))
    factor = np.asfortranarray(np.linalg.cholesky(K + 1e-9 * np.eye(len(K))))
    bare = dense_evaluation(supports, X, length, gamma)
    columns = [
        np.ones((len(K), int(needed[first : first + length].sum())), order="F")
        for first in range(0, len(X), length)
    ]

    def evaluate():
        bare()
        for own in columns:
            if own.shape[1] > 0:
                z = dtrsm(1.0, factor, own, lower=1)
                dtrsm(1.0, factor, z, lower=1, trans_a=1, overwrite_b=1)

    return evaluate


def sparse_evaluations(supports, X, length, gamma):
    """A block of rows times the supports by SciPy, with sparse supports and with dense ones.

    The faster is what a learner is to be held against. Whatever can be done once for all blocks is
    done beforehand, and not timed.
    """
    supports, X = sparse.csr_matrix(supports), sparse.csr_matrix(X)
    norms, squares = squared_norms(supports).astype(X.dtype), squared_norms(X).astype(X.dtype)
    gamma, turned = X.dtype.type(gamma), supports.T.tocsr()

    def over(product):
        def evaluate():
            for first in range(0, X.shape[0], length):
                here = slice(first, first + length)
                _finish(product(X[here]), norms, squares[here], gamma)

        return evaluate

    ways = {"sparse supports": over(lambda x: (x @ turned).toarray().T)}
    if turned.shape[0] * turned.shape[1] * X.dtype.itemsize <= LARGEST_DENSE:
        dense = turned.toarray()
        ways["dense supports"] = over(lambda x: (x @ dense).T)
    return ways


def _finish(K, norms, squares, gamma):
    K *= 2
    K -= norms[:, None]
    K -= squares
    K *= gamma
    np.exp(K, out=K)
