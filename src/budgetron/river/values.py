"""What may be the value of a feature: a real number."""

from __future__ import annotations

from collections.abc import Iterable
from math import nan
from numbers import Real
from typing import Any

import numpy as np

__all__ = ["refuse_what_is_no_number", "usual_numbers", "with_nan"]

usual_numbers = frozenset({float, int, bool, *(np.dtype(code).type for code in "?bhilqBHILQefdg")})


def refuse_what_is_no_number(names: Iterable[Any], values: Iterable[Any]) -> None:
    """Raise TypeError if a value is no real number: a text, None, a complex number, an array."""
    for name, value in zip(names, values, strict=True):
        if type(value) not in usual_numbers and (
            not isinstance(value, Real) or isinstance(value, np.timedelta64)
        ):
            raise TypeError(f"feature {name!r} must be a number, got {type(value).__name__}")


def with_nan(values: Iterable[Any]) -> list[Any]:
    """The values with NaN in the place of None."""
    return [nan if value is None else value for value in values]
