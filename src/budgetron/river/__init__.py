"""The learners as classifiers of River: under the same names, with the same parameters.

They learn from dicts whose names may appear and vanish, and from frames.
"""

try:
    import river as _river  # noqa: F401
except ImportError as error:
    raise ImportError("this needs River: pip install 'budgetron[river]'") from error

from .. import estimators
from .classifier import KernelLearner
from .drifting_threshold import DriftingThreshold
from .restarting_experts import RestartingExperts

__all__ = [
    "AdaptiveSecondOrderPerceptron",
    "Ahpatron",
    "BudgetPerceptron",
    "BudgetedPassiveAggressive",
    "Budgetron",
    "DriftingThreshold",
    "ExponentialDecayPerceptron",
    "Forgetron",
    "FourierGradientDescent",
    "LeastRecentBudgetPerceptron",
    "LeastRecentBudgetSecondOrderPerceptron",
    "ModifiedPerceptron",
    "NystromGradientDescent",
    "PassiveAggressive",
    "PassiveAggressiveI",
    "PassiveAggressiveII",
    "Perceptron",
    "Projectron",
    "ProjectronPlusPlus",
    "PseudoinverseSecondOrderPerceptron",
    "RandomizedBudgetPerceptron",
    "RandomizedBudgetSecondOrderPerceptron",
    "RestartingExperts",
    "SecondOrderPerceptron",
    "ShiftingPerceptron",
    "Stoptron",
]

# The docstrings are made from those of the estimators.
# ruff: noqa: D101


class AdaptiveSecondOrderPerceptron(
    KernelLearner, learns_with=estimators.AdaptiveSecondOrderPerceptron
): ...


class Ahpatron(KernelLearner, learns_with=estimators.Ahpatron): ...


class BudgetPerceptron(KernelLearner, learns_with=estimators.BudgetPerceptron): ...


class BudgetedPassiveAggressive(
    KernelLearner, learns_with=estimators.BudgetedPassiveAggressive
): ...


class Budgetron(KernelLearner, learns_with=estimators.Budgetron): ...


class ExponentialDecayPerceptron(
    KernelLearner, learns_with=estimators.ExponentialDecayPerceptron
): ...


class Forgetron(KernelLearner, learns_with=estimators.Forgetron): ...


class FourierGradientDescent(KernelLearner, learns_with=estimators.FourierGradientDescent): ...


class LeastRecentBudgetPerceptron(
    KernelLearner, learns_with=estimators.LeastRecentBudgetPerceptron
): ...


class LeastRecentBudgetSecondOrderPerceptron(
    KernelLearner, learns_with=estimators.LeastRecentBudgetSecondOrderPerceptron
): ...


class ModifiedPerceptron(KernelLearner, learns_with=estimators.ModifiedPerceptron): ...


class NystromGradientDescent(KernelLearner, learns_with=estimators.NystromGradientDescent): ...


class PassiveAggressive(KernelLearner, learns_with=estimators.PassiveAggressive): ...


class PassiveAggressiveI(KernelLearner, learns_with=estimators.PassiveAggressiveI): ...


class PassiveAggressiveII(KernelLearner, learns_with=estimators.PassiveAggressiveII): ...


class Perceptron(KernelLearner, learns_with=estimators.Perceptron): ...


class Projectron(KernelLearner, learns_with=estimators.Projectron): ...


class ProjectronPlusPlus(KernelLearner, learns_with=estimators.ProjectronPlusPlus): ...


class PseudoinverseSecondOrderPerceptron(
    KernelLearner, learns_with=estimators.PseudoinverseSecondOrderPerceptron
): ...


class RandomizedBudgetPerceptron(
    KernelLearner, learns_with=estimators.RandomizedBudgetPerceptron
): ...


class RandomizedBudgetSecondOrderPerceptron(
    KernelLearner, learns_with=estimators.RandomizedBudgetSecondOrderPerceptron
): ...


class SecondOrderPerceptron(KernelLearner, learns_with=estimators.SecondOrderPerceptron): ...


class ShiftingPerceptron(KernelLearner, learns_with=estimators.ShiftingPerceptron): ...


class Stoptron(KernelLearner, learns_with=estimators.Stoptron): ...
