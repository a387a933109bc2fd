"""Kernel classifiers that learn from an endless stream, in memory that never grows.

Every learner is a scikit-learn classifier with `partial_fit`; `prequential` runs one over a stream,
testing on each example before learning from it.
"""

from importlib import import_module as _import_module
from typing import Any as _Any

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
    "Certificate",
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
    "certify",
    "load",
    "prequential",
]

_PARTS = (
    "adversaries",
    "bounds",
    "certificates",
    "comparators",
    "datasets",
    "drift",
    "experiments",
    "reading",
    "river",
    "saving",
    "streams",
)
_OF_PARTS = {"Certificate": "certificates", "certify": "certificates", "load": "saving"}


def __getattr__(name: str) -> _Any:
    """What is not for everyday, imported when it is first asked for."""
    if name in _PARTS:
        return _import_module(f".{name}", __name__)
    if name in _OF_PARTS:
        return getattr(_import_module(f".{_OF_PARTS[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_PARTS, *__all__})


__version__ = "0.1.0"
