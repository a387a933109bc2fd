"""Requests that came together, as one group: what is learned by one call, and is in the log."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from .jobs import Learn, Tell
from .records import Asked, Group, Label, Lesson
from .waiting import WaitingRow

__all__ = ["grouped"]


def grouped(
    jobs: list[Any],
    waiting: dict[str, tuple[int, WaitingRow]],
    row: int,
    version: int,
) -> Group:
    """Requests as one group; TypeError if these labels cannot be learned together."""
    if len({isinstance(job.y[0], str) for job in jobs}) > 1:  # of the first rows of all
        raise TypeError("labels are all text, or all numbers")
    group = Group(row, version, time.time())
    prompt = [job for job in jobs if isinstance(job, Learn)]
    late = [job for job in jobs if isinstance(job, Tell)]
    places: dict[int, tuple[bool, int]] = {}
    if prompt:
        X = np.concatenate([job.X for job in prompt]) if len(prompt) > 1 else prompt[0].X
        group.prompt = Lesson(
            x=X.tobytes(),
            width=X.shape[1],
            y=[label for job in prompt for label in job.y],
            weight=_joined_weights(prompt),
            key=None if prompt[0].key is None else [key for job in prompt for key in job.key or ()],
        )
    if late:
        group.late = _late_lesson(late, waiting, version)
    for some, is_late in ((prompt, False), (late, True)):
        first = 0
        for job in some:
            places[id(job)] = is_late, first
            first += job.rows
    group.requests = [Asked(job.id, job.digest, *places[id(job)], job.rows) for job in jobs]
    return group


def _joined_weights(jobs: list[Learn]) -> list[float] | None:
    if all(job.weight is None for job in jobs):
        return None
    return [weight for job in jobs for weight in job.weight or [1.0] * job.rows]


def _late_lesson(
    jobs: list[Tell], waiting: dict[str, tuple[int, WaitingRow]], version: int
) -> Lesson:
    """Rows that waited, with what was predicted then."""
    pairs = [waiting[id] for job in jobs for id in job.ids]
    rows = [row for _, row in pairs]
    y = [label for job in jobs for label in job.y]
    given = [weight for job in jobs for weight in job.weight]
    weights = [row.weight if own is None else own for own, row in zip(given, rows, strict=True)]
    own = [np.frombuffer(row.advice if row.version == version else b"") for row in rows]
    noted = np.full((len(rows), max(map(len, own))), np.nan)
    for at, each in enumerate(own):
        noted[at, : len(each)] = each
    classes: list[Label] = max((row.classes for row in rows), key=len)
    columns = max(len(row.score) // 8 for row in rows)
    scores = np.full((len(rows), columns), -np.inf)
    for at, row in enumerate(rows):
        said = np.frombuffer(row.score)
        if len(said) == columns:
            scores[at] = said
        else:
            places = [classes.index(label) for label in row.classes if label in classes]
            both = said if len(said) > 1 else np.array([-said[0], said[0]])[-len(places) :]
            scores[at, places] = both[: len(places)] if places else ()
    predicted = [row.label for row in rows]
    return Lesson(
        x=b"".join(row.x for row in rows),
        width=len(rows[0].x) // 8,
        y=y,
        weight=None if all(weight == 1 for weight in weights) else weights,
        key=None if rows[0].key is None else [row.key for row in rows if row.key is not None],
        id=[id for job in jobs for id in job.ids],
        number=[number for number, _ in pairs],
        advice=noted.tobytes(),
        advice_width=noted.shape[1],
        classes=classes,
        predicted=predicted,
        score=scores.tobytes(),
        mistake=bytes(said != label for said, label in zip(predicted, y, strict=True)),
    )
