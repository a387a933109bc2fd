"""Which rules learn many classes with one machine."""

from __future__ import annotations

from inspect import isfunction
from types import FunctionType
from typing import Any

from .edits.gram import add_labelled, length, solve_with_ridge
from .edits.halve import halve
from .edits.nystrom import lead
from .edits.projection import discard, ridged_distance, solved_score
from .edits.random_features import step_along
from .edits.second_order import warp
from .edits.span import admit
from .expansion import refresh, rescore
from .rule import begin, judged, update

__all__ = ["has_single_machine", "refuse_unless_single_machine"]

FOR_ONE_SCORE = (
    add_labelled,
    admit,
    discard,
    halve,
    lead,
    length,
    refresh,
    rescore,
    ridged_distance,
    solve_with_ridge,
    solved_score,
    step_along,
    warp,
)
"""Edits and questions that `panel` has no answer to."""


def has_single_machine(rule: Any) -> bool:
    """Whether all edits and questions that the rule is made of are defined for many classes."""
    bodies = [generic.dispatch(type(rule)) for generic in (update, begin, judged)]
    return not any(_uses(body, FOR_ONE_SCORE) for body in bodies)


def refuse_unless_single_machine(rule: Any) -> None:
    """Raise a `ValueError` for other rules."""
    if not has_single_machine(rule):
        raise ValueError(
            f"{type(rule).__name__} has no single machine for many classes; learn one class"
            " against the rest"
        )


def _uses(function: FunctionType, functions: tuple[Any, ...]) -> bool:
    """Whether a function, or another one of its module that it calls, calls one of these."""
    called = [function.__globals__.get(name) for name in function.__code__.co_names]
    own = [f for f in called if isfunction(f) and f.__module__ == function.__module__]
    return any(f in functions for f in called) or any(_uses(f, functions) for f in own)
