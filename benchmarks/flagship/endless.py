"""Two million rows: memory and speed stay what they are."""

from __future__ import annotations

from time import perf_counter

from threadpoolctl import threadpool_limits

from budgetron import Budgetron
from budgetron.streams import OrbitingRings

from .. import resident
from ..fresh import in_a_fresh_process
from ..showing import Asked, Exhibit, Table

NAME = "flagship-endless"
TITLE = "An endless stream"
ROWS, PIECE = 2_000_000, 100_000
MOST_GROWTH = 1.01


def measure(scale):
    """Yield memory and time after every piece."""
    yield from in_a_fresh_process(run, rows=min(ROWS, 20 * scale.length), budget=scale.small_budget)


def run(rows, budget):
    """One learner over rings that orbit for ever."""
    learner, stream = Budgetron(budget, gamma=2.0), OrbitingRings(angle=0.001, random_state=0)
    pieces, found, mistakes = iter(stream.blocks(min(PIECE, rows // 4))), [], 0
    with threadpool_limits(1):
        while learner_rows(found) < rows:
            piece = next(pieces)
            start = perf_counter()
            learner.partial_fit(piece.X, piece.y, [-1, 1])
            seconds = perf_counter() - start
            found.append(
                {
                    "rows": learner.n_seen_,
                    "seconds": seconds,
                    "mistakes": learner.n_mistakes_ - mistakes,
                    "bytes": resident.present() if resident.is_known() else 0,
                }
            )
            mistakes = learner.n_mistakes_
    return found


def learner_rows(found):
    """How many rows have been learned."""
    return found[-1]["rows"] if found else 0


def show(records):
    """The first piece after the budget is full, and the last."""
    lines, before = [], 0
    for record in records:
        rows = record["rows"] - before
        lines.append(
            [
                record["rows"],
                f"{100 * record['mistakes'] / rows:.2f}",
                rows / record["seconds"],
                f"{record['bytes'] / 1e6:.1f}",
            ]
        )
        before = record["rows"]
    growth = records[-1]["bytes"] / max(1, records[1]["bytes"])
    return Exhibit(
        [
            "Orbiting rings, budget 100, a process of its own.",
            Table("By piece", ("rows", "error, %", "rows/s", "memory of the process, MB"), lines),
        ],
        [
            Asked(
                f"memory of the process after {records[-1]['rows']:,} rows, over that after"
                f" {records[1]['rows']:,}",
                "flat",
                f"{growth:.3f} x",
                growth <= MOST_GROWTH,
            )
        ],
    )
