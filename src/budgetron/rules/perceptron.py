"""Perceptron: at a mistake, add the example.

F. Rosenblatt, "The Perceptron: A probabilistic model for information storage and organization in
the brain", Psychological Review 65 (1958) 386-407; the baseline of all five papers.
"""

from __future__ import annotations

from typing import NamedTuple

from ..core.edits.supports import add
from ..core.rule import Forgets, updates
from ..core.triggers import MISTAKE

__all__ = ["Perceptron"]


class Perceptron(NamedTuple):
    """w <- w + y x at mistakes."""


@updates(Perceptron, on=MISTAKE, multiclass=True, forgets=Forgets.NOBODY)
def store_every_mistake(rule, f, y):
    add(f, weight=y)
