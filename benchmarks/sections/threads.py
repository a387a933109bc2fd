"""What more threads bring."""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np

from ..filling import a_run, filled
from ..limiting import limited, threads_to_try
from ..showing import Exhibit, Table, data_of, grouped
from ..timing import best_and_median, in_turns
from ..workloads import chosen

NAME = "threads"
TITLE = "Threads"
LEARNERS = ("RandomizedBudgetPerceptron", "Forgetron", "ProjectronPlusPlus")


def measure(scale):
    """Yield times with one thread and with two, in turns."""
    names = [name for name in LEARNERS if scale.learners is None or name in scale.learners]
    threads = threads_to_try()
    for workload in chosen(scale, "a9a", "digits"):
        stream = workload.stream(scale.rows)
        signs = np.where(stream.y, 1.0, -1.0)
        for dtype in ("float64", "float32"):
            X = np.ascontiguousarray(stream.X, dtype)
            rows, labels = X[: scale.measured], signs[: scale.measured]
            for name, budget in product(names, (scale.small_budget, scale.budget)):
                learner, _ = filled(name, budget, X, signs, stream.gamma)
                makers = {count: partial(_run, count, learner, rows, labels) for count in threads}
                for count, repeat, seconds in in_turns(makers, scale.turns):
                    yield {
                        "workload": workload.name,
                        "is_real": stream.is_real,
                        "learner": name,
                        "dtype": dtype,
                        "budget": budget,
                        "threads": count,
                        "rows": len(rows),
                        "seconds": seconds,
                        "repeat": repeat,
                    }


def _run(count, learner, rows, labels):
    return limited(count, a_run(learner, rows, labels))


def show(records):
    """Rows a second by threads."""
    counts = sorted({record["threads"] for record in records})
    lines = []
    by = "workload", "learner", "dtype", "budget"
    for (_, name, dtype, budget), own in grouped(records, *by).items():
        speeds = {
            count: each[0]["rows"] / best_and_median(each)[0]
            for (count,), each in grouped(own, "threads").items()
        }
        data = data_of(own[0])
        faster = speeds[counts[-1]] / speeds[counts[0]]
        lines.append((data, name, dtype, budget, *(f"{speeds[c]:,.0f}" for c in counts), faster))
    return Exhibit(
        [
            "With a full budget. Large matrix products are shared out among threads; the walk"
            " through a block is one thread's work, and so is a small product.",
            Table(
                "Rows a second by threads allowed",
                ("workload", "learner", "dtype", "budget", *map(str, counts), "faster"),
                lines,
            ),
        ]
    )
