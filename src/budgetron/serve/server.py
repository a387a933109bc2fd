"""The process: uvicorn in front of the service, signals, and clients that take too long."""

from __future__ import annotations

import asyncio
import logging
import resource
import signal
import sys
import time
from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from numba.core import event
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .configuration import Configuration, configured, is_loopback
from .journal import Journal, tell
from .refusal import Refusal
from .service import Service
from .shelf import Shelf

__all__ = ["serve"]

SWITCH = 0.0005
"""Seconds after which a thread makes room for another: the writer must not hold up predictions."""

FILES = 65_536
"""So many may be open, if the system allows it."""

LONGEST_HEAD = 32 << 10
"""Bytes of the path and the headers of a request."""


class _Compiling(event.Listener):
    """Says why the first requests take long: nobody has used these learners here before."""

    def __init__(self) -> None:
        self._is_told = False

    def on_start(self, event: Any) -> None:
        if not self._is_told:
            self._is_told = True
            tell("compiling", note="once; budgetron warm does it ahead")

    def on_end(self, event: Any) -> None:
        """Nothing more to say."""


class _Connection(HttpToolsProtocol):
    """A client, of whom it is known since when it has been sending a request, or not reading."""

    def connection_made(self, transport: Any) -> None:
        self.since: float | None = time.monotonic()
        self.head = self.unread = 0
        self.has_read = self.since
        super().connection_made(transport)
        service: Any = self.config.app
        if len(self.connections) > service.limits.connections:
            self._refuse(Refusal(503, "busy", "there are too many clients: come back later"))

    def on_message_begin(self) -> None:
        self.since, self.head, self.has_head = time.monotonic(), 0, False
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._grow(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._grow(len(name) + len(value))
        if not self.has_head:  # what comes after the body is no header
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self.has_head = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self.since = None
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        self._refuse(Refusal(400, "bad_request", msg))

    def is_slow(self, oldest: float) -> bool:
        """Whether it has been sending one request, or has read nothing of an answer, since then."""
        unread = self.transport.get_write_buffer_size()
        if unread == 0 or unread < self.unread:
            self.has_read = time.monotonic()
        self.unread = unread
        return self.has_read < oldest or (self.since is not None and self.since < oldest)

    def _refuse(self, refusal: Refusal) -> None:
        """Answer in the form of all refusals, and hang up."""
        body = msgspec.json.encode(refusal.plain())
        lines = [
            f"HTTP/1.1 {refusal.status} {HTTPStatus(refusal.status).phrase}",
            "content-type: application/json",
            f"content-length: {len(body)}",
            "connection: close",
        ]
        self.transport.write("\r\n".join([*lines, "", ""]).encode() + body)
        self.transport.close()

    def _grow(self, many: int) -> None:
        self.head += many
        if self.head > LONGEST_HEAD:
            raise ValueError("the head of the request is too long")


class _Server(uvicorn.Server):
    """Uvicorn's, that ends streams of events when it is to end, and closes slow connections."""

    def __init__(
        self, config: uvicorn.Config, service: Service, path: Path | None, early: list[int]
    ) -> None:
        super().__init__(config)
        self._service, self._path, self._early = service, path, early

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGHUP, self._reload)
        if self._early:
            self._reload()
        self._watch = loop.create_task(self._close_slow_ones())
        for server in self.servers:
            for socket in server.sockets:
                host, port = socket.getsockname()[:2]
                tell("listening", url=f"http://{f'[{host}]' if ':' in host else host}:{port}")

    async def shutdown(self, sockets: Any = None) -> None:
        tell("stopping")
        self._service.closing.set()
        self._watch.cancel()
        await super().shutdown(sockets)
        self._captured_signals.clear()  # or uvicorn would die of the signal after all is done
        tell("stopped")

    def _reload(self) -> None:
        """Read the configuration again; a bad one changes nothing, and none opens the door."""
        try:
            fresh = configured(self._path)
            if self._service.needs_token and not fresh.tokens:
                raise ValueError(f"{self._path} has no tokens any more: that needs a new start")
            self._service.configure(fresh)
        except (OSError, ValueError) as error:
            tell("configuration not read", "error", error=str(error))
        else:
            tell("configuration read")

    async def _close_slow_ones(self) -> None:
        while True:
            await asyncio.sleep(1)
            oldest = time.monotonic() - self._service.limits.request_seconds
            connections: list[Any] = [*self.server_state.connections]
            for connection in connections:
                if connection.is_slow(oldest):
                    connection.transport.abort()


def _may_open_many_files() -> None:
    """A client is a file, and a model is four."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def serve(
    data: Path, configuration: Configuration, path: Path | None, models: dict[str, tuple[Any, ...]]
) -> None:
    """Serve until a signal comes.

    Parameters
    ----------
    data : Path
        Where everything is kept.
    configuration : Configuration
    path : Path or None
        Where the configuration came from, to be read again on SIGHUP.
    models : dict of name to (state, settings, row)
        Models that are made if they are not there.
    """
    if not configuration.tokens and not is_loopback(configuration.host):
        raise Refusal(
            400, "no_token", f"{configuration.host} can be reached by others: it needs a token"
        )
    early: list[int] = []  # until somebody answers it, it must not end the process
    signal.signal(signal.SIGHUP, lambda number, _: early.append(number))
    logging.basicConfig(handlers=[Journal()], level=logging.WARNING)
    logging.captureWarnings(True)
    sys.setswitchinterval(SWITCH)
    _may_open_many_files()
    shelf = Shelf(data, configuration.limits)
    for name, made in models.items():
        if name in shelf.models:
            tell("going on", model=name, row=shelf.models[name].row)
        else:
            shelf.add(name, *made)
    service = Service(shelf, configuration)
    config = uvicorn.Config(
        service,
        host=configuration.host,
        port=configuration.port,
        http=_Connection,
        ws="none",
        lifespan="on",
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=10,
        proxy_headers=False,
        backlog=1024,
    )
    with event.install_listener("numba:compile", _Compiling()):
        _Server(config, service, path, early).run()
