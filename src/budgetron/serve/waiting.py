"""Rows that were predicted and wait for their labels, in a file of SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from .records import Key, Label

__all__ = ["WaitingRow", "WaitingRows"]

TABLE = """
CREATE TABLE IF NOT EXISTS waiting (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    expires REAL NOT NULL,
    row BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS expiring ON waiting (expires);
"""

MANY = 500
"""So many ids are asked for at once."""


class WaitingRow(msgspec.Struct, omit_defaults=True):
    """A row, and what was predicted of it."""

    x: bytes
    version: int
    row: int
    label: Label | None
    classes: list[Label]
    score: bytes
    advice: bytes = b""
    key: Key | None = None
    weight: float = 1.0


_encoder, _decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(WaitingRow)


class WaitingRows:
    """The rows of one model; used by its writer alone."""

    def __init__(self, path: Path) -> None:
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = FULL")
        self._database.executescript(TABLE)
        self.many = int(self._one("SELECT count(*) FROM waiting"))

    def _one(self, query: str, *values: Any) -> Any:
        return self._database.execute(query, values).fetchone()[0]

    @contextmanager
    def _at_once(self) -> Any:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    def find(self, ids: Sequence[str], now: float) -> dict[str, tuple[int, WaitingRow]]:
        """Those of these rows that wait and have not expired, with their numbers."""
        found = {}
        for first in range(0, len(ids), MANY):
            part = ids[first : first + MANY]
            places = ",".join("?" * len(part))
            query = f"SELECT number, id, row FROM waiting WHERE expires > ? AND id IN ({places})"
            for number, id, row in self._database.execute(query, (now, *part)):
                found[id] = number, _decoder.decode(row)
        return found

    def put(self, rows: Iterable[tuple[str, WaitingRow]], expires: float) -> None:
        """Let rows wait; when this comes back, they are on the disk."""
        values = [(id, expires, _encoder.encode(row)) for id, row in rows]
        with self._at_once():
            self._database.executemany(
                "INSERT OR REPLACE INTO waiting (id, expires, row) VALUES (?, ?, ?)", values
            )
            many = int(self._one("SELECT count(*) FROM waiting")) if len(values) > MANY else None
        self.many = self.many + len(values) if many is None else many

    def drop(self, numbers: Sequence[int]) -> None:
        """They wait no more: their labels are in the log."""
        if numbers:
            with self._at_once():
                self._database.executemany(
                    "DELETE FROM waiting WHERE number = ?", [(number,) for number in numbers]
                )
            self.many -= len(numbers)

    def expire(self, now: float) -> None:
        """Forget those that waited too long."""
        with self._at_once():
            self._database.execute("DELETE FROM waiting WHERE expires <= ?", (now,))
        self.many = int(self._one("SELECT count(*) FROM waiting"))

    def close(self) -> None:
        """Close the file."""
        self._database.close()
