"""Nystrom online gradient descent (NOGD): as soon as the budget is full, on features of low rank.

J. Lu, S. Hoi, J. Wang, P. Zhao and Z.-Y. Liu, "Large scale online kernel learning", JMLR 17 (2016),
no. 47, Algorithm 2 with the hinge loss.
"""

from __future__ import annotations

from typing import NamedTuple

from ..core.edits.gram import add_with_gram
from ..core.edits.nystrom import find_directions, step_along_directions
from ..core.edits.supports import size
from ..core.memory import LeadingDirections
from ..core.rule import updates
from ..core.triggers import MARGIN_BELOW_ONE
from ..parameters import Budget, Positive

__all__ = ["NystromGradientDescent"]


class NystromGradientDescent(NamedTuple):
    """Gradient steps on the hinge loss: a support each, and then in the span of the first ones."""

    budget: Budget  # B in the paper
    rank: Budget  # k
    step: Positive  # eta

    def check(self) -> None:
        """There are no more directions than supports."""
        if self.rank > self.budget:
            raise ValueError(f"rank must be at most the budget of {self.budget}, got {self.rank}")


@updates(NystromGradientDescent, on=MARGIN_BELOW_ONE, keeps=LeadingDirections)
def descend(rule, f, y):
    if size(f) == rule.budget:
        step_along_directions(f, rule.step * y, rule.rank)
    else:
        add_with_gram(f, rule.step * y)
        if size(f) == rule.budget:
            find_directions(f, rule.rank)
