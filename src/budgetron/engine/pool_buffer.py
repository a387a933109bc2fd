"""Where a pool has single rows before it."""

from __future__ import annotations

import numpy as np

from .pool import MISSING_REFUSED, Pool
from .single_row import RowBuffer

__all__ = ["PoolBuffer"]


class PoolBuffer(RowBuffer):
    """Where a row is put before a pool learns or scores it."""

    def __init__(self, pool: Pool) -> None:
        super().__init__(pool)
        self.limit, self._columns, self._missing = pool.largest_norm, pool.columns, pool.missing
        self._is_plain = pool.columns is None or pool.columns.is_plain

    def scale(self) -> None:
        """Fill in what is missing, and scale features, as far as the pool knows how."""
        columns, here = self._columns, slice(self.stored)
        if columns is None:
            return
        if self._missing:
            missing = np.isnan(self._values[here])
            if missing.any():
                self._values[here][missing] = 0.0 if self._sparse else columns.center[missing]
        if self._is_plain:
            return
        with np.errstate(over="ignore"):  # what is infinite is refused
            if self._sparse:
                self._values[here] *= columns.factors_of(self._features[here])
            else:
                self._values[:] = (self._values - columns.offsets) * columns.factors

    def check_as_put(self) -> None:
        """Raise ValueError for a row that is not finite: the pool looks at its size in scale."""
        if self._columns is None:
            self.check()
        else:
            self._finite_values()

    def _values_to_check(self) -> np.ndarray:
        values = super()._values_to_check()
        missing = np.isnan(values)
        if missing.any() and not self._missing:
            raise ValueError(MISSING_REFUSED)
        return values[~missing]
