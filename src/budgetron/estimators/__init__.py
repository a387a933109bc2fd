"""The learners as scikit-learn classifiers."""

from typing import TYPE_CHECKING, Any

from ..registry import LEARNERS
from .averaging_classifier import AveragingClassifier as AveragingClassifier
from .explanation import Explanation as Explanation
from .kernel_classifier import KernelClassifier as KernelClassifier
from .own_rule import make_classifier as make_classifier
from .prediction import Prediction as Prediction
from .stream_classifier import StreamClassifier as StreamClassifier
from .waiting import Waiting as Waiting

if TYPE_CHECKING:
    from ..registry import *  # noqa: F403

__all__ = [
    *LEARNERS,
    "AveragingClassifier",
    "Explanation",
    "KernelClassifier",
    "Prediction",
    "StreamClassifier",
    "Waiting",
    "make_classifier",
]


def __getattr__(name: str) -> Any:
    """Import a learner when it is asked for."""
    if name in LEARNERS:
        return LEARNERS[name].estimator
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
