"""What is taken from an input: the label, and what each column becomes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from ..reading import Column, LeftOut, Plan
from ..reading.escaping import escaped
from ..reading.plan import DATES
from .console import make_console

__all__ = ["ColumnNotes", "becomes", "note", "taken", "taken_as_dict"]

CLASSES_SHOWN = 6
SCALE_RATIO = 100
"""A column that varies so much more than another is all that a kernel sees."""
NAMES = {
    "number": "number",
    "boolean": "boolean",
    "date": "date",
    "clock": "date as hour and weekday",
    "hour": "date as hour",
    "weekday": "date as weekday",
    "seconds": "date as seconds",
    "one-hot": "category",
    "hashed": "hashed category",
    "words": "text as words",
    "indexed": "indexed set",
}
PLURALS = {"category": "categories", "hashed category": "hashed categories"}


def taken(plan: Plan, classes: tuple[str, ...] | None = None) -> str:
    """One line that says what the labels are, and how many columns there are of each kind."""
    kinds = Counter(NAMES[column.kind] for column in plan.columns)
    columns = ", ".join(_counted(count, name) for name, count in kinds.items())
    left = [repr(each.name) for each in plan.left_out]
    parts = [
        _label(plan, plan.classes if classes is None else classes),
        f"{_counted(plan.width, 'feature')} from {columns}",
        *([f"left out {', '.join(left[:CLASSES_SHOWN])}"] if left else []),
    ]
    return escaped("; ".join(filter(None, parts)))


def taken_as_dict(plan: Plan) -> dict[str, Any]:
    """The same for programs."""
    return {
        "target": plan.target,
        "labels": plan.labels,
        "classes": list(plan.classes),
        "columns": {column.name: column.kind for column in plan.columns},
        "features": plan.width,
        "left_out": {each.name: each.reason for each in plan.left_out},
    }


def becomes(column: Column | LeftOut) -> str:
    """What becomes of a column, and how to have it otherwise."""
    if isinstance(column, LeftOut):
        keep = f": --kind {column.name}={column.kind} keeps it" if column.kind else ""
        return f"left out, {column.reason}{keep}"
    features = _counted(column.width, "feature")
    if column.kind not in DATES:
        return features
    parts = " and ".join(DATES[column.kind])
    more = "" if column.kind == "date" else f"; --kind {column.name}=date takes all of it"
    return f"{features}: {parts}{more}"


def _label(plan: Plan, classes: tuple[str, ...]) -> str:
    if plan.target is None:
        return ""
    shown = [*classes[:CLASSES_SHOWN], *["..."] * (len(classes) > CLASSES_SHOWN)]
    many = f"{len(classes)} classes so far: " if len(classes) > CLASSES_SHOWN else ""
    return f"label {plan.target!r} ({many}{', '.join(shown) or 'none in the first rows'})"


def _counted(count: int, name: str) -> str:
    first, link, rest = name.partition(" as ")
    return f"{count:,} {first if count == 1 else PLURALS.get(first, first + 's')}{link}{rest}"


class ColumnNotes:
    """What a user may not have thought of, on standard error.

    Parameters
    ----------
    plan : Plan
        Those of the columns that are left out are printed at once.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._late: Counter[str] = Counter()
        self._rows = 0
        self._bounds: dict[str, tuple[float, float]] = {}
        self._outside: Counter[str] = Counter()
        places = plan.places()
        self._late_places = {
            column.name: places[column.name] + column.width - 1
            for column in plan.columns
            if column.kind == "one-hot"
        }
        self._numbers = {
            column.name: places[column.name]
            for column in plan.columns
            if column.kind in ("number", "date", "seconds") and not plan.is_scaled(column)
        }
        for each in plan.left_out:
            if each.kind:
                note(f"{each.name!r} is {becomes(each)}")
        for column in plan.columns:
            if column.kind in ("clock", "hour", "weekday") and column.seen:
                note(f"{column.name!r} only grows, and becomes {becomes(column)}")

    def add(self, X: Any) -> None:
        """Look at further rows."""
        for name, place in self._late_places.items():
            self._late[name] += int(X[:, [place]].sum())
        values = {
            name: X[:, [place]].toarray() if self._plan.sparse else X[:, place]
            for name, place in self._numbers.items()
        }
        if not self._rows:
            self._note_unlike_scales(values)
            self._bounds = {name: (own.min(), own.max()) for name, own in values.items()}
        else:
            for name, own in values.items():
                low, high = self._bounds[name]
                self._outside[name] += int(((own < low) | (own > high)).sum())
        self._rows += X.shape[0]
        self._first = getattr(self, "_first", X.shape[0])

    def finish(self) -> None:
        """Say what was seen on the way."""
        later = self._rows - getattr(self, "_first", 0)
        for name, rows in self._late.items():
            if rows:
                note(
                    f"{name!r} has categories in {rows:,} rows that the first"
                    f" {self._plan.sampled:,} had not, and which share a feature:"
                    f" --kind {name}=hashed tells them apart"
                )
        for name, rows in self._outside.items():
            if rows > later / 2:
                low, high = self._bounds[name]
                note(
                    f"{name!r} leaves the range of its first rows, {low:g} to {high:g}, in"
                    f" {rows:,} of {later:,}: --standardize follows it, --ignore {name} leaves it"
                    " out"
                )

    def _note_unlike_scales(self, values: dict[str, np.ndarray]) -> None:
        spreads = {name: float(np.std(own)) for name, own in values.items()}
        spreads = {name: spread for name, spread in spreads.items() if 0 < spread < np.inf}
        if not spreads:
            return
        widest, narrowest = (choose(spreads, key=spreads.__getitem__) for choose in (max, min))
        if spreads[widest] > SCALE_RATIO * spreads[narrowest]:
            note(
                f"{widest!r} varies by {spreads[widest]:.3g} and {narrowest!r} by"
                f" {spreads[narrowest]:.3g}: --standardize brings columns to one scale"
            )


def note(text: str) -> None:
    """Say something on standard error."""
    make_console(stderr=True).print(f"note: {text}", soft_wrap=True)
