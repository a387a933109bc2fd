"""What a model is asked to do: learn rows, hear labels, let rows wait, or anything in between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .records import Key, Label

__all__ = ["Ask", "Do", "Learn", "Tell"]


@dataclass(slots=True)
class Learn:
    """Rows with labels."""

    X: np.ndarray
    y: list[Label]
    weight: list[float] | None
    key: list[Key] | None
    id: str | None = None
    digest: bytes = b""
    future: Any = None

    @property
    def rows(self) -> int:
        """How many."""
        return len(self.y)


@dataclass(slots=True)
class Tell:
    """Labels of rows that wait."""

    ids: list[str]
    y: list[Label]
    weight: list[float | None]
    id: str | None = None
    digest: bytes = b""
    future: Any = None

    @property
    def rows(self) -> int:
        """How many."""
        return len(self.y)


@dataclass(slots=True)
class Ask:
    """Rows that are predicted, and wait for their labels."""

    X: np.ndarray
    ids: list[str]
    key: list[Key] | None
    weight: list[float]
    future: Any = None

    @property
    def rows(self) -> int:
        """How many."""
        return len(self.ids)


@dataclass(slots=True)
class Do:
    """Anything that the writer does between two groups."""

    what: Callable[[], Any]
    future: Any = None
    rows: int = 0
