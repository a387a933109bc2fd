"""What can go wrong."""

from __future__ import annotations

from .escaping import escaped

__all__ = ["BadRow", "NoClassesError", "ReadingError"]


class ReadingError(ValueError):
    """The input cannot be read."""

    def __str__(self) -> str:
        return escaped(super().__str__(), keep="\n")


class NoClassesError(ReadingError):
    """What would be the labels can hardly be classes."""


class BadRow(ReadingError):  # noqa: N818
    """One row cannot be read, which says nothing about the rows around it.

    Attributes
    ----------
    path : str
        The input it is in.
    line : int or None
        The line it begins on, from 1; None in a format without lines.
    row : int
        Its number in all of the input, from 0.
    reason : str
        What is wrong with it.
    raw : bytes
        What was found there; empty in a format without lines.
    """

    def __init__(
        self, path: str, line: int | None, row: int, reason: str, raw: bytes = b""
    ) -> None:
        super().__init__(path, line, row, reason, raw)
        self.path = path
        self.line = line
        self.row = row
        self.reason = reason
        self.raw = raw

    def __str__(self) -> str:
        place = f"row {self.row}" if self.line is None else f"line {self.line}"
        return escaped(f"{self.path}, {place}: {self.reason}")
