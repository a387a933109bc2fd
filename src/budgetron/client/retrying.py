"""When a call is made again, and after how long."""

from __future__ import annotations

from random import uniform
from time import monotonic

import httpx

from .call import Call, checked
from .errors import unreachable

__all__ = ["Attempts"]

FIRST, LONGEST = 0.1, 5.0
"""Seconds between two attempts: twice as many each time."""

BUSY = (429, 503)
"""Answers that say that nothing was done, and that it may go better later."""

LOST = (502, 504)
"""Answers of a proxy that has heard nothing from the service: it may have been done."""

NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
"""With these, nothing of the call can have been done."""

NEVER_SENT = (httpx.LocalProtocolError, httpx.UnsupportedProtocol)
"""With these, nothing of it will ever be."""


class Attempts:
    """The attempts at one call.

    Parameters
    ----------
    call : Call
    url : str
        Of the service, for errors.
    patience : float
        For how many seconds it is tried again.
    """

    def __init__(self, call: Call, url: str, patience: float) -> None:
        self._call = call
        self._url = url
        self._end = monotonic() + patience
        self._delay = FIRST

    def after_answer(self, answer: httpx.Response) -> float:
        """Seconds to wait before the next attempt; 0 if this answer is the one.

        Raises
        ------
        ServiceError
            If it is an error, and there is no other attempt.
        """
        again = (*BUSY, *LOST) if self._call.repeatable else BUSY
        if answer.status_code in again:
            wait = self._next_wait(_asked_for(answer))
            if wait:
                return wait
        checked(answer)
        return 0.0

    def after_silence(self, error: httpx.TransportError) -> float:
        """Seconds to wait before the next attempt, after one that had no answer.

        Raises
        ------
        ServiceError
            If there is no other attempt.
        """
        again = self._call.repeatable or isinstance(error, NOT_SENT)
        if again and not isinstance(error, NEVER_SENT):
            wait = self._next_wait(0.0)
            if wait:
                return wait
        raise unreachable(self._url, error) from error

    def _next_wait(self, least: float) -> float:
        """Between half of the delay and all of it, so that clients do not come all at once."""
        wait = max(least, uniform(self._delay / 2, self._delay))
        self._delay = min(2 * self._delay, LONGEST)
        return wait if monotonic() + wait < self._end else 0.0


def _asked_for(answer: httpx.Response) -> float:
    """The seconds that a service asks to wait for."""
    text = answer.headers.get("Retry-After", "")
    return float(text) if text.isascii() and text.isdigit() else 0.0
