"""Every learner in every setting: dtype, kind of rows, batches and single rows."""

from __future__ import annotations

from dataclasses import replace

from scipy.sparse import csr_matrix
from threadpoolctl import threadpool_limits

from ..contenders.ours import can_go_row_by_row, dtypes_of, in_batches, learners, row_by_row
from ..running import in_turns
from ..showing import Exhibit, Table, data_of, grouped
from ..workloads import WORKLOADS, Stream

NAME = "learners"
TITLE = "Every learner"
ROWS, BUDGET, SECONDS = 6000, 200, 2.0


def measure(scale):
    """Yield runs over the first rows of a9a."""
    scale = replace(scale, seconds=min(scale.seconds, SECONDS))
    dense = WORKLOADS["a9a"].stream(min(scale.rows, ROWS))
    named = [
        (name, BUDGET if on_a_budget else None)
        for on_a_budget in (True, False)
        for name in learners(scale, on_a_budget=on_a_budget)
    ]
    for storage in ("dense", "sparse"):
        X = dense.X if storage == "dense" else csr_matrix(dense.X)
        stream = Stream(dense.name, X, dense.y, dense.is_real)
        ways = [in_batches] + [row_by_row] * can_go_row_by_row(stream)
        contenders = [
            way(name, stream, budget, dtype)
            for name, budget in named
            for dtype in dtypes_of(name)
            for way in ways
        ]
        with threadpool_limits(1):
            for record in in_turns(contenders, stream, scale):
                yield {"is_real": dense.is_real, "storage": storage} | record


def show(records):
    """Rows a second."""
    settings = [*grouped(records, "storage", "dtype", "at_once")]
    lines = []
    for (name,), own in grouped(records, "learner").items():
        speeds = {}
        for key, each in grouped(own, "storage", "dtype", "at_once").items():
            ends = [record["marks"][-1] for record in each]
            speeds[key] = max(end["rows"] / end["seconds"] for end in ends)
        lines.append(
            (name, *(f"{speeds[key]:,.0f}" if key in speeds else None for key in settings))
        )
    columns = [
        f"{storage}, {dtype}, {'single rows' if at_once else 'batches'}"
        for storage, dtype, at_once in settings
    ]
    data = data_of(records[0], "a9a")
    return Exhibit(
        [
            f"The first {ROWS:,} rows of {data} from the start, a budget of {BUDGET} where there is"
            " one, one thread. Single sparse rows are dicts, by way of `budgetron.river`; learners"
            " that project or solve work in float64 in any case.",
            Table("Rows a second", ("learner", *columns), lines),
        ]
    )
