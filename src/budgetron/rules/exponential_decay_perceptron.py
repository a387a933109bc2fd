"""Perceptron with exponential decay: before adding a mistake, shrink the past by a fixed factor.

G. Cavallanti, N. Cesa-Bianchi and C. Gentile, "Tracking the best hyperplane with a simple budget
Perceptron", Machine Learning 69 (2007) 143-167, Sec. 2.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from ..core.edits.supports import add, scale
from ..core.rule import Forgets, updates
from ..core.triggers import MISTAKE
from ..parameters import Within

__all__ = ["ExponentialDecayPerceptron"]


class ExponentialDecayPerceptron(NamedTuple):
    """w <- (1 - lambda) w + y x."""

    decay: Annotated[float, Within(least=0, below=1)]  # lambda in the paper


@updates(ExponentialDecayPerceptron, on=MISTAKE, multiclass=True, forgets=Forgets.NOBODY)
def shrink_exponentially(rule, f, y):
    scale(f, 1 - rule.decay)
    add(f, weight=y)
