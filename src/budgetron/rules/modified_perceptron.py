"""Modified Perceptron: at a mistake, reflect the hypothesis, so that its norm never changes.

K. Crammer, E. Even-Dar, Y. Mansour and J. Wortman Vaughan, "Regret minimization with concept
drift", COLT 2010, Sec. 5.2, after Blum, Frieze, Kannan and Vempala. The two forms on a budget are
ours: they forget a support as the budget Perceptrons do, stretch what is left to its old length,
and reflect it if it still errs.
"""

from __future__ import annotations

from math import copysign, sqrt
from typing import NamedTuple

from ..core.compiled import inlined
from ..core.edits.gram import add_with_scores, norm, remove_with_scores
from ..core.edits.supports import add, draw, k_xx, rescore, score, size, stretch
from ..core.exact import exact_score
from ..core.memory import GramAndScores
from ..core.rule import Forgets, inits, updates
from ..core.triggers import MISTAKE, snapped
from ..parameters import Budget

__all__ = [
    "LeastRecentBudgetModifiedPerceptron",
    "ModifiedPerceptron",
    "RandomizedBudgetModifiedPerceptron",
]

NOTHING = 1e-6
"""A hypothesis that is shorter, beside the one before, is what rounding leaves of 0."""


class ModifiedPerceptron(NamedTuple):
    """w <- w - 2 (w.x) x / |x|^2 at mistakes."""


class RandomizedBudgetModifiedPerceptron(NamedTuple):
    """The same with at most `budget` supports: any of them is forgotten."""

    budget: Budget


class LeastRecentBudgetModifiedPerceptron(NamedTuple):
    """The same with at most `budget` supports: the oldest is forgotten."""

    budget: Budget


# Paper: "w_1 can be selected arbitrarily"; here x_1/|x_1|, since w_1 = 0 would never change.
@inits(ModifiedPerceptron)
def point_at_the_first_example(rule, f):
    k = k_xx(f)
    if k > 0:
        add(f, weight=1 / sqrt(k))
        rescore(f, sqrt(k))


@inits(RandomizedBudgetModifiedPerceptron)
@inits(LeastRecentBudgetModifiedPerceptron)
def point_and_know(rule, f):
    k = k_xx(f)
    if k > 0:
        add_with_scores(f, weight=1 / sqrt(k))
        rescore(f, sqrt(k))


# Paper: |x| = 1; here any length, by footnote 3: x/|x| takes the place of x.
@updates(ModifiedPerceptron, on=MISTAKE, forgets=Forgets.NOBODY)
def reflect(rule, f, y):
    if score(f) != 0 and k_xx(f) > 0:  # otherwise the hypothesis is its own mirror image
        add(f, weight=-2 * score(f) / k_xx(f))


@updates(RandomizedBudgetModifiedPerceptron, on=MISTAKE, keeps=GramAndScores)
def forget_at_random_and_reflect(rule, f, y):
    if score(f) != 0 and k_xx(f) > 0:
        left = 1.0
        if size(f) == rule.budget:
            left = forget(f, draw(f, rule.budget))
        reflect_what_is_left(f, y, left)


@updates(LeastRecentBudgetModifiedPerceptron, on=MISTAKE, keeps=GramAndScores)
def forget_the_oldest_and_reflect(rule, f, y):
    if score(f) != 0 and k_xx(f) > 0:
        left = 1.0
        if size(f) == rule.budget:
            left = forget(f, 0)
        reflect_what_is_left(f, y, left)


@inlined
def forget(f, i):
    """Forget a support and stretch what is left, unless it is nothing, to length 1."""
    remove_with_scores(f, i)
    left = norm(f)
    if left > NOTHING:
        stretch(f, 1 / left)
    return left


@inlined
def reflect_what_is_left(f, y, left):
    k = k_xx(f)
    if left > NOTHING:
        wrong, noise = exact_score(f)
        wrong = snapped(wrong, 0.0, noise)
        if y * wrong < 0:
            add_with_scores(f, weight=-2 * wrong / k)
    else:
        add_with_scores(f, weight=copysign(1 / sqrt(k), y))
