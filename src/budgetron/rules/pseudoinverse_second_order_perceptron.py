"""Second-order Perceptron with the pseudoinverse, and no parameter.

N. Cesa-Bianchi, A. Conconi and C. Gentile, "A second-order Perceptron algorithm", SIAM Journal on
Computing 34 (2005) 640-668, Fig. 4.2.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ..core.compiled import inlined
from ..core.edits.projection import projection, within
from ..core.edits.second_order import second_order_update
from ..core.edits.supports import k_xx
from ..core.memory import SecondOrderFactors
from ..core.rule import decides, updates
from ..core.triggers import MISTAKE

__all__ = ["PseudoinverseSecondOrderPerceptron"]


class PseudoinverseSecondOrderPerceptron(NamedTuple):
    """(X X^T)^+ applied to the Perceptron's vector."""


NEARLY_IN_SPAN = 1e-3
"""A distance, as a part of |x|, below which the inverse would amplify rounding beyond use."""


@inlined
def in_span_of_mistakes(f, squared_distance):
    return within(f, squared_distance, NEARLY_IN_SPAN * sqrt(k_xx(f)))


# The margin outside the span of the mistakes is exactly 0 (Sec. 4.2), and rounding must not say
# +-1e-16: the span is tested for.
@decides(PseudoinverseSecondOrderPerceptron)
def nothing_outside_the_span(rule, f, score):
    return score if in_span_of_mistakes(f, k_xx(f) - projection(f)) else 0.0


@updates(PseudoinverseSecondOrderPerceptron, on=MISTAKE, keeps=SecondOrderFactors)
def warp_without_ridge(rule, f, y):
    k = k_xx(f)
    if k > 0:
        squared_distance = max(0.0, k - projection(f))
        outside = not in_span_of_mistakes(f, squared_distance)
        second_order_update(f, y, squared_distance, outside, 0.0)
