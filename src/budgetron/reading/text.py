"""A text, cut into blocks of whole rows, of which the bad ones are found and set apart."""

from __future__ import annotations

import codecs
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator

import numpy as np

from .chunk import Chunk, Encoded
from .errors import BadRow, ReadingError
from .plan import Plan, ReadOptions
from .source import BLOCK, Source

__all__ = ["LONGEST", "TextInput"]

LONGEST = 1 << 24

_ALL = 1 << 30
_GLANCE = 1 << 12
_LONG_REASON = 200
_NEWLINE, _RETURN = b"\n\r"


class TextInput(ABC):
    """An input of lines, and how far it has been read.

    A row ends with its line, unless a quoted field goes on there. Rows are parsed as many at a
    time as there are; if that fails, fewer and fewer, down to the bad one, and then more and more
    again. Of a bad row of several lines only the first line is bad: a quote may be missing there.

    Parameters
    ----------
    source : Source
        The input, in UTF-8.
    quote : str
        Around a field that may contain line ends; "" if there is nothing like that.
    comment : str
        A line that begins with it is no row; "" if there is nothing like that.
    """

    def __init__(self, source: Source, quote: str = "", comment: str = "") -> None:
        self.source = source
        self._quote = quote.encode()
        self._no_row = (_NEWLINE, *comment.encode())
        self._blocks = source.blocks()
        self._text = b""
        self._start = self._seen = 0  # of what has not been read, and how far one has looked
        self._glance = _GLANCE
        self._newlines = self._ends = np.empty(0, int)  # of lines, of whole rows
        self._line = 1
        self._over = False
        while len(self._text) < len(codecs.BOM_UTF8) and not self._over:
            self._look_further()
        if self._text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise ReadingError(f"{self.source.path} is in UTF-16: give --encoding utf-16")
        if self._text.startswith(codecs.BOM_UTF8):
            self._start = len(codecs.BOM_UTF8)
        self._find_ends()

    def head(self, rows: int) -> list[bytes]:
        """The next rows, as many as there are, which are not taken away by that."""
        while True:
            starts, ends = self._bounds(len(self._ends))
            found = (self._text[start:end] for start, end in zip(starts, ends, strict=True))
            filled = [row for row in found if row.strip(b"\r\n")]
            if len(filled) >= rows or self._all_seen() or self._too_long():
                return filled[:rows]
            self._look_further()

    def skip_first(self) -> None:
        """Take away the first row, which is no data."""
        while self._fill() and len(self._ends):
            starts, ends = self._bounds(1)
            self._take(1)
            if self._text[starts[0] : ends[0]].strip(b"\r\n"):
                return

    @abstractmethod
    def plan(self, options: ReadOptions, labelled: bool) -> Plan:
        """How to read it, decided from its first rows, which are not taken away by that."""

    @abstractmethod
    def parser(self, plan: Plan, labelled: bool) -> Callable[[bytes], Encoded]:
        """What parses a block of whole rows; it raises ReadingError if one of them is bad."""

    def pieces(self, plan: Plan, labelled: bool, row: int) -> Iterator[Chunk | BadRow]:
        """All rows, the first of which has this number."""
        parse = self.parser(plan, labelled)
        most = _ALL
        while self._fill():
            near = int(np.searchsorted(self._ends, self._start + BLOCK))
            attempt = min(most, max(near, 1), len(self._ends))
            try:
                block = self._block(attempt)
                encoded = parse(block)
                self._check_rows(len(encoded.chunk), block, attempt)
            except ReadingError as error:
                if attempt > 1:
                    most = attempt // 2
                    continue
                end = self._text.find(b"\n", self._start) + 1 or len(self._text)
                yield self._bad(self._start, end, row, str(error))
                row += 1
                self._take_line()
                continue
            yield from encoded.pieces(row, self._all_bad(encoded.problems, attempt, row))
            row += len(encoded.chunk)
            self._take(attempt)
            most = min(2 * most, _ALL)

    def _block(self, rows: int) -> bytes:
        """The next rows, if their ends are known."""
        if rows == 0:
            newline = self._text.find(b"\n", self._start, self._start + LONGEST) >= 0
            raise ReadingError(
                "a quote is not closed"
                if newline or self._all_seen()
                else f"the line is longer than {LONGEST:,} bytes"
            )
        block = self._text[self._start : self._ends[rows - 1]]
        if rows > 1 and b"\r" in block and self._returns_alone(block):
            raise ReadingError("a carriage return may be the end of a line")
        return block

    def _check_rows(self, found: int, block: bytes, rows: int) -> None:
        starts, ends = self._bounds(rows)
        expected = len(starts) - self._empty(starts, ends).sum()
        if found != expected and not (found == 0 and self._is_no_row(block)):
            raise ReadingError("it is not one row in one line")

    def _is_no_row(self, block: bytes) -> bool:
        text = block.strip()
        return not text or text[0] in self._no_row

    def _returns_alone(self, block: bytes) -> bool:
        """Whether there is a carriage return that neither is quoted nor ends a line."""
        letters = np.frombuffer(block, np.uint8)
        alone = np.flatnonzero((letters[:-1] == _RETURN) & (letters[1:] != _NEWLINE))
        return bool(len(self._unquoted(alone, letters)))

    def _unquoted(self, places: np.ndarray, letters: np.ndarray) -> np.ndarray:
        if not self._quote:
            return places
        quotes = np.flatnonzero(letters == self._quote[0])
        return places[np.searchsorted(quotes, places) % 2 == 0]

    def _empty(self, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
        first = np.frombuffer(self._text, np.uint8)[starts]
        return np.isin(first, self._no_row) | ((first == _RETURN) & (ends - starts == 2))

    def _all_bad(self, problems: dict[int, str], rows: int, row: int) -> list[BadRow]:
        if not problems:
            return []
        starts, ends = self._bounds(rows)
        filled = np.flatnonzero(~self._empty(starts, ends))
        return [
            self._bad(starts[filled[index]], ends[filled[index]], row + index, problems[index])
            for index in sorted(problems)
        ]

    def _bad(self, start: int, end: int, row: int, reason: str) -> BadRow:
        if len(reason) > _LONG_REASON:
            reason = reason[:_LONG_REASON] + "..."
        return BadRow(self.source.path, self._line_at(start), row, reason, self._text[start:end])

    def _line_at(self, place: int) -> int:
        before, there = np.searchsorted(self._newlines, (self._start, place))
        return self._line + int(there - before)

    def _bounds(self, rows: int) -> tuple[np.ndarray, np.ndarray]:
        ends = self._ends[:rows]
        return np.append(self._start, ends[:-1])[: len(ends)], ends

    def _take(self, rows: int) -> None:
        end = int(self._ends[rows - 1])
        self._line = self._line_at(end)
        self._start, self._ends = end, self._ends[rows:]

    def _take_line(self) -> None:
        """Take away the first line, whether or not a row ends with it."""
        while (end := self._text.find(b"\n", self._start)) < 0 and not self._over:
            self._start = self._seen = len(self._text)
            self._look_further()
        if len(self._ends) and end + 1 == self._ends[0]:
            self._take(1)
            return
        self._start = end + 1 if end >= 0 else len(self._text)
        self._line += 1
        self._glance = _GLANCE
        self._seen = min(self._start + self._glance, len(self._text))
        self._find_ends()

    def _fill(self) -> bool:
        """Look until a row is whole, or too long; False if there is nothing left."""
        while not (len(self._ends) or self._all_seen() or self._too_long()):
            self._look_further()
        return self._start < len(self._text)

    def _all_seen(self) -> bool:
        return self._over and self._seen == len(self._text)

    def _too_long(self) -> bool:
        return self._seen - self._start > LONGEST

    def _look_further(self) -> None:
        """In what is there; else one block further, or twice as far if that is more."""
        if self._seen < len(self._text):
            self._glance *= 2
            self._seen = min(self._seen + self._glance, len(self._text))
        else:
            unread = [self._text[self._start :]]
            wanted = len(unread[0]) if len(unread[0]) >= BLOCK else 1
            while wanted > 0 and not self._over:
                block = next(self._blocks, b"")
                unread.append(block)
                wanted -= len(block)
                self._over = not block
            self._text, self._start = b"".join(unread), 0
            self._seen = len(self._text)
        self._find_ends()

    def _find_ends(self) -> None:
        """Where rows end, from the start of one to as far as one looks."""
        seen = np.frombuffer(self._text, np.uint8)[self._start : self._seen]
        newlines = np.flatnonzero(seen == _NEWLINE)
        ends = newlines + 1
        if self._all_seen() and seen.size and seen[-1] != _NEWLINE:
            ends = np.append(ends, len(seen))
        ends = self._unquoted(ends, seen)
        too_long = len(ends) and ends[0] > LONGEST
        self._ends = self._start + (ends[:0] if too_long else ends)
        self._newlines = self._start + newlines
