"""Models that are made: by their learner and its parameters, or of bytes that were saved."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

import budgetron

from .. import keyed
from ..estimators import StreamClassifier
from ..keyed import KeyedClassifier
from ..registry import LEARNERS
from ..saving import SavedModelError, loads
from .bodies import LONGEST_TEXT, object_of, why_no_label
from .configuration import Limits
from .records import Label, Settings
from .refusal import Refusal

__all__ = ["given", "made"]


LARGEST_DEGREE = 100
"""Of a polynomial: each kernel value takes so many products."""


class New(msgspec.Struct, forbid_unknown_fields=True):
    """A model that is to be made."""

    learner: str
    parameters: dict[str, Any] = {}
    classes: list[Label] | None = None
    features: int | list[str] | None = None
    keyed: bool = False


def made(body: bytes, limits: Limits) -> tuple[bytes, Settings, int]:
    """A learner that has learned nothing."""
    new = object_of(body, New)
    if new.learner not in LEARNERS:
        raise Refusal(400, "bad_model", f"there is no learner {new.learner[:100]!r}")
    names = new.features if isinstance(new.features, list) else None
    width = len(names) if names is not None else new.features
    if isinstance(width, int) and not 0 < width <= limits.width:
        raise Refusal(400, "bad_model", f"there are 1 to {limits.width} features")
    if names is not None and len(set(names)) < len(names):
        raise Refusal(400, "bad_model", "two features have the same name")
    if any(len(name) > LONGEST_TEXT for name in names or ()):
        raise Refusal(400, "bad_model", f"a name has at most {LONGEST_TEXT} characters")
    classes = new.classes
    for name, most in (("budget", limits.budget), ("degree", LARGEST_DEGREE)):
        size = new.parameters.get(name)
        if isinstance(size, int | float) and size > most:
            raise Refusal(400, "bad_model", f"a {name} is at most {most}")
    if classes is not None:
        _check_classes(classes, limits.classes)
    settings = Settings(classes, width if isinstance(width, int) else None, names, new.keyed)
    try:
        learner: Any = getattr(budgetron, new.learner)(**new.parameters)
        X = np.arange(3.0 * (settings.width or 1)).reshape(3, -1) / 3
        own = classes or [0, 1]
        learner._unfitted().partial_fit(X, [own[0], own[1], own[0]], classes=classes)
        state = KeyedClassifier(learner).dumps() if new.keyed else learner.dumps()
    except (TypeError, ValueError, AttributeError, SavedModelError, ImportError) as error:
        raise Refusal(400, "bad_model", str(error)) from None
    return state, settings, 0


def _check_classes(classes: list[Label], most: int) -> None:
    if not 2 <= len(set(classes)) <= most or len({isinstance(it, str) for it in classes}) > 1:
        message = f"classes are 2 to {most} labels, all text or all numbers"
        raise Refusal(400, "bad_model", message)
    for reason in filter(None, map(why_no_label, classes)):
        raise Refusal(400, "bad_model", reason)
    if np.array(classes).tolist() != classes:
        raise Refusal(400, "bad_model", "no type of number has all these classes as they are")


def given(body: bytes) -> tuple[bytes, Settings, int]:
    """A learner that was saved elsewhere."""
    try:
        if body.startswith(b"keyed budgetron"):
            return body, Settings(keyed=True), int(_seen(keyed.loads(body)))
        learner = loads(body)
    except (SavedModelError, ValueError, TypeError) as error:
        raise Refusal(400, "bad_model", str(error)) from None
    if not isinstance(learner, StreamClassifier):
        raise Refusal(400, "bad_model", f"{type(learner).__name__} is no learner of a stream")
    return body, Settings(), int(_seen(learner))


def _seen(learner: Any) -> int:
    return learner.n_seen_ if learner.__sklearn_is_fitted__() else 0
