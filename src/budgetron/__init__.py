"""Kernel classifiers that learn from an endless stream, in memory that never grows.

Every learner is a scikit-learn classifier with `partial_fit`; `prequential` runs one over a stream,
testing on each example before learning from it.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from .registry import LEARNERS as _LEARNERS

__version__ = "0.1.0"

if _TYPE_CHECKING:
    from .certificates import Certificate as Certificate
    from .certificates import certify as certify
    from .estimators import Prediction as Prediction
    from .estimators import Waiting as Waiting
    from .estimators import make_classifier as make_classifier
    from .evaluation import Trace as Trace
    from .evaluation import prequential as prequential
    from .registry import *  # noqa: F403
    from .saving import load as load

_ELSEWHERE = {
    "Certificate": "certificates",
    "Prediction": "estimators",
    "Trace": "evaluation",
    "Waiting": "estimators",
    "certify": "certificates",
    "load": "saving",
    "make_classifier": "estimators",
    "prequential": "evaluation",
}
"""Where the names are that are no learners."""

__all__ = sorted([*_LEARNERS, *_ELSEWHERE])

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
