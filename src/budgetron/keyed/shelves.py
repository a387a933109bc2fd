"""Where learners are kept that are not at work: as bytes, in memory, on disk or not at all."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from weakref import finalize

__all__ = ["DiskShelf", "Kept", "MemoryShelf", "NoShelf", "Shelf"]

AT_ONCE = 500
"""So many keys are asked for by one statement."""


class Kept(NamedTuple):
    """A learner as bytes, and what is asked of it most.

    Attributes
    ----------
    data : bytes
    seen, mistakes, updates : int
        Its counts.
    used : int
        How many rows all learners had seen when this one learned last.
    """

    data: bytes
    seen: int
    mistakes: int
    updates: int
    used: int


class Shelf(Protocol):
    """A place for learners; their keys are bytes."""

    def get(self, keys: Iterable[bytes]) -> dict[bytes, Kept]:
        """Those of these keys that are here."""

    def put(self, learners: Mapping[bytes, Kept]) -> None:
        """Add or replace some, all of them or none."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[tuple[bytes, Kept]]:
        """All of them, in the order of their keys."""

    def facts(self) -> Iterator[tuple[bytes, int, int, int]]:
        """Of each, its key and examples seen, mistakes and updates."""


class NoShelf:
    """Nothing is kept: who is not at work is forgotten."""

    def get(self, keys: Iterable[bytes]) -> dict[bytes, Kept]:
        """Nobody."""
        return {}

    def put(self, learners: Mapping[bytes, Kept]) -> None:
        """Forget them."""

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[tuple[bytes, Kept]]:
        return iter(())

    def facts(self) -> Iterator[tuple[bytes, int, int, int]]:
        """Of nobody."""
        return iter(())


class MemoryShelf:
    """Bytes in memory: a fraction of what a learner takes at work."""

    def __init__(self) -> None:
        self._kept: dict[bytes, Kept] = {}

    def get(self, keys: Iterable[bytes]) -> dict[bytes, Kept]:
        """Those of these keys that are here."""
        return {key: self._kept[key] for key in keys if key in self._kept}

    def put(self, learners: Mapping[bytes, Kept]) -> None:
        """Add or replace some."""
        self._kept.update(learners)

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[tuple[bytes, Kept]]:
        return iter(sorted(self._kept.items()))

    def facts(self) -> Iterator[tuple[bytes, int, int, int]]:
        """Of each, its key and examples seen, mistakes and updates."""
        for key, kept in self._kept.items():
            yield key, kept.seen, kept.mistakes, kept.updates


class DiskShelf:
    """A file of SQLite in a directory, which is there as long as the shelf is.

    It is no saved model, and nobody else's: what is to outlive the process is saved as a whole.
    Where an open file can be without a name, it is: nothing is left, however the process ends.

    Parameters
    ----------
    directory : str or path
        Is made, if there is none.
    """

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        Path(directory).mkdir(parents=True, exist_ok=True)
        self.path = Path(directory) / f"learners-{secrets.token_hex(8)}.sqlite"
        self._use = _Use(self.path, os.getpid())
        with self._use:
            self._connection = sqlite3.connect(self.path, check_same_thread=False)
            self._close = finalize(self, _remove, self._connection, *self._use)
            for what in ("journal_mode = MEMORY", "synchronous = OFF", "cache_size = -16000"):
                self._connection.execute(f"PRAGMA {what}")
            self._connection.execute(
                "CREATE TABLE learners (key BLOB PRIMARY KEY, data BLOB NOT NULL, seen INTEGER,"
                " mistakes INTEGER, updates INTEGER, used INTEGER)"
            )
        with suppress(OSError):
            self.path.unlink()

    @property
    def bytes_on_disk(self) -> int:
        """How long the file is."""
        with self._use:
            pages, size = (
                self._connection.execute(f"PRAGMA {what}").fetchone()[0]
                for what in ("page_count", "page_size")
            )
        return int(pages * size)

    def get(self, keys: Iterable[bytes]) -> dict[bytes, Kept]:
        """Those of these keys that are here."""
        wanted, found = [*keys], dict[bytes, Kept]()
        for first in range(0, len(wanted), AT_ONCE):
            some = wanted[first : first + AT_ONCE]
            places = ",".join("?" * len(some))
            with self._use:
                rows = self._connection.execute(
                    f"SELECT * FROM learners WHERE key IN ({places})", some
                )
                found |= {key: Kept(*rest) for key, *rest in rows}
        return found

    def put(self, learners: Mapping[bytes, Kept]) -> None:
        """Add or replace some, all of them or none."""
        with self._use, self._connection:
            self._connection.executemany(
                "INSERT OR REPLACE INTO learners VALUES (?, ?, ?, ?, ?, ?)",
                ((key, *kept) for key, kept in sorted(learners.items())),
            )

    def __len__(self) -> int:
        with self._use:
            return int(self._connection.execute("SELECT COUNT(*) FROM learners").fetchone()[0])

    def __iter__(self) -> Iterator[tuple[bytes, Kept]]:
        with self._use:
            for key, *rest in self._connection.execute("SELECT * FROM learners ORDER BY key"):
                yield key, Kept(*rest)

    def facts(self) -> Iterator[tuple[bytes, int, int, int]]:
        """Of each, its key and examples seen, mistakes and updates."""
        with self._use:
            told = "SELECT key, seen, mistakes, updates FROM learners"
            yield from self._connection.execute(told)


class _Use(NamedTuple):
    """The file of a shelf in use, by one process; what goes wrong is an OSError that names it."""

    path: Path
    owner: int

    def __enter__(self) -> None:
        if os.getpid() != self.owner:
            raise OSError(f"learners are in {self.path} for another process: pickle them for this")

    def __exit__(self, kind: Any, error: BaseException | None, where: Any) -> None:
        if isinstance(error, sqlite3.Error):
            raise OSError(f"learners cannot be kept in {self.path}: {error}") from error


def _remove(connection: sqlite3.Connection, path: Path, owner: int) -> None:
    if os.getpid() == owner:  # and not in a process that was forked from it
        with suppress(sqlite3.Error):
            connection.close()
        path.unlink(missing_ok=True)
