"""A client whose calls are awaited."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Self

import anyio
import httpx
import httpx_sse

from .call import Call, checked, on_model
from .calls import Calls
from .connection import LISTENING, event_of, settings
from .errors import unreachable
from .retrying import Attempts

__all__ = ["AsyncClient"]


class AsyncClient(Calls):
    """Speaks to `budgetron serve` as `Client` does, in calls that are awaited.

    Parameters
    ----------
    url : str
        Of the service, such as "http://127.0.0.1:8080".
    token : str, optional
        What the service was told to ask for.
    timeout : float, default=30
        Seconds to wait for one answer.
    patience : float, default=30
        For how many seconds a call is made again. With 0 it is made once.

    Examples
    --------
    >>> import asyncio
    >>> from budgetron.client import AsyncClient, ServiceError
    >>> async def ask():
    ...     async with AsyncClient("http://127.0.0.1:9", patience=0) as nobody:
    ...         await nobody.models()
    >>> try:
    ...     asyncio.run(ask())
    ... except ServiceError as error:
    ...     print(error.code)
    unreachable
    """

    def __init__(
        self, url: str, token: str | None = None, *, timeout: float = 30, patience: float = 30
    ) -> None:
        self._patience = patience
        self._url = url
        self._http = httpx.AsyncClient(**settings(url, token, timeout))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def events(self, model: str) -> AsyncIterator[dict[str, Any]]:
        """What happens to a model from now on, as `Client.events` tells it."""
        try:
            async with httpx_sse.aconnect_sse(
                self._http, "GET", on_model(model, "events"), timeout=LISTENING
            ) as source:
                if not source.response.is_success:
                    await source.response.aread()
                    checked(source.response)
                async for event in source.aiter_sse():
                    yield event_of(event)
        except httpx.TransportError as error:
            raise unreachable(self._url, error) from error

    async def _do(self, call: Call) -> Any:
        attempts = Attempts(call, self._url, self._patience)
        while True:
            try:
                answer = await self._http.request(
                    call.method, call.path, content=call.content, headers=call.headers
                )
            except httpx.TransportError as error:
                wait = attempts.after_silence(error)
            else:
                wait = attempts.after_answer(answer)
                if not wait:
                    return call.meaning(answer)
            await anyio.sleep(wait)
