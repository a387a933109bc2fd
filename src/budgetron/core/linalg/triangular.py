"""Triangular solves for many right-hand sides at once, in place.

Only the diagonal is solved for by BLAS's dtrsm, a piece at a time; all the rest is matrix products,
which are faster, and need no copy of a triangle that is part of a larger matrix.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg.blas import dtrsm

__all__ = ["solve_lower", "solve_upper"]

PIECE = 128
"""Rows that are solved for together."""


def solve_lower(L: np.ndarray, columns: np.ndarray) -> None:
    """Replace each column b, of a matrix in one piece, by the solution x of L x = b."""
    size = len(columns)
    for i in range(0, size, PIECE):
        here = slice(i, min(i + PIECE, size))
        columns[here] -= L[here, :i] @ columns[:i]
        _solve_piece(L[here, here], columns[here], transposed=False)


def solve_upper(L: np.ndarray, columns: np.ndarray) -> None:
    """Replace each column b, of a matrix in one piece, by the solution x of L^T x = b."""
    size = len(columns)
    for i in reversed(range(0, size, PIECE)):
        here, after = slice(i, min(i + PIECE, size)), slice(i + PIECE, size)
        columns[here] -= L[after, here].T @ columns[after]
        _solve_piece(L[here, here], columns[here], transposed=True)


def _solve_piece(L: np.ndarray, columns: np.ndarray, *, transposed: bool) -> None:
    """The same, told from the right and of the transposes: these are in BLAS's order."""
    dtrsm(1.0, L.T, columns.T, side=1, trans_a=transposed, overwrite_b=1)
