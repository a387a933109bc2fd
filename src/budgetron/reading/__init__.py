"""Labelled streams of the user's own, larger than memory: CSV, JSONL, svmlight, Parquet, Arrow.

>>> from budgetron.reading import Reader, ReadOptions  # doctest: +SKIP
>>> reader = Reader("clicks.csv.gz", ReadOptions(target="clicked"))  # doctest: +SKIP
>>> for X, y, rows in reader:  # doctest: +SKIP
...     learner.partial_fit(X, y, classes=[0, 1])

`reader.plan` says how it is read; stored by `to_json`, it makes a later run read in the same way.
"""

from .chunk import Chunk
from .errors import BadRow, NoClassesError, ReadingError
from .fingerprint import Fingerprint
from .plan import Column, LeftOut, Plan, ReadOptions
from .reader import Reader

__all__ = [
    "BadRow",
    "Chunk",
    "Column",
    "Fingerprint",
    "LeftOut",
    "NoClassesError",
    "Plan",
    "ReadOptions",
    "Reader",
    "ReadingError",
]
