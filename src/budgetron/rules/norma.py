"""NORMA: gradient descent on the regularized hinge loss; what is old fades, and then goes.

J. Kivinen, A. Smola and R. Williamson, "Online learning with kernels", IEEE Transactions on Signal
Processing 52 (2004) 2165-2176, with the soft margin loss, a fixed margin and no offset.
"""

from __future__ import annotations

from typing import NamedTuple

from ..core.edits.supports import add, remove, scale, short, size
from ..core.rule import Forgets, updates
from ..core.triggers import Trigger
from ..parameters import Budget, NonNegative, Positive

__all__ = ["Norma"]


class Norma(NamedTuple):
    """f <- (1 - eta lambda) f on every example, and + eta y k(x, .) where y f(x) < rho."""

    budget: Budget  # tau in the paper
    step: Positive  # eta
    regularization: NonNegative  # lambda
    margin: Positive  # rho

    def check(self) -> None:
        """A step must not turn f around."""
        if not self.step * self.regularization < 1:
            raise ValueError(
                f"step * regularization must be below 1, got {self.step * self.regularization:g}"
            )


# Paper: a term is dropped tau rounds after it came; here: when there are tau others, and so at
# least as many rounds later, which what it says of the error of truncation covers.
@updates(
    Norma,
    on=lambda rule: Trigger(rule.margin, every_example=True),
    multiclass=True,
    forgets=Forgets.OLDEST,
)
def fade_and_step(rule, f, y):
    scale(f, 1 - rule.step * rule.regularization)
    if short(f):
        if size(f) == rule.budget:
            remove(f, 0)
        add(f, weight=rule.step * y)
