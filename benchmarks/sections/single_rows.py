"""Single rows of a few features: a prediction and an update, beside River's way to a kernel."""

from __future__ import annotations

from importlib.util import find_spec

from threadpoolctl import threadpool_limits

from ..contenders.ours import in_batches, row_by_row
from ..running import in_turns
from ..showing import Exhibit, Table, grouped
from ..workloads import Shape, Stream, stand_in

NAME = "rows"
TITLE = "A row at a time"
FEATURES, BUDGET = 14, 100
LEARNERS = "Budgetron", "RandomizedBudgetPerceptron"
SLOWEST = "RBFSampler"


def measure(scale):
    """Yield runs over dense rows of a few features, as arrays and as dicts."""
    X, y = stand_in(Shape(min(scale.rows, 20_000), FEATURES, FEATURES, "between 0 and 1", False))
    stream = Stream("a few features", X, y, is_real=False)
    ways = [in_batches, row_by_row]
    peers = []
    if find_spec("river"):
        from ..contenders import of_river
        from ..contenders.matching import numbers_of
        from ..contenders.ours import row_by_row_of_dicts

        ways.append(row_by_row_of_dicts)
        peers += of_river.mapped(stream, numbers_of(BUDGET, stream.width))
        peers += [each for each in of_river.linear(stream) if "Logistic" in each.name]
    ours = [way(name, stream, BUDGET) for name in LEARNERS for way in ways]
    with threadpool_limits(1):
        yield from in_turns([*ours, *peers], stream, scale)


def show(records):
    """Microseconds a row."""
    times = {}
    for key, own in grouped(records, "library", "contender").items():
        ends = [record["marks"][-1] for record in own]
        times[key] = min(end["seconds"] / end["rows"] for end in ends)
    slowest = next((time for (_, name), time in times.items() if name.startswith(SLOWEST)), None)
    lines = [
        (
            library,
            name,
            f"{1e6 * time:.1f}",
            f"{1 / time:,.0f}",
            slowest / time if slowest else None,
        )
        for (library, name), time in times.items()
    ]
    columns = ("library", "contender", "microseconds a row", "rows/s", f"times {SLOWEST}")
    return Exhibit(
        [
            f"Each row of {FEATURES} features is predicted and then learned, with a budget of"
            f" {BUDGET} and as many Fourier features as fit into the same memory, one thread.",
            Table("A prediction and an update", columns, lines),
        ]
    )
