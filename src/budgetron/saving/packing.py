"""What a rule keeps of supports, without what belongs to none and what is there twice."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ..core.memory import BETWEEN_SLOTS, BY_RANK, BY_SLOT, SYMMETRIC, UPPER

__all__ = ["asymmetry", "has_two_halves", "mend", "packed", "packed_shape", "unpacked"]


def has_two_halves(form: str) -> bool:
    """Whether it is a matrix of which one triangle is the other one, but for rounding."""
    return form in (SYMMETRIC, BETWEEN_SLOTS)


def asymmetry(array: np.ndarray, form: str, slots: np.ndarray) -> np.ndarray:
    """By how many floats the upper triangle differs from the lower one: mostly by none."""
    square = _by_rank(array, form, slots)
    rows, columns = _triangle(len(slots))
    difference: np.ndarray = _in_order(square[columns, rows]) - _in_order(square[rows, columns])
    return difference


def mend(array: np.ndarray, form: str, slots: np.ndarray, difference: np.ndarray) -> None:
    """Let the upper triangle of a symmetric matrix differ again."""
    rows, columns = _triangle(len(slots))
    square = _by_rank(array, form, slots)
    upper = _in_order(square[columns, rows]) + difference
    places = (slots[columns], slots[rows]) if form == BETWEEN_SLOTS else (columns, rows)
    array[places] = _in_order(upper).view(np.float64)


def _in_order(numbers: np.ndarray) -> np.ndarray:
    """Floats as whole numbers that follow each other as they do; and back again."""
    bits = numbers.view(np.int64)
    return np.where(bits < 0, bits ^ np.int64(2**63 - 1), bits)


def _by_rank(array: np.ndarray, form: str, slots: np.ndarray) -> np.ndarray:
    return array[slots[:, None], slots] if form == BETWEEN_SLOTS else array


def packed(array: np.ndarray, form: str, slots: np.ndarray) -> np.ndarray:
    """The numbers of the supports, which are in these slots, oldest first."""
    n = len(slots)
    if form == BY_SLOT:
        return array[..., slots]
    if form == BY_RANK:
        return array[..., :n]
    array = array.T if form == UPPER else _by_rank(array, form, slots)
    return array[_triangle(n)]


def packed_shape(form: str, shape: tuple[int, ...], supports: int) -> tuple[int, ...]:
    """The shape of what `packed` makes of an array of this one."""
    if form in (BY_SLOT, BY_RANK):
        return (*shape[:-1], supports)
    return (supports * (supports + 1) // 2,)


def unpacked(
    numbers: np.ndarray, form: str, shape: tuple[int, ...], slots: np.ndarray
) -> np.ndarray:
    """The array of this shape that was packed."""
    n = len(slots)
    array = np.zeros(shape, numbers.dtype)
    if form == BY_SLOT:
        array[..., slots] = numbers
    elif form == BY_RANK:
        array[..., :n] = numbers
    elif form == UPPER:
        array.T[_triangle(n)] = numbers
    elif form == BETWEEN_SLOTS:
        array[slots[:, None], slots] = _symmetric(numbers, n)
    elif form == SYMMETRIC:
        array[:n, :n] = _symmetric(numbers, n)
    else:
        array[_triangle(n)] = numbers
    return array


def _symmetric(numbers: np.ndarray, n: int) -> np.ndarray:
    square = np.empty((n, n))
    rows, columns = _triangle(n)
    square[columns, rows] = numbers
    square[rows, columns] = numbers
    return square


@lru_cache(64)
def _triangle(n: int) -> Any:
    """The places of a lower triangle, row by row."""
    return np.tril_indices(n)
