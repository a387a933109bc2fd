"""The HTTP interface: a plain ASGI application."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from hashlib import blake2b
from importlib.resources import files
from typing import Any

import msgspec

from . import answers, events
from .bodies import ARROW, JSON, NDJSON, PARQUET, Table, object_of, rows_of, table_of, whole_body
from .configuration import Configuration, Right
from .gate import Gate
from .jobs import Ask, Do, Learn, Tell
from .journal import tell
from .making import given, made
from .model import Model
from .openapi import document
from .prometheus import Counts, exposition
from .refusal import Refusal
from .shelf import Shelf
from .tables import read_table, written_table

__all__ = ["Service"]

Answer = tuple[int, str, bytes]
Send = Callable[[Any], Awaitable[None]]

ROWS_IN_LOOP = 200
"""More rows than these are predicted in another thread, so that others need not wait."""

PREFIX = "/v1/models/"

RIGHTS: dict[tuple[str, str], Right] = {
    ("POST", "predict"): "read",
    ("POST", "learn"): "learn",
    ("POST", "label"): "learn",
    ("POST", "explain"): "read",
    ("GET", ""): "read",
    ("PUT", ""): "admin",
    ("DELETE", ""): "admin",
    ("GET", "state"): "read",
    ("GET", "snapshots"): "read",
    ("POST", "snapshots"): "admin",
    ("POST", "rollback"): "admin",
    ("GET", "metrics"): "read",
    ("GET", "events"): "read",
}
"""What can be done with a model, and who may."""

SECURE = [
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"no-referrer"),
]

PAGE_POLICY = (
    b"default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline';"
    b" img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none';"
    b" frame-ancestors 'none'"
)

_encode = msgspec.json.Encoder(enc_hook=str).encode


class Back(msgspec.Struct, forbid_unknown_fields=True):
    """Where to go back to."""

    snapshot: str


class Service:
    """The application.

    Parameters
    ----------
    shelf : Shelf
    configuration : Configuration
    """

    def __init__(self, shelf: Shelf, configuration: Configuration) -> None:
        self.shelf, self.closing = shelf, asyncio.Event()
        self.counts = Counts()
        self.configure(configuration)

    def configure(self, configuration: Configuration) -> None:
        """Have other tokens and limits from now on."""
        self.limits = configuration.limits
        self._gate = Gate(configuration.tokens, configuration.limits.rate)
        self.shelf.limit(configuration.limits)

    @property
    def needs_token(self) -> bool:
        """Whether nobody may ask without a token."""
        return self._gate.needs_token

    async def __call__(self, scope: Any, receive: Any, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await _other(scope, receive, send, self)
            return
        start = time.perf_counter()
        path, method = scope["path"], scope["method"]
        headers = dict(scope["headers"])
        action, extra = "", []
        try:
            if path.startswith(PREFIX):
                name, _, action = path[len(PREFIX) :].partition("/")
                answer = await self._of_model(method, name, action, headers, scope, receive, send)
            else:
                answer = await self._of_server(method, path, headers, scope)
        except Refusal as refusal:
            answer = refusal.status, JSON, _encode(refusal.plain())
            if refusal.status == 401:
                extra = [(b"www-authenticate", b"Bearer")]
            elif refusal.status in (429, 503):
                extra = [(b"retry-after", b"1")]
            elif refusal.status == 405:
                extra = [(b"allow", _allowed(path, action))]
            elif refusal.status == 413:
                extra = [(b"connection", b"close")]
        except Exception as error:
            tell("failed", "error", path=path[:200], error=repr(error))
            refused = Refusal(
                500, "failed", "something is wrong here; the log of the server has it"
            )
            answer = 500, JSON, _encode(refused.plain())
        if answer is None:  # it was a stream of events
            return
        status, media, body = answer
        if path == "/" and status == 200:
            extra = [(b"content-security-policy", PAGE_POLICY)]
        lines = [*SECURE, *extra]
        if status != 204:
            lines += [(b"content-type", media.encode()), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": status, "headers": lines})
        await send({"type": "http.response.body", "body": body if method != "HEAD" else b""})
        self.counts.add(
            action if (method, action) in RIGHTS else "other", status, time.perf_counter() - start
        )

    def _model(self, name: str) -> Model:
        model = self.shelf.models.get(name)
        if model is None:
            raise Refusal(404, "no_model", f"there is no model {name[:64]!r}")
        return model

    # -------------------------------------------------------------------------------- server

    async def _of_server(
        self, method: str, path: str, headers: dict[bytes, bytes], scope: Any
    ) -> Answer:
        known = ("/", "/healthz", "/readyz", "/metrics", "/openapi.json", "/v1/models")
        if path not in known:
            raise Refusal(404, "not_found", f"there is nothing at {path[:200]}")
        if method not in ("GET", "HEAD"):
            raise Refusal(405, "bad_method", f"{path} can be read alone")
        if path == "/":
            return 200, "text/html; charset=utf-8", _page()
        if path == "/healthz":
            return 200, JSON, b'{"alive":true}'
        if path == "/readyz":
            models = [*self.shelf.models.items()]
            learning = {name: it.learning or True for name, it in models}
            ready = not self.closing.is_set()
            plain = {"ready": ready} if self.needs_token else {"ready": ready, "learning": learning}
            return 200 if ready else 503, JSON, _encode(plain)
        token = self._gate.let_in(headers, _address(scope), "read")
        mine = {
            name: model
            for name, model in sorted(self.shelf.models.items())
            if token is None or token.sees(name)
        }
        if path == "/metrics":
            return 200, "text/plain; version=0.0.4; charset=utf-8", exposition(mine, self.counts)
        if path == "/openapi.json":
            return 200, JSON, _encode(document())
        return 200, JSON, _encode({"models": [model.told() for model in mine.values()]})

    # -------------------------------------------------------------------------------- models

    async def _of_model(
        self,
        method: str,
        name: str,
        action: str,
        headers: dict[bytes, bytes],
        scope: Any,
        receive: Any,
        send: Send,
    ) -> Answer | None:
        right = RIGHTS.get((method, action))
        if right is None:
            known = any(action == own for _, own in RIGHTS)
            raise (
                Refusal(405, "bad_method", f"{method[:20]} is not for this")
                if known
                else Refusal(404, "not_found", f"a model has no {action[:100]!r}")
            )
        self._gate.let_in(headers, _address(scope), right, name)
        if method == "PUT":
            return await self._create(name, headers, receive)
        model = self._model(name)
        if action == "predict":
            return await self._predict(model, headers, receive)
        if action in ("learn", "label"):
            return await self._learn(model, action, headers, receive)
        if action == "events":
            gate = self._gate  # with another one, whoever listens may have no right to
            await events.stream(
                model, lambda: self._gate is gate and not self.closing.is_set(), receive, send
            )
            return None
        return 204 if method == "DELETE" else 200, *await self._about(
            model, method, action, headers, receive
        )

    async def _about(
        self, model: Model, method: str, action: str, headers: dict[bytes, bytes], receive: Any
    ) -> tuple[str, bytes]:
        if method == "DELETE":
            await self.shelf.remove(model)
            return JSON, b""
        if action == "explain":
            rows, _, _ = await self._rows(model, headers, receive, labelled=False)
            if len(rows.X) != 1 or model.settings.keyed or not model.learned.is_fitted:
                message = "one row is explained at a time, by a model without keys that has learned"
                raise Refusal(400, "bad_row", message)
            told = await asyncio.to_thread(answers.explained, model, rows.X[0])
            return JSON, _encode(told)
        if action == "state":
            return "application/octet-stream", await asyncio.to_thread(model.state)
        if action == "snapshots":
            if method == "POST":
                return JSON, _encode(
                    await model.writer.submit(Do(lambda: model.take_snapshot(kept=True)))
                )
            return JSON, _encode({"snapshots": await model.writer.submit(Do(model.snapshots))})
        if action == "rollback":
            back = object_of(await whole_body(headers, receive, self.limits.body), Back)
            return JSON, _encode(
                await model.writer.submit(Do(lambda: model.roll_back(back.snapshot)))
            )
        if action == "metrics":
            return JSON, _encode(await asyncio.to_thread(events.everything, model))
        return JSON, _encode(model.told())

    async def _predict(self, model: Model, headers: dict[bytes, bytes], receive: Any) -> Answer:
        start = time.perf_counter()
        table, is_one, media = await self._rows(model, headers, receive, labelled=False)
        try:
            if table.id is not None:
                weight = [1.0 if it is None else it for it in table.weight or [1.0] * len(table.X)]
                rows = await model.writer.submit(Ask(table.X, table.id, table.key, weight))
                told = answers.waits(table.id, rows)
            else:
                if is_one and not model.settings.keyed:
                    said = model.learned.say_one(table.X[0], None)
                elif len(table.X) <= ROWS_IN_LOOP and not model.settings.keyed:
                    said = model.learned.say(table.X, table.key)
                else:
                    said = await asyncio.to_thread(model.learned.say, table.X, table.key)
                told = answers.predicted(model, said)
        except (ValueError, TypeError) as error:
            raise Refusal(400, "bad_row", str(error)) from None
        model.latencies.append(time.perf_counter() - start)
        self.counts.rows["predict"] += len(told)
        return _answered(told, media, is_one)

    async def _learn(
        self, model: Model, action: str, headers: dict[bytes, bytes], receive: Any
    ) -> Answer:
        start = time.perf_counter()
        late = action == "label"
        body = await whole_body(headers, receive, self.limits.body)
        table, is_one, media = self._table(model, headers, body, labelled=True, features=not late)
        id, digest = _request_id(headers), b""
        if id is not None:
            digest = blake2b(body, digest_size=8, key=action.encode()).digest()
        y = table.y or []
        if late:
            job: Any = Tell(table.id or [], y, table.weight or [None] * len(y), id, digest)
        elif table.id is not None:
            raise Refusal(400, "bad_row", "rows with an id wait for their labels", field="id")
        else:
            weight = table.weight
            own = None if weight is None else [1.0 if it is None else it for it in weight]
            job = Learn(table.X, y, own, table.key, id, digest)
        group, at = await model.writer.submit(job)
        told = answers.taught(group, at)
        model.latencies.append(time.perf_counter() - start)
        self.counts.rows[action] += len(told)
        return _answered(told, media, is_one)

    async def _create(self, name: str, headers: dict[bytes, bytes], receive: Any) -> Answer:
        body = await whole_body(headers, receive, self.limits.body)
        if _media(headers) == "application/octet-stream":
            new = await asyncio.to_thread(given, body)
        else:
            new = await asyncio.to_thread(made, body, self.limits)
        model = await asyncio.to_thread(self.shelf.add, name, *new)
        return 201, JSON, _encode(model.told())

    async def _rows(
        self, model: Model, headers: dict[bytes, bytes], receive: Any, *, labelled: bool
    ) -> tuple[Table, bool, str]:
        body = await whole_body(headers, receive, self.limits.body)
        return self._table(model, headers, body, labelled=labelled)

    def _table(
        self,
        model: Model,
        headers: dict[bytes, bytes],
        body: bytes,
        *,
        labelled: bool,
        features: bool = True,
    ) -> tuple[Table, bool, str]:
        """The rows of a body, whether it was one alone, and in what form."""
        media, most = _media(headers), self.limits.rows
        forms = (JSON, NDJSON, ARROW, PARQUET) if features else (JSON, NDJSON)
        if media not in forms:  # which a stranger's page cannot send without asking first
            raise Refusal(415, "bad_type", f"a body is one of {', '.join(forms)}")
        if media in (ARROW, PARQUET):
            return read_table(model, body, media, most, labelled=labelled), False, ARROW
        rows, is_one = rows_of(body, media, most)
        return table_of(model, rows, labelled=labelled, features=features), is_one, media


async def _other(scope: Any, receive: Any, send: Send, service: Service) -> None:
    """The life of the server; no websockets."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1000})
        return
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            service.shelf.start(asyncio.get_running_loop())
            await send({"type": "lifespan.startup.complete"})
        elif message["type"] == "lifespan.shutdown":
            await asyncio.to_thread(service.shelf.close)
            await send({"type": "lifespan.shutdown.complete"})
            return


def _allowed(path: str, action: str) -> bytes:
    """The methods that there are for a path."""
    if not path.startswith(PREFIX):
        return b"GET, HEAD"
    return ", ".join(method for method, own in RIGHTS if own == action).encode()


def _media(headers: dict[bytes, bytes]) -> str:
    given = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
    return given.decode("latin-1")


def _request_id(headers: dict[bytes, bytes]) -> str | None:
    given = headers.get(b"request-id")
    if given is None:
        return None
    if not 0 < len(given) <= 200:
        raise Refusal(400, "bad_request_id", "Request-Id has 1 to 200 characters")
    return given.decode("latin-1")


def _answered(told: list[dict[str, Any]], media: str, is_one: bool) -> Answer:
    if media == ARROW:
        return 200, ARROW, written_table(told)
    if media == NDJSON:
        return 200, NDJSON, b"\n".join(map(_encode, told)) + b"\n"
    return 200, JSON, _encode(told[0] if is_one else {"rows": told})


def _page() -> bytes:
    page = files(__package__) / "page" / "index.html"
    if not page.is_file():
        raise Refusal(404, "no_page", "this server has no page; /v1/models has its models")
    return page.read_bytes()


def _address(scope: Any) -> str:
    return (scope.get("client") or ("",))[0]
