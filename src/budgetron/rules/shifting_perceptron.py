"""Shifting Perceptron: before adding a mistake, shrink the past, less and less as mistakes mount.

G. Cavallanti, N. Cesa-Bianchi and C. Gentile, "Tracking the best hyperplane with a simple budget
Perceptron", Machine Learning 69 (2007) 143-167, Fig. 1.
"""

from __future__ import annotations

from typing import NamedTuple

from ..core.edits.supports import add, mistakes, scale, size
from ..core.rule import Forgets, updates
from ..core.triggers import MISTAKE
from ..parameters import NonNegative

__all__ = ["ShiftingPerceptron"]


class ShiftingPerceptron(NamedTuple):
    """w <- (1 - lambda_k) w + y x with lambda_k = lambda / (lambda + k), k mistakes before."""

    decay: NonNegative  # lambda in the paper


@updates(ShiftingPerceptron, on=MISTAKE, multiclass=True, forgets=Forgets.NOBODY)
def shrink_polynomially(rule, f, y):
    k = mistakes(f) - 1
    if size(f) > 0:  # w_0 = 0, and lambda_0 = 1 would only scale it
        scale(f, 1 - rule.decay / (rule.decay + k))
    add(f, weight=y)
