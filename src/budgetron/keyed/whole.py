"""All learners of a keyed classifier, as bytes or in one file.

The bytes begin with the words "keyed budgetron" and the version of the format in one byte. Then
come a JSON document, and what is behind each key, in the order of the keys: its bytes, counts, and
those of its learner. At the end is the SHA-256 of all that.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from typing import Any, BinaryIO

import numpy as np
from sklearn.base import clone

from .. import saving
from ..saving import SavedModelError
from ..saving.checking import demand, fields, flag, listed, text, whole
from ..saving.file import demand_json, parsed, to_json, write
from ..saving.labels import describe_labels, restore_labels
from .classifier import About, KeyedClassifier, Learned, checked_live
from .keys import from_bytes
from .shelves import Kept

__all__ = ["dumps", "is_keyed", "load", "load_with_notes", "loads", "save"]

MAGIC, VERSION = b"keyed budgetron", 1
DIGEST = 32
NUMBERS = 4
"""Beside each learner: examples seen, mistakes, updates, and the row that it learned last."""


def is_keyed(path: str | os.PathLike[str]) -> bool:
    """Whether a file has learners behind keys."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def save(
    keyed: KeyedClassifier, path: str | os.PathLike[str], notes: Mapping[str, Any] | None = None
) -> None:
    """Write a keyed classifier to a file, which takes the place of an older one or does not."""
    with keyed._lock:
        write(path, _parts(keyed, notes))


def dumps(keyed: KeyedClassifier, notes: Mapping[str, Any] | None = None) -> bytes:
    """The same as bytes."""
    with keyed._lock:
        return b"".join(_parts(keyed, notes))


def load(path: str | os.PathLike[str], *, evict: Any = None) -> KeyedClassifier:
    """The keyed classifier in a file.

    Parameters
    ----------
    path : str or path
    evict : str or path, optional
        Where its learners are put away from now on: see `KeyedClassifier`.

    Returns
    -------
    KeyedClassifier

    Raises
    ------
    SavedModelError
        If the file is damaged, or of another version, or none of these.
    """
    return load_with_notes(path, evict=evict)[0]


def load_with_notes(
    path: str | os.PathLike[str], *, evict: Any = None, live: int | None = None
) -> tuple[KeyedClassifier, dict[str, Any]]:
    """The keyed classifier in a file, and the notes beside it.

    It may have another number of learners at work than before.
    """
    demand(os.path.isfile(path) or not os.path.exists(path), "learners are in a regular file")
    with open(path, "rb") as file:
        return _read(file, evict, live)


def loads(data: bytes, *, evict: Any = None) -> KeyedClassifier:
    """The keyed classifier that `dumps` has made bytes of.

    Parameters
    ----------
    data : bytes
    evict : str or path, optional
        As for `load`.

    Returns
    -------
    KeyedClassifier

    Raises
    ------
    SavedModelError
        As `load` does.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise TypeError(f"saved learners are bytes, got {type(data).__name__}")
    return _read(BytesIO(data), evict, None)[0]


def _parts(keyed: KeyedClassifier, notes: Mapping[str, Any] | None) -> Iterator[bytes]:
    """All of it, with the checksum at the end."""
    digest = hashlib.sha256()
    for part in _described(keyed, {} if notes is None else dict(notes)):
        digest.update(part)
        yield part
    yield digest.digest()


def _described(keyed: KeyedClassifier, notes: dict[str, Any]) -> Iterator[bytes]:
    demand_json(notes, "notes")
    key = int(keyed.key) if isinstance(keyed.key, np.integer) else keyed.key
    document: dict[str, Any] = {"key": key, "live": checked_live(keyed.live), "learned": None}
    known = keyed.__dict__.get("_learned")
    if known is not None:
        known.learners.settle()
        example, about = known.example, known.about
        document["learned"] = {
            "seed": known.seed,
            "classes": describe_labels(about.classes),
            "named": about.is_named,
            "rows": about.rows,
            "width": int(example.n_features_in_),
        }
        if hasattr(example, "feature_names_in_"):
            document["learned"]["feature_names"] = example.feature_names_in_.tolist()
    yield MAGIC + bytes([VERSION])
    yield _with_length(to_json(document | {"notes": notes}, "the classifier"))
    yield _with_length(saving.dumps(keyed.estimator if known is None else clone(known.example)))
    many = 0 if known is None else len(known.learners)
    yield many.to_bytes(8, "little")
    for key, kept in () if known is None else known.learners.kept():
        yield _with_length(key)
        yield b"".join(number.to_bytes(8, "little") for number in kept[1:])
        yield _with_length(kept.data)


def _with_length(data: bytes) -> bytes:
    return len(data).to_bytes(8, "little") + data


class _Reading:
    """A file, of which it is known what has been read."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._digest = file, hashlib.sha256()
        self._left = os.fstat(file.fileno()).st_size if _is_real(file) else _length(file)

    def take(self, many: int) -> bytes:
        """So many bytes."""
        demand(many <= self._left, "the saved learners are cut off or damaged")
        data = self._file.read(many)
        demand(len(data) == many, "the saved learners are cut off")
        self._left -= many
        self._digest.update(data)
        return data

    def number(self) -> int:
        """A whole number."""
        return int.from_bytes(self.take(8), "little")

    def part(self) -> bytes:
        """Bytes after their length."""
        return self.take(self.number())

    def demand_end(self) -> None:
        """That the checksum comes now, and nothing else."""
        digest = self._digest.digest()
        demand(self._left == DIGEST, "the saved learners are damaged: they do not end")
        demand(self._file.read() == digest, "the saved learners are damaged: another checksum")


