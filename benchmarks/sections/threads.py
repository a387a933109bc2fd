"""What more threads bring, and what float32 brings on one of them."""

from __future__ import annotations

from functools import partial
from itertools import product
from time import sleep

import numpy as np

from budgetron.engine.blocked import block_length

from ..bare import dense_evaluation
from ..filling import a_run, filled
from ..limiting import limited, threads_to_try
from ..showing import Asked, Exhibit, Table, data_of, grouped
from ..timing import best_and_median, in_turns
from ..workloads import chosen
from .overhead import REMOVING

NAME = "threads"
TITLE = "Threads, and float32"
OTHERS = ("ProjectronPlusPlus", "Budgetron")
DTYPES = "float64", "float32"
REST = 0.05
"""Seconds; OpenBLAS's threads wait for the next product for half as long."""
BUDGETS = 500, 1000, 5000
LARGEST_OF_OTHERS = 1000
FASTER = {500: 1.3, 1000: 1.6, 5000: 1.6}
"""Two threads over one, by budget, for learners that remove."""
FASTER_OTHERS, NEVER_SLOWER, SINGLE_OVER_DOUBLE = 1.5, 0.97, 1.6
HOLDS_FROM = 1000
"""The budget from which on float32 is to be so much faster."""


def measure(scale):
    """Yield times of learners and of the bare evaluation with one thread and with two, in turns."""
    threads = threads_to_try()
    for workload in chosen(scale, "a9a", "digits"):
        stream = workload.stream(scale.rows)
        signs = np.where(stream.y, 1.0, -1.0)
        for name, budget, dtype in product((*REMOVING, *OTHERS), BUDGETS, DTYPES):
            is_other = name in OTHERS
            if scale.learners is not None and name not in scale.learners:
                continue
            if is_other and (budget > LARGEST_OF_OTHERS or dtype != "float64"):
                continue
            X = np.ascontiguousarray(stream.X, dtype)
            rows, labels = X[: scale.measured], signs[: scale.measured]
            learner, _ = filled(name, budget, X, signs, stream.gamma)
            supports = np.ascontiguousarray(learner.supports, dtype)
            bare = dense_evaluation(supports, rows, block_length(learner), stream.gamma)
            makers = {}
            for count in threads:
                makers["learner", count] = partial(_run, count, learner, rows, labels)
                makers["bare", count] = partial(limited, count, bare)
            rested = {key: partial(_rested, maker) for key, maker in makers.items()}
            for (what, count), repeat, seconds in in_turns(rested, scale.turns):
                yield {
                    "workload": workload.name,
                    "is_real": stream.is_real,
                    "learner": name,
                    "dtype": dtype,
                    "budget": budget,
                    "supports": learner.size,
                    "what": what,
                    "threads": count,
                    "rows": len(rows),
                    "seconds": seconds,
                    "repeat": repeat,
                }


def _rested(maker):
    """What is to be timed, when BLAS's threads no longer spin after the product before it."""
    sleep(REST)
    return maker()


def _run(count, learner, rows, labels):
    return limited(count, a_run(learner, rows, labels))


def speeds_by_threads(records, what="learner"):
    """Rows a second, by workload, name, dtype and budget: by number of threads."""
    own = [record for record in records if record["what"] == what]
    return {
        key: {
            count: each[0]["rows"] / best_and_median(each)[0]
            for (count,), each in grouped(alike, "threads").items()
        }
        for key, alike in grouped(own, "workload", "learner", "dtype", "budget").items()
    }


def show(records):
    """Rows a second by threads, and what is asked of them."""
    counts = sorted({record["threads"] for record in records})
    speeds, bare = speeds_by_threads(records), speeds_by_threads(records, "bare")
    lines = []
    for key, own in grouped(records, "workload", "learner", "dtype", "budget").items():
        _, name, dtype, budget = key
        ours = [speeds[key][count] for count in counts]
        over = [bare[key][count] / speeds[key][count] for count in counts]
        facts = data_of(own[0]), name, dtype, budget, own[0]["supports"]
        lines.append((*facts, *(f"{speed:,.0f}" for speed in ours), ours[-1] / ours[0], *over))
    columns = [*map(str, counts), "faster", *(f"{count}: over bare" for count in counts)]
    return Exhibit(
        [
            "A block's kernel values are cut into tiles, the next one for whoever of the threads is"
            " free; the walk through the block is one thread's work. *Over bare*: the learner's"
            " time over that of the bare evaluation with as many threads for its products.",
            Table(
                "Rows a second by threads allowed",
                ("workload", "learner", "dtype", "budget", "supports", *columns),
                lines,
            ),
        ],
        [*_asked(speeds, counts[-1])],
    )


def _asked(speeds, most):
    faster = {key: best[most] / best[1] for key, best in speeds.items()}
    if most > 1:
        removing = {key: ratio for key, ratio in faster.items() if key[1] in REMOVING}
        for budget, at_least in FASTER.items():
            own = {key: ratio for key, ratio in removing.items() if key[3] == budget}
            yield from _least(f"two threads over one, removal at budget {budget}", own, at_least)
        others = {
            key: ratio for key, ratio in faster.items() if key[1] in OTHERS and key[3] == 1000
        }
        others = {key: ratio for key, ratio in others.items() if key[3] == LARGEST_OF_OTHERS}
        yield from _least("two threads over one, others at budget 1000", others, FASTER_OTHERS)
        yield from _least("two threads over one, of all", faster, NEVER_SLOWER)
    single = {
        key: best[1] / speeds[double][1]
        for key, best in speeds.items()
        if key[2] == "float32"
        and key[3] >= HOLDS_FROM
        and (double := (*key[:2], "float64", key[3])) in speeds
    }
    yield from _least("float32 over float64 on one thread", single, SINGLE_OVER_DOUBLE)


def _least(what, ratios, at_least):
    if ratios:
        key = min(ratios, key=ratios.get)
        found = f"{ratios[key]:.2f} x ({', '.join(map(str, key))})"
        yield Asked(what, f"at least {at_least:g} x", found, ratios[key] >= at_least)
