"""Test, then train: how a learner does on a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from ..core.state import EVICTED, SIZE_AFTER, WAS_MISTAKE, WAS_UPDATE
from ..estimators import StreamClassifier, Waiting
from ..estimators.agenda import arrival_times
from ..estimators.stream_classifier import Passed
from ..estimators.waiting import NOBODY_WAITS
from .evidence import evidence_of
from .progress import shown_progress
from .trace import Trace

__all__ = ["go_over_rows", "prequential"]

PIECE = 2048
"""So many rows lie between two reports of progress."""


def prequential(
    estimator: Any,
    X: Any,
    y: Any = None,
    classes: Any = None,
    *,
    delay: Any = 0,
    sample_weight: Any = None,
    certify: bool = False,
    waiting: Waiting | None = None,
    progress: bool = False,
) -> Trace:
    """Predict each example and learn from it when its label comes, going on from the state.

    Parameters
    ----------
    estimator : a learner of this package, or another classifier with `partial_fit`
        Fitted or not; it has learned the stream afterwards. A pipeline of scikit-learn is one if
        its last step is, and the steps before it have `partial_fit`, are fitted or need not be.
    X : array or CSR matrix of shape (n_examples, n_features), or iterable of chunks
        The stream, in its order; or, without y, chunks of it that come one after another: (X, y),
        (X, y, sample_weight), or those of `budgetron.reading.Reader`.
    y : array of shape (n_examples,), optional
        All labels, those that come late included.
    classes : array of labels, optional
        All that there are; otherwise classes are learned as they appear: as their first labels
        come. Classifiers of scikit-learn have to know all of them at the start: those in y, or in
        the first chunk.
    delay : int or array of shape (n_examples,), default=0
        How many rows later labels come: that of row t is learned after row t + delay has been
        predicted. 0 is test, then train. Or when the label of each row comes, by the number of a
        row of this call, which may be broken and is not before its own: at a, it is learned after
        row floor(a) has been predicted and before the next one is, in the order in which labels
        come; of those that come together, the earlier row's is first. Infinity is never. With
        chunks it is a number.
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
    progress : bool, default=False
        Whether to show on standard error how far it is.

    Returns
    -------
    Trace
        Scores, predictions and mistakes, example by example, as they were predicted; updates,
        sizes and evictions when their labels were learned. An example whose label has not come has
        changed nothing, and has the size at its prediction. `trace.metrics()` says how good that
        was. Of other classifiers, an example whose label came is an update, and sizes are 0; until
        the first label comes they have nothing to say, and every row is a mistake.

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
    before = NOBODY_WAITS if waiting is None else waiting
    if not isinstance(before, Waiting):
        raise TypeError(f"waiting is that of a trace, got {type(waiting).__name__}")
    if certify and (len(before) > 0 or np.any(np.asarray(delay) != 0)):
        raise ValueError("the bounds are of labels that come at once: certify or delay")
    own = isinstance(estimator, StreamClassifier)
    if own and not hasattr(estimator, "partial_fit"):
        raise TypeError(f"{type(estimator).__name__} does not learn from a stream: use fit")
    if certify and not own:
        raise TypeError(f"{type(estimator).__name__} is no learner of this package: no certificate")
    traced = getattr(estimator, "_trace", None)  # by whoever has learners of its own
    go_over: Callable[..., Trace] = go_over_rows if own else traced or _ask_and_learn()
    traces: list[Trace] = []
    total = len(y) if progress and y is not None else None
    with shown_progress(type(estimator).__name__, total, wished=progress) as advance:
        for part, labels, weights, late in _pieces(X, y, sample_weight, delay, cut=progress):
            whose = () if traced else (estimator,)
            trace = go_over(*whose, part, labels, classes, weights, late, before)
            traces.append(trace)
            before = trace.waiting
            advance(len(trace))
    if not traces:
        raise ValueError("there are no chunks in X")
    whole = Trace.joined(traces)
    return replace(whole, evidence=evidence_of(estimator)) if certify else whole


def _ask_and_learn() -> Callable[..., Trace]:
    """For other classifiers: imports much of scikit-learn."""
    from .other_classifiers import ask_and_learn

    return ask_and_learn


def _pieces(
    X: Any, y: Any, sample_weight: Any, delay: Any, *, cut: bool
) -> Iterator[tuple[Any, Any, Any, Any]]:
    """The stream, whole or in pieces: rows, labels, weights and when the labels come."""
    if y is None:
        yield from ((*chunk, delay) for chunk in _chunks(X, sample_weight, delay))
        return
    if not cut or len(y) == 0 or not hasattr(X, "shape") or X.shape[0] != len(y):
        yield X, y, sample_weight, delay
        return
    if sparse.issparse(X):
        X = X.tocsr()
    times = arrival_times(delay, len(y))
    for first in range(0, len(y), PIECE):
        here = slice(first, first + PIECE)
        weights = None if sample_weight is None else sample_weight[here]
        yield X[here], y[here], weights, times[here] - first


def _chunks(X: Any, sample_weight: Any, delay: Any) -> Iterator[tuple[Any, Any, Any]]:
    if hasattr(X, "shape") or not isinstance(X, Iterable):
        raise TypeError("give labels y, or chunks of the stream that have them: (X, y)")
    if sample_weight is not None or np.ndim(delay) > 0:
        raise TypeError("with chunks, weights are in them, and delay is one number for all rows")
    for chunk in X:
        if hasattr(chunk, "rows"):
            yield chunk.X, chunk.y, None
        elif isinstance(chunk, tuple | list) and len(chunk) in (2, 3):
            yield (*chunk, None)[:3]
        else:
            raise TypeError(f"a chunk is (X, y) or (X, y, sample_weight), got {type(chunk)}")


def go_over_rows(
    estimator: StreamClassifier,
    X: Any,
    y: Any,
    classes: Any,
    sample_weight: Any,
    delay: Any,
    before: Waiting,
) -> Trace:
    """Let a learner of this package go over rows, and tell what happened."""
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
        waiting=_still_waiting(passed, before, predictions),
        labels=passed.y[len(before) :],
        classes=learner.classes_,
        probabilities=record.chances[predicted] if record.chances.shape[1] > 0 else None,
        lessons=passed.y[agenda.lessons],
        lessons_before=np.cumsum(agenda.is_told)[predicted] - agenda.is_told[predicted],
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
