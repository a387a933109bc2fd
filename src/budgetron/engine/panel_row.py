"""A panel that confers on one row at a time, with as little as possible before the machine code."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.columns import Columns, measured_row
from ..core.compiled import direct
from ..core.edits.span import NOT_KEPT
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
    kept : int
        How many numbers are kept of what was said.

    Attributes
    ----------
    shown : ndarray of shape (1, columns)
        What the panel said.
    now : ndarray of shape (filters, 1, columns)
        What filters say when the row is learned, by their trust and not by their jury.
    said : ndarray of shape (1, kept)
        What is to be kept of that, and what the panel learns by, if it is not NaN.
    """

    def __init__(
        self,
        panel: Panel,
        columns: Columns | None,
        buffer: RowBuffer,
        sharing: float,
        zero_is_mistake: bool,
        kept: int,
    ) -> None:
        self._panel, self._columns, self._buffer = panel, columns, buffer
        width = len(panel.label_sums)
        self._advice, self.now = (np.zeros((panel.filters, 1, width)) for _ in range(2))
        self.shown = np.zeros((1, width))
        self._code, self._weight = np.zeros(1, np.int64), np.zeros(1)
        self._room, self._block = Room.of(panel), None
        lead, distances = np.zeros(1, np.int64), np.zeros((1, 2))
        self._kept_in, self.said = np.full(1, NOT_KEPT), np.full((1, kept), np.nan)
        self._told = (
            *(self._code, self._weight, distances, sharing, self.shown, lead, zero_is_mistake),
            *(self._kept_in, self.said),
        )
        self._advised = panel, self._room, self._advice, self.shown, self.said
        self._advise: Any = direct(advise, self._advised)

    def _prepare(self) -> None:
        """Choose the machine code for the buffer as it is."""
        block = self._buffer.block
        rows = measured_row(self._columns, self._buffer.parts())
        self._conferred = rows, self._panel, self._room, self._advice, self.now, *self._told
        self._confer: Any = direct(confer, (*self._conferred, 0))
        self._block = block  # last: what is not prepared is prepared again

    def confer(
        self, scores: list[Any], code: int, weight: float, updated: int, *, is_late: bool
    ) -> None:
        """Say something, and learn from the class of this number; each filter has said its own.

        If it is late, what was `said` before is learned by.
        """
        if self._block is not self._buffer.block:
            self._prepare()
        for own, score in enumerate(scores):
            self._advice[own, 0] = score
        self._code[0], self._weight[0], self._kept_in[0] = code, weight, is_late - 1
        self._confer()(*self._conferred, updated)

    def advise(self, scores: list[Any]) -> np.ndarray:
        """Say something."""
        for own, score in enumerate(scores):
            self._advice[own, 0] = score
        self._advise()(*self._advised)
        return self.shown
