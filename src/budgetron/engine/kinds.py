"""Which kind of learner goes by which rule."""

from __future__ import annotations

from typing import Any

from ..core.edits.random_features import RandomFeatures
from ..core.edits.span import Span
from ..core.rule import contract
from .learner import Learner
from .random_features import RandomFeatureLearner
from .span import SpanLearner

__all__ = ["kind_of_learner"]


def kind_of_learner(rule: Any) -> type[Learner]:
    """The class of learners of two classes by this rule."""
    keeps = contract(rule).keeps
    if keeps is Span:
        return SpanLearner
    return RandomFeatureLearner if keeps is RandomFeatures else Learner
