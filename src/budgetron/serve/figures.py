"""How good the predictions were lately, beside those that take no learning; and alarms."""

from __future__ import annotations

from collections import deque
from math import sqrt
from typing import Any, Self

import numpy as np

from ..evaluation.baselines import Baselines
from .records import Group, Lesson

__all__ = ["Figures", "as_key"]

WINDOW = 1000
"""So many rows are lately."""

POINTS = 600
"""So many points of the past are kept, at most; of more, every other one goes."""

RECENT = 50
"""So many mistakes and alarms are kept."""

WIDEST = 1000
"""Rows of more features are not shown."""

CERTAIN = 1.96
"""Standard deviations: 95 % of a normal distribution are within them."""


def as_key(label: Any) -> str:
    """A label as a key of a JSON object: the text of its JSON value."""
    if isinstance(label, bool):
        return "true" if label else "false"
    return str(label)


class Figures:
    """What the page shows of a model's predictions, in memory that does not grow."""

    def __init__(self) -> None:
        self.rows = self.mistakes = self.alarmed = 0
        self.history: list[dict[str, Any]] = []
        self.alarms: deque[dict[str, Any]] = deque(maxlen=RECENT)
        self.recent: deque[dict[str, Any]] = deque(maxlen=RECENT)
        self._window: deque[tuple[int, int, int, str]] = deque(maxlen=WINDOW)
        self._every = self._since = 50
        self._baselines = Baselines()
        self._detector = _detector()

    def add(self, group: Group) -> None:
        """Go on with rows that were learned."""
        row = group.row
        for lesson in group.lessons():
            wrong = np.frombuffer(lesson.mistake, bool)
            y = np.array(lesson.y)
            simple, _ = self._baselines.go_on(y, y, np.arange(len(y)))
            both = simple.astype(int).tolist()
            self._window.extend(
                (mistake, majority, last, as_key(label))
                for mistake, (majority, last), label in zip(
                    lesson.mistake, both, lesson.y, strict=True
                )
            )
            self.rows += len(y)
            self.mistakes += int(wrong.sum())
            self._look_for_drift(wrong, row, group.time)
            for at in np.flatnonzero(wrong)[-RECENT:].tolist():
                self._show(lesson, at, row + at, group.time)
            row += len(y)
        self._since += len(group)
        if self._since >= self._every:
            self._since = 0
            self.history.append({"time": group.time, "row": row, **self.window()})
            if len(self.history) > POINTS:
                self.history, self._every = self.history[1::2], 2 * self._every

    def window(self) -> dict[str, Any]:
        """The share of mistakes lately, with 95 % confidence, and of the baselines."""
        many = len(self._window)
        if many == 0:
            return dict.fromkeys(
                ("error", "low", "high", "majority_error", "last_label_error"), None
            ) | {"rows": 0}
        wrong, majority, last = np.sum([each[:3] for each in [*self._window]], axis=0) / many
        low, high = _wilson(float(wrong), many)
        return {
            "rows": many,
            "error": float(wrong),
            "low": low,
            "high": high,
            "majority_error": float(majority),
            "last_label_error": float(last),
        }

    def shares(self) -> dict[str, float]:
        """How common each class is lately."""
        counts: dict[str, int] = {}
        window = [*self._window]
        for *_, label in window:
            counts[label] = counts.get(label, 0) + 1
        return {label: count / len(window) for label, count in sorted(counts.items())}

    def to_json(self) -> dict[str, Any]:
        """All of it but the detector, to go on with later."""
        return {
            "rows": self.rows,
            "mistakes": self.mistakes,
            "history": self.history,
            "alarms": [*self.alarms],
            "recent": [*self.recent],
            "window": [*self._window],
            "every": [self._every, self._since],
            "baselines": self._baselines.to_json(),
        }

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Self:
        """What `to_json` has told."""
        figures = cls()
        figures.rows, figures.mistakes = document["rows"], document["mistakes"]
        figures.history = document["history"]
        figures.alarms.extend(document["alarms"])
        figures.recent.extend(document["recent"])
        figures._window.extend(map(tuple, document["window"]))
        figures._every, figures._since = document["every"]
        figures._baselines = Baselines.from_json(document["baselines"])
        return figures

    def _look_for_drift(self, wrong: np.ndarray, row: int, time: float) -> None:
        """An alarm if mistakes have become more common."""
        detector = self._detector
        if detector is None:
            return
        for at, mistake in enumerate(wrong.tolist()):
            before = detector.estimation
            detector.update(float(mistake))
            if detector.drift_detected and detector.estimation > before:
                told = {"time": time, "row": row + at, "detector": "ADWIN"}
                self.alarms.append(told | {"before": before, "after": detector.estimation})
                self.alarmed += 1

    def _show(self, lesson: Lesson, at: int, row: int, time: float) -> None:
        scores = lesson.scores()[at]
        self.recent.append(
            {
                "time": time,
                "row": row,
                "label": lesson.y[at],
                "predicted": lesson.predicted[at],
                "score": float(np.max(scores)),
                "x": lesson.rows()[at].tolist() if lesson.width <= WIDEST else None,
                "id": None if lesson.id is None else lesson.id[at],
                "key": None if lesson.key is None else lesson.key[at],
            }
        )


def _wilson(share: float, many: int) -> tuple[float, float]:
    """Wilson's interval of a share."""
    square = CERTAIN**2 / many
    middle = (share + square / 2) / (1 + square)
    half = CERTAIN / (1 + square) * sqrt(share * (1 - share) / many + square / (4 * many))
    return max(0.0, middle - half), min(1.0, middle + half)


def _detector() -> Any:
    """River's, if it is there."""
    try:
        from river.drift import ADWIN
    except ImportError:
        return None
    return ADWIN()
