"""States of a model in files, with where they are in its log."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec

from ..saving.file import write
from .log import Position
from .records import Settings

__all__ = ["Snapshot", "Snapshots"]

MAGIC = b"budgetron snapshot 1\n"
SUFFIX = ".snapshot"


class Snapshot(msgspec.Struct):
    """What is known at one moment.

    Attributes
    ----------
    segment, offset : int
        Where the log goes on.
    recall : (int, int)
        Where in the log the oldest request is that is remembered.
    row, version : int
    time : float
    settings : Settings
    figures : dict
        How good the predictions were.
    state : bytes
    kept : bool
        Whether it was asked for: such ones are kept longer.
    """

    segment: int
    offset: int
    recall: tuple[int, int]
    row: int
    version: int
    time: float
    settings: Settings
    figures: dict[str, Any]
    state: bytes
    kept: bool = False

    @property
    def position(self) -> Position:
        """Where the log goes on."""
        return Position(self.segment, self.offset)

    @property
    def id(self) -> str:
        """What it is called."""
        return f"{self.row:012}-{self.version:06}{'-kept' if self.kept else ''}"


_encoder, _decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(Snapshot)


class Snapshots:
    """The snapshots in a folder, written whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def ids(self) -> list[str]:
        """All that there are, the newest first."""
        return sorted((path.stem for path in self._folder.glob(f"*{SUFFIX}")), reverse=True)

    def put(self, snapshot: Snapshot) -> dict[str, Any]:
        """Write one, and say what is said of it."""
        body = _encoder.encode(snapshot)
        parts = [MAGIC, crc32(body).to_bytes(4, "little"), body]
        write(self._path(snapshot.id), parts)
        return self._about(snapshot.id)

    def get(self, id: str) -> Snapshot | None:
        """One of them; None if it is damaged or not there."""
        try:
            data = self._path(id).read_bytes()
        except OSError:
            return None
        checked = data.startswith(MAGIC) and len(data) > len(MAGIC) + 4
        body = data[len(MAGIC) + 4 :]
        if not checked or data[len(MAGIC) : len(MAGIC) + 4] != crc32(body).to_bytes(4, "little"):
            return None
        try:
            return _decoder.decode(body)
        except msgspec.MsgspecError:
            return None

    def told(self) -> list[dict[str, Any]]:
        """What is said of each, the newest first."""
        return [self._about(id) for id in self.ids()]

    def thin(self, automatic: int, kept: int) -> None:
        """Remove the oldest of each kind that are too many."""
        for of_kind, most in (("-kept", kept), ("", automatic)):
            own = [id for id in self.ids() if id.endswith("-kept") == bool(of_kind)]
            for id in own[most:]:
                self._path(id).unlink()

    def set_aside(self, id: str) -> None:
        """Keep a damaged one under another name."""
        self._path(id).rename(self._path(id).with_suffix(".damaged"))

    def _about(self, id: str) -> dict[str, Any]:
        file = self._path(id).stat()
        row, version, *_ = id.split("-")
        return {
            "id": id,
            "row": int(row),
            "version": int(version),
            "time": file.st_mtime,
            "bytes": file.st_size,
        }

    def _path(self, id: str) -> Path:
        return self._folder / f"{id}{SUFFIX}"
