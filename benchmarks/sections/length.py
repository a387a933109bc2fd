"""Whether the speed stays the same, however long the stream is."""

from __future__ import annotations

from statistics import median
from time import perf_counter

import numpy as np
from threadpoolctl import threadpool_limits

from ..contenders.ours import in_batches, learners
from ..running import warmed_up
from ..showing import Asked, Curves, Exhibit, Table, data_of, grouped
from ..workloads import WORKLOADS

NAME = "length"
TITLE = "Speed along a long stream"
PARTS = 20
GROWING = "Perceptron"
FLAT = 0.9
"""The least that the speed of the last three parts may be of that of the second to fourth."""


def measure(scale):
    """Yield the time of each part of a long stream: a9a again and again, in new orders."""
    stream = WORKLOADS["a9a"].stream(scale.rows)
    budgets = dict.fromkeys(learners(scale, on_a_budget=True), scale.small_budget)
    contenders = [
        in_batches(name, stream, budget, "float32")
        for name, budget in (budgets | {GROWING: None}).items()
    ]
    rng, part = np.random.default_rng(0), scale.length // PARTS
    with threadpool_limits(1):
        for contender in contenders:
            warmed_up(contender, stream)
        steps = {each.name: each.begin(**each.choices[0]) for each in contenders}
        elapsed = dict.fromkeys(steps, 0.0)
        for number in range(PARTS):
            order = rng.integers(len(stream.y), size=part)
            X, y = stream.X[order].astype("float32"), stream.y[order]
            for contender in contenders:
                if elapsed[contender.name] > scale.seconds * scale.repeats:
                    continue
                start = perf_counter()
                mistakes = steps[contender.name]((X, y))
                seconds = perf_counter() - start
                elapsed[contender.name] += seconds
                yield {
                    "is_real": stream.is_real,
                    "contender": contender.name,
                    **contender.settings,
                    "part": number,
                    "rows": part,
                    "seconds": seconds,
                    "mistakes": int(mistakes.sum()),
                }


def show(records):
    """Rows a second, part by part."""
    curves, lines, flat = {}, [], {}
    for (name,), own in grouped(records, "contender").items():
        speeds = [record["rows"] / record["seconds"] for record in own]
        ends = [(record["part"] + 1) * record["rows"] for record in own]
        curves[name] = [*zip(ends, speeds, strict=True)]
        early, late = speeds[1:4], speeds[4:][-3:]
        late_over_early = median(late) / median(early) if late else None
        lines.append(
            (name, f"{ends[-1]:,}", *(f"{s:,.0f}" for s in _three(speeds)), late_over_early)
        )
        if own[0]["budget"] and late:
            flat[name] = late_over_early
    least = min(flat, key=flat.get)
    data = data_of(records[0], "a9a")
    columns = ("learner", "rows", "second part", "middle", "last part", "late over early")
    return Exhibit(
        [
            f"Rows drawn from {data}, in {PARTS} parts, one thread; {GROWING} keeps every mistake"
            " and shows what happens without a budget (it stops when its time is over).",
            Table("Rows a second along the stream", columns, lines),
            Curves(
                "length",
                "Speed along the stream",
                "rows seen",
                "rows a second",
                curves,
                log_x=False,
            ),
        ],
        [
            Asked(
                "speed at the end of a long stream, over that at its beginning",
                f"flat: at least {FLAT:g}",
                f"{flat[least]:.2f} ({least})",
                flat[least] >= FLAT,
            )
        ],
    )


def _three(speeds):
    return speeds[min(1, len(speeds) - 1)], speeds[len(speeds) // 2], speeds[-1]
