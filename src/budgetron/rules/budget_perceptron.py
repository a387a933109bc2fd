"""Budget Perceptron (CKS): when the budget is exceeded, remove the support that is missed least.

K. Crammer, J. Kandola and Y. Singer, "Online classification on a budget", NIPS 2003, as described
in the Forgetron paper, Sec. 5: "it removes the active example whose margin would be the largest
after the removal". The newcomer is a candidate, and ties go to the oldest.
"""

from __future__ import annotations

from typing import NamedTuple

from ..core.edits.gram import add_known, remove_known, safest
from ..core.expansion import size
from ..core.rule import GRAM, updates
from ..core.triggers import MISTAKE
from ..parameters import Budget

__all__ = ["BudgetPerceptron"]


class BudgetPerceptron(NamedTuple):
    """The Perceptron without the supports that the others classify best."""

    budget: Budget


@updates(BudgetPerceptron, on=MISTAKE, keeps=GRAM)
def forget_the_safest(rule, f, y):
    add_known(f, weight=y)
    if size(f) > rule.budget:
        remove_known(f, safest(f))
