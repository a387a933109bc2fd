"""Labelled streams of the user's own, larger than memory: CSV, JSONL, svmlight, Parquet, Arrow.

>>> from budgetron.reading import Reader, Wishes  # doctest: +SKIP
>>> reader = Reader("clicks.csv.gz", Wishes(target="clicked", missing="zero"))  # doctest: +SKIP
>>> for X, y, rows in reader:  # doctest: +SKIP
...     learner.partial_fit(X, y, classes=[0, 1])

`reader.plan` says how it is read; stored by `to_json`, it makes a later run read in the same way.
"""

from .chunk import Chunk
from .errors import BadRow, ReadingError
from .plan import Column, Plan, Wishes
from .reader import Reader

__all__ = ["BadRow", "Chunk", "Column", "Plan", "Reader", "ReadingError", "Wishes"]
