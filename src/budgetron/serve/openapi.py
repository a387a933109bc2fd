"""The interface, as a document of OpenAPI."""

from __future__ import annotations

from functools import cache
from typing import Any

from .. import __version__
from .bodies import ARROW, JSON, NDJSON, PARQUET
from .shelf import NAME

__all__ = ["document"]

LABEL = {"type": ["string", "number", "boolean"]}
FEATURES = {
    "oneOf": [
        {"type": "array", "items": {"type": ["number", "null"]}},
        {"type": "object", "additionalProperties": {"type": ["number", "null"]}},
    ]
}
ROW = {
    "type": "object",
    "properties": {
        "x": FEATURES,
        "y": LABEL,
        "weight": {"type": "number", "minimum": 0, "maximum": 1e12},
        "id": {"type": "string", "minLength": 1, "maxLength": 1000},
        "key": {"type": ["string", "integer"]},
    },
    "additionalProperties": False,
}
NUMBERS = {"type": "object", "additionalProperties": {"type": ["number", "null"]}}
ANSWER = {
    "type": "object",
    "properties": {
        "label": {"type": [*LABEL["type"], "null"]},
        "score": {"type": "number"},
        "scores": NUMBERS,
        "probabilities": NUMBERS,
        "mistake": {"type": "boolean"},
        "version": {"type": "integer"},
        "row": {"type": "integer"},
        "id": {"type": "string"},
    },
}
ERROR = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string"},
                "where": {"type": "object"},
            },
            "required": ["code", "message"],
        }
    },
}
NAMES = {"type": "array", "items": {"type": "string", "maxLength": 1000}, "uniqueItems": True}
NEW = {
    "type": "object",
    "properties": {
        "learner": {"type": "string"},
        "parameters": {"type": "object"},
        "classes": {"type": "array", "items": LABEL, "minItems": 2},
        "features": {"oneOf": [{"type": "integer", "minimum": 1}, NAMES]},
        "keyed": {"type": "boolean"},
    },
    "required": ["learner"],
    "additionalProperties": False,
}

BACK = {
    "type": "object",
    "properties": {"snapshot": {"type": "string"}},
    "required": ["snapshot"],
    "additionalProperties": False,
}


def _one_or_many(name: str) -> dict[str, Any]:
    one = {"$ref": f"#/components/schemas/{name}"}
    rows = {"type": "array", "items": one, "minItems": 1}
    return {"oneOf": [one, {"type": "object", "properties": {"rows": rows}, "required": ["rows"]}]}


def _content(schema: Any, *others: str) -> dict[str, Any]:
    return {JSON: {"schema": schema}, **{media: {} for media in others}}


def _operation(summary: str, body: Any = None, answer: Any = None, code: str = "200") -> Any:
    told: dict[str, Any] = {"summary": summary, "responses": {}}
    if body is not None:
        told["requestBody"] = {"required": True, "content": body}
    told["responses"][code] = {"description": "Done"} | ({"content": answer} if answer else {})
    schema = {"$ref": "#/components/schemas/Error"}
    told["responses"]["default"] = {"description": "Refused", "content": _content(schema)}
    return told


@cache
def document() -> dict[str, Any]:
    """All of it."""
    rows = _content(_one_or_many("Row"), NDJSON, ARROW, PARQUET)
    told = _content(_one_or_many("Answer"), NDJSON, ARROW)
    plain = _content({"type": "object"})
    once = {
        "name": "Request-Id",
        "in": "header",
        "description": "The same request is learned once",
        "schema": {"type": "string", "maxLength": 200},
    }
    model = "/v1/models/{name}"
    paths: dict[str, Any] = {
        f"{model}/predict": {"post": _operation("Predict rows", rows, told)},
        f"{model}/learn": {
            "post": _operation("Learn rows", rows, told) | {"parameters": [once]},
        },
        f"{model}/label": {
            "post": _operation(
                "Labels of rows that wait", _content(_one_or_many("Row"), NDJSON), told
            )
            | {"parameters": [once]}
        },
        f"{model}/explain": {"post": _operation("Why a row is predicted so", _content(ROW), plain)},
        "/v1/models": {"get": _operation("All models", None, plain)},
        model: {
            "get": _operation("One model", None, plain),
            "put": _operation(
                "Make a model", _content(NEW, "application/octet-stream"), plain, "201"
            ),
            "delete": _operation("Remove a model", None, None, "204"),
        },
        f"{model}/state": {
            "get": _operation("The model as bytes", None, {"application/octet-stream": {}})
        },
        f"{model}/snapshots": {
            "get": _operation("All snapshots", None, plain),
            "post": _operation("Take a snapshot", None, plain),
        },
        f"{model}/rollback": {"post": _operation("Go back to a snapshot", _content(BACK), plain)},
        f"{model}/metrics": {"get": _operation("The figures of the page", None, plain)},
        f"{model}/events": {
            "get": _operation("Server-sent events", None, {"text/event-stream": {}})
        },
        "/metrics": {"get": _operation("Figures for Prometheus", None, {"text/plain": {}})},
        "/healthz": {"get": _operation("Whether it lives", None, plain)},
        "/readyz": {"get": _operation("Whether it is ready", None, plain)},
    }
    name = {"name": "name", "in": "path", "required": True}
    name["schema"] = {"type": "string", "pattern": f"^{NAME.pattern}$"}
    for path, operations in paths.items():
        if "{name}" in path:
            operations["parameters"] = [name]
    return {
        "openapi": "3.1.0",
        "info": {"title": "Budgetron", "version": __version__},
        "paths": paths,
        "components": {
            "schemas": {"Row": ROW, "Answer": ANSWER, "Error": ERROR},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}, {}],
    }
