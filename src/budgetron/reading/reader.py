"""Chunks of a stream that may be larger than memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .chunk import Chunk, joined, part
from .errors import BadRow, ReadingError
from .fingerprint import Fingerprint
from .plan import Plan, ReadOptions

if TYPE_CHECKING:
    from .formats import Input
    from .scales import RunningScales
    from .source import Source

__all__ = ["Path", "Reader"]

Path = str | os.PathLike[str]

MOST_ROWS = 4096
"""Of a chunk, where no number is asked for."""


class Reader:
    r"""The labelled rows of one or several inputs, in order, a chunk at a time.

    Memory does not grow with the input, whether it is a file or a pipe.

    Parameters
    ----------
    source : path, or iterable of paths
        What to read; "-" is standard input. Packed inputs (gzip, bzip2, xz, zstd) are unpacked.
        All have the same format.
    plan : Plan or ReadOptions
        How to read it, or what is known of it; the rest is decided from the first rows.
    adapt : ReadOptions, optional
        With a plan of another input: what is known of how this one is written. Its format is told
        from the name if not given, and what CSV has to know is found out.
    labelled : bool, default=True
        Whether labels are read. If not, there need not be any.
    chunk_rows : int, optional
        Chunks end where the number of rows, good or bad, is a multiple of this, however the rows
        arrive: learners decide the same however a stream is cut, but scores agree to the last bit
        only if it is cut in the same way. If not given, rows are delivered as they arrive, at most
        4096 at a time.
    skip : int, default=0
        How many rows, good or bad, were read before: chunks begin after them.
    skipped : Fingerprint, optional
        Of the rows that are skipped: if they are others, or fewer, ReadingError is raised.
    fixed : bool, default=False
        Whether running scales stay as they are, as when rows are predicted and not learned.
    on_bad : function of a BadRow, optional
        Takes each bad row, and reading goes on. If not given, a bad row is raised, after the rows
        before it; with `chunk_rows`, after the whole chunks before it.

    Attributes
    ----------
    plan : Plan
        How it is read.
    plan_by_now : Plan
        The same with the scales of now, for the rows after those that were delivered.
    fraction : float or None
        How much has been read; None if nobody knows how long the input is.

    Raises
    ------
    ReadingError
        If the input cannot be read. Nothing else is raised, whatever the input is.
    BadRow
        If a row cannot be read, while iterating. It is a ReadingError.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from budgetron.reading import Reader
    >>> with TemporaryDirectory() as directory:
    ...     file = Path(directory, "pets.csv")
    ...     _ = file.write_text("legs,tail,label\n4,1.5,cat\n4,?,cat\n0,0.5,newt\n")
    ...     for X, y, rows in Reader(file, on_bad=lambda bad: print(bad.line, bad.reason)):
    ...         print(X.tolist(), y.tolist(), rows.tolist())
    [[4.0, 1.5]] ['cat'] [0]
    3 column 'tail' has no value
    [[0.0, 0.5]] ['newt'] [2]
    """

    def __init__(
        self,
        source: Path | Iterable[Path],
        plan: Plan | ReadOptions | None = None,
        *,
        adapt: ReadOptions | None = None,
        labelled: bool = True,
        chunk_rows: int | None = None,
        skip: int = 0,
        skipped: Fingerprint | None = None,
        fixed: bool = False,
        on_bad: Callable[[BadRow], object] | None = None,
    ) -> None:
        if isinstance(source, (str, os.PathLike)):
            source = [source]
        self._paths = [os.fspath(path) for path in source]
        if not self._paths:
            raise ReadingError("there is nothing to read")
        if (chunk_rows is not None and chunk_rows < 1) or skip < 0:
            raise ReadingError(f"cannot skip {skip} rows and read chunks of {chunk_rows}")
        self._labelled = labelled
        self._chunk_rows = chunk_rows
        self._skip = skip
        self._skipped = skipped
        self._on_bad = on_bad
        self._first: Input | None = None
        self._begun: Generator[Chunk | BadRow | None] | None = None
        self._fixed = fixed
        self._scales: RunningScales | None = None
        self._source: Source | None = None
        self._number = 0
        if isinstance(plan, Plan):
            self.plan = plan if adapt is None else _formats().adapted(plan, self._paths, adapt)
            return
        options = plan or ReadOptions()
        format = options.format or _formats().format_of(self._paths)
        first: Input = _formats().open_input(self._paths[0], options, format)
        try:
            self.plan = first.plan(options, labelled)
        except ReadingError:
            first.source.close()
            raise
        self._first = first

    def __iter__(self) -> Iterator[Chunk]:
        begun, self._begun = self._begun or self._pieces(), None
        waiting: list[Chunk] = []
        with closing(begun) as pieces:
            for piece in pieces:
                if isinstance(piece, Chunk):
                    yield from map(self._scaled, self._chunks(piece, waiting))
                elif piece is not None:
                    self._report(piece)
        if waiting:
            yield self._scaled(joined(waiting))

    @property
    def plan_by_now(self) -> Plan:
        """The plan, with the scales of now."""
        return self.plan if self._scales is None else self._scales.plan

    @property
    def fraction(self) -> float | None:
        """How much has been read; None if nobody knows how long the input is."""
        own = None if self._source is None else self._source.fraction
        return None if own is None else (self._number + own) / len(self._paths)

    def pass_skipped(self) -> None:
        """Read to the first row that is not skipped, and check those that are.

        Iterating does that, too; this is for what has to be known before anything is done.
        """
        self._begun = self._pieces()
        next(self._begun, None)

    def close(self) -> None:
        """Close what was opened to decide the plan, if it is not going to be read."""
        if self._first is not None:
            self._first.source.close()
            self._first = None

    def _pieces(self) -> Generator[Chunk | BadRow | None]:
        """None when all rows that are skipped have been seen, and then what comes after them."""
        self._scales = _formats().RunningScales(self.plan, fixed=self._fixed)
        found, seen, passed = Fingerprint(), 0, False
        after: list[Chunk | BadRow] = []
        for piece in self._all_pieces():
            if isinstance(piece, BadRow):
                if piece.row < self._skip:
                    seen += 1
                else:
                    after.append(piece)
            else:
                first = int(np.searchsorted(piece.rows, self._skip))
                seen += first
                if first:
                    found.add(self._scaled(part(piece, slice(first))))
                after.append(part(piece, slice(first, None)) if first else piece)
            if seen == self._skip:
                if not passed:
                    self._check(found, seen)
                    yield None
                passed = True
                yield from after
                after.clear()
        if not passed:
            self._check(found, seen)

    def _scaled(self, chunk: Chunk) -> Chunk:
        assert self._scales is not None
        return replace(chunk, X=self._scales.over(chunk.X))

    def _check(self, found: Fingerprint, seen: int) -> None:
        """Raise an error if rows that were read before are not there any more."""
        name = " ".join(self._paths)
        if self._skipped is None:
            return
        if seen < self._skip:
            raise ReadingError(f"{name} has {seen:,} rows, and {self._skip:,} were read before")
        if found != self._skipped:
            raise ReadingError(f"{name} has changed in its first {self._skip:,} rows")

    def _all_pieces(self) -> Iterator[Chunk | BadRow]:
        row = 0
        for number, path in enumerate(self._paths):
            opened = self._open(path)
            self._number, self._source = number, opened.source
            with closing(opened.source):
                for piece in opened.pieces(self.plan, self._labelled, row):
                    if isinstance(piece, BadRow):
                        row = max(row, piece.row + 1)
                        yield piece
                    elif len(piece.rows):
                        row = max(row, int(piece.rows[-1]) + 1)
                        yield piece

    def _open(self, path: str) -> Input:
        first, self._first = self._first, None
        return first or _formats().open_input(path, self.plan, self.plan.format)

    def _report(self, bad: BadRow) -> None:
        if self._on_bad is None:
            raise bad
        self._on_bad(bad)

    def _chunks(self, piece: Chunk, waiting: list[Chunk]) -> Iterator[Chunk]:
        """The chunks that are whole with these rows; the other rows wait."""
        first, size = 0, self._chunk_rows
        if size is None:
            for start in range(0, len(piece.rows), MOST_ROWS):
                yield part(piece, slice(start, start + MOST_ROWS))
            return
        while first < len(piece.rows):
            place = int(piece.rows[first]) // size
            if waiting and int(waiting[0].rows[0]) // size < place:
                yield joined(waiting)
                waiting.clear()
            last = int(np.searchsorted(piece.rows, (place + 1) * size))
            waiting.append(part(piece, slice(first, last)))
            if piece.rows[last - 1] + 1 == (place + 1) * size:
                yield joined(waiting)
                waiting.clear()
            first = last


def _formats() -> Any:
    """What reads them, which needs more than the rest of the package."""
    try:
        from . import formats
    except ImportError as error:
        raise ReadingError(f"reading needs more ({error}): pip install 'budgetron[cli]'") from error
    return formats
