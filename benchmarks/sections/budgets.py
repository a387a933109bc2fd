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


def show(records):
    """Speeds and mistakes by budget."""
    speeds, mistakes = {}, {}
    for (name, budget), own in grouped(records, "learner", "budget").items():
        ends = [record["marks"][-1] for record in own]
        speeds[name, budget] = max(end["rows"] / end["seconds"] for end in ends)
        share = ends[0]["mistakes"] / ends[0]["rows"]
        is_whole = ends[0]["rows"] == own[0]["all_rows"]
        mistakes[name, budget] = f"{share:.1%}" + ("" if is_whole else " of the first rows")
    names, budgets = [*dict.fromkeys(n for n, _ in speeds)], sorted({b for _, b in speeds})
    data = data_of(records[0], "a9a")
    lines = [
        [name]
        + [f"{speeds[name, b]:,.0f} ({mistakes[name, b]})" for b in budgets if (name, b) in speeds]
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
