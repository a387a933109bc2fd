"""What a run leaves behind for its theorem: a few numbers, kept as the learner goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import singledispatch
from math import log, sqrt
from types import MappingProxyType
from typing import Any

import numpy as np

from ..core.kernel import diagonal_value
from ..core.state import BOUND_SUM, LARGEST_NORM, MEMO
from ..estimators import (
    AdaptiveSecondOrderPerceptron,
    Budgetron,
    Forgetron,
    KernelClassifier,
    ProjectronPlusPlus,
    RestartingExperts,
    SecondOrderPerceptron,
    StreamClassifier,
)
from ..rules.second_order_perceptron import SpanSecondOrderPerceptron

__all__ = ["Evidence", "evidence_of"]

NOTHING: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class Evidence:
    """The data-dependent parts of a learner's bound, after all that it has seen.

    Attributes
    ----------
    rows, mistakes, updates : int
        Examples seen, signs that were wrong, and examples that changed the learner.
    radius : float
        R, the largest sqrt(k(x, x)) of the examples that changed it.
    sums : mapping
        What else its theorem asks for. Forgetron: "removal_damage" (the sum of Psi) and
        "shrinking" (the sum of log 1/phi). Projectron++: "progress" (the sum of beta).
        Second-order Perceptrons: "log_determinant" (the sum of ln(1 + lambda/a)).
        RestartingExperts: "best_experts_loss" (that of the best of each period).
        Budgetron: "best_experts_loss" (squared, of the best from first to last), "experts" and
        "restarts".
    """

    rows: int
    mistakes: int
    updates: int
    radius: float = 0.0
    sums: Mapping[str, float] = field(default_factory=lambda: NOTHING)


def evidence_of(learner: StreamClassifier) -> Evidence:
    """The evidence of a fitted learner about all that it has seen.

    Parameters
    ----------
    learner : a fitted learner of this package

    Returns
    -------
    Evidence

    Examples
    --------
    >>> import numpy as np
    >>> from budgetron import SecondOrderPerceptron
    >>> from budgetron.evaluation.evidence import evidence_of
    >>> learner = SecondOrderPerceptron(kernel="linear", a=1.0)
    >>> evidence = evidence_of(learner.partial_fit(np.eye(3), [0, 0, 0], classes=[0, 1]))
    >>> evidence.mistakes, round(evidence.sums["log_determinant"], 3)  # 3 ln 2
    (3, 2.079)
    """
    radius = 0.0
    if isinstance(learner, KernelClassifier):
        if len(learner.classes_) > 2:
            raise ValueError(f"the bounds are for two classes, not for {len(learner.classes_)}")
        if learner._learner.is_weighted:
            raise ValueError("the bounds are for examples that all have the weight 1")
        largest = learner._learner.state.numbers[LARGEST_NORM]
        radius = sqrt(diagonal_value(learner._learner.kernel, largest))
    return Evidence(
        learner.n_seen_, learner.n_mistakes_, learner.n_updates_, radius, _sums(learner)
    )


@singledispatch
def _sums(learner: Any) -> Mapping[str, float]:
    return NOTHING


@_sums.register
def _(learner: Forgetron) -> Mapping[str, float]:
    numbers = learner._learner.state.numbers
    return {"removal_damage": float(numbers[MEMO]), "shrinking": float(numbers[BOUND_SUM])}


@_sums.register
def _(learner: ProjectronPlusPlus) -> Mapping[str, float]:
    return {"progress": float(learner._learner.state.numbers[BOUND_SUM])}


@_sums.register
def _(learner: SecondOrderPerceptron) -> Mapping[str, float]:
    inner, size = learner._learner, learner._learner.size
    in_span = isinstance(inner.rule, SpanSecondOrderPerceptron)
    factor = inner.state.memory.R if in_span else inner.state.memory.L
    pivots = np.diagonal(factor)[:size]
    return {"log_determinant": float(2 * np.log(pivots).sum() - size * log(inner.rule.a))}


@_sums.register
def _(learner: AdaptiveSecondOrderPerceptron) -> Mapping[str, float]:
    inner, size = learner._learner, learner._learner.size
    a = inner.rule.c * inner.rule.radius**2 * max(1, size)
    values = inner.state.memory.gram[:size, :size]
    return {"log_determinant": float(np.linalg.slogdet(np.eye(size) + values / a)[1])}


@_sums.register
def _(learner: Budgetron) -> Mapping[str, float]:
    pool = learner._learner
    first, filters = pool.panel.first_trust, len(pool.filters)
    best = int(np.where(first > 0, pool.panel.losses, np.inf).argmin())
    is_filter = best < filters
    return {
        "best_experts_loss": float(pool.panel.losses[best]),
        "first_trust": float(first[:filters].sum() if is_filter else first[best]),
        "part": pool.least_part if is_filter else 1.0,
        "openings": float(pool.openings),
    }


@_sums.register
def _(learner: RestartingExperts) -> Mapping[str, float]:
    return {"best_experts_loss": learner.best_experts_loss_}
