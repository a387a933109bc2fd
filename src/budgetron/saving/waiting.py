"""Rows that wait for their labels, beside the learner that has predicted them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..estimators import Waiting
from .arrays import Arrays
from .checking import demand, fields, finite, whole
from .labels import describe_labels, restore_labels
from .rows import describe_rows, restore_rows

__all__ = ["describe_waiting", "restore_waiting"]

WIDEST = 2**31 - 1


def describe_waiting(waiting: Waiting, arrays: Arrays) -> dict[str, Any]:
    """How the rows are stored, and which labels there are."""
    both = np.concatenate([waiting.y, waiting.predictions])
    classes, codes = np.unique(both, return_inverse=True)
    labels, predictions = np.split(codes.astype(np.int64), 2)
    arrays.put(waiting.due)
    examples = describe_rows(waiting.X, arrays)
    arrays.put(labels, predictions, waiting.sample_weight)
    arrays.put(waiting.advice, missing=True)
    return {
        "width": int(waiting.X.shape[1]),
        "examples": examples,
        "classes": describe_labels(classes),
    }


def restore_waiting(document: Any, arrays: Arrays, learner: Any) -> Waiting:
    """The rows that wait for a learner."""
    fields(document, "what waits", ("width", "examples", "classes"))
    width = whole(document["width"], "the width of what waits", least=1, most=WIDEST)
    demand(width == getattr(learner, "n_features_in_", width), "rows wait with other features")
    due = finite(arrays.take("due", float, None), "times of arrival", least=-1)
    shape, missing = (len(due), width), getattr(learner, "missing", "error") == "center"
    X = restore_rows(document["examples"], "what waits", arrays, shape, missing=missing)
    classes = restore_labels(document["classes"])
    labels, predictions = (
        arrays.take(name, np.int64, len(due)) for name in ("labels", "predictions")
    )
    for codes in (labels, predictions):
        own = (codes >= 0) & (codes < len(classes))
        demand(own.all(), "a row waits for a label of an unknown class")
    weights = finite(arrays.take("weights", float, len(due)), "weights", least=0)
    advice = arrays.take("advice", float, len(due), None)
    return Waiting(X, classes[labels], weights, due, classes[predictions], advice)
