"""The peak memory of every learner, beside what it has to keep."""

from __future__ import annotations

import ctypes
import gc

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

from budgetron.engine.blocked import block_length
from budgetron.engine.group import MANY_SUPPORTS

from ..contenders.ours import dtypes_of, learners, made, matrices_of
from ..fresh import in_a_fresh_process
from ..resident import forget_the_peak, is_known, peak, present
from ..showing import Asked, Exhibit, Table, grouped
from ..workloads import Shape, stand_in

NAME = "memory"
TITLE = "Peak memory"
AT_MOST = 1.5
SHAPES = {
    "dense, 784 features": {"features": 784, "filled": 150.0, "is_sparse": False},
    "sparse, 65,536 features": {"features": 2**16, "filled": 75.0, "is_sparse": True},
}
CHUNK = 1000
DOUBLE = 8  # bytes


def measure(scale):
    """Yield peak and formula of each learner, from processes of their own."""
    if not is_known():
        return
    budget = 2 * scale.budget
    named = [
        (name, budget if on_a_budget else None)
        for on_a_budget in (True, False)
        for name in learners(scale, on_a_budget=on_a_budget)
    ]
    for rows, shape in SHAPES.items():
        for name, own_budget in named:
            for dtype in dtypes_of(name):
                facts = {"rows": rows, "learner": name, "dtype": dtype, "repeat": 0}
                settings = {"name": name, "budget": own_budget, "dtype": dtype, "shape": shape}
                settings["length"] = 3 * budget if own_budget else budget
                yield facts | in_a_fresh_process(peak_and_parts, **settings)


def peak_and_parts(name, budget, dtype, shape, length):
    """How far the memory of this process rises while a learner goes over rows, and why it has to.

    Labels are random, so that half of the rows are mistakes and the budget is soon full. A small
    learner of the same kind goes first, for all machine code and for the work space of BLAS.
    """
    X, _ = stand_in(Shape(length, values="between 0 and 1", **shape))
    X, y = X.astype(dtype), np.random.default_rng(1).integers(2, size=length)
    parameters = {"gamma": 0.01, "dtype": dtype, "random_state": 0}
    with threadpool_limits(1):
        _go_over(made(name, budget=MANY_SUPPORTS, **parameters), X[:600], y[:600])
        np.ones((2000, 800), dtype) @ np.ones((800, 256), dtype)
        learner = made(name, **parameters | ({"budget": budget} if budget else {}))
        _release()
        before = present()
        forget_the_peak()
        _go_over(learner, X, y)
        risen = peak() - before
    return {"peak": risen, **_parts(name, learner._learner, X)}


def _go_over(learner, X, y):
    for first in range(0, X.shape[0], CHUNK):
        here = slice(first, first + CHUNK)
        learner.partial_fit(X[here], y[here], [0, 1])


def _parts(name, learner, X):
    """Bytes of supports, of the matrix if there is one, and of a block with its kernel values.

    A block of sparse rows is laid out over the features that occur in it.
    """
    learner = getattr(learner, "lead", learner)  # of several filters
    size, length, supports = learner.size, block_length(learner), learner.supports
    item = learner.dtype.itemsize
    if sparse.issparse(supports):
        stored = supports.nnz * (item + DOUBLE)
        block = len(np.unique(X[:length].indices)) * length * item
    else:
        stored, block = size * learner.width * item, length * learner.width * item
    return {
        "size": size,
        "supports": stored,
        "matrix": matrices_of(name) * size * size * DOUBLE,
        "block": block + size * length * item,
    }


def _release():
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)


def show(records):
    """Megabytes: the peak, the formula and its parts."""
    tables, ratios = [], {}
    for (rows,), own in grouped(records, "rows").items():
        lines = []
        for record in own:
            formula = sum(record[part] for part in ("supports", "matrix", "block"))
            ratio = record["peak"] / formula
            ratios[f"{record['learner']}, {record['dtype']}, {rows}"] = ratio
            parts = (record[part] / 2**20 for part in ("supports", "matrix", "block", "peak"))
            lines.append(
                (
                    record["learner"],
                    record["dtype"],
                    f"{record['size']:,}",
                    *(f"{part:.1f}" for part in parts),
                    ratio,
                )
            )
        columns = ("learner", "dtype", "supports kept", "supports", "matrix", "block", "peak")
        tables.append(Table(f"Megabytes, {rows}", (*columns, "peak over formula"), lines))
    worst = max(ratios, key=ratios.get)
    return Exhibit(
        [
            "How far the resident memory of a fresh process rises above what it had with all rows"
            " loaded and the learner compiled, while the learner goes over rows with random labels."
            " The formula is supports + their matrix, if the learner keeps one, + one block of rows"
            " with its kernel values. What a call learns takes the learner's place when the call is"
            " finished, so that at its end there are supports and matrix twice.",
            *tables,
        ],
        [
            Asked(
                "peak memory over supports + matrix if needed + one block, every learner",
                f"at most {AT_MOST} x",
                f"{ratios[worst]:.2f} x ({worst})",
                ratios[worst] <= AT_MOST,
            )
        ],
    )
