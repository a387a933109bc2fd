"""Classes: an array of labels as JSON."""

from __future__ import annotations

import re
from itertools import pairwise
from math import isfinite
from typing import Any

import numpy as np

from ..estimators.classes import MOST_CLASSES
from .checking import SavedModelError, demand, fields, listed, text

__all__ = ["describe_labels", "restore_labels"]

NUMBERS = {"b": bool, "i": int, "u": int, "f": float}
"""What the labels of a numeric dtype are in JSON, by its kind."""

WIDE = 1000
"""Characters of a dtype for strings, at most, where no label is as long."""

KINDS = re.compile("bool|u?int(8|16|32|64)|float(16|32|64)|object|str([0-9]{1,9})")


def describe_labels(classes: np.ndarray) -> dict[str, Any]:
    """The dtype and the labels."""
    kind, labels = classes.dtype.kind, [_plain(label) for label in classes.tolist()]
    longest = max((len(label) for label in labels if isinstance(label, str)), default=0)
    width = classes.dtype.itemsize // 4
    name = f"str{width if width <= WIDE else longest}" if kind == "U" else classes.dtype.name
    demand(KINDS.fullmatch(name), f"labels of {classes.dtype} cannot be saved")
    return {"dtype": name, "labels": labels}


def _plain(label: Any) -> Any:
    label = label.item() if isinstance(label, np.generic) else label
    if isinstance(label, str):
        return str(label)
    demand(
        (type(label) in (bool, int) and abs(label) < 2**64)
        or (type(label) is float and isfinite(label)),
        f"a label must be a string or a number to be saved, not {label!r}",
    )
    return label


def restore_labels(document: Any) -> np.ndarray:
    """The array of labels, in order and each just once."""
    fields(document, "the classes", ("dtype", "labels"))
    labels, name = listed(document["labels"], "the classes"), text(document["dtype"], "their dtype")
    known = KINDS.fullmatch(name)
    demand(known, f"labels cannot be of {name[:30]!r}")
    demand(0 < len(labels) <= MOST_CLASSES, f"{len(labels)} classes are too few or too many")
    classes = _array([_plain(label) for label in labels], name)
    demand(
        [*map(_told, classes.tolist())] == [*map(_told, labels)],
        f"the labels are not of {name}",
    )
    try:
        ordered = all(a < b for a, b in pairwise(labels))
    except TypeError:
        ordered = False
    demand(ordered, "the classes are not in order")
    return classes


def _array(labels: list[Any], name: str) -> np.ndarray:
    if name.startswith("str"):
        demand(all(isinstance(label, str) for label in labels), f"the labels are not of {name}")
        most, width = max(WIDE, *map(len, labels)), int(name[3:])
        demand(1 <= width <= most, f"labels cannot be of {name!r}")
        return np.array(labels, f"U{width}")
    dtype = np.dtype(name)
    if name == "object":
        array = np.empty(len(labels), object)
        array[:] = labels
        return array
    demand(
        all(type(label) is NUMBERS[dtype.kind] for label in labels), f"the labels are not of {name}"
    )
    try:
        with np.errstate(over="ignore"):
            return np.array(labels, dtype)
    except OverflowError:
        raise SavedModelError(f"the labels are not of {name}") from None


def _told(label: Any) -> tuple[type, Any]:
    return type(label), label
