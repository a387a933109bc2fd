"""Something that can go over a stream, predicting each row before it learns it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

__all__ = ["CLASSES", "Contender", "dicts", "filled", "with_widths"]

CLASSES = np.array([0, 1])


@dataclass(frozen=True)
class Contender:
    """A learner of any library, in one setting.

    Attributes
    ----------
    name : str
        Unique in a field.
    library : str
    family : {"kernel", "linear", "tree", "neighbours"}
        A kernel learner may work with the kernel or with a map that stands for it.
    at_once : int or None
        How many rows it predicts before it learns them; None if it takes any number, and learns
        each before it predicts the next all the same.
    numbers : int or None
        How many it keeps once it is full; None if they grow with the stream.
    begin : callable
        Makes a function that goes over prepared rows, and later over the next ones, and returns
        which of them were mistakes.
    prepare : callable
        Rows and labels as it takes them; this is not timed.
    choices : tuple of dict
        Arguments of `begin`, of which those are taken that do best in hindsight.
    alike : str
        Contenders that share it make the same mistakes, and so take the same choice.
    patience : float
        How many times as long as others it may go over a stream before the clock stops it.
    settings : dict
        What else there is to know: dtype, budget, components.
    """

    name: str
    library: str
    family: str
    at_once: int | None
    numbers: int | None
    begin: Callable[..., Callable[[Any], np.ndarray]]
    prepare: Callable[[Any, np.ndarray], Any] = lambda X, y: (X, y)
    choices: tuple[dict[str, Any], ...] = ({},)
    alike: str = ""
    patience: float = 1.0
    settings: dict[str, Any] = field(default_factory=dict)


def with_widths(choices: tuple[dict[str, Any], ...], stream: Any) -> tuple[dict[str, Any], ...]:
    """Each choice with the narrowest and the smoothest of the stream's kernels."""
    gammas = stream.gammas[0], stream.gammas[-1]
    return tuple(choice | {"gamma": gamma} for choice in choices for gamma in gammas)


def dicts(X: Any, y: np.ndarray) -> list[tuple[dict[str, float], int]]:
    """Rows as River has them: a dict of what is not 0, by the feature's name."""
    return [
        (dict(zip(names, values, strict=True)), label)
        for (names, values), label in zip(filled(X), y.tolist(), strict=True)
    ]


def filled(X: Any) -> Any:
    """The names and values of what is not 0, row by row."""
    for row in X:
        places = row.indices if hasattr(row, "indices") else np.flatnonzero(row)
        values = row.data if hasattr(row, "indices") else row[places]
        yield [*map(str, places.tolist())], values.tolist()
