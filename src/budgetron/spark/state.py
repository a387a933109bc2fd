"""The learners of a query, read back from its checkpoint."""

from __future__ import annotations

import os
from typing import Any

from .processor import MODELS

__all__ = ["models"]


def models(session: Any, checkpoint: str | os.PathLike[str], batch: int | None = None) -> Any:
    """The learner of each key as bytes, which `budgetron.loads` makes a learner of.

    The query may be running: they are those of its last whole micro-batch.

    Parameters
    ----------
    session : SparkSession
    checkpoint : path
        Of a query over `learn_stream`, its `checkpointLocation`.
    batch : int, optional
        The number of an earlier micro-batch, as long as Spark keeps it.

    Returns
    -------
    DataFrame
        With the columns `key` and `model`.

    Examples
    --------
    >>> from pyspark.sql.functions import col  # doctest: +SKIP
    >>> of_one = models(spark, "checkpoint").where(col("key") == "Ann").first()  # doctest: +SKIP
    >>> budgetron.loads(of_one["model"]).save("Ann.budgetron")  # doctest: +SKIP
    """
    reader = session.read.format("statestore").option("stateVarName", MODELS)
    if batch is not None:
        reader = reader.option("batchId", batch)
    found = reader.load(os.fspath(checkpoint))
    return found.selectExpr("user_map_key.key AS key", "user_map_value.model AS model")
