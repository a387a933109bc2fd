"""What both clients tell httpx, and what they hear from events."""

from __future__ import annotations

import json
from typing import Any

import httpx
import httpx_sse

__all__ = ["LISTENING", "event_of", "settings"]

LISTENING = httpx.Timeout(30, read=None)
"""Nothing may happen for a long time."""


def settings(url: str, token: str | None, timeout: float) -> dict[str, Any]:
    """How to speak to a service."""
    if not url.startswith(("http://", "https://")):
        raise ValueError(f"the url of a service begins with http:// or https://, got {url!r}")
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return {"base_url": url, "headers": headers, "timeout": timeout}


def event_of(event: httpx_sse.ServerSentEvent) -> dict[str, Any]:
    """An event, and what is said of it."""
    return {"event": event.event} | json.loads(event.data)
