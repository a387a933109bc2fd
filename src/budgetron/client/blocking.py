"""A client whose calls return when they are done."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Self

import httpx
import httpx_sse

from .call import Call, checked, on_model
from .calls import Calls
from .connection import LISTENING, event_of, settings
from .errors import unreachable
from .retrying import Attempts

__all__ = ["Client"]


class Client(Calls):
    """Speaks to `budgetron serve`. Threads may share one.

    A call that gets no answer, or one that says "later", is made again after a while, and under the
    same id, so that a row is learned once however often the network fails.

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
    >>> from budgetron.client import Client, ServiceError
    >>> with Client("http://127.0.0.1:9", patience=0) as nobody:
    ...     try:
    ...         nobody.models()
    ...     except ServiceError as error:
    ...         print(error.code)
    unreachable
    """

    def __init__(
        self, url: str, token: str | None = None, *, timeout: float = 30, patience: float = 30
    ) -> None:
        self._patience = patience
        self._url = url
        self._http = httpx.Client(**settings(url, token, timeout))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def events(self, model: str) -> Iterator[dict[str, Any]]:
        """What happens to a model from now on, without an end unless the service stops.

        Parameters
        ----------
        model : str
            Its name.

        Yields
        ------
        dict
            With "event", which is "metrics", "alarm" or "mistake", and what the service says of it.

        Raises
        ------
        ServiceError
            If the service refuses it, or when the connection is lost.
        """
        try:
            with httpx_sse.connect_sse(
                self._http, "GET", on_model(model, "events"), timeout=LISTENING
            ) as source:
                if not source.response.is_success:
                    source.response.read()
                    checked(source.response)
                yield from map(event_of, source.iter_sse())
        except httpx.TransportError as error:
            raise unreachable(self._url, error) from error

    def _do(self, call: Call) -> Any:
        attempts = Attempts(call, self._url, self._patience)
        while True:
            try:
                answer = self._http.request(
                    call.method, call.path, content=call.content, headers=call.headers
                )
            except httpx.TransportError as error:
                wait = attempts.after_silence(error)
            else:
                wait = attempts.after_answer(answer)
                if not wait:
                    return call.meaning(answer)
            time.sleep(wait)
