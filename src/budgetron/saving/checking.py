"""Nothing that a file says is believed before it has been checked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..reading.escaping import escaped

__all__ = [
    "LARGEST",
    "SavedModelError",
    "array_of",
    "demand",
    "fields",
    "finite",
    "flag",
    "listed",
    "real",
    "text",
    "whole",
]

LARGEST = 2**62
"""No count is larger, so that none overflows for a long time."""


class SavedModelError(ValueError):
    """A learner that a file cannot hold, or a file that does not hold a learner."""

    def __str__(self) -> str:
        return escaped(super().__str__(), keep="\n")


def demand(holds: Any, problem: str, *about: Any) -> None:
    """Raise unless it holds; the problem has a place for each thing that it is about."""
    if not holds:
        raise SavedModelError(problem.format(*about) if about else problem)


def fields(document: Any, what: str, needed: Iterable[str], known: Iterable[str] = ()) -> Any:
    """A JSON object with these fields; of the `known` ones some may be missing."""
    demand(isinstance(document, dict), "{} must be a JSON object", what)
    needed = set(needed)
    if document.keys() != needed:
        missing, strange = needed - document.keys(), document.keys() - needed - set(known)
        demand(not missing, "{} has no {}", what, ", ".join(sorted(missing)))
        shown = ", ".join(map(_shown, sorted(strange)[:5]))
        demand(not strange, "{} has unknown fields: {}", what, shown)
    return document


def whole(value: Any, what: str, *, least: int = 0, most: int = LARGEST) -> int:
    """A whole number."""
    if type(value) is not int:
        raise SavedModelError(f"{what} must be a whole number, not {_shown(value)}")
    if not least <= value <= most:
        raise SavedModelError(f"{what} must be from {least} to {most}, not {_shown(value)}")
    return value


def real(value: Any, what: str, *, least: float = -math.inf, above: float = -math.inf) -> float:
    """A finite number."""
    if type(value) not in (int, float):
        raise SavedModelError(f"{what} must be a number, not {_shown(value)}")
    demand(abs(value) <= 1.7e308, "{} is too large", what)
    if not (least <= value and value > above):
        raise SavedModelError(f"{what} is too small: {_shown(value)}")
    return float(value)


def flag(value: Any, what: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise SavedModelError(f"{what} must be true or false, not {_shown(value)}")
    return bool(value)


def text(value: Any, what: str) -> str:
    """A string."""
    if not isinstance(value, str):
        raise SavedModelError(f"{what} must be a string, not {_shown(value)}")
    return str(value)


def listed(value: Any, what: str) -> list[Any]:
    """A list."""
    if not isinstance(value, list):
        raise SavedModelError(f"{what} must be a list, not {_shown(value)}")
    return list(value)


def array_of(
    numbers: Mapping[str, Any], what: str, names: tuple[str, ...], dtype: Any
) -> np.ndarray:
    """Numbers that have names in the file and places in memory."""
    fields(numbers, what, names)
    one: Any = whole if dtype is np.int64 else real
    return np.array([one(numbers[name], f"{what}, {name},") for name in names], dtype)


def finite(array: np.ndarray, what: str, *, least: float = -math.inf) -> np.ndarray:
    """An array without NaN, infinity and numbers below `least`."""
    if array.dtype.kind == "f":
        demand(np.isfinite(array).all(), "{} are not all finite", what)
    if least > -math.inf:
        demand((array >= least).all(), "{} are not all at least {:g}", what, least)
    return array


def _shown(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
