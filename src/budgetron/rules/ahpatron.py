"""Ahpatron: steps of one length, inside a ball; when the budget is full, half of the supports go.

Y. Liao, J. Li, S. Liao, Q. Hu and J. Dang, "Ahpatron: a new budgeted online kernel learning machine
with tighter mistake bound", AAAI 2024.
"""

from __future__ import annotations

from math import sqrt
from typing import Annotated, NamedTuple

from ..core.edits.gram import add_with_scores, norm
from ..core.edits.halve import halve
from ..core.edits.supports import scale, size
from ..core.memory import HalvedGramAndScores
from ..core.rule import updates
from ..core.triggers import Trigger
from ..parameters import Budget, Positive, Within

__all__ = ["Ahpatron"]


class Ahpatron(NamedTuple):
    """The aggressive Perceptron, projected onto half of its supports whenever there are too many.

    "Aggressive" is to step at margins that are too small as well.
    """

    budget: Budget  # B in the paper
    margin: Annotated[float, Within(above=0, most=1)]  # 1 - epsilon
    norm_bound: Positive  # U


# Paper: the half that leaves is projected onto the one that stays; here: all of f is, which is the
# same but for the ridge that the matrix needs.
# Paper: the step is tuned by what is known of the stream; here: U/sqrt(4B), as in its experiments.
@updates(Ahpatron, on=lambda rule: Trigger(rule.margin), keeps=HalvedGramAndScores)
def step_inside_the_ball(rule, f, y):
    if size(f) == rule.budget:
        halve(f)
    add_with_scores(f, weight=y * rule.norm_bound / sqrt(4 * rule.budget))
    if norm(f) > rule.norm_bound:
        scale(f, rule.norm_bound / norm(f))
