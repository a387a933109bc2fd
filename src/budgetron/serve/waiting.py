"""Rows that were predicted and wait for their labels, in a file of SQLite."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from .records import Key, Label

__all__ = ["WaitingRow", "WaitingRows"]

TABLE = """
BEGIN;
CREATE TABLE waiting (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    expires REAL NOT NULL,
    row BLOB NOT NULL
);
CREATE INDEX expiring ON waiting (expires);
INSERT INTO sqlite_sequence VALUES ('waiting', {first});
COMMIT;
"""
"""Numbers begin with the time, so that those of a file that was lost are not given again."""

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
    """The rows of one model; used by its writer alone.

    A row whose label is in the log waits no more. That is known at once, and written later,
    together with something else: whoever has not got so far reads it in the log again.

    Parameters
    ----------
    path : Path
    labelled : collection of int
        The numbers of rows that have their labels, and may be in the file.
    """

    def __init__(self, path: Path, labelled: Iterable[int] = ()) -> None:
        self._path, self._labelled = path, set(labelled)
        self._open: sqlite3.Connection | None = None
        self._rows = 0

    @property
    def many(self) -> int:
        """How many wait."""
        return max(0, self._rows - len(self._labelled))

    def _database(self) -> sqlite3.Connection:
        """The file, which may not have been there before."""
        if self._open is None:
            database = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
            try:
                database.execute("PRAGMA journal_mode = WAL")
                database.execute("PRAGMA synchronous = FULL")
                if database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
                    database.executescript(TABLE.format(first=time.time_ns()))
                for (self._rows,) in database.execute("SELECT count(*) FROM waiting"):
                    self._open = database
            finally:
                if self._open is None:
                    database.close()
        return self._open or database

    @contextmanager
    def _at_once(self) -> Iterator[sqlite3.Connection]:
        """All of it or nothing; rows that have their labels go, too."""
        database, rows, labelled = self._database(), self._rows, self._labelled
        database.execute("BEGIN IMMEDIATE")
        try:
            for number in labelled:
                self._delete("number = ?", number)
            self._labelled = set()
            yield database
            database.execute("COMMIT")
        except BaseException:
            self._rows, self._labelled = rows, labelled
            if database.in_transaction:
                database.execute("ROLLBACK")
            raise

    def _delete(self, which: str, value: float) -> None:
        self._rows -= (
            self._database().execute(f"DELETE FROM waiting WHERE {which}", (value,)).rowcount
        )

    def open(self) -> None:
        """Have the file; sqlite3.Error if that cannot be."""
        self._database()

    def find(self, ids: Sequence[str], now: float) -> dict[str, tuple[int, WaitingRow]]:
        """Those of these rows that wait and have not expired, with their numbers."""
        found = {}
        for first in range(0, len(ids), MANY):
            part = ids[first : first + MANY]
            places = ",".join("?" * len(part))
            query = f"SELECT number, id, row FROM waiting WHERE expires > ? AND id IN ({places})"
            for number, id, row in self._database().execute(query, (now, *part)):
                if number not in self._labelled:
                    found[id] = number, _decoder.decode(row)
        return found

    def put(self, rows: Sequence[tuple[str, WaitingRow]], now: float, expires: float) -> None:
        """Let rows wait that do not; when this comes back, they are on the disk."""
        values = [(id, expires, _encoder.encode(row)) for id, row in rows]
        with self._at_once() as database:
            self._delete("expires <= ?", now)
            database.executemany("INSERT INTO waiting (id, expires, row) VALUES (?, ?, ?)", values)
            self._rows += len(values)

    def labelled(self, numbers: Iterable[int]) -> None:
        """They wait no more: their labels are in the log."""
        self._labelled.update(numbers)

    def keep_house(self, now: float) -> None:
        """Remove those that have their labels, and those that waited too long."""
        with self._at_once():
            self._delete("expires <= ?", now)

    def close(self) -> None:
        """Close the file."""
        if self._open is not None:
            self._open.close()
            self._open = None
