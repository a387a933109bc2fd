"""Bytes of a path or of standard input, unpacked if they are packed."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pyarrow as pa

from .errors import ReadingError

__all__ = ["BLOCK", "STDIN", "Source"]

STDIN = "-"
BLOCK = 1 << 20

_UNPACK: dict[str, Callable[[Any], Any]] = {
    r"\x1f\x8b": gzip.open,
    r"BZh[1-9](1AY&SY|\x17rE8P\x90)": bz2.open,
    r"\xfd7zXZ\x00": lzma.open,
    r"\x28\xb5\x2f\xfd": lambda stream: pa.CompressedInputStream(stream, "zstd"),
}
_READ_ERRORS = (OSError, EOFError, zlib.error, lzma.LZMAError, pa.ArrowException)


class Source:
    """An input that is being read.

    Parameters
    ----------
    path : str
    encoding : str, optional
        Of a text that is not in UTF-8.

    Attributes
    ----------
    path : str
        Where it is.
    fraction : float or None
        How much of it has been read; None if nobody knows how long it is.
    head : bytes
        Its first bytes, which tell whether it is packed.
    stream : binary file
        All of it, unpacked.
    """

    def __init__(self, path: str, encoding: str | None = None) -> None:
        self.path = path
        self._encoding = encoding
        self._close = ExitStack()
        try:
            raw: Any = sys.stdin.buffer
            if path != STDIN:
                raw = self._close.enter_context(open(path, "rb"))  # noqa: SIM115
            self.head = raw.peek(16)[:16]
            self.stream: Any = raw
            self._arriving = not raw.seekable()
            self._raw, self._size = raw, 0 if self._arriving else os.fstat(raw.fileno()).st_size
            unpack = _unpacker(self.head)
            if unpack is not None:
                self.stream = self._close.enter_context(unpack(raw))
        except _READ_ERRORS as error:
            self.close()
            raise self.failed(error) from error

    @property
    def fraction(self) -> float | None:
        """How much of it has been read; None if nobody knows how long it is."""
        if not self._size or self._raw.closed:
            return None
        return min(self._raw.tell() / self._size, 1.0)

    def blocks(self) -> Iterator[bytes]:
        """The text in UTF-8, in blocks."""
        if self._encoding is None:
            yield from self._blocks()
            return
        decoder = codecs.getincrementaldecoder(self._encoding)()
        try:
            for block in self._blocks():
                if text := decoder.decode(block):  # and not half a character
                    yield text.encode()
            decoder.decode(b"", final=True)
        except UnicodeError as error:
            raise ReadingError(
                f"{self.path} is not in {self._encoding}: give another --encoding ({error})"
            ) from error

    def _blocks(self) -> Iterator[bytes]:
        """The bytes: what is there at once if they arrive bit by bit, else a block at a time."""
        gathered: list[bytes] = []
        size, failure = 0, None
        while True:
            try:
                piece = self.stream.read1(BLOCK)
            except _READ_ERRORS as error:
                piece, failure = b"", error
            gathered.append(piece)
            size += len(piece)
            if size and (self._arriving or not piece or size >= BLOCK):
                yield b"".join(gathered)
                gathered, size = [], 0
            if failure is not None:
                raise self.failed(failure) from failure
            if not piece:
                return

    def failed(self, error: Exception) -> ReadingError:
        """An error that names the input."""
        strerror = error.strerror if isinstance(error, OSError) else None
        return ReadingError(f"{self.path} cannot be read: {strerror or str(error) or repr(error)}")

    def close(self) -> None:
        """Close what was opened."""
        self._close.close()


def _unpacker(head: bytes) -> Callable[[Any], Any] | None:
    for magic, unpack in _UNPACK.items():
        if re.match(magic.encode("ascii"), head):
            return unpack
    return None
