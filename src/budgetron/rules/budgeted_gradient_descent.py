"""Bounded online gradient descent (BOGD): at a full budget one goes, the others make up for it.

P. Zhao, J. Wang, P. Wu, R. Jin and S. Hoi, "Fast bounded online gradient descent algorithms for
scalable kernel-based online learning", ICML 2012, with uniform removal and the hinge loss.
"""

from __future__ import annotations

from typing import NamedTuple

from ..core.edits.supports import add, clip, draw, remove, scale, short, size, stretch
from ..core.rule import updates
from ..core.triggers import Trigger
from ..parameters import Budget, NonNegative, Positive

__all__ = ["BudgetedGradientDescent"]


class BudgetedGradientDescent(NamedTuple):
    """The gradient step, in expectation over who goes: any old support, equally likely."""

    budget: Budget  # B in the paper
    step: Positive  # eta
    regularization: NonNegative  # lambda
    bound: Positive  # gamma: no weight is larger than gamma eta

    def check(self) -> None:
        """A step must not turn f around."""
        if not self.step * self.regularization < 1:
            raise ValueError(
                f"step * regularization must be below 1, got {self.step * self.regularization:g}"
            )


@updates(BudgetedGradientDescent, on=Trigger(1.0, every_example=True), multiclass=True)
def step_in_expectation(rule, f, y):
    scale(f, 1 - rule.step * rule.regularization)
    if short(f):
        if size(f) == rule.budget:
            remove(f, draw(f, rule.budget))
            if rule.budget > 1:
                stretch(f, rule.budget / (rule.budget - 1))
        add(f, weight=rule.step * y)
        clip(f, rule.bound * rule.step)
