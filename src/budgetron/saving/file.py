"""The bytes of a saved model: a checksum, a JSON document, and arrays; and their file.

They begin with the letters "budgetron" and the version of the format in one byte. Then come the
SHA-256 of all that follows, and the length of the document.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import secrets
import stat
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from typing import Any

from .checking import SavedModelError, demand, fields

__all__ = [
    "VERSION",
    "demand_json",
    "joined",
    "parsed",
    "read",
    "sync_directory",
    "taken_apart",
    "to_json",
    "write",
]

MAGIC = b"budgetron"

VERSION = 2
"""Of the format."""

DIGEST = slice(len(MAGIC) + 1, len(MAGIC) + 33)
LENGTH = slice(DIGEST.stop, DIGEST.stop + 4)

MOST_DIGITS = 40

SHORT = 4096
"""Documents of so many bytes are likely to be those of many learners of one kind: what they say is
kept for the next one."""


def to_json(document: Any, what: str) -> bytes:
    """JSON without needless spaces."""
    try:
        return json.dumps(document, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise SavedModelError(f"{what} cannot be written as JSON: {error}") from None


def demand_json(document: Any, what: str) -> None:
    """That JSON can say exactly what the document does."""
    try:
        same = parsed(to_json(document, what), what) == document
    except (ValueError, RecursionError) as error:
        raise SavedModelError(f"{what} cannot be written as JSON: {error}") from None
    demand(same, f"{what} cannot be written as JSON: keys must be strings, and sequences lists")


def parsed(written: str | bytes, what: str) -> Any:
    """What JSON says, without repeated keys and numbers that JSON does not have."""
    try:
        return json.loads(
            written,
            object_pairs_hook=_without_repetition,
            parse_constant=_refused,
            parse_int=_int,
            parse_float=_float,
        )
    except SavedModelError:
        raise
    except (ValueError, RecursionError) as error:
        raise SavedModelError(f"{what} is no JSON that can be read: {error}") from None


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    demand(len(members) == len(pairs), "a key is repeated in the JSON")
    return members


def _refused(constant: str) -> Any:
    raise SavedModelError(f"{constant} is no JSON")


def _int(digits: str) -> int:
    demand(len(digits) <= MOST_DIGITS, "a whole number in the JSON is too long")
    return int(digits)


def _float(digits: str) -> float:
    number = float(digits)
    demand(abs(number) <= 1.7976931348623157e308, f"{digits[:20]} is too large a number")
    return number


def joined(document: bytes, arrays: bytes) -> bytes:
    """The whole of it."""
    length = len(document).to_bytes(4, "little")
    digest = hashlib.sha256(length)
    digest.update(document)
    digest.update(arrays)
    return b"".join((MAGIC, bytes([VERSION]), digest.digest(), length, document, arrays))


def taken_apart(data: bytes) -> tuple[dict[str, Any], memoryview]:
    """The document, not to be changed, and the arrays, if they are what they were when written."""
    demand(data[: len(MAGIC)] == MAGIC, "this is not a saved model, or cut off")
    demand(len(data) >= LENGTH.stop, "the saved model is cut off")
    version = data[len(MAGIC)]
    demand(
        version == VERSION,
        "the saved model is of version {}, and this package reads version {}",
        *(version, VERSION),
    )
    view = memoryview(data)
    same = hashlib.sha256(view[LENGTH.start :]).digest() == data[DIGEST]
    demand(same, "the saved model is damaged or cut off: its checksum is another one")
    end = LENGTH.stop + int.from_bytes(data[LENGTH], "little")
    demand(end <= len(data), "the saved model is cut off")
    text = data[LENGTH.stop : end]
    document = _kept(text) if len(text) <= SHORT else parsed(text, "the model")
    fields(document, "the model", ("learner", "notes"), ("waiting",))
    return document, view[end:]


@lru_cache(256)
def _kept(text: bytes) -> Any:
    return parsed(text, "the model")


def write(path: str | os.PathLike[str], parts: Iterable[bytes]) -> None:
    """Write bytes in place of an older file, at once or not at all.

    The file keeps the mode of the older one, and its owner where that is allowed.
    """
    _replace(_target(path), parts)


def _target(path: str | os.PathLike[str]) -> str:
    """Where links lead to, whether there is a file or not."""
    target = os.fsdecode(os.path.realpath(path))
    if os.path.islink(target):  # a loop
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), os.fsdecode(path))
    return target


def _replace(path: str, parts: Iterable[bytes]) -> None:
    directory, name = os.path.split(path)
    temporary = os.path.join(directory, f".{name}.{secrets.token_hex(4)}")
    older = os.stat(path) if os.path.exists(path) else None
    if older is not None and not stat.S_ISDIR(older.st_mode):  # which cannot be replaced
        demand(stat.S_ISREG(older.st_mode), "a model is saved in place of a regular file alone")
    mode = 0o666 if older is None else 0o600
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with open(descriptor, "wb") as file:
            if older is not None and hasattr(os, "fchmod"):
                _pass_for(older, descriptor)
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    if hasattr(os, "O_DIRECTORY"):
        sync_directory(directory)


def _pass_for(older: os.stat_result, descriptor: int) -> None:
    """Give a file the owner of an older one, as far as that is allowed, and its mode."""
    for owner in ((older.st_uid, -1), (-1, older.st_gid)):
        with suppress(PermissionError):
            os.fchown(descriptor, *owner)
    os.fchmod(descriptor, stat.S_IMODE(older.st_mode))


def sync_directory(directory: str) -> None:
    """Come back when the names in a directory are on the disk."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read(path: str | os.PathLike[str]) -> bytes:
    """What is in a regular file."""
    demand(stat.S_ISREG(os.stat(path).st_mode), "a saved model is a regular file")
    with open(path, "rb") as file:
        return file.read()
