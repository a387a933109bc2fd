"""Labels of any kind, as places among the classes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any

import numpy as np

from ..estimators.classes import Numbered, not_too_many

__all__ = ["number"]


def number(labels: Sequence[Any], known: Iterable[Any]) -> Numbered:
    """Number labels, given the classes so far in their order.

    Numbers come first and in their order, then texts in theirs, and then all else as it appears:
    where scikit-learn can put classes in order, this is the same one.

    Parameters
    ----------
    labels : sequence of hashables
    known : iterable of hashables

    Returns
    -------
    Numbered
    """
    since = dict.fromkeys(known, -1)
    for row, label in enumerate(labels):
        since.setdefault(label, row)
    for label, row in since.items():
        if row >= 0 and (label is None or label != label):
            raise ValueError("a label is missing")
    classes = sorted(map(_as_python, since), key=_rank)
    places = {label: place for place, label in enumerate(classes)}
    return Numbered(
        not_too_many(_array(classes)),
        np.array([places[label] for label in labels], dtype=np.int64),
        np.array([since[label] for label in classes], dtype=np.int64),
    )


def _rank(label: Any) -> tuple[Any, ...]:
    if isinstance(label, Real):
        return 0, label
    return (1, label) if isinstance(label, str) else (2,)


def _as_python(label: Any) -> Any:
    """A scalar of NumPy as what it stands for."""
    return label.item() if isinstance(label, np.bool_ | np.number | np.str_) else label


def _array(classes: list[Any]) -> np.ndarray:
    """The classes as an array, of a plain type if they have one in common."""
    if {*map(type, classes)} in ({bool}, {int}, {float}, {str}):
        array = np.array(classes)
        if array.tolist() == classes:
            return array
    return np.fromiter(classes, object, len(classes))
