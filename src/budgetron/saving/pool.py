"""A pool of filters: each of them, the panel above them, and the examples that were kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.columns import ADDED, LARGEST_EXPONENT, LAST_LOOK, SO_FAR, STEP, Columns
from ..core.panel import FEATURES, NOTED, PERIODS, Panel
from ..engine import MILESTONES, Kept, Pool, SpanLearner
from .arrays import Arrays
from .checking import array_of, demand, fields, finite, flag, listed, whole
from .ingredients import describe_kernel, restore_kernel
from .machine import describe_machine, restore_machine
from .rows import describe_rows, restore_rows

__all__ = ["describe_pool", "restore_pool"]

WHOLE = "mistakes", "slots"
COUNTS = "seen", "age", "mistakes", "updates", "has_weights"


def describe_pool(pool: Pool, arrays: Arrays) -> dict[str, Any]:
    """The filters, and what is known of them."""
    known = pool.panel._asdict()
    del known["counts"]
    arrays.part("panel").put(**known)
    if pool.columns is not None:
        arrays.part("columns").put(**pool.columns._asdict())
    given = pool.given_kernel
    return {
        "kernel": None if given is None else describe_kernel(given),
        "sparse": bool(pool.sparse),
        "zero_is_mistake": bool(pool.zero_is_mistake),
        "scaled": bool(pool.scaled),
        "stored": float(pool.stored),
        "openings": int(pool.openings),
        "counts": dict(zip(COUNTS, pool.panel.counts.tolist(), strict=True)),
        "filters": [
            describe_machine(one, arrays.part(f"filters/{i}")) for i, one in enumerate(pool.filters)
        ],
        "has_columns": pool.columns is not None,
        "kept": None if pool.kept is None else _describe_kept(pool.kept, arrays.part("kept")),
    }


def restore_pool(document: Any, arrays: Arrays, learner: Any) -> Pool:
    """The pool of a learner with these parameters, classes and features."""
    fields(
        document,
        "the pool",
        (
            *("kernel", "sparse", "zero_is_mistake", "scaled", "stored", "openings"),
            *("counts", "filters", "has_columns", "kept"),
        ),
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
    pool.stored = finite(np.array([document["stored"]], float), "stored numbers", least=0).item()
    counts = array_of(document["counts"], "counts", COUNTS, np.int64)
    demand((counts[1:4] <= counts[0]).all() and counts[4] <= 1, "counts are more than seen")
    pool.openings = whole(document["openings"], "the openings", most=int(counts[0]))
    pool.panel.counts[:] = counts
    pool.filters = _filters(document["filters"], arrays, pool)
    pool.panel = _panel(arrays.part("panel"), pool)
    has_columns = flag(document["has_columns"], "whether columns are known")
    pool.columns = _columns(arrays.part("columns"), pool) if has_columns else None
    kept = document["kept"]
    demand((kept is None) or given is None, "examples are kept for a kernel that is given")
    pool.kept = None if kept is None else _kept(kept, arrays.part("kept"), pool)
    is_open = pool.kept is None or pool.age >= MILESTONES[0]
    demand(has_columns == (given is None and is_open), "columns are known at the wrong time")
    demand(bool(pool.filters) == (given is not None or is_open), "filters are at the wrong time")
    return pool


def _filters(document: Any, arrays: Arrays, pool: Pool) -> list[Any]:
    filters = [
        restore_machine(one, arrays.part(f"filters/{i}"), pool.width, 2)
        for i, one in enumerate(listed(document, "the filters"))
    ]
    for one in filters:
        alike = (
            isinstance(one, SpanLearner)
            and one.rule._replace(budget=pool.rule.budget) == pool.rule
            and one.rule.budget <= pool.rule.budget
            and (one.sparse, one.zero_is_mistake) == (pool.sparse, pool.zero_is_mistake)
            and one.seen == pool.seen
        )
        demand(alike, "a filter is not of this pool")
    return filters


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
    panel = Panel(
        counts=pool.panel.counts,
        **{
            name: finite(arrays.take(name, np.int64 if name in WHOLE else float, *shape), name)
            for name, shape in shapes.items()
        },
    )
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
    center = finite(arrays.take("center", float, None), "centers")
    width = len(center)
    demand(width <= pool.width if pool.sparse else width == pool.width, "centers are missing")
    columns = Columns(
        center,
        finite(arrays.take("counts", np.int64, width), "counts", least=0),
        finite(arrays.take("sums", float, width), "sums", least=0),
        finite(arrays.take("exponents", float, width), "exponents"),
        finite(arrays.take("common", float, 2), "common"),
        finite(arrays.take("factors", float, width), "factors", least=0),
        finite(arrays.take("offsets", float, width), "offsets"),
        finite(arrays.take("ranges", float, 4, width), "ranges"),
        finite(arrays.take("outside", np.int64, width), "outside", least=0),
        finite(arrays.take("leaving", np.int64, width), "leaving", least=0),
        finite(arrays.take("rows", np.int64, 2), "rows", least=0),
    )
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
    own = (columns.offsets == 0) | (columns.offsets == center)
    demand(own.all(), "an offset is not that of its feature")
    demand(pool.scaled or columns.is_plain, "features are scaled that should not be")
    demand(((columns.sums > 0) == (columns.counts > 0)).all(), "differences do not add up")
    return columns


def _describe_kept(kept: Kept, arrays: Arrays) -> dict[str, Any]:
    """How the examples are stored and in which dtype."""
    if not kept.codes:
        return {}
    arrays.put(codes=np.array(kept.codes, np.int64), weights=np.array(kept.weights))
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
