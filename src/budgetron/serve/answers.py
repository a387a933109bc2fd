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


def _scored(classes: Sequence[Any], scores: Any) -> dict[str, Any]:
    """One score of two classes, or one for each of more; those of unknown classes are None."""
    if np.ndim(scores) == 0:
        return {"score": float(scores)}
    pairs = zip(classes, scores.tolist(), strict=True)
    return {"scores": {as_key(it): score if score > -np.inf else None for it, score in pairs}}


def predicted(model: Model, said: Said, ids: Sequence[str] | None = None) -> list[dict[str, Any]]:
    """What is predicted of rows."""
    told = []
    for at, label in enumerate(said.labels):
        one = {"label": label, **_scored(said.classes, said.scores[at])}
        if said.probabilities is not None:
            chances = said.probabilities[at].tolist()
            one["probabilities"] = {
                as_key(it): chance for it, chance in zip(said.classes, chances, strict=True)
            }
        one["version"], one["row"] = model.version, model.row
        if ids is not None:
            one["id"] = ids[at]
        told.append(one)
    return told


def waits(ids: Sequence[str], rows: Sequence[WaitingRow]) -> list[dict[str, Any]]:
    """What was predicted of rows that wait for their labels."""
    told = []
    for id, row in zip(ids, rows, strict=True):
        scores = np.frombuffer(row.score)
        own = _scored(row.classes, scores[0] if len(scores) == 1 else scores)
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
    scores, told = lesson.scores(), []
    for place in range(asked.first, asked.first + asked.rows):
        one: dict[str, Any] = {
            "label": lesson.predicted[place],
            **_scored(lesson.classes, scores[place]),
            "mistake": bool(lesson.mistake[place]),
            "version": group.version,
            "row": row + place - asked.first,
        }
        if lesson.id is not None:
            one["id"] = lesson.id[place]
        told.append(one)
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
        "features": explanation.feature_names,
    }
