"""What is in the log: states that a model was given, and rows that it learned.

Rows are kept as they were learned together: whoever learns the same groups in the same order from
the same state comes to the same state, bit for bit.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

__all__ = [
    "Asked",
    "Group",
    "Key",
    "Label",
    "Lesson",
    "Placed",
    "Record",
    "Settings",
    "packed",
    "unpacked",
]

Label = bool | int | float | str
Key = int | str


class Settings(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """What is known of a model before its first row.

    Attributes
    ----------
    classes : list of labels or None
        All that there are, if they were named.
    width : int or None
        The number of features.
    names : list of str or None
        Their names.
    keyed : bool
        Whether each key has a learner of its own.
    """

    classes: list[Label] | None = None
    width: int | None = None
    names: list[str] | None = None
    keyed: bool = False


class Asked(msgspec.Struct, array_like=True):
    """A request: which rows of a lesson are its own."""

    id: str | None
    digest: bytes
    late: bool
    first: int
    rows: int


class Lesson(msgspec.Struct, omit_defaults=True):
    """Rows that are learned by one call, and what happened.

    Attributes
    ----------
    x : bytes
        Float64, row by row.
    width : int
    y : list of labels
    weight : list of float or None
    key : list of keys or None
    id, number : lists or None
        Of rows that waited for their labels: their ids, and which waiting row it was.
    advice : bytes
        What the learner noted when they were predicted: float64, row by row.
    advice_width : int
    classes : list of labels
        Those that the scores are of.
    predicted : list of labels
        Before they were learned; None if nothing had been learned.
    score : bytes
        Float64: one for each row, or one for each row and class.
    mistake : bytes
        A byte for each row: whether the prediction was wrong.
    """

    x: bytes
    width: int
    y: list[Label]
    weight: list[float] | None = None
    key: list[Key] | None = None
    id: list[str] | None = None
    number: list[int] | None = None
    advice: bytes = b""
    advice_width: int = 0
    classes: list[Label] = []
    predicted: list[Label | None] = []
    score: bytes = b""
    mistake: bytes = b""

    def rows(self) -> np.ndarray:
        """The features."""
        return np.frombuffer(self.x, np.float64).reshape(len(self.y), self.width)

    def scores(self) -> np.ndarray:
        """A number for each row, or a row of numbers."""
        scores = np.frombuffer(self.score, np.float64)
        return scores if len(scores) == len(self.y) else scores.reshape(len(self.y), -1)

    def noted(self) -> np.ndarray | None:
        """What was noted of rows that waited, or None if they did not."""
        if self.id is None:
            return None
        return np.frombuffer(self.advice, np.float64).reshape(len(self.y), self.advice_width)


class Group(msgspec.Struct, tag="group", tag_field="is", omit_defaults=True):
    """Rows that were learned together: those whose labels came at once first.

    Attributes
    ----------
    row : int
        The number of the first row.
    version : int
    time : float
    prompt, late : Lesson or None
    requests : list of Asked
    """

    row: int
    version: int
    time: float
    prompt: Lesson | None = None
    late: Lesson | None = None
    requests: list[Asked] = []

    def __len__(self) -> int:
        return sum(len(each.y) for each in self.lessons())

    def lessons(self) -> list[Lesson]:
        """Those that there are, in their order."""
        return [each for each in (self.prompt, self.late) if each is not None]


class Placed(msgspec.Struct, tag="state", tag_field="is", omit_defaults=True):
    """A state that the model was given, when it was made or rolled back."""

    row: int
    version: int
    time: float
    state: bytes
    settings: Settings
    snapshot: str | None = None


Record = Group | Placed

_encoder, _decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(Record)


def packed(record: Record) -> bytes:
    """A record as bytes."""
    return _encoder.encode(record)


def unpacked(data: bytes) -> Any:
    """The record that these bytes are of."""
    return _decoder.decode(data)
