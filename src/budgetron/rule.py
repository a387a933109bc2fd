"""What a rule is: immutable parameters, a trigger, and an `update` that edits the expansion.

A rule is a `NamedTuple` of its parameters. A parameter called `budget` is a promise never to hold
more supports than that.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

from .compiled import by_class
from .triggers import Trigger

__all__ = [
    "FACTOR",
    "GRAM",
    "begin",
    "begins",
    "most_supports",
    "needs_factor",
    "needs_gram",
    "trigger",
    "update",
    "updates",
]

F = TypeVar("F", bound=Callable[..., Any])

GRAM = "gram"
"""Keep the kernel values between supports: see `gram`."""

FACTOR = "factor"
"""Keep the Cholesky factor of their matrix, and solve for a block's likely updates: see `factor`."""

_triggers: dict[type, Trigger] = {}
_keeps: dict[type, str | None] = {}


@by_class
def update(rule, f, y):
    """Edit the expansion `f` after the trigger has fired on an example with label `y`."""
    raise NotImplementedError


@by_class
def begin(rule, f):
    """Choose the first hypothesis, before an example is scored while there are no supports."""


def updates(cls: type, *, on: Trigger, keeps: str | None = None) -> Callable[[F], F]:
    """Register the update of the rule `cls`, to be called on `on`.

    `keeps` is `GRAM` or `FACTOR` for a rule that looks at kernel values between supports.
    """
    _triggers[cls], _keeps[cls] = on, keeps
    return update.register(cls)


def begins(cls: type) -> Callable[[F], F]:
    """Register the first hypothesis of a rule that does not start from f = 0."""
    return begin.register(cls)


def trigger(rule: Any) -> Trigger:
    """When the rule updates."""
    return _triggers[type(rule)]


def needs_gram(rule: Any) -> bool:
    """Whether the rule keeps a matrix of all supports by all supports."""
    return _keeps[type(rule)] is not None


def needs_factor(rule: Any) -> bool:
    """Whether that matrix is a Cholesky factor."""
    return _keeps[type(rule)] == FACTOR


def most_supports(rule: Any) -> float:
    """How many supports there can be in the middle of an update."""
    return getattr(rule, "budget", math.inf) + (not needs_factor(rule))
