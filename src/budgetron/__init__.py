"""Kernel classifiers that learn from an endless stream, in memory that never grows.

Every learner is a scikit-learn classifier with `partial_fit`; `prequential` runs one over a stream,
testing on each example before learning from it.
"""

from .engine import Trace
from .estimators import (
    AdaptiveSecondOrderPerceptron,
    BudgetPerceptron,
    DriftingThreshold,
    ExponentialDecayPerceptron,
    Forgetron,
    LeastRecentBudgetPerceptron,
    LeastRecentBudgetSecondOrderPerceptron,
    ModifiedPerceptron,
    PassiveAggressive,
    PassiveAggressiveI,
    PassiveAggressiveII,
    Perceptron,
    Projectron,
    ProjectronPlusPlus,
    PseudoinverseSecondOrderPerceptron,
    RandomizedBudgetPerceptron,
    RandomizedBudgetSecondOrderPerceptron,
    RestartingExperts,
    SecondOrderPerceptron,
    ShiftingPerceptron,
    Stoptron,
    WhitenedPerceptron,
)
from .evaluation import prequential

__all__ = [
    "AdaptiveSecondOrderPerceptron",
    "BudgetPerceptron",
    "DriftingThreshold",
    "ExponentialDecayPerceptron",
    "Forgetron",
    "LeastRecentBudgetPerceptron",
    "LeastRecentBudgetSecondOrderPerceptron",
    "ModifiedPerceptron",
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
    "Trace",
    "WhitenedPerceptron",
    "prequential",
]

__version__ = "0.1.0"
