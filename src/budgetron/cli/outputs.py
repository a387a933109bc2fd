"""Files that are written as a stream runs, and that a later run can go on with."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO, Self

import numpy as np

from ..reading import BadRow
from .errors import UsageError

__all__ = ["AsideFile", "GrowingFile", "as_csv", "json_text", "refuse_to_overwrite"]


class GrowingFile:
    """A file that is written at its end; nothing is touched before it is entered.

    Parameters
    ----------
    path : str
    length : int, default=0
        How much of what is there is kept.
    """

    def __init__(self, path: str, length: int = 0) -> None:
        self._path = path
        self.length = length

    def __enter__(self) -> Self:
        try:
            self._file: BinaryIO = open(self._path, "r+b" if self.length else "wb")
        except OSError as error:
            raise UsageError(f"{self._path} cannot be written: {error.strerror}") from error
        if self.length:
            if os.fstat(self._file.fileno()).st_size < self.length:
                self._file.close()
                raise UsageError(f"{self._path} is shorter than it was when its run stopped")
            self._file.truncate(self.length)
            self._file.seek(self.length)
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, text: bytes) -> None:
        """Write at the end."""
        self._file.write(text)
        self.length += len(text)

    def sync(self) -> None:
        """Have everything on disk."""
        self._file.flush()
        if self._file.seekable():
            os.fsync(self._file.fileno())


class AsideFile(GrowingFile):
    """Where bad rows go, a JSON object each, in their order.

    Parameters
    ----------
    path : str
    row : int, default=0
        Bad rows before this one are there already; those after it come again.
    """

    def __init__(self, path: str, row: int = 0) -> None:
        self.last_row, length = -1, 0
        for bad, end in _bad_rows(path) if row else ():
            if bad >= row:
                break
            self.last_row, length = bad, end
        super().__init__(path, length)

    def put(self, bad: BadRow) -> None:
        """Write one down."""
        told = {
            "input": bad.path,
            "line": bad.line,
            "row": bad.row,
            "reason": bad.reason,
            "text": bad.raw.decode(errors="backslashreplace").rstrip("\r\n"),
        }
        self.write(json.dumps(told).encode() + b"\n")
        self.last_row = bad.row


def _bad_rows(path: str) -> Iterable[tuple[int, int]]:
    """The rows of a file of bad rows, and where each ends in it; not what is written by half."""
    if not os.path.exists(path):
        return
    end = 0
    with open(path, "rb") as file:
        for line in file:
            end += len(line)
            if not line.endswith(b"\n"):
                return
            yield json.loads(line)["row"], end


def as_csv(*columns: np.ndarray) -> bytes:
    """Columns as lines of CSV, quoted where they have to be."""
    text = io.StringIO(newline="")
    plain = (column.tolist() for column in columns)
    csv.writer(text, lineterminator="\n").writerows(zip(*plain, strict=True))
    return text.getvalue().encode()


def json_text(value: Any) -> str:
    """JSON of printable ASCII, in which every text is what it was."""
    return json.dumps(value, indent=2).replace("\x7f", "\\u007f")


def refuse_to_overwrite(inputs: Iterable[str], *outputs: str | None) -> None:
    """Raise a UsageError if an output is an input, or another output."""
    taken = {Path(path).resolve() for path in inputs}
    for path in (Path(each).resolve() for each in outputs if each is not None):
        if path in taken:
            raise UsageError(f"{path.name} would be written over: give it another name")
        taken.add(path)