def _is_real(file: BinaryIO) -> bool:
    return not isinstance(file, BytesIO)


def _length(file: BinaryIO) -> int:
    length = file.seek(0, os.SEEK_END)
    file.seek(0)
    return length


def _read(file: BinaryIO, evict: Any, live: int | None) -> tuple[KeyedClassifier, dict[str, Any]]:
    reading = _Reading(file)
    demand(reading._left > len(MAGIC) + 1, "there are no saved learners behind keys")
    demand(reading.take(len(MAGIC)) == MAGIC, "there are no saved learners behind keys")
    version = reading.take(1)[0]
    demand(
        version == VERSION,
        "the saved learners are of version {}, and this package reads version {}",
        *(version, VERSION),
    )
    document = parsed(reading.part(), "the classifier")
    fields(document, "the classifier", ("key", "live", "learned", "notes"))
    key, most, notes = document["key"], document["live"], document["notes"]
    demand(key is None or type(key) in (int, str), "the key is no column")
    if most is not None:
        whole(most, "live", least=1)
    demand(isinstance(notes, dict), "the notes must be a JSON object")
    estimator = saving.loads(reading.part())
    keyed = KeyedClassifier(estimator, key, live=most if live is None else live, evict=evict)
    many = reading.number()
    demand(many == 0 or document["learned"] is not None, "there are learners of nothing")
    if document["learned"] is not None:
        known = _restored(keyed, document["learned"])
        known.learners.take(_checked(_each(reading, many)))
        keyed._learned = known
    reading.demand_end()
    return keyed, notes


def _restored(keyed: KeyedClassifier, document: Any) -> Learned:
    fields(
        document,
        "what has been learned",
        ("seed", "classes", "named", "rows", "width"),
        ("feature_names",),
    )
    about = About(
        restore_labels(document["classes"]),
        flag(document["named"], "whether classes are named"),
        whole(document["rows"], "the rows"),
    )
    known = Learned.of(keyed, whole(document["seed"], "the seed", most=2**31 - 1), about)
    known.example.n_features_in_ = whole(document["width"], "the number of features", least=1)
    if "feature_names" in document:
        names = [text(name, "a name") for name in listed(document["feature_names"], "names")]
        demand(len(names) == document["width"], "there are names for other features")
        known.example.feature_names_in_ = np.array(names, object)
    return known


def _each(reading: _Reading, many: int) -> Iterator[tuple[bytes, Kept]]:
    for _ in range(many):
        key = reading.part()
        numbers = [reading.number() for _ in range(NUMBERS)]
        yield key, Kept(reading.part(), *numbers)


def _checked(each: Iterable[tuple[bytes, Kept]]) -> Iterator[tuple[bytes, Kept]]:
    """What can be behind keys, which are in their order."""
    last = b""
    for key, kept in each:
        demand(key > last, "a key is repeated, or not in its place")
        last = key
        try:
            from_bytes(key)
        except (ValueError, UnicodeError) as error:
            raise SavedModelError(f"a key is damaged: {error}") from None
        demand(max(kept[1:]) < 2**62, "a count is too large")
        yield key, kept
