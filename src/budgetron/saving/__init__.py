"""Learners as bytes: JSON and arrays, checked in every detail when they are read, and no code.

The format is described in `docs/saved-models.md`.

>>> from budgetron import Forgetron
>>> from budgetron.saving import load_with_notes, save
>>> learner = Forgetron().fit([[0.0], [1.0]], [0, 1])
>>> save(learner, "forgetron.budgetron", {"rows": 2})  # doctest: +SKIP
>>> learner, notes = load_with_notes("forgetron.budgetron")  # doctest: +SKIP
"""

from .checking import SavedModelError
from .model import dumps, load, load_all, load_with_notes, load_with_waiting, loads, save

__all__ = [
    "SavedModelError",
    "dumps",
    "load",
    "load_all",
    "load_with_notes",
    "load_with_waiting",
    "loads",
    "save",
]
