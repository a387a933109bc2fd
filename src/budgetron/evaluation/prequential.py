"""Test, then train: how a learner does on a stream."""

from __future__ import annotations

from typing import Any

from ..core.state import EVICTED, SIZE_AFTER, WAS_MISTAKE, WAS_UPDATE
from ..engine import Trace
from ..estimators import StreamClassifier
from .evidence import evidence_of

__all__ = ["prequential"]


def prequential(
    estimator: StreamClassifier,
    X: Any,
    y: Any,
    classes: Any = None,
    *,
    sample_weight: Any = None,
    certify: bool = False,
) -> Trace:
    """Predict each example and then learn from it, going on from the estimator's state.

    Parameters
    ----------
    estimator : a learner of this package
        Fitted or not; it has learned the stream afterwards.
    X : array or CSR matrix of shape (n_examples, n_features)
        The stream, in its order.
    y : array of shape (n_examples,)
    classes : array of labels, optional
        All that there are; otherwise classes are learned as they appear.
    sample_weight : array of shape (n_examples,), optional
        By what the step of each example is multiplied.
    certify : bool, default=False
        Whether the trace is to have, as `trace.evidence`, what the learner's bound depends on
        beside its mistakes: the largest norm of an example, and the sums that its theorem asks for.
        They are about all that it has seen, earlier calls included, and the run is the same with
        them and without. The bounds are for two classes and weights of 1: for others it is an
        error. The bound itself, against a competitor on the same rows, is `budgetron.certify`'s.

    Returns
    -------
    Trace
        Scores, predictions, mistakes, updates and sizes, example by example.

    Examples
    --------
    >>> from budgetron import RandomizedBudgetPerceptron, prequential
    >>> from budgetron.datasets import load_spam
    >>> spam = load_spam()
    >>> prequential(RandomizedBudgetPerceptron(budget=100, random_state=0), spam.X, spam.y)
    Trace(6046 examples, 253 mistakes, 253 updates, size 100)
    """
    if not hasattr(estimator, "partial_fit"):
        raise TypeError(f"{type(estimator).__name__} does not learn from a stream: use fit")
    record = estimator._learn(X, y, classes, sample_weight, recorded=True)
    events = record.events
    return Trace(
        scores=record.scores,
        predictions=estimator.classes_[record.choices],
        mistakes=events[:, WAS_MISTAKE].astype(bool),
        updates=events[:, WAS_UPDATE].astype(bool),
        sizes=events[:, SIZE_AFTER].copy(),
        evicted=events[:, EVICTED].copy(),
        evidence=evidence_of(estimator) if certify else None,
    )
