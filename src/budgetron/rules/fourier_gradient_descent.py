"""Fourier online gradient descent (FOGD): on random features, with no supports at all.

J. Lu, S. Hoi, J. Wang, P. Zhao and Z.-Y. Liu, "Large scale online kernel learning", JMLR 17 (2016),
no. 47, Algorithm 1 with the hinge loss.
"""

from __future__ import annotations

from typing import NamedTuple

from ..core.edits.random_features import RandomFeatures, step_along_features
from ..core.rule import updates
from ..core.triggers import MARGIN_BELOW_ONE
from ..parameters import Budget, Positive

__all__ = ["FourierGradientDescent"]


class FourierGradientDescent(NamedTuple):
    """Gradient steps on the hinge loss, along the cosines and sines of `budget` frequencies."""

    budget: Budget  # D in the paper
    step: Positive  # eta


@updates(FourierGradientDescent, on=MARGIN_BELOW_ONE, keeps=RandomFeatures)
def descend(rule, f, y):
    step_along_features(f, weight=rule.step * y)
