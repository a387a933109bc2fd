"""Arrays by name, those of a part of a learner under the name of the part."""

from __future__ import annotations

from typing import Any

import numpy as np

from .checking import demand

__all__ = ["Arrays"]

DEEPEST = 100
"""Parts of parts of parts, at most."""


class Arrays:
    """Where a learner's arrays are put when it is saved, and taken from when it is loaded.

    Parameters
    ----------
    all : dict
        All arrays of a file, by their full names.
    prefix : str
        What the names of this part begin with.
    """

    def __init__(self, all: dict[str, np.ndarray] | None = None, prefix: str = "") -> None:
        self.all: dict[str, np.ndarray] = {} if all is None else all
        self._prefix = prefix

    def part(self, name: str) -> Arrays:
        """Those of a part."""
        demand(self._prefix.count("/") < DEEPEST, "learners are nested too deeply")
        return Arrays(self.all, f"{self._prefix}{name}/")

    def put(self, **arrays: np.ndarray) -> None:
        """Add some."""
        for name, array in arrays.items():
            self.all[self._prefix + name] = np.ascontiguousarray(array)

    def take(self, name: str, dtype: Any, *shape: int | None) -> np.ndarray:
        """Remove the one of this name, of this dtype and shape; None is for any length."""
        full = self._prefix + name
        demand(full in self.all, f"there is no array {full!r}")
        array, wanted = self.all.pop(full), np.dtype(dtype)
        demand(array.dtype == wanted, f"array {full!r} is of {array.dtype}, not of {wanted}")
        fits = len(array.shape) == len(shape) and all(
            length in (None, own) for length, own in zip(shape, array.shape, strict=True)
        )
        demand(fits, f"array {full!r} has shape {array.shape}, which does not fit the others")
        return array

    def demand_none_left(self) -> None:
        """All have been taken."""
        demand(not self.all, f"there are unknown arrays, such as {min(self.all, default='')!r}")
