"""Many learners behind keys: one for each customer, sensor or shop, in one process.

>>> import pandas as pd
>>> from budgetron import Forgetron
>>> from budgetron.keyed import KeyedClassifier
>>> rows = pd.DataFrame({"shop": ["a", "b", "a", "b"], "x": [0.0, 0.0, 1.0, 1.0]})
>>> keyed = KeyedClassifier(Forgetron(gamma=2.0), key="shop")
>>> keyed.partial_fit(rows, ["no", "yes", "yes", "no"]).predict(rows).tolist()
['no', 'yes', 'yes', 'no']
"""

from .classifier import KeyedClassifier
from .learners import LearnersByKey
from .shelves import DiskShelf, Kept, MemoryShelf, NoShelf, Shelf
from .whole import load, loads

__all__ = [
    "DiskShelf",
    "Kept",
    "KeyedClassifier",
    "LearnersByKey",
    "MemoryShelf",
    "NoShelf",
    "Shelf",
    "load",
    "loads",
]
