"""The rows of a stream on their way to a service, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import issparse

from ..reading import Chunk, Reader
from ..reading.chunk import part
from .late_labels import MOST_ASKED
from .tally import Tally

if TYPE_CHECKING:
    from ..client import Client

__all__ = ["Sending"]

LEARN, ASK, LABEL, PASS = range(4)
"""What becomes of a row: learned, predicted until its label comes, the label of another, nothing"""


@dataclass
class Sending:
    """A stream that a model of a service learns.

    Attributes
    ----------
    service : Client
    model : str
        Its name.
    run : str
        Names these requests: what was sent under this name is not learned again.
    keyed : bool
        Whether ids are keys.
    start : int
        How many rows of the input were sent before.
    position : int
        How many have been taken by the service by now, or passed over.
    tally : Tally
        What has happened since the start.
    unasked : int
        Labels of rows that did not wait for one.
    """

    service: Client
    model: str
    run: str
    keyed: bool = False
    start: int = 0
    tally: Tally = field(default_factory=Tally)
    unasked: int = 0
    _asked: dict[str, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.position = self.start

    def over(self, reader: Reader, progress: Callable[[Tally], None]) -> None:
        """Send all rows, in their order.

        Raises
        ------
        ServiceError
            If the service refuses some, or does not answer. Those before them are learned.
        """
        began = perf_counter()
        for chunk in reader:
            before = int(np.searchsorted(chunk.rows, self.start))
            self._kinds(part(chunk, slice(before)))
            for kind, piece in self._pieces(part(chunk, slice(before, None))):
                self._send(kind, piece)
                self.position = int(piece.rows[-1]) + 1
                self.tally.rows = self.position - self.start
                self.tally.waiting = len(self._asked)
                self.tally.seconds = perf_counter() - began
            progress(self.tally)

    def _pieces(self, chunk: Chunk) -> Iterator[tuple[int, Chunk]]:
        """Rows that follow each other and of which the same becomes."""
        kinds = self._kinds(chunk)
        edges = [0, *np.flatnonzero(np.diff(kinds)) + 1, len(kinds)]
        for first, last in pairwise(edges):
            if last > first:
                yield int(kinds[first]), part(chunk, slice(first, last))

    def _kinds(self, chunk: Chunk) -> np.ndarray:
        """What becomes of each row; which of them wait is remembered."""
        is_labelled = np.asarray(chunk.is_labelled)
        if chunk.ids is None or self.keyed:
            return np.where(is_labelled, LEARN, PASS)
        kinds = np.full(len(chunk), LEARN)
        for t, id in enumerate(chunk.ids.tolist()):
            if not is_labelled[t]:
                kinds[t] = ASK
                self._asked[id] = None
                if len(self._asked) > MOST_ASKED:
                    del self._asked[next(iter(self._asked))]
            elif id in self._asked:
                kinds[t] = LABEL
                del self._asked[id]
            elif np.asarray(chunk.is_bare)[t]:
                kinds[t] = LABEL
        return kinds

    def _send(self, kind: int, chunk: Chunk) -> None:
        if kind == LABEL:
            self._send_labels(chunk)
            return
        tally, rows = self.tally, len(chunk)
        X: Any = chunk.X
        X = X.toarray() if issparse(X) else X
        if kind == LEARN:
            whose = {"weight": chunk.weights, "key": chunk.ids if self.keyed else None}
            said = self.service.learn(self.model, X, chunk.y, **whose, request_id=self._name(chunk))
            tally.mistakes += int(_mistakes(said).sum())
        else:
            tally.unlabelled += rows
            if kind == ASK:
                self.service.predict(self.model, X, id=chunk.ids)
        tally.learned += rows

    def _send_labels(self, chunk: Chunk) -> None:
        """Labels of rows that wait; those of rows that do not, or not any more, are left out."""
        from ..client import ServiceError

        self.tally.answers += len(chunk)
        while len(chunk):
            try:
                name = self._name(chunk)
                said = self.service.label(self.model, chunk.ids, chunk.y, request_id=name)
            except ServiceError as error:
                if error.code != "unknown_id" or "row" not in error.where:
                    raise
                chunk = part(chunk, np.arange(len(chunk)) != error.where["row"])
                self.unasked += 1
            else:
                self.tally.answer(_mistakes(said))
                return

    def _name(self, chunk: Chunk) -> str:
        """Of a request: the same if the same rows are sent again."""
        return f"{self.run}-{chunk.rows[0]}-{len(chunk)}"


def _mistakes(said: list[dict[str, Any]]) -> np.ndarray:
    return np.array([row["mistake"] for row in said], bool)
