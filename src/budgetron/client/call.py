"""A call of the service, without the way it is sent: what goes out, and what the answer means."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import httpx

from .errors import ServiceError
from .rows import Row

__all__ = ["BYTES", "Call", "checked", "nothing_in", "of_json", "of_rows", "on_model"]

JSON, LINES, BYTES = "application/json", "application/x-ndjson", "application/octet-stream"


def json_in(answer: httpx.Response) -> Any:
    """What an answer of one JSON value says."""
    return _parsed(answer.content, answer)


def lines_in(answer: httpx.Response) -> list[Any]:
    """What an answer with a JSON object in each line says."""
    found = [_parsed(line, answer) for line in answer.content.split(b"\n") if line]
    for line in found:
        if isinstance(line, dict) and "error" in line:
            raise _refusal(line, answer)
    return found


def nothing_in(answer: httpx.Response) -> None:
    """What an empty answer says."""


@dataclass(frozen=True)
class Call:
    """What is asked of a service.

    Attributes
    ----------
    method, path : str
        Of HTTP.
    content : bytes or None
        The body.
    headers : dict
        Beside those of every call.
    meaning : callable
        Makes of an answer what is returned.
    repeatable : bool
        Whether it may be made again when it may have been done already.
    """

    method: str
    path: str
    content: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    meaning: Callable[[httpx.Response], Any] = json_in
    repeatable: bool = True


def on_model(name: str, *parts: str) -> str:
    """The path of a model, or of something of it."""
    if name in ("", ".", ".."):  # which would lead elsewhere
        raise ValueError(f"no model is called {name!r}")
    return "/".join(("/v1/models", quote(name, safe=""), *parts))


def of_json(method: str, path: str, body: Any, *, repeatable: bool = True) -> Call:
    """A call with a JSON object."""
    return Call(method, path, _text(body), {"Content-Type": JSON}, repeatable=repeatable)


def of_rows(path: str, rows: list[Row], single: bool, request_id: str | None = None) -> Call:
    """A call with one row, or with several, a line each, by whose id the service knows it again."""
    headers = {"Request-Id": request_id or uuid4().hex}
    if single:
        return Call("POST", path, _text(rows[0]), headers | {"Content-Type": JSON})
    body = b"".join(_text(row) + b"\n" for row in rows)
    return Call("POST", path, body, headers | {"Content-Type": LINES}, lines_in)


def checked(answer: httpx.Response) -> httpx.Response:
    """An answer that is no error; an error is raised as what it says."""
    if answer.is_success:
        return answer
    raise _refusal(_parsed(answer.content, answer), answer)


def _refusal(told: Any, answer: httpx.Response) -> ServiceError:
    try:
        error = told["error"]
        return ServiceError(error["code"], error["message"], error.get("where"), answer.status_code)
    except (KeyError, TypeError, AttributeError):
        return _stranger(answer)


def _parsed(text: bytes, answer: httpx.Response) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise _stranger(answer) from None


def _stranger(answer: httpx.Response) -> ServiceError:
    told = f"{answer.request.url} answers {answer.status_code}, and not as the service does"
    return ServiceError("not_the_service", told, status=answer.status_code)


def _text(value: Any) -> bytes:
    return json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
