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
    "bounded",
    "complete",
    "configured",
    "learner_named",
    "learners",
    "ready",
]

BUDGET = 100
"""Of learners that can have one and are not told which."""

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
        help="Budgetron if not given; budgetron learners lists them all.",
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


def bounded(learner: StreamClassifier, settings: Sequence[str]) -> StreamClassifier:
    """A learner with a budget, if it can have one and these settings do not name it."""
    parameters = learner.get_params(deep=False)
    if parameters.get("budget", BUDGET) is None and "budget" not in dict(map(_setting, settings)):
        learner.set_params(budget=BUDGET)
    return learner


def ready(learner: StreamClassifier, settings: Sequence[str]) -> StreamClassifier:
    """The same learner, which draws the same numbers each time it is run and forecasts.

    What settings say of that is left as it is.

    Raises
    ------
    UsageError
        If it does not learn from a stream.
    """
    if not hasattr(learner, "partial_fit"):
        raise UsageError(f"{type(learner).__name__} needs all rows at once: use it from Python")
    given, parameters = dict(map(_setting, settings)), learner.get_params(deep=False)
    if parameters.get("random_state", 0) is None:
        learner.set_params(random_state=0)
    averages = parameters.get("average", False)  # which has no probabilities
    if "probability" in parameters and "probability" not in given and not averages:
        learner.set_params(probability=True)
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
