"""Second-order Perceptron with the pseudoinverse, and no parameter.

N. Cesa-Bianchi, A. Conconi and C. Gentile, "A second-order Perceptron algorithm", SIAM Journal on
Computing 34 (2005) 640-668, Fig. 4.2.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ..core.compiled import inlined
from ..core.edits.projection import projection, within
from ..core.edits.second_order import warp
from ..core.expansion import own_value
from ..core.rule import FACTOR, SOLVED, judges, updates
from ..core.triggers import MISTAKE

__all__ = ["PseudoinverseSecondOrderPerceptron"]


class PseudoinverseSecondOrderPerceptron(NamedTuple):
    """(X X^T)^+ applied to the Perceptron's vector."""


NEARLY_IN_SPAN = 1e-3
"""A distance, as a part of |x|, below which the inverse would amplify rounding beyond use."""


@inlined
def in_span_of_mistakes(f, squared_distance):
    return within(f, squared_distance, NEARLY_IN_SPAN * sqrt(own_value(f)))


# The margin outside the span of the mistakes is exactly 0 (Sec. 4.2), and rounding must not say
# +-1e-16: the span is tested for.
@judges(PseudoinverseSecondOrderPerceptron)
def nothing_outside_the_span(rule, f, score):
    return score if in_span_of_mistakes(f, own_value(f) - projection(f)) else 0.0


@updates(PseudoinverseSecondOrderPerceptron, on=MISTAKE, keeps=FACTOR, blur=SOLVED)
def warp_without_ridge(rule, f, y):
    k = own_value(f)
    if k > 0:
        squared_distance = max(0.0, k - projection(f))
        warp(f, y, squared_distance, not in_span_of_mistakes(f, squared_distance), 0.0)
