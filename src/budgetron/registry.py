"""The learners, in one list: whatever goes over all of them is made from it.

Importing it takes no time: a learner is imported when it is asked for.
"""
# ruff: noqa: F403

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # so that type checkers know them
    from .estimators.ahpatron import *
    from .estimators.budget_perceptron import *
    from .estimators.budgeted_gradient_descent import *
    from .estimators.budgeted_passive_aggressive import *
    from .estimators.budgetron import *
    from .estimators.drifting_threshold import *
    from .estimators.exponential_decay_perceptron import *
    from .estimators.forgetron import *
    from .estimators.fourier_gradient_descent import *
    from .estimators.least_recent_budget_perceptron import *
    from .estimators.modified_perceptron import *
    from .estimators.norma import *
    from .estimators.nystrom_gradient_descent import *
    from .estimators.passive_aggressive import *
    from .estimators.perceptron import *
    from .estimators.projectron import *
    from .estimators.randomized_budget_perceptron import *
    from .estimators.restarting_experts import *
    from .estimators.second_order_perceptron import *
    from .estimators.shifting_perceptron import *
    from .estimators.stoptron import *
    from .estimators.whitened_perceptron import *


class Learner(NamedTuple):
    """Where a learner is, and what is said of it on the page of all learners."""

    name: str
    module: str  # below `estimators`
    paper: str
    bound: str  # on its mistakes
    source: str = ""  # what it does, below `budgetron`, if not in `rules/<module>`

    @property
    def estimator(self) -> Any:
        """The scikit-learn classifier."""
        return getattr(import_module(f".estimators.{self.module}", __package__), self.name)


_ROWS = (
    Learner(
        "Budgetron",
        "budgetron",
        "[ours](flagship.md), from all five",
        "against its own experts, whatever the stream; standing still, against any g",
    ),
    Learner("Perceptron", "perceptron", "all five", "|g|² + 2 Σ hinge loss of g, for any g"),
    Learner(
        "ShiftingPerceptron",
        "shifting_perceptron",
        "tracking, Fig. 1",
        "Theorem 2, against any shifting sequence",
    ),
    Learner(
        "ExponentialDecayPerceptron",
        "exponential_decay_perceptron",
        "tracking, Sec. 2",
        "none in the paper",
    ),
    Learner(
        "RandomizedBudgetPerceptron",
        "randomized_budget_perceptron",
        "tracking, Fig. 2",
        "Theorem 5, in expectation, against shifting sequences of norm O(√budget)",
    ),
    Learner(
        "LeastRecentBudgetPerceptron",
        "least_recent_budget_perceptron",
        "tracking, Sec. 4",
        "the Perceptron's, until the budget is full",
    ),
    Learner(
        "BudgetPerceptron",
        "budget_perceptron",
        "forgetron, Sec. 5 (CKS)",
        "the Perceptron's, until the budget is full",
    ),
    Learner(
        "Forgetron",
        "forgetron",
        "forgetron, Fig. 1",
        "Theorem 2: 2 |g|² + 4 Σ hinge loss, for |g| ≤ ¼ √((B+1)/log(B+1)), B ≥ 83",
    ),
    Learner(
        "Stoptron", "stoptron", "projectron, Sec. 5", "the Perceptron's, until the budget is full"
    ),
    Learner(
        "PassiveAggressive", "passive_aggressive", "projectron, Sec. 5", "in Crammer et al., 2006"
    ),
    Learner(
        "PassiveAggressiveI", "passive_aggressive", "projectron, Sec. 5", "in Crammer et al., 2006"
    ),
    Learner(
        "PassiveAggressiveII", "passive_aggressive", "projectron, Sec. 5", "in Crammer et al., 2006"
    ),
    Learner(
        "Projectron",
        "projectron",
        "projectron, Alg. 2",
        "Theorem 2, Corollary 1 (with `norm_bound`), Theorem 3",
    ),
    Learner("ProjectronPlusPlus", "projectron", "projectron, Sec. 4.1", "Eq. (15)"),
    Learner(
        "BudgetedPassiveAggressive",
        "budgeted_passive_aggressive",
        "Wang and Vucetic, 2010 (BPA-S)",
        "none here",
    ),
    Learner("Norma", "norma", "Kivinen et al., 2004", "of its regret, in the paper"),
    Learner(
        "BudgetedGradientDescent",
        "budgeted_gradient_descent",
        "Zhao et al., 2012 (BOGD)",
        "of its regret, in the paper",
    ),
    Learner("Ahpatron", "ahpatron", "Liao et al., 2024", "in the paper, and not here"),
    Learner(
        "NystromGradientDescent",
        "nystrom_gradient_descent",
        "Lu et al., 2016 (NOGD)",
        "of its regret, in the paper",
    ),
    Learner(
        "FourierGradientDescent",
        "fourier_gradient_descent",
        "Lu et al., 2016 (FOGD)",
        "of its regret, in the paper",
    ),
    Learner(
        "SecondOrderPerceptron",
        "second_order_perceptron",
        "second order, Fig. 3.1",
        "Theorem 3.1, spectral",
    ),
    Learner(
        "AdaptiveSecondOrderPerceptron",
        "second_order_perceptron",
        "second order, Fig. 4.1",
        "Theorem 4.1",
        "rules/adaptive_second_order_perceptron",
    ),
    Learner(
        "PseudoinverseSecondOrderPerceptron",
        "second_order_perceptron",
        "second order, Fig. 4.2",
        "Theorem 4.2",
        "rules/pseudoinverse_second_order_perceptron",
    ),
    Learner(
        "WhitenedPerceptron",
        "whitened_perceptron",
        "second order, Sec. 2",
        "(2.1), with all instances known",
        "estimators/whitened_perceptron",
    ),
    Learner(
        "RandomizedBudgetSecondOrderPerceptron",
        "second_order_perceptron",
        "tracking, Sec. 4",
        "none",
    ),
    Learner(
        "LeastRecentBudgetSecondOrderPerceptron",
        "second_order_perceptron",
        "tracking, Sec. 4",
        "none",
    ),
    Learner(
        "ModifiedPerceptron",
        "modified_perceptron",
        "drift, Sec. 5.2; with a `budget` if wished",
        "Theorem 10, for slowly drifting hyperplanes",
    ),
    Learner(
        "DriftingThreshold",
        "drifting_threshold",
        "drift, Sec. 5.1",
        "Theorem 5, for a slowly drifting threshold on one feature",
        "core/threshold",
    ),
    Learner(
        "RestartingExperts",
        "restarting_experts",
        "drift, Sec. 4",
        "Theorems 3 and 4, against slowly changing sequences of fixed experts;"
        " against the best of each period for any",
        "core/hedge",
    ),
)

LEARNERS = {row.name: row for row in _ROWS}
"""By name, in the order of that page's table."""
