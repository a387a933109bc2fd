"""What a rule is: immutable parameters, a trigger, and an `update` that edits the expansion.

A rule is a `NamedTuple` of its parameters, annotated with what they may be (see
`budgetron.parameters`). A parameter called `budget` is a promise never to hold more supports than
that.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple, TypeVar

from .compiled import by_class
from .memory import Memory, Nothing
from .triggers import Trigger

__all__ = [
    "Contract",
    "Forgets",
    "contract",
    "decides",
    "decision_value",
    "init",
    "inits",
    "is_maintained",
    "maintain",
    "maintains",
    "most_supports",
    "must_wait",
    "note",
    "notes",
    "scorer",
    "trigger",
    "update",
    "updates",
    "waits",
]

F = TypeVar("F", bound=Callable[..., Any])


class Forgets(Enum):
    """Whom a rule forgets, if it makes room for each newcomer and otherwise only adds and scales.

    Then it is known ahead of a block who can go, and the kernel values of all others are not asked
    for; unless the rule keeps a factor, and projects.
    """

    NOBODY = "nobody"
    OLDEST = "the oldest"
    DRAWN = "whoever is drawn from the whole budget"


class Contract(NamedTuple):
    """What the engine has to know of a rule."""

    on: Trigger | Callable[[Any], Trigger]
    keeps: type[Memory]
    multiclass: bool
    forgets: Forgets | None


_contracts: dict[type, Contract] = {}
_maintained: dict[type, Callable[..., None]] = {}


@by_class
def update(rule, f, y):
    """Edit the expansion `f` after the trigger has fired on an example.

    `y` is its label, -1 or +1, times its weight: what is in proportion to `y` is to be weighted.
    """
    raise NotImplementedError


@by_class
def decision_value(rule, f, score):
    """The score that the rule predicts with, given f(x)."""
    return score


@by_class
def init(rule, f):
    """Choose the first hypothesis, before an example is scored while there are no supports."""


@by_class
def must_wait(rule, f, score, y):
    """Whether what has been learned in a stretch is to be stored before this example is learned."""
    return False


@by_class
def note(rule, f):
    """Note what is to be known again when the label of the current example comes."""


def updates(
    cls: type,
    *,
    on: Trigger | Callable[[Any], Trigger],
    keeps: type[Memory] = Nothing,
    multiclass: bool = False,
    forgets: Forgets | None = None,
) -> Callable[[F], F]:
    """Register the update of a rule.

    Parameters
    ----------
    cls : type
        The rule: a `NamedTuple` of its parameters.
    on : Trigger, or a function that says it of a rule
        When it is to be called, and which margin is settled exactly.
    keeps : type
        What the rule keeps beside supports and weights: one of `memory`.
    multiclass : bool
        Whether all that it is made of is defined for many classes in one machine: see `multiclass`.
    forgets : Forgets, optional
        Whom it forgets, if that can be said ahead: what is asked of them is then found ahead, too.
    """
    _contracts[cls] = Contract(on, keeps, multiclass, forgets)
    return update.register(cls)


def inits(cls: type) -> Callable[[F], F]:
    """Register the first hypothesis of a rule that does not start from f = 0."""
    return init.register(cls)


def decides(cls: type) -> Callable[[F], F]:
    """Register what a rule makes of a score, if it does not predict with f alone."""
    return decision_value.register(cls)


def waits(cls: type) -> Callable[[F], F]:
    """Register which examples a rule learns in a new stretch: see `edits.span`."""
    return must_wait.register(cls)


def notes(cls: type) -> Callable[[F], F]:
    """Register what a rule notes of an example that is only looked at."""
    return note.register(cls)


def maintains(*classes: type) -> Callable[[F], F]:
    """Register what looks after a rule's memory from time to time."""

    def keep(function: F) -> F:
        _maintained.update(dict.fromkeys(classes, function))
        return function

    return keep


def is_maintained(rule: Any) -> bool:
    """Whether what the rule keeps has to be looked after."""
    return type(rule) in _maintained


def maintain(rule: Any, kernel: Any, state: Any) -> None:
    """Look after what the rule keeps."""
    _maintained[type(rule)](rule, kernel, state)


def contract(rule: Any) -> Contract:
    """What its update was registered with."""
    return _contracts[type(rule)]


class PlainScorer(NamedTuple):
    """In the place of all rules that predict with f alone, so that scoring is compiled once."""


def scorer(rule: Any) -> Any:
    """What decides about the score that a rule predicts with."""
    return rule if type(rule) in decision_value.registry else PlainScorer()


def trigger(rule: Any) -> Trigger:
    """When the rule updates."""
    on = contract(rule).on
    return on if isinstance(on, Trigger) else on(rule)


def most_supports(rule: Any) -> float:
    """How many supports there can be in the middle of an update."""
    return getattr(rule, "budget", math.inf) + (not contract(rule).keeps.makes_room_first)
