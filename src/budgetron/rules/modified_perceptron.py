"""Modified Perceptron: at a mistake, reflect the hypothesis, so that its norm never changes.

K. Crammer, E. Even-Dar, Y. Mansour and J. Wortman Vaughan, "Regret minimization with concept
drift", COLT 2010, Sec. 5.2, after Blum, Frieze, Kannan and Vempala.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ..expansion import add, own_value, rescore, score
from ..rule import begins, updates
from ..triggers import MISTAKE

__all__ = ["ModifiedPerceptron"]


class ModifiedPerceptron(NamedTuple):
    """w <- w - 2 (w.x) x / |x|^2 at mistakes."""


# Paper: "w_1 can be selected arbitrarily"; here x_1/|x_1|, since w_1 = 0 would never change.
@begins(ModifiedPerceptron)
def point_at_the_first_example(rule, f):
    k = own_value(f)
    if k > 0:
        add(f, weight=1 / sqrt(k))
        rescore(f, sqrt(k))


# Paper: |x| = 1; here any length, by footnote 3: x/|x| takes the place of x.
@updates(ModifiedPerceptron, on=MISTAKE)
def reflect(rule, f, y):
    k = own_value(f)
    if k > 0:
        add(f, weight=-2 * score(f) / k)
