"""Streaming frames in, streaming frames of predictions out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Any

from pyspark.sql import functions as sf
from pyspark.sql import types as st
from sklearn.base import clone

from ..estimators import KernelClassifier
from ..parameters import whole
from .columns import (
    NAMING,
    SORTED,
    Carried,
    Classes,
    array_of,
    column,
    demand_columns,
    demand_features,
    demand_frame,
    type_of,
)
from .processor import KeyedLearners

__all__ = ["learn_stream"]

PROVIDER = "spark.sql.streaming.stateStore.providerClass"
ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


def learn_stream(
    frame: Any,
    learner: Any,
    *,
    key: str,
    label: str,
    features: str | Sequence[str],
    order: str,
    classes: Iterable[Any],
    keep: Sequence[str] = (),
    labels: Any = None,
    id: str | None = None,
    time: str | None = None,
    within: str | None = None,
    buckets: int = 16,
    at_hand: int = 1000,
) -> Any:
    """Predict each row by the learner of its key, and have that learn it afterwards.

    Each key has a learner of its own, which Spark keeps in the state of the query. After a failure
    the query goes on from its checkpoint, and has predicted and learned every row once, in the
    order of the stream: rows are taken one by one, so that nothing depends on micro-batches,
    on buckets, or on the number of workers.

    Parameters
    ----------
    frame : streaming DataFrame
        The rows. Rows without a label (null) are predicted only.
    learner : a classifier of this package with `learn_one`
        With which every key begins: fitted or not. It stays as it is. A `random_state` of None is 0
        here, so that a row that is gone over again after a failure is gone over alike.
    key : str
        Column of the keys: strings or whole numbers.
    label : str
        Column of the labels: strings, whole numbers or booleans.
    features : list of str, or str
        Columns of numbers, or one column that is an array of numbers.
    order : str
        Column by which the rows of a key are sorted within a micro-batch, such as a sequence number
        or a time. From one micro-batch to the next, the order is that of the source.
    classes : list of labels
        All that there are. Any other label stops the query with an error, as does a row that the
        learner refuses.
    keep : list of str
        Columns that the predictions are to have as well.
    labels : streaming DataFrame, optional
        Labels that come late, with the columns `key`, `id`, `label`, `order` and `time`. A row
        without a label waits for one with its id. It is learned as what it was predicted as, when
        the label comes; `order` says whether that is before or after a row of the same micro-batch.
    id, time : str, optional
        With `labels`: columns of the ids of rows and of the times of rows and labels, which are
        timestamps.
    within : str, optional
        With `labels`: how long a row waits, such as "1 hour", in times of the stream. It is the
        delay of a watermark: Spark drops what is older than this when it comes.
    buckets : int, default=16
        Into how many groups the keys are hashed, a task having one or several of them: at least
        twice the number of cores. It belongs to the checkpoint: to change it, begin a new one.
    at_hand : int, default=1000
        Learners of each bucket that a worker has at hand, at most; others are loaded when their
        next rows come.

    Returns
    -------
    streaming DataFrame
        For each row its key, its order, its label, the columns to `keep`, `prediction` and `score`:
        of two classes f(x), positive for the second; of more an array. Both are null until the
        first label of a key has been learned. It is in append mode.

    Examples
    --------
    >>> predictions = learn_stream(  # doctest: +SKIP
    ...     spark.readStream.schema(schema).parquet("payments"),
    ...     Forgetron(budget=20),
    ...     key="customer",
    ...     label="fraud",
    ...     features=["amount", "hour"],
    ...     order="number",
    ...     classes=[False, True],
    ... )
    >>> query = (  # doctest: +SKIP
    ...     predictions.writeStream.option("checkpointLocation", "checkpoint")
    ...     .toTable("predictions")
    ... )
    """
    is_late = labels is not None
    if {is_late} != {each is not None for each in (id, time, within)}:
        raise ValueError("labels that come late need labels, id, time and within: all of them")
    whole("buckets", buckets, least=1)
    whole("at_hand", at_hand, least=0)
    demand_frame(frame, "the frame", streaming=True)
    wide = [features] if isinstance(features, str) else [*features]
    late = [id, time] if id is not None and time is not None else []
    is_labelled = label in frame.columns or not is_late
    demand_columns(frame, "the frame", [key, order, *wide, *keep, *late, *[label] * is_labelled])
    handed_on = [key, order, *late[:1], label, *keep, "prediction", "score"]
    if len({*handed_on}) < len(handed_on):
        raise ValueError(f"each of these columns has to have another name: {handed_on}")
    type_of(frame, order, SORTED, "a number, a string or a time")
    if is_late:
        demand_frame(labels, "labels", streaming=True)
        demand_columns(labels, "labels", [key, order, label, *late])
        for name in (key, order, *late[:1]):  # or they become strings, which are sorted otherwise
            own = frame.schema[name].dataType
            kind = st.NumericType if isinstance(own, st.NumericType) else type(own)
            type_of(labels, name, (kind,), f"of the kind that it is in the frame, {kind.__name__}")
        type_of(frame, late[1], (st.TimestampType, st.TimestampNTZType), "a timestamp")
    known = Classes(classes).as_in(frame if is_labelled else labels, label)
    learner = _first_learner(learner, known.labels)
    demand_features(features, learner)
    _demand_rocksdb(frame.sparkSession)
    names = {"key": key, "order": order} | ({"id": late[0]} if is_late else {})
    kept = {f"kept{place}": Carried(frame, name) for place, name in enumerate(keep)}
    code = known.code_of(column(label)) if is_labelled else sf.lit(None).cast("int")
    own = {name: column(it) for name, it in names.items()}
    taken = own | {name: it.there() for name, it in kept.items()}
    rows = _selected(frame, taken, array_of(frame, features), code, late, is_label=False)
    if is_late:
        told = known.code_of(column(label))
        others = _selected(labels, own, sf.lit(None), told, late, is_label=True)
        rows = rows.unionByName(others, allowMissingColumns=True).withWatermark("moment", within)
    processor = KeyedLearners(
        learner,
        known.labels,
        key_type=type_of(frame, key, NAMING, "a string or a whole number"),
        handed_on=[*names, *kept, "code"],
        buckets=buckets,
        at_hand=at_hand,
        id_type=type_of(frame, late[0], NAMING, "a string or a whole number") if is_late else None,
    )
    score = st.DoubleType() if len(known.labels) == 2 else st.ArrayType(st.DoubleType())
    types = {name: frame.schema[it].dataType for name, it in names.items()}
    types |= {name: it.type for name, it in kept.items()}
    types |= {"code": st.IntegerType(), "prediction": st.IntegerType(), "score": score}
    predicted = st.StructType([st.StructField(*each) for each in types.items()])
    bucket = sf.pmod(sf.xxhash64("key"), sf.lit(buckets)).cast("int")
    grouped = rows.withColumn("bucket", bucket).groupBy("bucket")
    made = grouped.transformWithStateInPandas(
        processor, predicted, "Append", "EventTime" if is_late else "None"
    )
    return made.select(
        *(column(name).alias(it) for name, it in names.items()),
        *(it.back(name).alias(it.name) for name, it in kept.items()),
        known.label_of(column("code")).alias(label),
        known.label_of(column("prediction")).alias("prediction"),
        "score",
    )


def _selected(
    frame: Any, taken: dict[str, Any], features: Any, code: Any, late: list[str], *, is_label: bool
) -> Any:
    """What a worker has to know of rows, or of labels, under names of its own."""
    made = {"features": features.cast("array<double>"), "code": code, "is_label": sf.lit(is_label)}
    if late:
        moment = column(late[1]).cast("timestamp")
        made |= {"moment": moment, "time": sf.unix_millis(moment)}
    return frame.select(*(own.alias(name) for name, own in (taken | made).items()))


def _first_learner(learner: Any, classes: list[Any]) -> Any:
    """With which every key begins."""
    if not isinstance(learner, KernelClassifier) or not hasattr(learner, "partial_fit"):
        name = type(learner).__name__
        raise TypeError(f"{name} does not learn row by row: take a kernel learner of this package")
    if hasattr(learner, "classes_"):
        if sorted(known := learner.classes_.tolist()) != sorted(classes):
            raise ValueError(f"the learner knows the classes {known}, and not {classes}")
        return deepcopy(learner)
    seed = 0 if learner.random_state is None else learner.random_state
    return clone(learner).set_params(random_state=seed)


def _demand_rocksdb(session: Any) -> None:
    if session.conf.get(PROVIDER, "").rpartition(".")[2] != ROCKSDB.rpartition(".")[2]:
        raise ValueError(f"the state has to be kept by RocksDB: set {PROVIDER} to {ROCKSDB}")
