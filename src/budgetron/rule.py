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

__all__ = ["begin", "begins", "most_supports", "needs_gram", "trigger", "update", "updates"]

F = TypeVar("F", bound=Callable[..., Any])

_triggers: dict[type, Trigger] = {}
_with_gram: set[type] = set()


@by_class
def update(rule, f, y):
    """Edit the expansion `f` after the trigger has fired on an example with label `y`."""
    raise NotImplementedError


@by_class
def begin(rule, f):
    """Choose the first hypothesis, before an example is scored while there are no supports."""


def updates(cls: type, *, on: Trigger, with_gram: bool = False) -> Callable[[F], F]:
    """Register the update of the rule `cls`, to be called on `on`.

    `with_gram` asks for the kernel values between supports to be kept.
    """
    _triggers[cls] = on
    if with_gram:
        _with_gram.add(cls)
    return update.register(cls)


def begins(cls: type) -> Callable[[F], F]:
    """Register the first hypothesis of a rule that does not start from f = 0."""
    return begin.register(cls)


def trigger(rule: Any) -> Trigger:
    """When the rule updates."""
    return _triggers[type(rule)]


def needs_gram(rule: Any) -> bool:
    """Whether the rule looks at kernel values between supports."""
    return type(rule) in _with_gram


def most_supports(rule: Any) -> float:
    """How many supports there can be in the middle of an update."""
    return getattr(rule, "budget", math.inf) + 1
