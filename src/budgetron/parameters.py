"""Checking parameters: a clear error, or the value in the type that compiled code expects."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from numbers import Integral, Real
from typing import Annotated, Any, NamedTuple, TypeVar, get_args, get_type_hints

__all__ = [
    "LARGEST_WEIGHT",
    "LARGEST_WHOLE",
    "Budget",
    "NonNegative",
    "Positive",
    "Within",
    "checked",
    "one_of",
    "real",
    "whole",
]

R = TypeVar("R")

LARGEST_WHOLE = 2**62

LARGEST_WEIGHT = 1e12
"""Of an example, and of a class: with larger ones there would be sums that are not finite."""


def whole(name: str, value: Any, *, least: float) -> int:
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
    wanted = Within(least, most, above, below)
    if not (math.isfinite(number) and least <= number <= most and above < number < below):
        raise ValueError(f"{name} must be a finite number {wanted}".rstrip() + f", got {value!r}")
    return number


def one_of(name: str, value: Any, choices: tuple[str, ...]) -> str:
    """One of a few words."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}")
    return value


class Within(NamedTuple):
    """What a rule's parameter may be, as an annotation: `Annotated[float, Within(above=0)]`.

    Parameters
    ----------
    least, most : float, optional
        It may be these themselves, and whatever is between them.
    above, below : float, optional
        It may not be these themselves.
    or_infinite : bool, default=False
        Whether it may be infinity as well.
    """

    least: float = -math.inf
    most: float = math.inf
    above: float = -math.inf
    below: float = math.inf
    or_infinite: bool = False

    def __str__(self) -> str:
        words = ("at least", "at most", "above", "below")
        limits = zip(words, self[:4], strict=True)
        return " and ".join(f"{word} {limit:g}" for word, limit in limits if math.isfinite(limit))


Budget = Annotated[int, Within(least=1)]
Positive = Annotated[float, Within(above=0)]
NonNegative = Annotated[float, Within(least=0)]


def checked(rule: Callable[..., R], **parameters: Any) -> R:
    """A rule of this class, whose parameters are what their annotations say they may be.

    A rule that has a method `check` says with it what must hold between them.
    """
    kinds = _kinds(rule)
    made = rule(**{name: _as(name, value, kinds[name]) for name, value in parameters.items()})
    if hasattr(made, "check"):
        made.check()
    return made


@cache
def _kinds(rule: Any) -> dict[str, Any]:
    return get_type_hints(rule, include_extras=True)


def _as(name: str, value: Any, kind: Any) -> Any:
    kind, limits = get_args(kind) or (kind, Within())
    if kind is bool:
        if not isinstance(value, bool):
            raise TypeError(f"{name} must be true or false, got {value!r}")
        return value
    if kind is int:
        return whole(name, value, least=max(-LARGEST_WHOLE, limits.least))
    if limits.or_infinite and value == math.inf:
        return math.inf
    return real(name, value, **{k: v for k, v in limits._asdict().items() if k != "or_infinite"})
