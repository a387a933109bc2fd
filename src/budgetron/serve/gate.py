"""Who may ask for what, and how often."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from .configuration import Right, Token, digest_of, is_loopback
from .refusal import Refusal

__all__ = ["Gate"]

MOST_CLIENTS = 10_000
"""So many are told apart; if there are more, all begin anew."""


class Gate:
    """Tokens with their rights, or nobody from elsewhere.

    Parameters
    ----------
    tokens : sequence of Token
        Without any, whoever is on this machine may do everything.
    rate : float
        Requests of one token or address in a second; 0 for any number.
    """

    def __init__(self, tokens: Sequence[Token], rate: float) -> None:
        self.needs_token, self._rate = bool(tokens), rate
        self._tokens = {token.sha256: token for token in tokens}
        self._left: dict[str, tuple[float, float]] = {}

    def let_in(
        self,
        headers: Mapping[bytes, bytes],
        address: str,
        right: Right,
        model: str | None = None,
    ) -> Token | None:
        """Whose token it is; Refusal for whoever may not."""
        token = None
        origin, host = headers.get(b"origin"), headers.get(b"host", b"localhost")
        if origin is not None and origin.partition(b"://")[2] != host:
            raise Refusal(403, "bad_origin", "pages of other servers may not ask for anything")
        if self.needs_token:
            kind, _, given = headers.get(b"authorization", b"").partition(b" ")
            if kind.lower() == b"bearer":
                token = self._tokens.get(digest_of(given.strip()))
            if token is None:
                raise Refusal(401, "no_token", "this needs a token: Authorization: Bearer ...")
            if not token.may(right):
                raise Refusal(403, "not_allowed", f"this needs the right to {right}")
            if model is not None and not token.sees(model):
                raise Refusal(404, "no_model", f"there is no model {model[:64]!r}")
        elif not is_loopback(_name(host)):  # a name that somebody else has led here
            raise Refusal(421, "bad_host", "without tokens, this is for localhost alone")
        if self._rate > 0:
            self._slow_down(address if token is None else token.name)
        return token

    def _slow_down(self, who: str) -> None:
        """Refuse whoever asks too often: so many a second, and a second's worth at once."""
        now, rate = time.monotonic(), self._rate
        most = max(1.0, rate)
        left, since = self._left.get(who, (most, now))
        left = min(most, left + (now - since) * rate)
        if len(self._left) > MOST_CLIENTS:
            self._left.clear()
        self._left[who] = (left - 1 if left >= 1 else left), now
        if left < 1:
            raise Refusal(429, "too_fast", f"at most {rate:g} requests in a second")


def _name(host: bytes) -> str:
    """The host without its port."""
    given = host.decode("latin-1")
    return given.rpartition("]")[0].lstrip("[") if "]" in given else given.partition(":")[0]
