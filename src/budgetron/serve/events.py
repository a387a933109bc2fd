"""What the page shows: the figures of a model, and news as they come."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from .model import Model

__all__ = ["everything", "now", "stream"]

EVERY = 1.0
"""Seconds between two looks."""

QUIET = 15.0
"""Seconds after which something is sent, so that nobody takes the line for dead."""

MISTAKES = 5
"""So many are sent in a second, at most."""

SUPPORTS = 20
"""So many are shown: those with the largest weights."""

_encode = msgspec.json.Encoder(enc_hook=str).encode


def now(model: Model) -> dict[str, Any]:
    """The figures of this moment."""
    figures = model.figures
    times = np.array([*model.latencies]) * 1e3
    p50, p99 = np.percentile(times, (50, 99)).tolist() if len(times) else (None, None)
    return {
        "time": time.time(),
        "row": model.row,
        "version": model.version,
        "window": figures.window(),
        "overall": {
            "rows": figures.rows,
            "error": figures.mistakes / figures.rows if figures.rows else None,
        },
        "classes": figures.shares(),
        "latency": {"p50": p50, "p99": p99},
        "trust": model.trust(),
        "size": model.size,
        "waiting": model.waiting,
        "learning": model.learning or True,
    }


def everything(model: Model) -> dict[str, Any]:
    """The same, and the past, mistakes, supports and keys."""
    figures, told = model.figures, now(model)
    told |= {
        "history": [*figures.history],
        "alarms": [*figures.alarms],
        "mistakes": [*figures.recent],
        "supports": _supports(model),
        "keys": None,
    }
    if model.settings.keyed and model.learned.is_fitted:
        told["keys"] = {
            name: [{"key": key, **about} for key, about in each.items()]
            for name, each in model.learned.classifier.extremes(10, rows=10).items()
        }
    return told


def _supports(model: Model) -> list[dict[str, Any]]:
    """The supports that weigh most, with the rows that they came from."""
    if model.settings.keyed or not model.learned.is_fitted:
        return []
    with model.learned.classifier._reading() as still:
        if not hasattr(still, "support_vectors_"):
            return []
        vectors, weights = still.support_vectors_, still.dual_coef_
        learner = getattr(still, "_learner", None)
        births = getattr(getattr(learner, "lead", learner), "births", None)
        classes = still.classes_.tolist()
    strength = np.abs(weights).max(axis=0)
    told = []
    for at in np.argsort(-strength)[:SUPPORTS].tolist():
        row = vectors[at]
        x = row.toarray()[0] if hasattr(row, "toarray") else np.asarray(row)
        weight = float(weights[np.abs(weights[:, at]).argmax(), at])
        place = int(weight > 0) if len(weights) == 1 else int(weights[:, at].argmax())
        told.append(
            {
                "weight": weight,
                "label": classes[min(place, len(classes) - 1)],
                "row": int(births[at]) if births is not None and len(births) > at else None,
                "x": x.tolist(),
            }
        )
    return told


async def stream(model: Model, goes_on: Callable[[], bool], receive: Any, send: Any) -> None:
    """Send news until somebody goes: whoever listens, the model or the server."""
    headers = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    gone = asyncio.ensure_future(_gone(receive))
    last, silent = None, 0.0
    heard = model.figures.alarmed, model.figures.mistakes
    try:
        while not gone.done() and goes_on() and not model.is_closed_down:
            told = now(model)
            moment = (told["row"], told["version"], told["waiting"], told["learning"])
            parts = []
            if moment != last or silent >= QUIET:
                parts.append(_event("metrics", told))
                last, silent = moment, 0.0
            parts += _news(model, *heard)
            heard = model.figures.alarmed, model.figures.mistakes
            if parts:
                body = b"".join(parts)
                await send({"type": "http.response.body", "body": body, "more_body": True})
            await asyncio.wait([gone], timeout=EVERY)
            silent += EVERY
        if not gone.done():
            await send({"type": "http.response.body", "body": b""})
    finally:
        gone.cancel()


def _news(model: Model, alarms: int, mistakes: int) -> list[bytes]:
    """Alarms and the last mistakes since there were so many."""
    figures = model.figures
    some = [
        ("alarm", figures.alarms, figures.alarmed - alarms),
        ("mistake", figures.recent, min(MISTAKES, figures.mistakes - mistakes)),
    ]
    return [
        _event(name, told)
        for name, kept, fresh in some
        for told in ([*kept][-fresh:] if fresh > 0 else ())
    ]


def _event(name: str, told: dict[str, Any]) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), _encode(told))


async def _gone(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
