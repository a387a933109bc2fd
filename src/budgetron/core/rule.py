"""What a rule is: immutable parameters, a trigger, and an `update` that edits the expansion.

A rule is a `NamedTuple` of its parameters. A parameter called `budget` is a promise never to hold
more supports than that.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

from .compiled import by_class
from .expansion import pay
from .triggers import Trigger

__all__ = [
    "FACTOR",
    "GRAM",
    "SOLVED",
    "SPAN",
    "WAVES",
    "begin",
    "begins",
    "blur",
    "catch_up",
    "is_solved",
    "judged",
    "judges",
    "most_supports",
    "needs_factor",
    "needs_gram",
    "needs_span",
    "needs_waves",
    "tend",
    "tends",
    "trigger",
    "update",
    "updates",
]

F = TypeVar("F", bound=Callable[..., Any])

GRAM = "gram"
"""Keep the matrix of kernel values between supports: see `gram`."""

FACTOR = "factor"
"""Keep its Cholesky factor, and solve for a block's likely updates together: see `factor`."""

SPAN = "span"
"""Keep coordinates in the span of the supports: see `span`."""

WAVES = "waves"
"""Keep random waves in the place of supports: see `waves`."""

SOLVED = 1e-13
"""How well weights are known that are solved for, relative to the largest of them so far."""

_triggers: dict[type, Trigger | Callable[[Any], Trigger]] = {}
_keeps: dict[type, str | None] = {}
_blurs: dict[type, float] = {}
_tends: dict[type, Callable[..., None]] = {}


@by_class
def update(rule, f, y):
    """Edit the expansion `f` after the trigger has fired on an example.

    `y` is its label, -1 or +1, times its weight: what is in proportion to `y` is to be weighted.
    """
    raise NotImplementedError


@by_class
def judged(rule, f, score):
    """The score that the rule predicts with, given f(x)."""
    return score


@by_class
def catch_up(rule, f):
    """Bring the next scores up to date, before an example is scored."""


@by_class
def begin(rule, f):
    """Choose the first hypothesis, before an example is scored while there are no supports."""


def _pay(rule, f):
    pay(f)


def updates(
    cls: type,
    *,
    on: Trigger | Callable[[Any], Trigger],
    keeps: str | None = None,
    blur: float = 0.0,
) -> Callable[[F], F]:
    """Register the update of the rule `cls`, to be called on `on`, or on what that says of a rule.

    `keeps` is `GRAM`, `FACTOR`, `SPAN` or `WAVES` for a rule that needs more than supports, and
    `blur` the relative error that its weights carry beside that of the scores they come from.
    """
    _triggers[cls], _keeps[cls], _blurs[cls] = on, keeps, blur
    if blur > 0:
        catch_up.register(cls)(_pay)
    return update.register(cls)


def begins(cls: type) -> Callable[[F], F]:
    """Register the first hypothesis of a rule that does not start from f = 0."""
    return begin.register(cls)


def judges(cls: type) -> Callable[[F], F]:
    """Register what a rule makes of a score, if it does not predict with f alone."""
    return judged.register(cls)


def tends(*classes: type) -> Callable[[F], F]:
    """Register what looks after a rule's matrix from time to time."""

    def keep(function: F) -> F:
        _tends.update(dict.fromkeys(classes, function))
        return function

    return keep


def tend(rule: Any, kernel: Any, kept: Any) -> None:
    """Look after what the rule keeps, if it has to be looked after."""
    if type(rule) in _tends:
        _tends[type(rule)](rule, kernel, kept)


def trigger(rule: Any) -> Trigger:
    """When the rule updates."""
    on = _triggers[type(rule)]
    return on if isinstance(on, Trigger) else on(rule)


def needs_gram(rule: Any) -> bool:
    """Whether the rule keeps a matrix of all supports by all supports."""
    return _keeps[type(rule)] in (GRAM, FACTOR)


def needs_factor(rule: Any) -> bool:
    """Whether that matrix is a Cholesky factor."""
    return _keeps[type(rule)] == FACTOR


def needs_span(rule: Any) -> bool:
    """Whether the rule keeps coordinates in the span of the supports instead."""
    return _keeps[type(rule)] == SPAN


def needs_waves(rule: Any) -> bool:
    """Whether the rule keeps random waves, and no supports."""
    return _keeps[type(rule)] == WAVES


def blur(rule: Any) -> float:
    """The relative error of the rule's weights."""
    return _blurs[type(rule)]


def is_solved(rule: Any) -> bool:
    """Whether the rule's weights come from linear systems, which amplify rounding."""
    return _blurs[type(rule)] > 0


def most_supports(rule: Any) -> float:
    """How many supports there can be in the middle of an update."""
    gives_room_first = needs_factor(rule) or needs_span(rule)
    return getattr(rule, "budget", math.inf) + (not gives_room_first)
