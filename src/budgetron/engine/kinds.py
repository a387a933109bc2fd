"""Which kind of learner goes by which rule."""

from __future__ import annotations

from typing import Any

from ..core.rule import needs_span, needs_waves
from .learner import Learner
from .random_features import FourierLearner
from .span import SpanLearner

__all__ = ["kind_of_learner"]


def kind_of_learner(rule: Any) -> type[Learner]:
    """The class of learners of two classes by this rule."""
    if needs_span(rule):
        return SpanLearner
    return FourierLearner if needs_waves(rule) else Learner
