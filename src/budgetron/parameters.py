"""Checking parameters: a clear error, or the value in the type that compiled code expects."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

__all__ = ["one_of", "real", "whole"]

LARGEST_WHOLE = 2**62


def whole(name: str, value: Any, *, least: int) -> int:
    """A whole number of at least `least`."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name} must be a whole number, got {value!r}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {value!r}")
    if int(value) > LARGEST_WHOLE:
        raise ValueError(f"{name} must be at most {LARGEST_WHOLE}, got {value!r}")
    return int(value)


def real(
    name: str,
    value: Any,
    *,
    least: float = -math.inf,
    most: float = math.inf,
    above: float = -math.inf,
    below: float = math.inf,
) -> float:
    """A finite number: at least `least`, at most `most`, above `above`, below `below`."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number, got {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    limits = [("at least", least), ("at most", most), ("above", above), ("below", below)]
    wanted = " and ".join(f"{word} {limit:g}" for word, limit in limits if math.isfinite(limit))
    if not (math.isfinite(number) and least <= number <= most and above < number < below):
        raise ValueError(f"{name} must be a finite number {wanted}".rstrip() + f", got {value!r}")
    return number


def one_of(name: str, value: Any, choices: tuple[str, ...]) -> str:
    """One of a few words."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}")
    return value
