"""Who may use a classifier at the same time.

One call learns at a time, and works on a draft that takes the classifier's place when it is
finished: whoever reads meanwhile sees the classifier as it was. Only single rows are learned in
place, each by one call of machine code, unless there are readers: they keep what they are reading,
and the row is learned by a copy.
"""

from __future__ import annotations

from threading import RLock
from typing import Any, Self

__all__ = ["Access", "Accessible"]


class Access:
    """What belongs to a classifier and not to what it has learned.

    Both locks may be taken again by the thread that has them: a handler of a signal, which runs in
    the middle of anything, may save the classifier.
    """

    __slots__ = ("learning", "readers", "row", "rows")

    def __init__(self) -> None:
        self.learning = RLock()  # held by a call that learns, as long as it takes
        self.row = RLock()  # held while a row is learned or scored in place, and to become a reader
        self.readers: list[None] = []  # one entry for each of them
        self.rows: Any = None  # what single rows are learned and scored with, if they ever were


class Accessible:
    """Something with an `Access` beside its `__dict__`, of which copies do not get a part."""

    __slots__ = ("_access",)

    _access: Access

    def __new__(cls, *arguments: Any, **named: Any) -> Self:
        """One that nobody else uses."""
        made = super().__new__(cls)
        made._access = Access()
        return made
