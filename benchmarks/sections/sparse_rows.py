"""Sparse rows: the engine beside the bare sparse product, and beside a loop over the rows."""

from __future__ import annotations

from functools import partial

import numpy as np
from threadpoolctl import threadpool_limits

from budgetron.engine.blocked import block_length

from ..bare import sparse_evaluations
from ..filling import a_run, filled
from ..loops import merging_loop, sparse_loop
from ..showing import Asked, Exhibit, Table, data_of, grouped
from ..timing import best_and_median, in_turns
from ..workloads import chosen
from .overhead import REMOVING

NAME = "sparse"
TITLE = "Sparse rows"
LOOPED = "LeastRecentBudgetPerceptron"
"""Its loop is the plainest, and the removal learners take nearly the same time."""
IN_LOOP = 512
SPARSE_LOOPS = {"SciPy": sparse_loop, "merge join": merging_loop}
AT_MOST, AT_LEAST = 1.5, 10


def measure(scale):
    """Yield the time of each learner, of SciPy's products and of the loop, in turns."""
    names = [name for name in REMOVING if scale.learners is None or name in scale.learners]
    for workload in chosen(scale, "spam", "reuters"):
        stream = workload.stream(scale.rows)
        signs = np.where(stream.y, 1.0, -1.0)
        for dtype in ("float64", "float32"):
            X = stream.X.astype(dtype)
            facts = {"workload": workload.name, "is_real": stream.is_real, "dtype": dtype}
            with threadpool_limits(1):
                for record in _times(names, scale, X, signs, stream.gamma):
                    yield facts | {"budget": scale.budget} | record


def _times(names, scale, X, signs, gamma):
    learners = {name: filled(name, scale.budget, X, signs, gamma)[0] for name in names}
    rows, labels = X[: scale.measured], signs[: scale.measured]
    forgetful = filled(LOOPED, scale.budget, X, signs, gamma)[0]
    length = block_length(forgetful)

    def loop(make):
        run = make(forgetful.supports, forgetful.weights, scale.budget, gamma)
        return partial(run, rows[:IN_LOOP], labels[:IN_LOOP])

    loop(merging_loop)()  # compiled

    makers = {name: partial(a_run, learner, rows, labels) for name, learner in learners.items()}
    bare = sparse_evaluations(forgetful.supports, rows, length, gamma)
    makers |= {f"bare: {way}": partial(lambda go: go, go) for way, go in bare.items()}
    makers |= {f"loop: {way}": partial(loop, make) for way, make in SPARSE_LOOPS.items()}
    for what, repeat, seconds in in_turns(makers, scale.repeats):
        yield {
            "what": what,
            "supports": forgetful.size,
            "rows": min(IN_LOOP, rows.shape[0]) if "loop" in what else rows.shape[0],
            "seconds": seconds,
            "repeat": repeat,
        }


def show(records):
    """Times a row, over the faster product and under the loop."""
    tables, asked = [], []
    for (_, dtype), own in grouped(records, "workload", "dtype").items():
        times = {
            what: best_and_median(each)[0] / each[0]["rows"]
            for (what,), each in grouped(own, "what").items()
        }
        bare = min((what for what in times if what.startswith("bare")), key=times.get)
        loop = min((what for what in times if what.startswith("loop")), key=times.get)
        lines = [
            (what, f"{1e6 * time:.1f}", time / times[bare], times[loop] / time)
            for what, time in times.items()
        ]
        data = data_of(own[0])
        caption = f"{data}, budget {own[0]['budget']}, {dtype}"
        columns = ("", "microseconds a row", "over the faster product", "faster loop over it")
        tables.append(Table(caption, columns, lines))
        learners = {what: time for what, time in times.items() if what in REMOVING}
        slowest = max(learners, key=learners.get)
        asked.append(
            Asked(
                f"{caption}: over the bare sparse product",
                f"at most {AT_MOST} x",
                f"{learners[slowest] / times[bare]:.2f} x ({slowest})",
                learners[slowest] <= AT_MOST * times[bare],
            )
        )
        asked += [
            Asked(
                f"{caption}: a row-by-row sparse {what} takes",
                f"at least {AT_LEAST} x as long",
                f"{times[what] / learners[slowest]:.1f} x ({slowest})",
                times[what] >= AT_LEAST * learners[slowest],
            )
            for what in times
            if what.startswith("loop")
        ]
    words = (
        "With a full budget, on one thread. The bare product is SciPy's, of a block of sparse rows"
        " and the supports, with the kernel's exp after it; the supports are sparse, or dense where"
        " they fit into a gigabyte, and the faster of the two counts. The loops take one row at a"
        " time: one lets SciPy multiply the CSR supports by it, the other is machine code for a"
        " merge join with each support."
    )
    return Exhibit([words, *tables], asked)
