"""Kernel classifiers that learn from an endless stream, in memory that never grows.

Every learner is a scikit-learn classifier with `partial_fit`; `prequential` runs one over a stream,
testing on each example before learning from it.
"""

import typing as _typing
from importlib import import_module as _import_module

from .registry import LEARNERS as _LEARNERS

__version__ = "0.1.0"

if _typing.TYPE_CHECKING:
    from . import adversaries as adversaries
    from . import bounds as bounds
    from . import certificates as certificates
    from . import comparators as comparators
    from . import datasets as datasets
    from . import drift as drift
    from . import engine as engine
    from . import estimators as estimators
    from . import evaluation as evaluation
    from . import kernels as kernels
    from . import keyed as keyed
    from . import papers as papers
    from . import reading as reading
    from . import river as river
    from . import rules as rules
    from . import saving as saving
    from . import spark as spark
    from . import streams as streams
    from .certificates import Certificate as Certificate
    from .certificates.certify import certify as certify
    from .estimators import Explanation as Explanation
    from .estimators import Prediction as Prediction
    from .estimators import Waiting as Waiting
    from .estimators import make_classifier as make_classifier
    from .evaluation import Trace as Trace
    from .evaluation.prequential import prequential as prequential
    from .registry import *  # noqa: F403
    from .saving import load as load
    from .saving import loads as loads

_ELSEWHERE = {
    "Certificate": "certificates",
    "Explanation": "estimators",
    "Prediction": "estimators",
    "Trace": "evaluation",
    "Waiting": "estimators",
    "certify": "certificates",
    "load": "saving",
    "loads": "saving",
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
    "keyed",
    "papers",
    "reading",
    "river",
    "rules",
    "saving",
    "spark",
    "streams",
)


if not _typing.TYPE_CHECKING:  # who would take any name for one that is there

    def __getattr__(name: str) -> _typing.Any:
        """Import what is asked for, so that importing the package takes no time."""
        if name in _PARTS:
            return _import_module(f".{name}", __name__)
        if name in __all__:
            found = getattr(
                _import_module(f".{_ELSEWHERE.get(name, 'estimators')}", __name__), name
            )
            globals()[name] = found
            return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_PARTS, *__all__})
