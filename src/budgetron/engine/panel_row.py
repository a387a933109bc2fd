"""A panel that confers on one row at a time, with as little as possible before the machine code."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.columns import Columns, measure_dense, measure_sparse
from ..core.compiled import direct
from ..core.panel import Panel, Room, advise, confer
from .single_row import RowBuffer

__all__ = ["PanelRow"]


class PanelRow:
    """Lets a panel confer on the row in a buffer, after the filters have learned or scored it.

    It is for one thread at a time.

    Parameters
    ----------
    panel : Panel
    columns : Columns or None
        Where features are noted, if they are.
    buffer : RowBuffer
    sharing : float
    zero_is_mistake : bool

    Attributes
    ----------
    shown : ndarray of shape (1, columns)
        What the panel said.
    """

    def __init__(
        self,
        panel: Panel,
        columns: Columns | None,
        buffer: RowBuffer,
        sharing: float,
        zero_is_mistake: bool,
    ) -> None:
        self._panel, self._columns, self._buffer = panel, columns, buffer
        width = len(panel.label_sums)
        self._advice = np.zeros((panel.filters, 1, width))
        self._flat = self._advice.reshape(-1)
        self.shown, self._distances = np.zeros((1, width)), np.full((1, 2), -np.inf)
        self._code, self._weight = np.zeros(1, np.int64), np.zeros(1)
        room, lead = Room.of(panel), np.zeros(1, np.int64)
        told = self._code, self._weight, self._distances, sharing, self.shown, lead
        self._conferred = panel, room, self._advice, *told, zero_is_mistake
        self._advised = panel, room, self._advice, self.shown
        self._confer: Any = direct(confer, (*self._conferred, 0))
        self._advise: Any = direct(advise, self._advised)
        self._block: Any = None

    @property
    def is_measured(self) -> bool:
        """Whether the features of a row that is not conferred on yet have been noted."""
        age = self._panel.counts.item(1)
        return self._columns is None or self._columns.rows.item(0) > age

    def remember(self, other: PanelRow) -> None:
        """Know of the row what another one knows."""
        self._distances[:] = other._distances

    def measure(self, weight: float) -> None:
        """Note the features of the row."""
        if self._columns is None:
            return
        if self._block is not self._buffer.block:
            self._block = self._buffer.block
            self._measured = self._columns, *self._buffer.parts(), self._weight, self._distances
            measure = measure_sparse if len(self._measured) > 4 else measure_dense
            self._measure: Any = direct(measure, self._measured)
        self._weight[0], self._distances[:] = weight, -np.inf
        self._measure()(*self._measured)

    def confer(self, scores: list[float], code: int, weight: float, updated: int) -> None:
        """Say something, and learn from the class of this number."""
        for own, score in enumerate(scores):
            self._flat[own] = score
        self._code[0], self._weight[0] = code, weight
        self._confer()(*self._conferred, updated)

    def advise(self, scores: list[float]) -> np.ndarray:
        """Say something."""
        for own, score in enumerate(scores):
            self._flat[own] = score
        self._advise()(*self._advised)
        return self.shown
