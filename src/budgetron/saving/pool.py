"""A pool of filters: each of them, the panel above them, and the examples that were kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.columns import ADDED, LARGEST_EXPONENT, LAST_LOOK, SO_FAR, STEP, Columns
from ..core.panel import FEATURES, NOTED, PERIODS, Panel
from ..engine import MILESTONES, Kept, Pool
from .arrays import Arrays
from .checking import LARGEST, demand, fields, finite, flag, listed, whole
from .ingredients import describe_form, describe_kernel, restore_form, restore_kernel
from .machine import describe_state, new_learner, restore_state
from .rows import describe_rows, restore_rows

__all__ = ["describe_pool", "restore_pool"]

WHOLE = "mistakes", "slots"
REAL = tuple(name for name in Panel._fields if name not in ("counts", *WHOLE))
"""The arrays of a panel."""

MEASURES = "center", "sums", "exponents", "factors", "offsets"
TIMES = "counts", "outside", "leaving"
"""What is known of each column."""
COUNTS = 5
"""Examples seen, those since the first that was kept, mistakes, updates, and whether there are
weights."""


def describe_pool(pool: Pool, arrays: Arrays) -> dict[str, Any]:
    """The filters, and what is known of them."""
    arrays.put(np.array([pool.stored]), np.array([pool.openings]), pool.panel.counts)
    for one in pool.filters:
        describe_state(one, arrays)
    panel, columns = pool.panel._asdict(), pool.columns
    arrays.put_joined(*(panel[name] for name in REAL))
    arrays.put_joined(*(panel[name] for name in WHOLE))
    if columns is not None:
        arrays.put(columns.ranges)
        arrays.put_joined(columns.common, *(getattr(columns, name) for name in MEASURES))
        arrays.put_joined(columns.rows, *(getattr(columns, name) for name in TIMES))
    given = pool.given_kernel
    return {
        "kernel": None if given is None else describe_kernel(given),
        "sparse": bool(pool.sparse),
        "zero_is_mistake": bool(pool.zero_is_mistake),
        "scaled": bool(pool.scaled),
        "filters": [
            {"budget": one.rule.budget, "kernel": describe_form(one.kernel)} for one in pool.filters
        ],
        "has_columns": pool.columns is not None,
        "kept": None if pool.kept is None else _describe_kept(pool.kept, arrays),
    }


def restore_pool(document: Any, arrays: Arrays, learner: Any) -> Pool:
    """The pool of a learner with these parameters, classes and features."""
    fields(
        document,
        "the pool",
        ("kernel", "sparse", "zero_is_mistake", "scaled", "filters", "has_columns", "kept"),
    )
    given, experts = document["kernel"], learner._experts()
    pool = Pool(
        learner._rule(),
        None if given is None else restore_kernel(given),
        learner.n_features_in_,
        sparse=flag(document["sparse"], "whether rows are sparse"),
        zero_is_mistake=flag(document["zero_is_mistake"], "whether 0 is a mistake"),
        classes=len(learner.classes_),
        scaled=flag(document["scaled"], "whether features are scaled"),
        missing=learner._takes_missing(),
        labels="labels" in experts,
        stack="stack" in experts,
    )
    pool.stored = finite(arrays.take("stored", float, 1), "stored numbers", least=0).item()
    openings = finite(arrays.take("openings", np.int64, 1), "openings", least=0)
    counts = finite(arrays.take("counts", np.int64, COUNTS), "counts", least=0)
    demand((counts < LARGEST).all(), "counts are too large")
    demand((counts[1:4] <= counts[0]).all() and counts[4] <= 1, "counts are more than seen")
    demand(openings[0] <= counts[0], "trust began anew too often")
    pool.openings = openings.item()
    pool.panel.counts[:] = counts
    pool.filters = [
        _filter(one, arrays, pool) for one in listed(document["filters"], "the filters")
    ]
    pool.panel = _panel(arrays, pool)
    has_columns = flag(document["has_columns"], "whether columns are known")
    pool.columns = _columns(arrays, pool) if has_columns else None
    kept = document["kept"]
    demand((kept is None) or given is None, "examples are kept for a kernel that is given")
    pool.kept = None if kept is None else _kept(kept, arrays, pool)
    is_open = pool.kept is None or pool.age >= MILESTONES[0]
    demand(has_columns == (given is None and is_open), "columns are known at the wrong time")
    demand(bool(pool.filters) == (given is not None or is_open), "filters are at the wrong time")
    return pool


def _filter(document: Any, arrays: Arrays, pool: Pool) -> Any:
    fields(document, "a filter", ("budget", "kernel"))
    budget = whole(document["budget"], "the budget", least=1, most=pool.rule.budget)
    machine: Any = new_learner(
        pool.rule._replace(budget=budget),
        restore_form(document["kernel"]),
        pool.width,
        sparse=pool.sparse,
        zero_is_mistake=pool.zero_is_mistake,
    )
    restore_state(machine, arrays)
    demand(machine.seen == pool.seen, "a filter has seen another stream")
    return machine


def _panel(arrays: Arrays, pool: Pool) -> Panel:
    experts, columns = len(pool.filters) + 2, pool.columns_of_scores
    shapes: dict[str, tuple[int, ...]] = {
        **dict.fromkeys(("trust", "first_trust", "losses", "mistakes"), (experts,)),
        **dict.fromkeys(("label_sums", "last_label"), (columns,)),
        "tally": (3,),
        "theta": (FEATURES,),
        "spread": (FEATURES, FEATURES),
        "watch": (PERIODS, NOTED),
        "merit": (2,),
        "slots": (len(pool.filters),),
    }
    real = arrays.take_joined("panel", float, *(shapes[name] for name in REAL))
    own = arrays.take_joined("slots", np.int64, *(shapes[name] for name in WHOLE))
    known = dict(zip((*REAL, *WHOLE), (*real, *own), strict=True))
    panel = Panel(counts=pool.panel.counts, **known)
    expected = pool.panel.with_filters(len(pool.filters)).first_trust
    demand(np.allclose(panel.first_trust, expected), "the first trust is another one")
    slots = panel.slots.tolist()
    demand(slots == sorted({*slots}) and {*slots} <= {*range(pool.slots)}, "a filter has no slot")
    demand(((panel.trust >= 0) & (panel.trust <= 1 + 1e-6)).all(), "trust is not from 0 to 1")
    total = panel.trust.sum()
    demand(abs(total - 1) < 1e-6 or not expected.any(), "the trust does not add up to 1")
    demand((panel.losses >= 0).all() and (panel.mistakes >= 0).all(), "a loss is negative")
    demand(panel.tally[0] >= 1 and panel.tally[2] >= 0, "the labels have no weight")
    demand((np.abs(panel.label_sums) <= panel.tally[0]).all(), "labels are larger than 1")
    demand(np.isin(panel.last_label, (-1, 0, 1)).all(), "the last label is none")
    demand((np.abs(panel.theta) < 1e6).all(), "the stack is too large")
    eigenvalues = np.linalg.eigvalsh((panel.spread + panel.spread.T) / 2)
    demand(-1e-6 <= eigenvalues[0] <= eigenvalues[-1] <= 10, "the stack's curvature is none")
    demand((np.abs(panel.watch) < 1e100).all(), "what was watched is too large")
    demand((panel.merit >= 0).all(), "a merit is negative")
    return panel


def _columns(arrays: Arrays, pool: Pool) -> Columns:
    ranges = finite(arrays.take("ranges", float, 4, None), "ranges")
    width = ranges.shape[1]
    demand(width <= pool.width if pool.sparse else width == pool.width, "columns are missing")
    common, *measures = arrays.take_joined("columns", float, (2,), *([(width,)] * len(MEASURES)))
    rows, *times = arrays.take_joined("times", np.int64, (2,), *([(width,)] * len(TIMES)))
    known = dict(zip((*MEASURES, *TIMES), (*measures, *times), strict=True))
    columns = Columns(common=common, rows=rows, ranges=ranges, **known)
    for each in (columns.sums, columns.factors, rows, *times):
        demand((each >= 0).all(), "what is known of columns is negative")
    exponents = np.append(columns.exponents, columns.common[ADDED])
    steps = exponents / STEP
    powers = (steps == np.rint(steps)) & (np.abs(exponents) <= LARGEST_EXPONENT)
    demand(powers.all(), "a scale is no power of two in quarters")
    low, high, lowest, highest = columns.ranges
    demand(((lowest <= low) & (low <= high) & (high <= highest)).all(), "a range is none")
    demand((columns.leaving <= 1).all(), "a feature leaves in a way that is not known")
    since = columns.rows[SO_FAR] - columns.rows[LAST_LOOK]
    demand(since >= 0 and (columns.outside <= since).all(), "more examples are outside than seen")
    demand((columns.factors == 2.0**-columns.powers).all(), "a factor is not that of its scale")
    own = (columns.offsets == 0) | (columns.offsets == columns.center)
    demand(own.all(), "an offset is not that of its feature")
    demand(pool.scaled or columns.is_plain, "features are scaled that should not be")
    demand(((columns.sums > 0) == (columns.counts > 0)).all(), "differences do not add up")
    return columns


def _describe_kept(kept: Kept, arrays: Arrays) -> dict[str, Any]:
    """How the examples are stored and in which dtype."""
    if not kept.codes:
        return {}
    arrays.put(np.array(kept.codes, np.int64), np.array(kept.weights))
    return describe_rows(kept.X, arrays)


def _kept(document: Any, arrays: Arrays, pool: Pool) -> Kept:
    """The examples, of the pool's features and classes."""
    if document == {}:
        demand(pool.age == 0, "examples are missing")
        return Kept()
    codes = arrays.take("codes", np.int64, None)
    demand(len(codes) == pool.age < MILESTONES[-1], "too many or too few examples are kept")
    demand(((codes >= 0) & (codes < pool.classes)).all(), "an example is of an unknown class")
    weights = finite(arrays.take("weights", float, len(codes)), "weights", least=0)
    demand((weights > 0).all(), "an example has no weight")
    shape = len(codes), pool.width
    X = restore_rows(document, "what was kept", arrays, shape, missing=pool.missing)
    return Kept(X, tuple(codes.tolist()), tuple(weights.tolist()))
