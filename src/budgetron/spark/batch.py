"""A saved model on any frame of Spark."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from pyspark.sql import functions as sf
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from ..saving import load, loads
from .columns import Classes, array_of, demand_columns, demand_features, demand_frame

__all__ = ["predict_batch"]


def predict_batch(
    frame: Any,
    model: Any,
    *,
    features: str | Sequence[str],
    prediction: str = "prediction",
) -> Any:
    """Predict the rows of a frame by one model, and learn nothing.

    Parameters
    ----------
    frame : DataFrame
        Streaming or not.
    model : path, bytes, or fitted learner
        What `save` wrote, what `dumps` gave, or the learner itself.
    features : list of str, or str
        Columns of numbers, in the order in which the model knows them, or one column that is an
        array of numbers.
    prediction : str, default="prediction"
        What to call the new column.

    Returns
    -------
    DataFrame
        The frame with one more column.

    Examples
    --------
    >>> predict_batch(  # doctest: +SKIP
    ...     spark.read.parquet("payments"), "fraud.budgetron", features=["amount", "hour"]
    ... )
    """
    demand_frame(frame, "the frame", streaming=False)
    demand_columns(frame, "the frame", [features] if isinstance(features, str) else features)
    if prediction in frame.columns:
        raise ValueError(f"the frame has a column {prediction!r} already: name another")
    if isinstance(model, bytes | bytearray):
        learner = loads(bytes(model))
    elif isinstance(model, str | os.PathLike):
        learner = load(model)
    else:
        learner = model
    check_is_fitted(learner)
    demand_features(features, learner)
    data, classes = learner.dumps(), Classes(learner.classes_.tolist())

    @sf.pandas_udf("int")  # type: ignore[untyped-decorator]
    def code(rows: pd.Series) -> pd.Series:
        return pd.Series(_codes(data, rows), dtype="int32")

    return frame.withColumn(prediction, classes.label_of(code(array_of(frame, features))))


@lru_cache(maxsize=1)
def _model(data: bytes) -> Any:
    return loads(data)


def _codes(data: bytes, rows: pd.Series) -> np.ndarray:
    """The numbers of the predicted classes."""
    learner = _model(data)
    if not len(rows):
        return np.zeros(0, int)
    with threadpool_limits(1):
        chosen = learner.predict(np.array([*rows], dtype=float))
    codes = {label: code for code, label in enumerate(learner.classes_.tolist())}
    return np.array([codes[label] for label in chosen.tolist()])
