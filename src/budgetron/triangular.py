"""Triangular solves for many right-hand sides at once, in place: BLAS's dtrsm without copies.

SciPy's wrappers copy a matrix that is part of a larger one, as a growing factor always is.
"""

from __future__ import annotations

import ctypes

import numpy as np
from numba.extending import get_cython_function_address

__all__ = ["solve_lower", "solve_upper"]

_dtrsm = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 11)(
    get_cython_function_address("scipy.linalg.cython_blas", "dtrsm")
)


def solve_lower(L: np.ndarray, B: np.ndarray) -> None:
    """Replace each row b of `B` by the solution x of L x = b."""
    _solve(L, B, b"T")


def solve_upper(L: np.ndarray, B: np.ndarray) -> None:
    """Replace each row b of `B` by the solution x of L^T x = b."""
    _solve(L, B, b"N")


def _solve(L: np.ndarray, B: np.ndarray, transposed: bytes) -> None:
    # BLAS counts by columns: to it, the rows of L are the columns of an upper triangle.
    count, size = B.shape
    flags = [ctypes.byref(ctypes.c_char(flag)) for flag in (b"L", b"U", transposed, b"N")]
    L_stride, B_stride = (ctypes.c_int(matrix.strides[0] // 8) for matrix in (L, B))
    sizes = ctypes.byref(ctypes.c_int(size)), ctypes.byref(ctypes.c_int(count))
    one = ctypes.byref(ctypes.c_double(1.0))
    first, second = ctypes.byref(L_stride), ctypes.byref(B_stride)
    _dtrsm(*flags, *sizes, one, L.ctypes.data, first, B.ctypes.data, second)
