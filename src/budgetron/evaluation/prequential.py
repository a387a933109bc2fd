"""Test, then train: how a learner does on a stream."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.state import EVICTED, SIZE_AFTER, WAS_MISTAKE, WAS_UPDATE
from ..engine import Trace
from ..estimators import StreamClassifier, Waiting
from ..estimators.stream_classifier import Passed
from ..estimators.waiting import NOBODY_WAITS
from .evidence import evidence_of

__all__ = ["prequential"]


def prequential(
    estimator: StreamClassifier,
    X: Any,
    y: Any,
    classes: Any = None,
    *,
    delay: Any = 0,
    sample_weight: Any = None,
    certify: bool = False,
    waiting: Waiting | None = None,
) -> Trace:
    """Predict each example and learn from it when its label comes, going on from the state.

    Parameters
    ----------
    estimator : a learner of this package
        Fitted or not; it has learned the stream afterwards.
    X : array or CSR matrix of shape (n_examples, n_features)
        The stream, in its order.
    y : array of shape (n_examples,)
        All labels, those that come late included.
    classes : array of labels, optional
        All that there are; otherwise classes are learned as they appear: as their first labels
        come.
    delay : int or array of shape (n_examples,), default=0
        How many rows later labels come: that of row t is learned after row t + delay has been
        predicted. 0 is test, then train. Or when the label of each row comes, by the number of a
        row of this call, which may be broken and is not before its own: at a, it is learned after
        row floor(a) has been predicted and before the next one is, in the order in which labels
        come; of those that come together, the earlier row's is first. Infinity is never.
    sample_weight : array of shape (n_examples,), optional
        By what the step of each example is multiplied.
    certify : bool, default=False
        Whether the trace is to have, as `trace.evidence`, what the learner's bound depends on
        beside its mistakes: the largest norm of an example, and the sums that its theorem asks for.
        They are about all that it has seen, earlier calls included, and the run is the same with
        them and without. The bounds are for two classes, weights of 1 and labels that come at once:
        for others it is an error. The bound itself, against a competitor on the same rows, is
        `budgetron.certify`'s.
    waiting : Waiting, optional
        The `waiting` of the trace before: rows whose labels come now. However a stream is cut into
        calls, the run is then the same.

    Returns
    -------
    Trace
        Scores, predictions and mistakes, example by example, as they were predicted; updates,
        sizes and evictions when their labels were learned. An example whose label has not come has
        changed nothing, and has the size at its prediction.

    Notes
    -----
    What a learner counts itself (`n_seen_`, `n_mistakes_`) is about examples that it has learned,
    and about what it would have predicted just before.

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
    before = NOBODY_WAITS if waiting is None else waiting
    if not isinstance(before, Waiting):
        raise TypeError(f"waiting is that of a trace, got {type(waiting).__name__}")
    if certify and (len(before) > 0 or np.any(np.asarray(delay) != 0)):
        raise ValueError("the bounds are of labels that come at once: certify or delay")
    how = {"recorded": True, "delay": delay, "waiting": before}
    learner, passed = estimator._learn(X, y, classes, sample_weight, **how)
    agenda, record = passed.agenda, passed.record
    predicted, learned = agenda.predicted_at, agenda.learned_at[len(before) :]
    scores, predictions = record.scores[predicted], learner.classes_[record.choices[predicted]]
    mistakes = record.events[predicted, WAS_MISTAKE].astype(bool)
    late = learned != predicted
    if late.any():
        then = passed.y[len(before) :][late]
        mistakes[late] = learner._is_mistake(scores[late], predictions[late], then)
    events = record.events[np.where(learned < 0, predicted, learned)]
    return Trace(
        scores=scores,
        predictions=predictions,
        mistakes=mistakes,
        updates=events[:, WAS_UPDATE].astype(bool),
        sizes=events[:, SIZE_AFTER].copy(),
        evicted=events[:, EVICTED].copy(),
        evidence=evidence_of(estimator) if certify else None,
        waiting=_still_waiting(passed, before, predictions),
    )


def _still_waiting(passed: Passed, before: Waiting, predictions: np.ndarray) -> Waiting:
    """The examples whose labels are still to come."""
    agenda, left = passed.agenda, passed.agenda.left
    if len(before) > 0:
        predictions = np.concatenate([before.predictions, predictions])
    return Waiting(
        X=passed.X[left],
        y=passed.y[left],
        sample_weight=passed.weights[left],
        due=agenda.due[left],
        predictions=predictions[left],
        advice=passed.advice[left],
    )
