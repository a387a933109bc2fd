"""Second-order Perceptron with a parameter that grows with the mistakes.

N. Cesa-Bianchi, A. Conconi and C. Gentile, "A second-order Perceptron algorithm", SIAM Journal on
Computing 34 (2005) 640-668, Fig. 4.1 with a_k = c R^2 k.
"""

from __future__ import annotations

from typing import NamedTuple

from ..core.edits.gram import add_labelled, solve_with_ridge
from ..core.edits.supports import k_xx, size
from ..core.memory import GramAndLabels
from ..core.rule import updates
from ..core.triggers import MISTAKE
from ..parameters import Positive

__all__ = ["AdaptiveSecondOrderPerceptron"]


class AdaptiveSecondOrderPerceptron(NamedTuple):
    """The second-order Perceptron with a = c R^2 k in the k-th stretch between mistakes."""

    c: Positive
    radius: Positive  # R in the paper


# Paper: "does not seem to have an update rule requiring only a quadratic number of operations";
# here: the growing a_k keeps the system so well conditioned that it is solved by iteration.
@updates(AdaptiveSecondOrderPerceptron, on=MISTAKE, keeps=GramAndLabels)
def solve_with_more_ridge(rule, f, y):
    if k_xx(f) > 0:
        add_labelled(f, y)
        k = size(f) + 1
        solve_with_ridge(f, rule.c * rule.radius**2 * k)
