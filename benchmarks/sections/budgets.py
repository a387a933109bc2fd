"""What a larger budget costs, and what it brings."""

from __future__ import annotations

from threadpoolctl import threadpool_limits

from ..contenders.ours import in_batches, learners
from ..running import in_turns
from ..showing import Asked, Curves, Exhibit, Table, data_of, grouped
from ..workloads import WORKLOADS

NAME = "budgets"
TITLE = "Cost against budget"
PROJECTING, AT_BUDGET, ROWS_PER_SECOND = "ProjectronPlusPlus", 1000, 25_000


def measure(scale):
    """Yield the runs of all learners over a9a at all budgets."""
    stream = WORKLOADS["a9a"].stream(scale.rows)
    contenders = [
        in_batches(name, stream, budget, "float32")
        for name in learners(scale, on_a_budget=True)
        for budget in scale.budgets
    ]
    with threadpool_limits(1):
        for record in in_turns(contenders, stream, scale):
            yield {"is_real": stream.is_real, "all_rows": len(stream.y)} | record


def errors_and_speeds(records):
    """By learner and budget: errors of those that saw all rows, and rows a second."""
    errors, speeds = {}, {}
    for key, own in grouped(records, "learner", "budget").items():
        ends = [record["marks"][-1] for record in own]
        speeds[key] = max(end["rows"] / end["seconds"] for end in ends)
        if ends[0]["rows"] == own[0]["all_rows"]:
            errors[key] = ends[0]["mistakes"] / ends[0]["rows"]
    return errors, speeds


def show(records):
    """Speeds and mistakes by budget."""
    errors, speeds = errors_and_speeds(records)
    names, budgets = [*dict.fromkeys(n for n, _ in speeds)], sorted({b for _, b in speeds})
    data = data_of(records[0], "a9a")
    lines = [
        [name]
        + [_cell(speeds[name, b], errors.get((name, b))) for b in budgets if (name, b) in speeds]
        for name in names
    ]
    curves = {
        name: [(b, speeds[name, b]) for b in budgets if (name, b) in speeds] for name in names
    }
    asked = []
    if (PROJECTING, AT_BUDGET) in speeds:
        found = speeds[PROJECTING, AT_BUDGET]
        asked.append(
            Asked(
                f"{PROJECTING} at budget {AT_BUDGET} on {data}",
                f"{ROWS_PER_SECOND:,} rows/s",
                f"{found:,.0f} rows/s",
                found >= ROWS_PER_SECOND,
            )
        )
    return Exhibit(
        [
            f"Over {data}, from an empty budget on, in batches, float32 (learners that project or"
            " solve work in float64 all the same), one thread.",
            Table(
                "Rows a second (mistakes)",
                ("learner", *(f"budget {budget}" for budget in budgets)),
                lines,
            ),
            Curves("budgets", f"{data}: cost against budget", "budget", "rows a second", curves),
        ],
        asked,
    )


def _cell(speed, error):
    return f"{speed:,.0f} (not all rows)" if error is None else f"{speed:,.0f} ({error:.1%})"
