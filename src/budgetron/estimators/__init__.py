"""The learners as scikit-learn classifiers, one file each."""

from .budget_perceptron import BudgetPerceptron
from .exponential_decay_perceptron import ExponentialDecayPerceptron
from .forgetron import Forgetron
from .kernel_classifier import KernelClassifier
from .least_recent_budget_perceptron import LeastRecentBudgetPerceptron
from .modified_perceptron import ModifiedPerceptron
from .passive_aggressive import PassiveAggressive, PassiveAggressiveI, PassiveAggressiveII
from .perceptron import Perceptron
from .randomized_budget_perceptron import RandomizedBudgetPerceptron
from .shifting_perceptron import ShiftingPerceptron
from .stoptron import Stoptron

__all__ = [
    "BudgetPerceptron",
    "ExponentialDecayPerceptron",
    "Forgetron",
    "KernelClassifier",
    "LeastRecentBudgetPerceptron",
    "ModifiedPerceptron",
    "PassiveAggressive",
    "PassiveAggressiveI",
    "PassiveAggressiveII",
    "Perceptron",
    "RandomizedBudgetPerceptron",
    "ShiftingPerceptron",
    "Stoptron",
]
