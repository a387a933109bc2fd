"""What is answered, row by row, in plain types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from .figures import as_key
from .learning import Said
from .model import Model
from .records import Group
from .refusal import Refusal
from .waiting import WaitingRow

__all__ = ["explained", "predicted", "taught", "waits"]


def _scored(classes: Sequence[Any], scores: np.ndarray) -> list[dict[str, Any]]:
    """Of each row one score of two classes, or one for each of more: None of unknown ones."""
    if scores.ndim == 1:
        return [{"score": score} for score in scores.tolist()]
    names = [as_key(it) for it in classes]
    known = [[None if it == -np.inf else it for it in row] for row in scores.tolist()]
    return [{"scores": dict(zip(names, row, strict=True))} for row in known]


def predicted(model: Model, said: Said) -> list[dict[str, Any]]:
    """What is predicted of rows."""
    version, row = model.version, model.row
    told = [
        {"label": label, **scored, "version": version, "row": row}
        for label, scored in zip(said.labels, _scored(said.classes, said.scores), strict=True)
    ]
    if said.probabilities is not None:
        names = [as_key(it) for it in said.classes]
        for one, chances in zip(told, said.probabilities.tolist(), strict=True):
            one["probabilities"] = dict(zip(names, chances, strict=True))
    return told


def waits(ids: Sequence[str], rows: Sequence[WaitingRow]) -> list[dict[str, Any]]:
    """What was predicted of rows that wait for their labels."""
    told = []
    for id, row in zip(ids, rows, strict=True):
        scores = np.frombuffer(row.score)
        (own,) = _scored(row.classes, scores if len(scores) == 1 else scores[None])
        told.append({"label": row.label, **own, "version": row.version, "row": row.row, "id": id})
    return told


def taught(group: Group, at: int) -> list[dict[str, Any]]:
    """What was predicted of the rows of a request before they were learned."""
    asked = group.requests[at]
    lesson = group.late if asked.late else group.prompt
    assert lesson is not None
    row = group.row + asked.first
    if asked.late and group.prompt is not None:
        row += len(group.prompt.y)
    own = slice(asked.first, asked.first + asked.rows)
    told: list[dict[str, Any]] = [
        {"label": label, **scored, "mistake": bool(mistake), "version": group.version, "row": at}
        for at, (label, scored, mistake) in enumerate(
            zip(
                lesson.predicted[own],
                _scored(lesson.classes, lesson.scores()[own]),
                lesson.mistake[own],
                strict=True,
            ),
            row,
        )
    ]
    if lesson.id is not None:
        for one, id in zip(told, lesson.id[own], strict=True):
            one["id"] = id
    return told


def explained(model: Model, x: np.ndarray) -> dict[str, Any]:
    """Why a row is predicted as it is."""
    try:
        explanation = model.learned.classifier.explain(x)
    except ValueError as error:
        raise Refusal(400, "bad_row", str(error)) from None
    supports = [msgspec.to_builtins(each) for each in explanation.supports]
    instances = explanation.instances
    for at, support in enumerate(supports):
        row = instances[at]
        support["x"] = (row.toarray()[0] if hasattr(row, "toarray") else np.asarray(row)).tolist()
    return {
        "label": explanation.label,
        "rival": explanation.rival,
        "scores": {as_key(it): score for it, score in explanation.scores.items()},
        "supports": supports,
        "experts": [msgspec.to_builtins(each) for each in explanation.experts],
        "widths": [msgspec.to_builtins(each) for each in explanation.widths],
        "note": explanation.note,
        "rows_learned": explanation.n_seen,
        "features": model.names,
    }
