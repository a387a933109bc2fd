"""Columns that say which row it is, and not what it is like; and dates that tell the label."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from sklearn.feature_selection import f_classif

from ..core.columns import FIRST_LOOK, MOST, next_look

__all__ = [
    "FEWEST",
    "hour_of",
    "leaves_its_range",
    "parts_that_tell",
    "tells_rows_apart",
    "weekday_of",
]

FEWEST = 20
"""Rows; fewer say nothing about a column."""

DAY = 86400
MONDAY = 3  # days before 1970 began, on a Thursday
BY_CHANCE = 0.001
"""What is likelier than this may be chance."""

_CALLED_ID = re.compile(r"(.*[\s_.-])?(id|uuid|guid|key)|.*[a-z](Id|ID)", re.DOTALL)


def leaves_its_range(values: np.ndarray) -> str | None:
    """In which way a column leaves the range of the rows before, again and again.

    It is looked at after 10, 15, 20, 30, 40, 60, ... rows, as `Budgetron` looks at its features. It
    leaves its range if most rows since the last look, and before that, are outside; and if it has
    done so from the beginning, or never turns round.
    """
    if len(values) < FEWEST or not np.isfinite(values).all():
        return None
    leaves = [
        np.mean((now < before.min()) | (now > before.max())) > MOST
        for before, now in _looks(values)
    ]
    if not all(leaves[-2:]):
        return None
    steps = np.sign(np.diff(values))
    if (steps >= 0).all():
        return "it only rises"
    if (steps <= 0).all():
        return "it only falls"
    return "it leaves its range all the time" if all(leaves) else None


def tells_rows_apart(name: str, values: Sequence[Any], *, numbers: bool) -> bool:
    """Whether a column is an id: no value comes twice, and numbers are called so."""
    if len(values) < FEWEST or len(set(values)) < len(values):
        return False
    called = _CALLED_ID.fullmatch(name) or _CALLED_ID.fullmatch(name.lower())
    return not numbers or called is not None


def parts_that_tell(seconds: np.ndarray, labels: Sequence[Any]) -> list[str]:
    """Which of hour and weekday the labels of the first rows depend on, given dates in seconds.

    What repeats can only be seen if it does: after two days, and two weeks.
    """
    is_known = [label not in (None, "") for label in labels]
    told = np.array(list(map(str, labels)))[is_known]
    seconds = seconds[is_known]
    days = np.ptp(seconds) / DAY if len(seconds) else 0.0
    if len(seconds) < FEWEST or len(set(told)) < 2 or not days >= 2:
        return []
    features = {"hour": hour_of(seconds)} | ({"weekday": weekday_of(seconds)} if days >= 14 else {})
    return [part for part, circle in features.items() if _depends(told, np.column_stack(circle))]


def _depends(labels: np.ndarray, X: np.ndarray) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of features that are constant
        chances = f_classif(X.round(9), labels)[1]
        return bool(np.nanmin(chances) < BY_CHANCE)


def hour_of(seconds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The time of day, as a point on a circle."""
    return _circle(seconds / DAY)


def weekday_of(seconds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The day of the week, as a point on a circle."""
    return _circle((np.floor(seconds / DAY) + MONDAY) / 7)


def _circle(turns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    angles = 2 * np.pi * (turns % 1)
    return np.cos(angles), np.sin(angles)


def _looks(values: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """The rows before each look, and those since then."""
    looks = [FIRST_LOOK]
    while (later := next_look(looks[-1])) <= len(values):
        looks.append(later)
    return [(values[:a], values[a:b]) for a, b in pairwise(looks)]
