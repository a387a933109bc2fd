"""An append-only log in files, synced before anybody is told that something is in it.

A record is a mark, its length, a checksum of length and content, and the content. Space is
allocated ahead, so that a full disk is noticed before anything is written: what follows the last
record is zeros.
"""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from ..saving.file import sync_directory

__all__ = ["Log", "LogDamagedError", "LogError", "Position", "segments"]

MARK = b"\xb5log"
HEADER = struct.Struct("<4sII")

SEGMENT = 64 << 20
"""A file that is so long is followed by another one."""

AHEAD = 1 << 20
"""So many bytes are allocated at a time."""

PASSING = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EMFILE, errno.ENFILE)
"""With these it may go better later."""


class LogError(OSError):
    """Nothing can be written now: nothing has been."""


class LogDamagedError(LogError):
    """What is in the log is not what was written."""


class Position(NamedTuple):
    """Where a record begins."""

    segment: int
    offset: int


def segments(folder: Path) -> dict[int, Path]:
    """The files of a log by their numbers, in order."""
    found = (path for path in folder.glob("*.log") if path.stem.isdigit())
    return {int(path.stem): path for path in sorted(found)}


class Log:
    """The log in a folder.

    Parameters
    ----------
    folder : Path
    segment : int
        How long a file may become.

    Attributes
    ----------
    most : int
        As `segment` says; it may be changed.
    torn : int
        Bytes behind the last whole record, when the log was read to its end.
    broken : str or None
        Why nothing can be written any more.
    """

    def __init__(self, folder: Path, segment: int = SEGMENT) -> None:
        self._folder, self.most = folder, segment
        self._file = -1
        self._number = self._end = self._allocated = self.torn = 0
        self.broken: str | None = None
        self._is_torn = False

    @property
    def end(self) -> Position:
        """Where the next record begins."""
        return Position(self._number, self._end)

    @property
    def first(self) -> Position:
        """Where the oldest record is that is kept."""
        return Position(min(segments(self._folder), default=0), 0)

    @property
    def is_open(self) -> bool:
        """Whether something can be written, as far as is known."""
        return self._file >= 0 and self.broken is None

    def open(self) -> int:
        """Go on at the end of the last file; a record that was begun there is cut off.

        Returns
        -------
        int
            How many bytes were cut off. They are kept in a file beside it.

        Raises
        ------
        LogDamagedError
            If there are whole records behind one that is not.
        """
        files = segments(self._folder)
        if not files:
            self._begin(1)
            return 0
        self._number = max(files)
        path = files[self._number]
        data = path.read_bytes()
        end = 0
        for start, content in _records(data, 0):
            end = start + HEADER.size + len(content)
        torn = data[end:].rstrip(b"\0")
        if torn and _is_followed(data, end):
            raise LogDamagedError(errno.EIO, f"{path.name} is damaged at byte {end}")
        if torn:
            with suppress(OSError), open(path.with_suffix(f".cut-{end}"), "wb") as aside:
                aside.write(torn)
        self._file = os.open(path, os.O_RDWR)
        if torn:
            os.ftruncate(self._file, end)
            os.fsync(self._file)
        self._end, self._allocated = end, os.fstat(self._file).st_size
        return len(torn)

    def read(self, since: Position = Position(0, 0)) -> Iterator[tuple[Position, bytes]]:  # noqa: B008
        """The records from a position on, up to the end.

        Raises
        ------
        LogDamagedError
            Where something is missing in the middle.
        """
        files = {at: path for at, path in segments(self._folder).items() if at >= since.segment}
        expected, last = since.segment or min(files, default=0), max(files, default=0)
        for number, path in files.items():
            if number != expected:
                raise LogDamagedError(errno.EIO, f"the file before {path.name} is missing")
            expected += 1
            data, end = path.read_bytes(), since.offset if number == since.segment else 0
            for start, content in _records(data, end):
                yield Position(number, start), content
                end = start + HEADER.size + len(content)
            rest = data[end:].rstrip(b"\0")
            if rest and (number < last or _is_followed(data, end)):
                raise LogDamagedError(errno.EIO, f"{path.name} is damaged at byte {end}")
            self.torn = len(rest)

    def at(self, position: Position) -> bytes:
        """One record."""
        with open(self._folder / _name(position.segment), "rb") as file:
            file.seek(position.offset)
            head = file.read(HEADER.size)
            length = HEADER.unpack(head)[1] if len(head) == HEADER.size else 0
            content = _record(head + file.read(length), 0)
        if content is None:
            raise LogDamagedError(errno.EIO, f"a record of {_name(position.segment)} is damaged")
        return content

    def append(self, content: bytes) -> Position:
        """Write a record, and come back when it is on the disk.

        Raises
        ------
        LogError
            If it is not: then it is not in the log.
        """
        if self.broken is not None:
            raise LogError(errno.EIO, self.broken)
        if self._file < 0:
            raise LogError(errno.EROFS, "the log is not open")
        frame = HEADER.pack(MARK, len(content), _checksum(content)) + content
        try:
            if self._is_torn:
                self._cut()
            self._make_room(len(frame))
            written = 0
            while written < len(frame):
                written += os.pwrite(self._file, frame[written:], self._end + written)
            os.fdatasync(self._file)
        except OSError as error:
            if error.errno not in PASSING:
                self.broken = f"the log could not be written: {error.strerror}"
            self._is_torn = True
            with suppress(OSError):  # then before the next record
                self._cut()
            raise LogError(error.errno, error.strerror) from error
        start = self.end
        self._end += len(frame)
        return start

    def close(self) -> None:
        """Give back what was allocated ahead."""
        if self._file >= 0:
            if self.broken is None:
                os.ftruncate(self._file, self._end)
                os.fsync(self._file)
            os.close(self._file)
            self._file = -1

    def drop_before(self, segment: int, older_than: float) -> int:
        """Remove files before one, if they were written to long ago; how many went."""
        gone = 0
        for number, path in segments(self._folder).items():
            if number >= segment or path.stat().st_mtime >= older_than:
                break
            path.unlink()
            gone += 1
        return gone

    def _begin(self, number: int) -> None:
        """Go on in a new file."""
        path = self._folder / _name(number)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            sync_directory(str(self._folder))
            self.close()
        except OSError:
            os.close(file)
            with suppress(OSError):
                path.unlink()
            raise
        self._file, self._number, self._end, self._allocated = file, number, 0, 0

    def _make_room(self, length: int) -> None:
        if self._end > 0 and self._end + length > self.most:
            self._begin(self._number + 1)
        missing = self._end + length - self._allocated
        if missing > 0:
            os.posix_fallocate(self._file, self._allocated, max(missing, AHEAD))
            self._allocated = os.fstat(self._file).st_size

    def _cut(self) -> None:
        """Leave nothing of a record that was not written wholly, on the disk either."""
        os.ftruncate(self._file, self._end)
        self._allocated = self._end
        os.fsync(self._file)
        self._is_torn = False


def _name(number: int) -> str:
    return f"{number:010}.log"


def _checksum(content: bytes) -> int:
    return crc32(content, len(content))


def _records(data: bytes, offset: int) -> Iterator[tuple[int, bytes]]:
    """The whole records that follow each other from an offset on."""
    while True:
        content = _record(data, offset)
        if content is None:
            return
        yield offset, content
        offset += HEADER.size + len(content)


def _record(data: bytes, offset: int) -> bytes | None:
    if data[offset : offset + len(MARK)] != MARK or len(data) < offset + HEADER.size:
        return None
    _, length, checksum = HEADER.unpack_from(data, offset)
    content = data[offset + HEADER.size : offset + HEADER.size + length]
    return content if len(content) == length and _checksum(content) == checksum else None


def _is_followed(data: bytes, offset: int) -> bool:
    """Whether a whole record comes after what is at the offset, which is none."""
    while (offset := data.find(MARK, offset + 1)) >= 0:
        if _record(data, offset) is not None:
            return True
    return False
