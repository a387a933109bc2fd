"""A learner's parameters as JSON: what JSON does not have is an object that says what it is."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..core.kernel import Kernel
from ..estimators import StreamClassifier
from .arrays import Arrays
from .checking import SavedModelError, demand, fields, listed, real, whole
from .ingredients import describe_kernel, restore_kernel

__all__ = ["describe_parameter", "restore_parameter"]

Describe = Callable[[StreamClassifier, Arrays], Any]
Restore = Callable[[Any, Arrays], StreamClassifier]

WORDS = 624
"""In the state of the Mersenne Twister."""


def describe_parameter(name: str, value: Any, arrays: Arrays, learner: Describe) -> Any:
    """A value as JSON, given how to describe a learner."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or type(value) in (bool, str):
        return value
    if isinstance(value, str):
        return str(value)
    if type(value) is int:
        return _not_too_large(name, value)
    if type(value) is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if isinstance(value, Kernel):
        return {"kernel": describe_kernel(value)}
    if isinstance(value, StreamClassifier):
        return {"learner": learner(value, arrays.part())}
    if isinstance(value, np.random.RandomState):
        return {"random_state": _describe_random_state(value, arrays)}
    if isinstance(value, list | tuple):
        each = [
            describe_parameter(f"{name}[{i}]", one, arrays.part(), learner)
            for i, one in enumerate(value)
        ]
        return {"list" if isinstance(value, list) else "tuple": each}
    if isinstance(value, Mapping):
        pairs = [
            [describe_parameter(f"{name}, {part},", part, arrays, learner) for part in pair]
            for pair in value.items()
        ]
        return {"dict": pairs}
    hint = " a function of one's own" if callable(value) else ""
    raise SavedModelError(f"{name} cannot be saved:{hint} {value!r}")


def restore_parameter(name: str, document: Any, arrays: Arrays, learner: Restore) -> Any:
    """The value that was described."""
    if document is None or isinstance(document, bool | float | str):
        return document
    if isinstance(document, int):
        return _not_too_large(name, document)
    demand(isinstance(document, dict) and len(document) == 1, f"{name} is no parameter")
    ((kind, inner),) = document.items()
    if kind == "float":
        demand(inner in ("inf", "-inf", "nan"), f"{name} is no number")
        return float(inner)
    if kind == "kernel":
        return restore_kernel(inner)
    if kind == "learner":
        return learner(inner, arrays.part())
    if kind == "random_state":
        return _restore_random_state(inner, arrays)
    if kind in ("list", "tuple"):
        each = [
            restore_parameter(f"{name}[{i}]", one, arrays.part(), learner)
            for i, one in enumerate(listed(inner, name))
        ]
        return each if kind == "list" else tuple(each)
    demand(kind == "dict", f"{name} is of an unknown kind: {kind[:30]!r}")
    pairs = [listed(pair, name) for pair in listed(inner, name)]
    plain = all(
        len(pair) == 2 and all(isinstance(part, bool | int | float | str) for part in pair)
        for pair in pairs
    )
    demand(plain, f"{name} must be pairs of plain values")
    members = dict(pairs)
    demand(len(members) == len(pairs), f"a key of {name} is repeated")
    return members


def _not_too_large(name: str, value: int) -> int:
    demand(abs(value) < 2**64, f"{name}={value} is too large to be saved")
    return value


def _describe_random_state(random: np.random.RandomState, arrays: Arrays) -> dict[str, Any]:
    state: Any = random.get_state(legacy=False)
    kind = state["bit_generator"]
    demand(kind == "MT19937", f"a RandomState with {kind} cannot be saved: give an int")
    arrays.put(state["state"]["key"])
    return {
        "position": int(state["state"]["pos"]),
        "has_gauss": int(state["has_gauss"]),
        "gauss": float(state["gauss"]),
    }


def _restore_random_state(document: Any, arrays: Arrays) -> np.random.RandomState:
    fields(document, "the random state", ("position", "has_gauss", "gauss"))
    random, key = np.random.RandomState(), arrays.take("key", np.uint32, WORDS)
    position = whole(document["position"], "the random state's position", most=WORDS)
    has_gauss = whole(document["has_gauss"], "the random state's has_gauss", most=1)
    gauss = real(document["gauss"], "the random state's gauss")
    random.set_state(("MT19937", key, position, has_gauss, gauss))
    return random
