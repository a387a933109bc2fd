"""Kernel classifiers that learn from an endless stream, in memory that never grows.

Every learner is a scikit-learn classifier with `partial_fit`; `prequential` runs one over a stream,
testing on each example before learning from it.
"""

from .engine import Trace
from .estimators import (
    BudgetPerceptron,
    ExponentialDecayPerceptron,
    Forgetron,
    LeastRecentBudgetPerceptron,
    ModifiedPerceptron,
    PassiveAggressive,
    PassiveAggressiveI,
    PassiveAggressiveII,
    Perceptron,
    RandomizedBudgetPerceptron,
    ShiftingPerceptron,
    Stoptron,
)
from .evaluation import prequential

__all__ = [
    "BudgetPerceptron",
    "ExponentialDecayPerceptron",
    "Forgetron",
    "LeastRecentBudgetPerceptron",
    "ModifiedPerceptron",
    "PassiveAggressive",
    "PassiveAggressiveI",
    "PassiveAggressiveII",
    "Perceptron",
    "RandomizedBudgetPerceptron",
    "ShiftingPerceptron",
    "Stoptron",
    "Trace",
    "prequential",
]

__version__ = "0.1.0"
