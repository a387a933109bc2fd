"""Figures for Prometheus."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
)

from .model import Model

__all__ = ["Counts", "exposition"]

BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds."""


class Counts:
    """How many requests there were, of what kind, and how long they took."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.rows: Counter[str] = Counter()
        self.seconds: dict[str, float] = {}
        self.times: dict[str, list[int]] = {}

    def add(self, action: str, status: int, seconds: float) -> None:
        """One more."""
        self.requests[action, status] += 1
        self.seconds[action] = self.seconds.get(action, 0.0) + seconds
        times = self.times.get(action)
        if times is None:
            times = self.times[action] = [0] * (len(BOUNDS) + 1)
        times[bisect_left(BOUNDS, seconds)] += 1


class _Collector:
    def __init__(self, models: Mapping[str, Model], counts: Counts) -> None:
        self._models, self._counts = models, counts

    def collect(self) -> Iterator[Any]:
        """All of them."""
        counts = self._counts
        requests = CounterMetricFamily(
            "budgetron_requests", "Requests answered", labels=("action", "status")
        )
        for (action, status), many in counts.requests.items():
            requests.add_metric((action or "model", str(status)), many)
        yield requests
        rows = CounterMetricFamily("budgetron_rows", "Rows answered", labels=("action",))
        for action, many in counts.rows.items():
            rows.add_metric((action,), many)
        yield rows
        times = HistogramMetricFamily(
            "budgetron_request_seconds", "Seconds of a request", labels=("action",)
        )
        for action, each in counts.times.items():
            total, buckets = 0, []
            for bound, many in zip((*map(str, BOUNDS), "+Inf"), each, strict=True):
                total += many
                buckets.append((bound, total))
            times.add_metric((action or "model",), buckets, counts.seconds[action])
        yield times
        for name, about, value in (
            ("row", "Rows learned", lambda model: model.row),
            ("version", "Version of the model", lambda model: model.version),
            ("mistakes", "Mistakes before learning", lambda model: model.figures.mistakes),
            ("syncs", "Groups synced to the log", lambda model: model.syncs),
            ("size", "Supports, or keys", lambda model: model.size),
            ("waiting", "Rows waiting for a label", lambda model: model.waiting),
            ("pending", "Rows on their way to the writer", lambda model: model.writer.pending),
            ("alarms", "Drift alarms", lambda model: model.figures.alarmed),
            ("learning", "1 if it can learn", lambda model: int(model.learning is None)),
            ("window_error", "Share of mistakes lately", lambda model: _of(model, "error")),
            ("majority_error", "The same, of the commonest", lambda m: _of(m, "majority_error")),
            ("last_label_error", "The same, of the last", lambda m: _of(m, "last_label_error")),
        ):
            family = GaugeMetricFamily(f"budgetron_model_{name}", about, labels=("model",))
            for own, model in self._models.items():
                family.add_metric((own,), value(model) or 0)
            yield family


def _of(model: Model, name: str) -> float:
    return model.figures.window()[name] or 0.0


def exposition(models: Mapping[str, Model], counts: Counts) -> bytes:
    """What Prometheus reads."""
    registry = CollectorRegistry()
    registry.register(_Collector(models, counts))
    return generate_latest(registry)
