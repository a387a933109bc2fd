"""The other learners on a budget, with as much memory as Budgetron has.

A row takes w numbers: its features if it is dense, its values and their places if it is sparse.
Budgetron keeps B rows, three weights for each, and two matrices of B x B: B (w + 3) + 2 B^2.

- B' supports with their weights: B' (w + 1).
- B' supports with a matrix of all by all: B' (w + 1) + B'^2.
- D Fourier frequencies, each with two weights: D (d + 2), for d features.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

from scipy import sparse

import budgetron

__all__ = ["RIVALS", "WIDTHS", "Rival", "budget_of", "numbers_of"]

WIDTHS = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Times the width that Budgetron is given: each rival has the best of these, in hindsight."""

STEPS = (0.05, 0.2, 0.8)
"""Of gradient descent: the best as well."""


@dataclass(frozen=True)
class Rival:
    """A learner, what it keeps, and what is chosen for it beside the width."""

    name: str
    keeps: str = "supports"
    choices: tuple[dict[str, Any], ...] = ({},)

    def new(self, budget, gamma, choice):
        """One with this budget."""
        learner = getattr(budgetron, self.name)
        options = {"random_state": 0} if "random_state" in learner().get_params() else {}
        return learner(budget=budget, gamma=gamma, **options, **choice)


MATRIX, FREQUENCIES = "matrix", "frequencies"
RIVALS = (
    Rival("RandomizedBudgetPerceptron"),
    Rival("LeastRecentBudgetPerceptron"),
    Rival("BudgetPerceptron", MATRIX),
    Rival("Forgetron"),
    Rival("Stoptron"),
    Rival("ModifiedPerceptron", MATRIX),
    Rival("Projectron", MATRIX),
    Rival("ProjectronPlusPlus", MATRIX),
    Rival("RandomizedBudgetSecondOrderPerceptron", MATRIX),
    Rival("LeastRecentBudgetSecondOrderPerceptron", MATRIX),
    Rival("BudgetedPassiveAggressive"),
    Rival("Ahpatron", MATRIX),
    Rival("NystromGradientDescent", MATRIX, tuple({"step": step} for step in STEPS)),
    Rival("FourierGradientDescent", FREQUENCIES, tuple({"step": step} for step in STEPS)),
)


def width_of(X):
    """How many numbers a stored row takes."""
    return 2 * X.nnz / X.shape[0] if sparse.issparse(X) else X.shape[1]


def numbers_of(budget, X):
    """How many numbers Budgetron keeps."""
    return budget * (width_of(X) + 3) + 2 * budget**2


def budget_of(rival, numbers, X):
    """The budget that takes a rival as many numbers, and 1 at least."""
    own = width_of(X) + 1
    if rival.keeps == MATRIX:
        budget = (sqrt(own**2 + 4 * numbers) - own) / 2
    elif rival.keeps == FREQUENCIES:
        budget = numbers / (X.shape[1] + 2)
    else:
        budget = numbers / own
    return max(1, int(budget))
