"""Room to look ahead in: the buffers that a learner works with and does not keep."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.blocks import DenseBlocks, SparseBlocks
from ..core.buffers import Buffer
from ..core.expansion import Ahead, Expansion, Kept
from ..core.kernel import Kernel, OwnKernel, Rows

__all__ = ["Workspace"]


VECTORS = 4
"""As many as conjugate gradients need: see `gram`."""


class Workspace:
    """Buffers for one block at a time."""

    def __init__(
        self, width: int, *, sparse: bool, dtype: np.dtype[Any], with_factor: bool = False
    ) -> None:
        self._blocks = (SparseBlocks if sparse else DenseBlocks)(width, dtype)
        self._values, self._scores, self._exact = Buffer(dtype), Buffer(float), Buffer(float)
        self._shares, self._solved = Buffer(float), Buffer(np.int64)
        self._owed, self.columns = Buffer(float), Buffer(float)
        self._with_factor = with_factor

    def cut(self, X: Rows, first: int, last: int) -> Any:
        """The block of the examples `first` to `last - 1`."""
        return self._blocks.cut(X, first, last)

    def in_view(
        self, kernel: Kernel | OwnKernel, kept: Kept, block: Any, events: np.ndarray
    ) -> Expansion:
        """f, with the block ahead of it, none of its examples scored yet."""
        slots, length = len(kept.order), len(block.norms)
        ahead = Ahead(
            block,
            self._values.shaped(slots, length),
            self._scores.shaped(length),
            self._exact.shaped(slots),
            events,
            self._shares.shaped(length if self._with_factor else VECTORS, slots),
            self._solved.shaped(length),
            self._owed.shaped(slots),
        )
        return Expansion(kernel, kept, ahead)
