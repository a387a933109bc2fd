"""The learners as scikit-learn classifiers."""

from .ahpatron import Ahpatron
from .averaging_classifier import AveragingClassifier
from .budget_perceptron import BudgetPerceptron
from .budgeted_passive_aggressive import BudgetedPassiveAggressive
from .budgetron import Budgetron
from .drifting_threshold import DriftingThreshold
from .exponential_decay_perceptron import ExponentialDecayPerceptron
from .forgetron import Forgetron
from .fourier_gradient_descent import FourierGradientDescent
from .kernel_classifier import KernelClassifier
from .least_recent_budget_perceptron import LeastRecentBudgetPerceptron
from .modified_perceptron import ModifiedPerceptron
from .nystrom_gradient_descent import NystromGradientDescent
from .passive_aggressive import PassiveAggressive, PassiveAggressiveI, PassiveAggressiveII
from .perceptron import Perceptron
from .projectron import Projectron, ProjectronPlusPlus
from .randomized_budget_perceptron import RandomizedBudgetPerceptron
from .restarting_experts import RestartingExperts
from .second_order_perceptron import (
    AdaptiveSecondOrderPerceptron,
    LeastRecentBudgetSecondOrderPerceptron,
    PseudoinverseSecondOrderPerceptron,
    RandomizedBudgetSecondOrderPerceptron,
    SecondOrderPerceptron,
)
from .shifting_perceptron import ShiftingPerceptron
from .stoptron import Stoptron
from .stream_classifier import StreamClassifier
from .whitened_perceptron import WhitenedPerceptron

__all__ = [
    "AdaptiveSecondOrderPerceptron",
    "Ahpatron",
    "AveragingClassifier",
    "BudgetPerceptron",
    "BudgetedPassiveAggressive",
    "Budgetron",
    "DriftingThreshold",
    "ExponentialDecayPerceptron",
    "Forgetron",
    "FourierGradientDescent",
    "KernelClassifier",
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
    "StreamClassifier",
    "WhitenedPerceptron",
]
