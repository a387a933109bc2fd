"""Whose supports a learner has, and which of them are its own."""

from __future__ import annotations

from weakref import ref

import numpy as np

from ..core.state import NOBODY

__all__ = ["Descent"]


class Descent:
    """Whose supports a learner has: for itself and for a copy of it, equal births are equal rows.

    Those that came since it was copied are each one's own.
    """

    def __init__(self) -> None:
        self._parent: ref[Descent] | None = None
        self._since = 0

    def of_copy(self, seen: int) -> Descent:
        """That of a copy, after so many examples."""
        copy = Descent()
        copy._parent, copy._since = ref(self), seen
        return copy

    def known_of(self, other: Descent | None, births: np.ndarray) -> np.ndarray:
        """The births of another one as far as they are this one's, and NOBODY for all others."""
        if other is self:
            return births
        if other is None or self._parent is None or self._parent() is not other:
            return np.full_like(births, NOBODY)
        return np.where(births < self._since, births, NOBODY)

    def goes_on_from(self, other: Descent | None, seen: int) -> bool:
        """Whether it has learned what another one had after so many examples."""
        if other is None or other is self:
            return other is self
        return self._parent is not None and self._parent() is other and self._since == seen
