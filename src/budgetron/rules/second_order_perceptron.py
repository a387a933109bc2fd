"""Second-order Perceptron: the Perceptron's update, in a space whitened by the mistakes so far.

N. Cesa-Bianchi, A. Conconi and C. Gentile, "A second-order Perceptron algorithm", SIAM Journal on
Computing 34 (2005) 640-668, Fig. 3.1 in the dual form of Theorem 3.3. The budget versions are from
G. Cavallanti, N. Cesa-Bianchi and C. Gentile, "Tracking the best hyperplane with a simple budget
Perceptron", Machine Learning 69 (2007) 143-167, Sec. 4.

f(x) = y^T (a I + K)^-1 k(x) over the mistakes. Paper: the current instance is in K as well; here it
is not, which divides the score by a positive number and leaves its sign.
"""

from __future__ import annotations

from typing import NamedTuple

from ..core.compiled import inlined
from ..core.edits.projection import (
    add_labelled_independent,
    discard,
    in_span,
    project,
    projection,
    refactor,
    ridged_distance,
    solved_score,
)
from ..core.edits.second_order import second_order_update
from ..core.edits.supports import draw, k_xx, size
from ..core.memory import LabelledFactor, SecondOrderFactors
from ..core.rule import Forgets, maintains, updates
from ..core.triggers import MISTAKE
from ..parameters import Budget, Positive

__all__ = [
    "LeastRecentBudgetSecondOrderPerceptron",
    "RandomizedBudgetSecondOrderPerceptron",
    "SecondOrderPerceptron",
    "SpanSecondOrderPerceptron",
]


class SecondOrderPerceptron(NamedTuple):
    """(a I + X X^T)^-1 applied to the Perceptron's vector."""

    a: Positive


class SpanSecondOrderPerceptron(NamedTuple):
    """The same in the span of independent mistakes: the primal form."""

    a: Positive


class RandomizedBudgetSecondOrderPerceptron(NamedTuple):
    """The same over `budget` mistakes: when it is full, a random one is forgotten."""

    budget: Budget
    a: Positive


class LeastRecentBudgetSecondOrderPerceptron(NamedTuple):
    """The same over the last `budget` mistakes."""

    budget: Budget
    a: Positive


@updates(SecondOrderPerceptron, on=MISTAKE, keeps=LabelledFactor)
@inlined
def solve_with_one_more(rule, f, y):
    k = k_xx(f)
    if k > 0:
        pivot = ridged_distance(f, rule.a)
        step = (y - solved_score(f)) / pivot
        project(f, weight=-step)
        add_labelled_independent(f, step, pivot, y)


@updates(SpanSecondOrderPerceptron, on=MISTAKE, keeps=SecondOrderFactors)
def warp_the_span(rule, f, y):
    k = k_xx(f)
    if k > 0:
        squared_distance = max(0.0, k - projection(f))
        second_order_update(f, y, squared_distance, not in_span(f, squared_distance), rule.a)


@maintains(RandomizedBudgetSecondOrderPerceptron, LeastRecentBudgetSecondOrderPerceptron)
def solve_afresh(rule, kernel, state):
    refactor(kernel, state, rule.a)


@updates(
    RandomizedBudgetSecondOrderPerceptron, on=MISTAKE, keeps=LabelledFactor, forgets=Forgets.DRAWN
)
def forget_at_random(rule, f, y):
    if k_xx(f) > 0 and size(f) == rule.budget:
        discard(f, draw(f, rule.budget))
    solve_with_one_more(rule, f, y)


@updates(
    LeastRecentBudgetSecondOrderPerceptron, on=MISTAKE, keeps=LabelledFactor, forgets=Forgets.OLDEST
)
def forget_the_oldest(rule, f, y):
    if k_xx(f) > 0 and size(f) == rule.budget:
        discard(f, 0)
    solve_with_one_more(rule, f, y)
