"""What a model has learned, row by row, as its log has it; nothing is changed by reading it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .learning import Learned, opened
from .log import Log, LogDamagedError, Position
from .records import Group, Lesson, Settings, unpacked
from .snapshots import Snapshots

__all__ = ["History", "Learnt", "model_folder"]

READ_TOGETHER = 4096
"""Rows that are given at a time, or a few more."""


class Learnt(NamedTuple):
    """Rows that were learned one after the other.

    Attributes
    ----------
    row, version, time : arrays
        Of each row.
    X : ndarray of shape (n_rows, n_features)
    y, predicted : lists of labels
        What came, and what was said before; None if nothing had been learned.
    score : ndarray
        Of the second of two classes, or the largest of several.
    mistake : ndarray of bool
    weight : ndarray
    key, id : lists
        None where there is none.
    """

    row: np.ndarray
    version: np.ndarray
    time: np.ndarray
    X: np.ndarray
    y: list[Any]
    predicted: list[Any]
    score: np.ndarray
    mistake: np.ndarray
    weight: np.ndarray
    key: list[Any]
    id: list[Any]

    def __len__(self) -> int:
        return len(self.y)


def model_folder(folder: Path, name: str | None = None) -> Path:
    """The folder of a model: this one, or one that a server keeps in it.

    Raises
    ------
    ValueError
        If there is none, or it is not said which.
    """
    if (folder / "log").is_dir() and name in (None, folder.name):
        return folder
    found = {path.parent.name: path.parent for path in sorted(folder.glob("models/[!.]*/log"))}
    if name is not None and name in found:
        return found[name]
    if name is None and len(found) == 1:
        return next(iter(found.values()))
    named = ", ".join(found)
    if not found:
        raise ValueError(f"{folder} is no folder of a server or of a model")
    raise ValueError(f"say which model: {named}" if name is None else f"there are {named}")


class History:
    """The log of a model, which a server may be writing meanwhile.

    Parameters
    ----------
    folder : Path
        Of the model.

    Attributes
    ----------
    torn : int
        Bytes behind the last whole record, when all has been read.
    damage : str or None
        Why reading ended before the end.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._log = folder, Log(folder / "log")
        self.damage: str | None = None
        self._began = self._begin()

    @property
    def torn(self) -> int:
        """Bytes behind the last whole record."""
        return self._log.torn

    @property
    def settings(self) -> Settings:
        """What was known of the model before its first row."""
        return self._began.settings

    @property
    def learner(self) -> Any:
        """The learner of the model, as it was once, or the one of every key."""
        classifier = self._began.classifier
        return classifier.estimator if self.settings.keyed else classifier

    @property
    def names(self) -> list[str] | None:
        """Those of the features, if they have any."""
        names = getattr(self._began.classifier, "feature_names_in_", None)
        return self.settings.names if names is None else names.tolist()

    def __iter__(self) -> Iterator[Learnt]:
        """All rows that are kept, in their order, those of rollbacks included."""
        gathered: list[Learnt] = []
        for each in self._lessons():
            gathered.append(each)
            if sum(map(len, gathered)) >= READ_TOGETHER:
                yield _joined(gathered)
                gathered = []
        if gathered:
            yield _joined(gathered)

    def _lessons(self) -> Iterator[Learnt]:
        try:
            for _, content in self._log.read():
                record = unpacked(content)
                if isinstance(record, Group):
                    row = record.row
                    for lesson in record.lessons():
                        yield _learnt(lesson, row, record)
                        row += len(lesson.y)
        except LogDamagedError as error:
            self.damage = str(error.strerror)

    def _begin(self) -> Learned:
        """A state of the model: which one does not matter here."""
        snapshots = Snapshots(self._folder / "snapshots")
        for snapshot in map(snapshots.get, snapshots.ids()):
            if snapshot is not None:
                return opened(snapshot.state, snapshot.settings)
        for _, content in self._log.read(Position(1, 0)):
            record = unpacked(content)
            if not isinstance(record, Group):
                return opened(record.state, record.settings)
        raise ValueError(f"{self._folder} has no whole state")


def _learnt(lesson: Lesson, row: int, group: Group) -> Learnt:
    many, scores = len(lesson.y), lesson.scores()
    return Learnt(
        row=np.arange(row, row + many),
        version=np.full(many, group.version),
        time=np.full(many, group.time),
        X=lesson.rows(),
        y=lesson.y,
        predicted=lesson.predicted,
        score=scores if scores.ndim == 1 else scores.max(axis=1),
        mistake=np.frombuffer(lesson.mistake, bool),
        weight=np.ones(many) if lesson.weight is None else np.array(lesson.weight),
        key=lesson.key or [None] * many,
        id=lesson.id or [None] * many,
    )


def _joined(parts: list[Learnt]) -> Learnt:
    def joined(values: tuple[Any, ...]) -> Any:
        if isinstance(values[0], list):
            return [value for each in values for value in each]
        return np.concatenate(values)

    return Learnt(*map(joined, zip(*parts, strict=True)))
