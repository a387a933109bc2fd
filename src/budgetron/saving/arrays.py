"""Arrays one after another, in the order in which the parts of a learner are described.

Each is a letter for its type, the number of its dimensions, their lengths, and its numbers.
"""

from __future__ import annotations

from itertools import accumulate
from math import prod
from struct import Struct
from typing import Any

import numpy as np

from .checking import SavedModelError, demand, finite

__all__ = ["Arrays"]

DEEPEST = 100
"""Parts of parts of parts, at most."""

MOST_DIMENSIONS, LONGEST_SIDE = 3, 2**32 - 1
LENGTHS = [Struct(f"<{many}I") for many in range(MOST_DIMENSIONS + 1)]

WHOLE = tuple((np.dtype(f"<i{1 << k}"), -(2 ** (8 * 2**k - 1))) for k in range(4))
"""Types of whole numbers, and the least number of each: the first that has room is taken."""

LETTERS = {np.dtype(f"<{code}"): code[-1:].encode() for code in ("d", "f", "b", "h", "i", "q")}
LETTERS |= {np.dtype("<u4"): b"I", np.dtype("<u8"): b"Q"}
TYPES = {letter[0]: dtype for dtype, letter in LETTERS.items()}
ZEROS = b"z"
"""In place of a type: all numbers are 0, and none is written."""


class Arrays:
    """Where a learner's arrays are put when it is saved, and taken from when it is loaded.

    Parameters
    ----------
    data : bytes
        What they are taken from.
    """

    def __init__(self, data: bytes | memoryview = b"") -> None:
        self._stream, self._depth = _Stream(data), 0

    @property
    def written(self) -> bytes:
        """All that was put, so far."""
        return b"".join(self._stream.parts)

    def part(self) -> Arrays:
        """Those of a part, which come next."""
        demand(self._depth < DEEPEST, "learners are nested too deeply")
        inside: Arrays = object.__new__(Arrays)
        inside._stream, inside._depth = self._stream, self._depth + 1
        return inside

    def put(self, *arrays: np.ndarray, missing: bool = False) -> None:
        """Add some, of which numbers may be missing or not."""
        for array in arrays:
            dtype = array.dtype
            if dtype.kind == "f" and not missing:
                demand(np.isfinite(array).all(), "there are numbers that are not finite")
            if dtype.kind == "i":
                low, high = (array.min(), array.max()) if array.size > 0 else (0, 0)
                dtype = next(it for it, least in WHOLE if least <= low and high < -least)
            self._put(LETTERS[dtype], array, array.astype(dtype, copy=False).tobytes())

    def put_unless_zero(self, *arrays: np.ndarray) -> None:
        """Add some of which nothing is written if there is nothing in them."""
        for array in arrays:
            raw = array.tobytes()
            if raw.count(0) == len(raw):
                self._put(ZEROS, array, b"")
            else:
                self.put(array)

    def put_joined(self, *arrays: np.ndarray) -> None:
        """Add some of one type as one, which takes less room and time."""
        self.put(np.concatenate([array.ravel() for array in arrays]))

    def _put(self, letter: bytes, array: np.ndarray, raw: bytes) -> None:
        demand(max(array.shape, default=0) <= LONGEST_SIDE, "an array is too long")
        lengths = LENGTHS[array.ndim].pack(*array.shape)
        self._stream.parts += (letter, bytes([array.ndim]), lengths, raw)

    def take(self, name: str, dtype: Any, *shape: int | None) -> np.ndarray:
        """The next one, which is to be of this dtype and shape; None is for any length."""
        kind, found = self._stream.next_kind(name, shape)
        demand(kind != ZEROS[0], "array {!r} is not there", name)
        return self._stream.numbers(name, kind, np.dtype(dtype), found)

    def take_or_zero(self, name: str, dtype: Any, *shape: int) -> np.ndarray:
        """The next one, of which nothing is written if there is nothing in it."""
        kind, found = self._stream.next_kind(name, shape)
        if kind == ZEROS[0]:
            return np.zeros(found, dtype)
        return self._stream.numbers(name, kind, np.dtype(dtype), found)

    def take_joined(self, name: str, dtype: Any, *shapes: tuple[int, ...]) -> list[np.ndarray]:
        """Some that were added as one, all of their numbers finite."""
        ends = [*accumulate(map(prod, shapes))]
        numbers = finite(self.take(name, dtype, ends[-1]), name)
        starts = [0, *ends[:-1]]
        return [
            numbers[start:end].reshape(shape).copy()
            for start, end, shape in zip(starts, ends, shapes, strict=True)
        ]

    def demand_none_left(self) -> None:
        """All have been taken."""
        left = len(self._stream.data) - self._stream.place
        demand(left == 0, "there are {} bytes of unknown arrays", left)


class _Stream:
    """What arrays are written to or read from, from its first byte to its last."""

    def __init__(self, data: bytes | memoryview) -> None:
        self.parts: list[bytes] = []
        self.data, self.place = data, 0

    def next_kind(self, name: str, shape: tuple[int | None, ...]) -> tuple[int, tuple[int, ...]]:
        """The letter and the shape of the next array."""
        data, start = self.data, self.place
        demand(start + 2 <= len(data), "there is no array {!r}", name)
        dimensions, end = data[start + 1], start + 2 + 4 * data[start + 1]
        demand(dimensions <= MOST_DIMENSIONS and end <= len(data), "array {!r} is damaged", name)
        found = LENGTHS[dimensions].unpack_from(data, start + 2)
        if found != shape:
            fits = len(found) == len(shape) and all(
                length in (None, own) for length, own in zip(shape, found, strict=True)
            )
            demand(fits, "array {!r} has shape {}, which does not fit the others", name, found)
        self.place = end
        return data[start], found

    def numbers(
        self, name: str, kind: int, wanted: np.dtype[Any], shape: tuple[int, ...]
    ) -> np.ndarray:
        """Those of an array whose letter and shape have been read."""
        dtype = TYPES.get(kind)
        if dtype is None:
            raise SavedModelError(f"array {name!r} is of a type {kind} that no learner has")
        same = (wanted.kind == "i" and dtype.kind == "i") or wanted == dtype
        demand(same, "array {!r} is of {}, not of {}", name, dtype, wanted)
        many = prod(shape)
        end = self.place + many * dtype.itemsize
        demand(end <= len(self.data), "array {!r} is cut off", name)
        array = np.frombuffer(self.data, dtype, many, self.place).astype(wanted).reshape(shape)
        self.place = end
        return array
