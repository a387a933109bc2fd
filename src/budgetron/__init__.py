"""Kernel classifiers that learn from an endless stream, in memory that never grows.

Every learner is a scikit-learn classifier with `partial_fit`; `prequential` runs one over a stream,
testing on each example before learning from it.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

if _TYPE_CHECKING:
    from .certificates import Certificate, certify
    from .engine import Trace
    from .estimators import (
        AdaptiveSecondOrderPerceptron,
        Ahpatron,
        BudgetedPassiveAggressive,
        BudgetPerceptron,
        Budgetron,
        DriftingThreshold,
        ExponentialDecayPerceptron,
        Forgetron,
        FourierGradientDescent,
        LeastRecentBudgetPerceptron,
        LeastRecentBudgetSecondOrderPerceptron,
        ModifiedPerceptron,
        NystromGradientDescent,
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
    from .saving import load

__all__ = [
    "AdaptiveSecondOrderPerceptron",
    "Ahpatron",
    "BudgetPerceptron",
    "BudgetedPassiveAggressive",
    "Budgetron",
    "Certificate",
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
    "engine",
    "estimators",
    "evaluation",
    "kernels",
    "papers",
    "reading",
    "river",
    "rules",
    "saving",
    "streams",
)
_ELSEWHERE = {
    "Certificate": "certificates",
    "Trace": "engine",
    "certify": "certificates",
    "load": "saving",
    "prequential": "evaluation",
}
"""Where the names are that are no learners."""


def __getattr__(name: str) -> _Any:
    """Import what is asked for, so that importing the package takes no time."""
    if name in _PARTS:
        return _import_module(f".{name}", __name__)
    if name in __all__:
        found = getattr(_import_module(f".{_ELSEWHERE.get(name, 'estimators')}", __name__), name)
        globals()[name] = found
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_PARTS, *__all__})


__version__ = "0.1.0"
