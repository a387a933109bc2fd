"""A learner, from its name and the settings of its parameters."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from inspect import signature
from typing import Annotated, Any

import typer

from ..estimators import StreamClassifier
from ..registry import LEARNERS
from .errors import UsageError, unknown_name

__all__ = [
    "LearnerName",
    "Settings",
    "complete",
    "configured",
    "learner_named",
    "learners",
    "seeded",
]

WORDS = {"true": True, "false": False, "none": None}


def learners() -> dict[str, type[StreamClassifier]]:
    """All learners, by name."""
    return {name: LEARNERS[name].estimator for name in sorted(LEARNERS)}


def complete(incomplete: str) -> list[str]:
    """The learners whose names begin like this."""
    return [name for name in sorted(LEARNERS) if name.startswith(incomplete)]


LearnerName = Annotated[
    str | None,
    typer.Option(
        "--learner",
        "-l",
        metavar="NAME",
        help="Such as Forgetron; budgetron learners lists them all.",
        autocompletion=complete,
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        "-s",
        metavar="NAME=VALUE",
        help="A parameter, such as budget=100; can be repeated.",
    ),
]


def learner_named(name: str, settings: Sequence[str] = ()) -> StreamClassifier:
    """The learner of this name, with these settings.

    Parameters
    ----------
    name : str
        In capitals or not.
    settings : sequence of str
        Such as budget=100.

    Raises
    ------
    UsageError
        If there is no such learner, or it has no such parameter.
    """
    known = {each.lower(): learner for each, learner in learners().items()}
    if name.lower() not in known:
        raise unknown_name("there is no learner", name, learners())
    return configured(known[name.lower()](), settings)


def configured(learner: StreamClassifier, settings: Sequence[str]) -> StreamClassifier:
    """A learner, with these settings."""
    parameters = dict(map(_setting, settings))
    known = signature(type(learner)).parameters
    for name in parameters:
        if name not in known:
            raise unknown_name(f"{type(learner).__name__} has no parameter", name, known)
    return learner.set_params(**parameters)


def seeded(learner: StreamClassifier) -> StreamClassifier:
    """The same learner, which draws the same numbers each time it is run."""
    if learner.get_params(deep=False).get("random_state", 0) is None:
        learner.set_params(random_state=0)
    return learner


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"a parameter is set by name=value, got {text!r}")
    if value.lower() in WORDS:
        return name, WORDS[value.lower()]
    try:
        return name, ast.literal_eval(value)
    except (SyntaxError, ValueError):
        return name, value
