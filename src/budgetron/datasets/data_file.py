"""A data file: found in a directory or downloaded into it, and checked either way."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
import os
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar
from urllib.error import HTTPError
from urllib.request import urlopen

__all__ = ["DataFile", "Home", "check", "data_directory"]

Home = str | os.PathLike[str] | None
Parsed = TypeVar("Parsed")

_UNPACK: dict[str, Callable[[bytes], bytes]] = {
    ".bz2": bz2.decompress,
    ".gz": gzip.decompress,
    ".xz": lzma.decompress,
}
_SECONDS_OF_SILENCE = 60


@dataclass(frozen=True)
class DataFile:
    """A file of a public data set.

    Attributes
    ----------
    names : tuple of str
        Where it may lie below the data directory; a download goes to the first of them.
    source : str
        Address of the file, packed like the first of the names; or of a page about it.
    sha256 : str or None
        Of its contents, which do not depend on how they are packed; None if not known.
    downloadable : bool
        Whether `source` is the file itself.
    """

    names: tuple[str, ...]
    source: str
    sha256: str | None = None
    downloadable: bool = True

    def read(self, parse: Callable[[bytes], Parsed], data_home: Home, download: bool) -> Parsed:
        """What `parse` makes of the contents; a download is kept only if it can be parsed."""
        directory = data_directory(data_home)
        for path in (directory / name for name in self.names):
            if path.exists():
                return self._parsed(parse, str(path), path.read_bytes())
        if not (download and self.downloadable):
            raise FileNotFoundError(self._advice(directory))
        packed = _fetch(self.source)
        parsed = self._parsed(parse, self.source, packed)
        _write(directory / self.names[0], packed)
        return parsed

    def _parsed(self, parse: Callable[[bytes], Parsed], place: str, packed: bytes) -> Parsed:
        try:
            contents = _UNPACK.get(Path(place).suffix, bytes)(packed)
        except Exception as error:
            raise _damage(place, packed, self.sha256, error) from error
        if self.sha256 is not None:
            check(place, contents, self.sha256)
            return parse(contents)
        try:
            return parse(contents)
        except Exception as error:
            raise _damage(place, contents, None, error) from error

    def _advice(self, directory: Path) -> str:
        wanted = " or ".join(self.names)
        fetched = "allow the download from" if self.downloadable else "convert what is published at"
        return (
            f"{directory} has no {wanted}: name another directory by data_home or BUDGETRON_DATA,"
            f" or {fetched} {self.source}"
        )


def check(place: object, contents: bytes, sha256: str) -> None:
    """Raise an OSError unless the contents have this checksum."""
    if hashlib.sha256(contents).hexdigest() != sha256:
        raise _damage(place, contents, sha256)


def data_directory(data_home: Home) -> Path:
    """`data_home`, else the environment variable BUDGETRON_DATA, else the user's cache."""
    chosen = data_home or os.environ.get("BUDGETRON_DATA")
    if chosen:
        return Path(chosen).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "budgetron"


def _damage(
    place: object, contents: bytes, expected: str | None, error: Exception | None = None
) -> OSError:
    found = hashlib.sha256(contents).hexdigest()
    reason = f" ({error})" if error is not None else ""
    wanted = expected or "one that is not known"
    return OSError(f"{place} is damaged{reason}: its sha256 is {found}, expected {wanted}")


def _fetch(url: str) -> bytes:
    try:
        with urlopen(url, timeout=_SECONDS_OF_SILENCE) as response:
            return response.read()
    except (HTTPException, OSError) as error:
        if isinstance(error, HTTPError):
            error.close()
        raise OSError(f"{url} cannot be downloaded: {error}") from error


def _write(path: Path, contents: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=path.parent, prefix=".part-") as directory:
        whole = Path(directory) / path.name
        whole.write_bytes(contents)
        whole.replace(path)
