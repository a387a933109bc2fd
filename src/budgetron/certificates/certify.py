"""A run's certificate: mistakes against bound."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
from sklearn.base import clone

from ..bounds import AssumptionError, Bound
from ..comparators import Comparator, best_fixed, best_piecewise, best_scaled
from ..estimators import KernelClassifier, RestartingExperts, StreamClassifier
from ..evaluation import Trace
from ..evaluation.evidence import Evidence, evidence_of
from ..evaluation.prequential import prequential
from .certificate import Certificate, Statement
from .guarantees import ALWAYS, Run, Theorem, theorems

__all__ = ["certify"]

NORMS = (2.0, 10.0, 50.0)
"""Of the competitors that are tried, where a theorem does not ask for smaller ones, times R."""

NOBODY = Comparator(np.zeros(1), np.zeros(1), np.zeros(1))


def certify(
    run: StreamClassifier | Trace,
    X: Any,
    y: Any,
    *,
    learner: StreamClassifier | None = None,
    comparator: Comparator | None = None,
    starts: Any = None,
    drift_rate: float | None = None,
    gamma: float | None = None,
    dimension: int | None = None,
    shifts: int | None = None,
) -> Certificate:
    """Say how many mistakes a run made, and how many it could have made at most.

    Parameters
    ----------
    run : a learner of this package, or a Trace
        A learner that is not fitted is copied, and the copy sent over the stream. A fitted one,
        or a trace, is certified for the stream that it has gone over.
    X : array or CSR matrix of shape (n_examples, n_features)
        The whole stream, in its order.
    y : array of shape (n_examples,)
    learner : a fitted learner, optional
        The one that made the trace.
    comparator : Comparator, optional
        Whom to compare with, such as `comparators.linear_comparators` of the truth. By default a
        good one is searched for in hindsight, for each theorem.
    starts : array of int, optional
        The first rows of segments, 0 among them, for competitors that change there.
    drift_rate, gamma, dimension, shifts : optional
        What is known of a drifting stream: lambda, gamma, d and K of the drift paper.

    Returns
    -------
    Certificate
        It prints as a table, and `as_json` gives it to programs.

    Examples
    --------
    >>> import numpy as np
    >>> from budgetron import Perceptron, certify
    >>> X, y = np.tile(np.eye(50), (10, 1)), np.resize([0, 1], 500)
    >>> print(certify(Perceptron(kernel="linear"), X, y))
    Perceptron(kernel='linear')
    25 mistakes in 500 rows
      at most 50.0 by Second-order Perceptron, Section 3.1 (Perceptron)
        of which the run made 50.0%
        against a competitor of norm 7.07 with a hinge loss of 0.0 in all rounds
        at most 50.0 with its loss in the learner's rounds alone, of which the run made 50.0%
      at most 50.0 by Forgetron, Theorem 1
        of which the run made 50.0%
        against a competitor of norm 7.07 with a hinge loss of 0.0 in all rounds
        at most 50.0 with its loss in the learner's rounds alone, of which the run made 50.0%
    """
    learner, evidence, trace = _what_happened(run, X, y, learner)
    labels = np.where(np.asarray(y) == learner.classes_[-1], 1.0, -1.0)
    facts = {"drift_rate": drift_rate, "gamma": gamma, "dimension": dimension, "shifts": shifts}
    X = learner._rows(X, reset=False)
    told = Run(
        learner,
        evidence,
        X,
        labels,
        mistakes=None if trace is None else trace.mistakes,
        updates=None if trace is None else trace.updates | trace.mistakes,
        facts=facts,
    )
    known = theorems(learner)
    if comparator is None:
        rivals, scaled = _found(told, known, starts), True
    else:
        rivals, scaled = [comparator], False
    statements = [_best_statement(told, theorem, rivals, scaled) for theorem in known]
    expected = isinstance(learner, RestartingExperts)
    return Certificate(
        learner=repr(clone(learner)),
        rows=evidence.rows,
        mistakes=learner.expected_loss_ if expected else evidence.mistakes,
        statements=tuple(sorted(statements, key=_lowest_first)),
    )


def _lowest_first(statement: Statement) -> float:
    """Of bounds that are the same but for rounding, none comes first for that."""
    return inf if statement.bound is None else float(f"{statement.bound:.9g}")


def _what_happened(
    run: StreamClassifier | Trace, X: Any, y: Any, learner: StreamClassifier | None
) -> tuple[StreamClassifier, Evidence, Trace | None]:
    """The learner that has gone over the stream, its evidence, and the trace if there is one."""
    trace = None
    if isinstance(run, Trace):
        if learner is None:
            raise TypeError("a trace does not say what made it: give learner=")
        trace = run
    elif run.__sklearn_is_fitted__():
        learner = run
    elif hasattr(run, "partial_fit"):
        learner = clone(run)
        trace = prequential(learner, X, y)
    else:
        learner = clone(run).fit(X, y)
    evidence = (trace and trace.evidence) or evidence_of(learner)
    if evidence.rows != len(y) or (trace is not None and len(trace) != len(y)):
        raise ValueError(f"the run is about {evidence.rows} examples, and the stream has {len(y)}")
    return learner, evidence, trace


def _found(run: Run, known: list[Theorem], starts: Any) -> list[Comparator]:
    """Competitors of several norms, good ones in hindsight."""
    if not any(theorem.needs_competitor for theorem in known):
        return []
    assert isinstance(run.learner, KernelClassifier)
    kernel, radius = run.learner._kernel_of_instances, run.evidence.radius or 1.0
    norms = {theorem.largest_norm for theorem in known if theorem.largest_norm}
    if any(theorem.largest_norm is None for theorem in known):
        norms |= {norm / radius for norm in NORMS}
    if starts is not None:
        return [best_piecewise(kernel, run.X, run.labels, norm, starts) for norm in norms]
    return [best_fixed(kernel, run.X, run.labels, norm) for norm in norms]


def _best_statement(
    run: Run, theorem: Theorem, rivals: list[Comparator], scaled: bool
) -> Statement:
    """The smallest bound for any of the competitors, or for a longer or shorter one as well."""
    if not theorem.needs_competitor:
        return _statement(run, theorem, NOBODY)
    tried = list(rivals)
    if scaled:
        tried += [best_scaled(g, lambda other: _bound(run, theorem, other)) for g in rivals]
    return min((_statement(run, theorem, g) for g in tried), key=_order)


def _order(statement: Statement) -> tuple[float, float]:
    """By the bound, and among equals from the longest competitor."""
    if statement.bound is None or statement.competitor is None:
        return inf, 0.0
    return float(f"{statement.bound:.6g}"), -statement.competitor["norm"]


def _bound(run: Run, theorem: Theorem, g: Comparator) -> Bound:
    return theorem.bound(run, g.hinge_loss, g)


def _statement(run: Run, theorem: Theorem, g: Comparator) -> Statement:
    try:
        bound = _bound(run, theorem, g)
    except AssumptionError as error:
        return Statement(error.theorem, None, None, theorem.sense, error.assumptions)
    own, summary = None, None
    if theorem.needs_competitor:
        summary = {"norm": g.norm, "hinge_loss": g.hinge_loss, "total_shift": g.total_shift}
        if run.mistakes is not None and theorem.sense == ALWAYS:
            own = float(theorem.bound(run, theorem.rounds(run, g).hinge_loss, g))
    return Statement(bound.theorem, float(bound), own, theorem.sense, bound.assumptions, summary)
