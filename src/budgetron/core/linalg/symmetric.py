"""Matrices that are equal to their transposes."""

from __future__ import annotations

from ..compiled import compiled_in_place

__all__ = ["mirror"]

TILE = 32
"""Rows and columns that fit into the nearest cache."""


@compiled_in_place
def mirror(matrix, n):
    """Copy what is below the diagonal of the first `n` rows and columns to above it."""
    for top in range(0, n, TILE):
        for left in range(0, top + 1, TILE):
            for j in range(left, min(left + TILE, n)):
                for i in range(max(top, j + 1), min(top + TILE, n)):
                    matrix[j, i] = matrix[i, j]
