"""What happened while a learner went over a stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce
from typing import Any, Literal

import numpy as np

from ..parameters import one_of, whole
from .baselines import BASELINES, Baselines
from .metrics import RunningMetrics

__all__ = ["Trace"]


@dataclass(frozen=True)
class Trace:
    """One entry for each example of the stream, in order.

    Attributes
    ----------
    scores : ndarray of float64
        f(x), before the update. A score that rounding cannot tell from 0 is 0. For more than two
        classes there is a column for each, -inf until it appears.
    mistakes : ndarray of bool
        Whether the prediction was wrong.
    updates : ndarray of bool
        Whether the example changed the learner.
    sizes : ndarray of int64
        The number of supports after the example, summed over the classes if each has its own.
    evicted : ndarray of int64
        Which support was removed, given by the number of examples the learner had seen when it
        came in; -1 where none was removed.
    predictions : ndarray
        The predicted classes.
    evidence : Evidence or None
        What the learner's bound is made of, after all that it has seen, if it was asked for.
    waiting : Waiting
        The examples whose labels have not come, for the next call; see `prequential`.
    labels : ndarray
        The labels of the examples, those that have not come included.
    classes : ndarray
        The classes that the learner knew in the end: those of the columns.
    probabilities : ndarray of shape (n_examples, n_classes), or None
        What was forecast of each class before the label was known, by a learner that has
        `predict_proba`; 0 for a class that it did not know. Where it knew one class alone, this is
        how sure it would have been of it beside another one.
    lessons : ndarray
        The labels that came, in their order.
    lessons_before : ndarray of int64
        How many of them had come before each example was predicted.
    """

    scores: np.ndarray
    mistakes: np.ndarray
    updates: np.ndarray
    sizes: np.ndarray
    evicted: np.ndarray
    predictions: np.ndarray
    evidence: Any = None
    waiting: Any = None
    labels: Any = None
    classes: Any = None
    probabilities: Any = None
    lessons: Any = None
    lessons_before: Any = None

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        size = self.sizes[-1] if len(self) else 0
        return (
            f"Trace({len(self)} examples, {self.mistakes.sum()} mistakes, "
            f"{self.updates.sum()} updates, size {size})"
        )

    def metrics(self, window: int | None = None) -> Any:
        """How good the predictions were, beside two baselines.

        Parameters
        ----------
        window : int, optional
            In so many rows each, if this is given; the last ones may be fewer.

        Returns
        -------
        dict, or list of dicts
            Those of `budgetron.evaluation.RunningMetrics.summary`: "error", what always saying
            the commonest label so far ("majority") and the last one ("last_label") would have
            been, scikit-learn's "balanced_accuracy", "f1_macro", "kappa" and so on. Those of a
            window also have its "first" row; its baselines know all labels before it.

        Examples
        --------
        >>> import numpy as np
        >>> from budgetron import Forgetron, prequential
        >>> X = np.random.default_rng(0).uniform(size=(1000, 2))
        >>> trace = prequential(Forgetron(), X, X[:, 0] > 0.97)
        >>> told = trace.metrics()
        >>> told["mistakes"], told["majority"]["mistakes"], round(told["kappa"], 2)
        (44, 34, 0.33)
        >>> [each["mistakes"] for each in trace.metrics(window=250)]
        [13, 12, 12, 7]
        """
        if window is None:
            return _summary(self, Baselines())
        length, baselines = whole("window", window, least=1), Baselines()
        return [
            {"first": first, **_summary(self._part(first, first + length), baselines)}
            for first in range(0, len(self), length)
        ]

    def frame(self, library: Literal["pandas", "polars"] = "pandas") -> Any:
        """A frame with a row for each example.

        Parameters
        ----------
        library : {"pandas", "polars"}, default="pandas"

        Returns
        -------
        DataFrame
            label, prediction, mistake, update, size, score or one for each class, and the
            probabilities if there are any; then whether the commonest label so far
            (majority_mistake) and the last one (last_label_mistake) were wrong.
        """
        one_of("library", library, ("pandas", "polars"))
        columns = {
            "label": self.labels,
            "prediction": self.predictions,
            "mistake": self.mistakes,
            "update": self.updates,
            "size": self.sizes,
        }
        if self.scores.ndim == 1:
            columns["score"] = self.scores
        for name, values in (("score", self.scores), ("probability", self.probabilities)):
            if values is not None and values.ndim == 2:
                pairs = zip(self.classes.tolist(), values.T, strict=True)
                columns |= {f"{name} of {label}": column for label, column in pairs}
        simple, _ = Baselines().go_on(self.labels, self.lessons, self.lessons_before)
        columns |= {"majority_mistake": simple[:, 0], "last_label_mistake": simple[:, 1]}
        if library == "polars":
            import polars

            return polars.DataFrame(columns)
        import pandas

        return pandas.DataFrame(columns)

    def plot(self, axes: Any = None, *, points: int = 32) -> Any:
        """Draw the error along the stream, and those of the baselines, with Matplotlib.

        Parameters
        ----------
        axes : Axes, optional
            Where to; new ones if not given.
        points : int, default=32
            The largest number of stretches whose errors are drawn, at least 2.

        Returns
        -------
        Axes
        """
        if axes is None:
            try:
                from matplotlib import pyplot
            except ImportError as error:
                raise ImportError(
                    "plots come from Matplotlib: pip install 'budgetron[report]'"
                ) from error
            axes = pyplot.figure().subplots()
        running = RunningMetrics()
        running.add(self)
        rows, *errors = running.errors(whole("points", points, least=2)).T
        lines = {"learner": "-", **dict(zip(BASELINES, ("--", ":"), strict=True))}
        for (name, line), share in zip(lines.items(), errors, strict=True):
            axes.plot(rows, 100 * share, line, label=name)
        axes.set(xlabel="rows", ylabel="error on the rows since the point before, %")
        axes.legend()
        return axes

    @classmethod
    def joined(cls, traces: Sequence[Trace]) -> Trace:
        """Traces of rows that follow each other, as one.

        Parameters
        ----------
        traces : sequence of Trace
            At least one.

        Returns
        -------
        Trace
        """
        parts = [*traces]
        while len(parts) > 1:  # in pairs, so that no row is copied often
            parts = [reduce(_and_then, parts[at : at + 2]) for at in range(0, len(parts), 2)]
        return parts[0]

    def _part(self, first: int, last: int) -> Trace:
        """Some rows, with the lessons from the first to the row behind the last."""
        rows, told = slice(first, last), {}
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, np.ndarray) and each.name not in ("classes", "lessons"):
                told[each.name] = value[rows]
        start = self.lessons_before[first] if first > 0 else 0
        end = self.lessons_before[last] if last < len(self) else len(self.lessons)
        told["lessons"] = self.lessons[start:end]
        told["lessons_before"] = told["lessons_before"] - start
        return replace(self, **told)


def _summary(trace: Trace, baselines: Baselines) -> Any:
    running = RunningMetrics(baselines)
    running.add(trace)
    return running.summary()


def _and_then(one: Trace, other: Trace) -> Trace:
    classes = other.classes
    both = {
        name: np.concatenate([getattr(one, name), getattr(other, name)])
        for name in ("mistakes", "updates", "sizes", "evicted", "predictions", "labels", "lessons")
    }
    heard = len(one.lessons) + other.lessons_before
    return Trace(
        **both,
        scores=_stacked(one.scores, one.classes, other.scores, classes, -np.inf),
        evidence=other.evidence,
        waiting=other.waiting,
        classes=classes,
        probabilities=None
        if one.probabilities is None or other.probabilities is None
        else _stacked(one.probabilities, one.classes, other.probabilities, classes, 0.0),
        lessons_before=np.concatenate([one.lessons_before, heard]),
    )


def _stacked(
    one: np.ndarray, old: np.ndarray, other: np.ndarray, classes: np.ndarray, unknown: float
) -> np.ndarray:
    """Scores or probabilities, in columns for the later classes where there are any."""
    if other.ndim == 1:  # one class alone is the second, until there is another one
        was_first = len(old) == 1 and len(classes) == 2 and old[0] == classes[0]
        return np.concatenate([-one if was_first else one, other])
    if len(old) == len(classes):
        return np.concatenate([one, other])
    wide = np.full((len(one), len(classes)), unknown)
    columns = np.column_stack([-one, one])[:, -len(old) :] if one.ndim == 1 else one
    wide[:, np.searchsorted(classes, old)] = columns
    if unknown == 0.0 and len(old) == 1 and len(classes) == 2:
        wide[:, 1 - np.searchsorted(classes, old)] = 1 - columns
    return np.concatenate([wide, other])
