"""Projectron and Projectron++: project a mistake onto the supports, unless it is too far away.

F. Orabona, J. Keshet and B. Caputo, "The Projectron: a bounded kernel-based Perceptron", ICML 2008.
"""

from __future__ import annotations

from math import sqrt
from typing import Annotated, NamedTuple

from ..core.compiled import inlined
from ..core.edits.projection import (
    SPAN_ROUNDING,
    add_independent,
    in_span,
    project,
    projection,
    within,
)
from ..core.edits.supports import add_to_bound, k_xx, loss, mistaken, size
from ..core.memory import Factor
from ..core.rule import Forgets, updates
from ..core.triggers import MARGIN_BELOW_ONE, MISTAKE
from ..parameters import Budget, NonNegative, Within

__all__ = ["Projectron", "ProjectronPlusPlus"]


class Projectron(NamedTuple):
    """A mistake becomes a support only if it is farther than eta from the span of the others."""

    eta: NonNegative
    norm_bound: NonNegative  # U in the paper: if above 0, eta is chosen in each round by Eq. (13)
    budget: Budget


class ProjectronPlusPlus(NamedTuple):
    """The same, and margin errors are projected too if that makes progress by Eq. (16)."""

    eta: NonNegative
    norm_bound: NonNegative
    budget: Budget
    competitor: Annotated[float, Within(least=0, or_infinite=True)]  # U in Eq. (16)


@updates(Projectron, on=MISTAKE, keeps=Factor, multiclass=True, forgets=Forgets.NOBODY)
def project_or_add(rule, f, y):
    norm = projection(f)  # |P k|^2
    squared_distance = max(0.0, k_xx(f) - norm)  # |delta|^2, Eq. (9)
    if is_near(rule, f, y, norm, squared_distance):
        project(f, weight=y)
    else:
        add_independent(f, y, squared_distance)


@updates(
    ProjectronPlusPlus,
    on=MARGIN_BELOW_ONE,
    keeps=Factor,
    multiclass=True,
    forgets=Forgets.NOBODY,
)
def project_margin_errors_too(rule, f, y):
    norm = projection(f)
    squared_distance = max(0.0, k_xx(f) - norm)
    if mistaken(f) and not is_near(rule, f, y, norm, squared_distance):
        add_independent(f, y, squared_distance)
    elif mistaken(f):
        project(f, weight=y)
    elif norm > 0 and loss(f, y) < 1:  # a margin error: 0 < y f < 1
        tau = min(loss(f, y), norm) / norm  # Eq. (17): min(loss / norm, 1)
        lost = 0.0 if in_span(f, squared_distance) else rule.competitor * sqrt(squared_distance)
        progress = 2 * loss(f, y) - tau * norm - 2 * lost  # beta / tau in Eq. (16)
        if progress >= -SPAN_ROUNDING * loss(f, y):
            project(f, weight=y * tau)
            add_to_bound(f, tau * progress)


@inlined
def is_near(rule, f, y, norm, squared_distance):
    """Whether a mistake is to be projected."""
    eta = largest_distance(rule, f, y, norm)
    return within(f, squared_distance, eta) or size(f) >= rule.budget


@inlined
def largest_distance(rule, f, y, norm):
    """The eta of this round."""
    if rule.norm_bound > 0:
        return (2 * loss(f, y) - norm - 0.5) / (2 * rule.norm_bound)  # Eq. (13)
    return rule.eta
