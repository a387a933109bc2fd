"""Budget Perceptron (CKS): when the budget is exceeded, remove the support that is missed least.

K. Crammer, J. Kandola and Y. Singer, "Online classification on a budget", NIPS 2003, as described
in the Forgetron paper, Sec. 5: "it removes the active example whose margin would be the largest
after the removal". The newcomer is a candidate, and ties go to the oldest.
"""

from __future__ import annotations

from typing import NamedTuple

from ..core.edits.gram import add_with_scores, remove_with_scores, safest
from ..core.edits.supports import size
from ..core.memory import GramAndScores
from ..core.rule import updates
from ..core.triggers import MISTAKE
from ..parameters import Budget

__all__ = ["BudgetPerceptron"]


class BudgetPerceptron(NamedTuple):
    """The Perceptron without the supports that the others classify best."""

    budget: Budget


@updates(BudgetPerceptron, on=MISTAKE, keeps=GramAndScores, multiclass=True)
def forget_the_safest(rule, f, y):
    add_with_scores(f, weight=y)
    if size(f) > rule.budget:
        remove_with_scores(f, safest(f))
