"""The file: safetensors, with a JSON document and a checksum among the metadata."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import secrets
import stat
from contextlib import suppress
from typing import Any

import numpy as np
from safetensors import SafetensorError, deserialize
from safetensors.numpy import save as serialize

from .checking import SavedModelError, demand, fields, text, whole

__all__ = ["VERSION", "parsed", "read", "to_json", "write"]

VERSION = 1
"""Of the format. All versions up to this one can be read."""

KEY, CHECKSUM = "budgetron", "sha256"
UNKNOWN = "0" * 64
"""In the place of the checksum while it is computed."""

LONGEST_HEADER = 100_000_000
"""That of safetensors."""

LONGEST_SIDE = 2**40
"""Of an array, which may be empty however long it is."""

MOST_DIGITS = 40

DTYPES = {"F64": "<f8", "F32": "<f4", "I64": "<i8", "U32": "<u4"}


def to_json(document: Any, what: str) -> str:
    """JSON that says exactly what the document does."""
    try:
        written = json.dumps(document, allow_nan=False, separators=(",", ":"))
        same = parsed(written, what) == document
    except (TypeError, ValueError, RecursionError) as error:
        raise SavedModelError(f"{what} cannot be written as JSON: {error}") from None
    demand(same, f"{what} cannot be written as JSON: keys must be strings, and sequences lists")
    return written


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


def write(path: str | os.PathLike[str], document: dict[str, Any], arrays: dict[str, Any]) -> None:
    """Write a document and arrays, in place of an older file at once or not at all.

    The file keeps the mode of the older one, and its owner where that is allowed.
    """
    whole_document = {"version": VERSION, CHECKSUM: UNKNOWN, **document}
    data = serialize(arrays, {KEY: to_json(whole_document, "the learner")})
    place = data.index(UNKNOWN.encode())
    checksum = hashlib.sha256(data).hexdigest().encode()
    _replace(_target(path), [data[:place], checksum, data[place + len(checksum) :]])


def _target(path: str | os.PathLike[str]) -> str:
    """Where links lead to, whether there is a file or not."""
    target = os.fsdecode(os.path.realpath(path))
    if os.path.islink(target):  # a loop
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), os.fsdecode(path))
    return target


def _replace(path: str, parts: list[bytes]) -> None:
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
        _sync_directory(directory)


def _pass_for(older: os.stat_result, descriptor: int) -> None:
    """Give a file the owner of an older one, as far as that is allowed, and its mode."""
    for owner in ((older.st_uid, -1), (-1, older.st_gid)):
        with suppress(PermissionError):
            os.fchown(descriptor, *owner)
    os.fchmod(descriptor, stat.S_IMODE(older.st_mode))


def _sync_directory(directory: str) -> None:
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The document and the arrays of a file that is what it was when it was written."""
    demand(stat.S_ISREG(os.stat(path).st_mode), "a saved model is a regular file")
    with open(path, "rb") as file:
        data = file.read()
    document, entries = _read_header(data)
    try:
        tensors = deserialize(data)
    except SafetensorError as error:
        raise SavedModelError(f"the file is damaged: {error}") from None
    demand(len(tensors) == entries, "the file is damaged: an array is lost")
    return document, {name: _array(name, tensor) for name, tensor in tensors}


def _read_header(data: bytes) -> tuple[dict[str, Any], int]:
    demand(len(data) > 8, "the file is not a saved model, or cut off")
    length = int.from_bytes(data[:8], "little")
    demand(
        length <= min(LONGEST_HEADER, len(data) - 8) and data[8:9] == b"{",
        "the file is not a saved model, or cut off",
    )
    header = parsed(data[8 : 8 + length], "the header")
    metadata = header.get("__metadata__")
    demand(isinstance(metadata, dict) and metadata.keys() == {KEY}, "the file is not a saved model")
    document = parsed(text(metadata[KEY], "the model"), "the model")
    demand(isinstance(document, dict), "the file is not a saved model")
    version = whole(document.pop("version", None), "the version", least=1)
    demand(
        version <= VERSION,
        f"the file is of version {version}, and this package reads up to {VERSION}: it was written"
        " by a later one",
    )
    checksum = document.pop(CHECKSUM, None)
    demand(
        re.fullmatch("[0-9a-f]{64}", str(checksum)) and checksum.encode() in data,
        "the file has no checksum",
    )
    place = data.index(checksum.encode())
    digest = hashlib.sha256(data[:place])
    digest.update(UNKNOWN.encode())
    digest.update(memoryview(data)[place + len(UNKNOWN) :])
    demand(digest.hexdigest() == checksum, "the file is damaged: its checksum is another one")
    fields(document, "the model", ("learner", "notes"), ("waiting",))
    return document, len(header) - 1


def _array(name: str, tensor: dict[str, Any]) -> np.ndarray:
    kind = tensor["dtype"]
    demand(kind in DTYPES, f"array {name!r} is of {kind}, which no learner has")
    shape = tensor["shape"]
    demand(
        len(shape) <= 3 and max(shape, default=0) <= LONGEST_SIDE, f"array {name!r} is too large"
    )
    array = np.ndarray(shape, DTYPES[kind], tensor["data"])
    return np.array(array, array.dtype.newbyteorder("="))
