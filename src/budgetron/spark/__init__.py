"""Learners by the million on Spark: one for each key of a stream, and nothing learned twice.

Spark's Structured Streaming keeps them, and brings them back after failures.
"""

try:
    import pyspark as _pyspark
except ImportError as error:
    raise ImportError("this needs Spark: pip install 'budgetron[spark]'") from error
if int(_pyspark.__version__.partition(".")[0]) < 4:
    raise ImportError(f"this needs Spark 4 or newer, and here is {_pyspark.__version__}")

from .batch import predict_batch
from .state import models
from .stream import learn_stream

__all__ = ["learn_stream", "models", "predict_batch"]
