"""What learns: a rule, a kernel, and what is kept of the stream."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core.edits.random_features import RandomFeatures
from ..core.edits.supports import SMALLEST_SCALE
from ..core.rule import contract, most_supports
from ..core.state import COUNTS, NUMBERS, SEEN, State
from ..core.storage import DenseRows, SparseRows
from ..engine import (
    Learner,
    MulticlassLearner,
    OneVsRest,
    RandomFeatureLearner,
    SharedLearner,
    kind_of_learner,
    shares_supports,
)
from .arrays import Arrays
from .checking import array_of, demand, fields, finite, flag, listed, text, whole
from .ingredients import (
    describe_kernel,
    describe_randomness,
    describe_rule,
    restore_kernel,
    restore_randomness,
    restore_rule,
)

__all__ = ["MOST_FEATURES", "describe_machine", "restore_machine"]

MOST_FEATURES = 2**31 - 1
"""A learner may need memory for each, whether or not a support has it."""


def describe_machine(machine: Any, arrays: Arrays) -> dict[str, Any]:
    """A learner of two classes, one of many, or one for each class."""
    if isinstance(machine, OneVsRest):
        return {
            "machines": [
                _describe(one, arrays.part(str(i))) for i, one in enumerate(machine.machines)
            ],
            "mistakes": int(machine.mistakes),
            "updates": int(machine.updates),
        }
    return _describe(machine, arrays)


def restore_machine(
    document: Any, arrays: Arrays, width: int, classes: int, multi_class: str = "one_vs_rest"
) -> Any:
    """A machine for so many features and classes, or one for each of them: see `multi_class`."""
    if multi_class == "single_machine":
        return _restore(document, arrays, width, classes)
    if classes <= 2:
        return _restore(document, arrays, width, None)
    if multi_class == "shared":
        return _restore(document, arrays, width, classes, SharedLearner)
    fields(document, "the machines", ("machines", "mistakes", "updates"))
    each = listed(document["machines"], "the machines")
    demand(len(each) == classes, f"there are {len(each)} machines for {classes} classes")
    machines = [_restore(one, arrays.part(str(i)), width, None) for i, one in enumerate(each)]
    demand(len({_way(one) for one in machines}) == 1, "the machines do not learn alike")
    if isinstance(machines[0], RandomFeatureLearner):
        _share_frequencies(machines)
    seen = machines[0].seen
    return OneVsRest(
        machines,
        whole(document["mistakes"], "the mistakes", most=seen),
        whole(document["updates"], "the updates", most=seen),
    )


def _share_frequencies(machines: list[Any]) -> None:
    """The frequencies are the largest part of a machine, and the same for all classes."""
    first = machines[0].state.memory.frequencies
    for machine in machines[1:]:
        memory = machine.state.memory
        same = np.array_equal(memory.frequencies, first)
        demand(same, "the machines have different frequencies")
        machine.state = machine.state._replace(memory=memory._replace(frequencies=first))


def _way(machine: Learner) -> tuple[Any, ...]:
    """What machines for the classes of one stream have in common."""
    return (
        *(machine.rule, machine.kernel, machine.sparse, machine.dtype),
        *(machine.zero_is_mistake, machine.seen),
    )


def _describe(machine: Learner, arrays: Arrays) -> dict[str, Any]:
    document = _describe_common(machine)
    if isinstance(machine, RandomFeatureLearner):
        arrays.part("memory").put(**machine.state.memory._asdict())
        return document
    used = int(machine.state.counts[COUNTS.index("used")])
    state = machine.state.trimmed(machine.state.memory.resized(machine.rule, used))
    rows = {name: array for name, array in state.rows._asdict().items() if name != "ends"}
    arrays.put(
        **rows,
        weights=state.weights,
        weight_time=state.weight_time,
        births=state.births,
        order=state.order,
    )
    arrays.part("memory").put(**state.memory._asdict())
    if machine.sparse:
        document["end"] = int(state.rows.ends[0])
    if isinstance(machine, MulticlassLearner):
        document["newcomer"] = bool(machine._has_newcomer)
    return document


def _describe_common(machine: Learner) -> dict[str, Any]:
    """What all machines have, whatever else they keep."""
    state = machine.state
    return {
        "rule": describe_rule(machine.rule),
        "kernel": describe_kernel(machine.kernel),
        "sparse": bool(machine.sparse),
        "dtype": machine.dtype.name,
        "zero_is_mistake": bool(machine.zero_is_mistake),
        "counts": dict(zip(COUNTS, state.counts.tolist(), strict=True)),
        "numbers": dict(zip(NUMBERS, state.numbers.tolist(), strict=True)),
        "randomness": describe_randomness(state.randomness),
    }


ALWAYS = (
    *("rule", "kernel", "sparse", "dtype", "zero_is_mistake"),
    *("counts", "numbers", "randomness"),
)


def _restore(
    document: Any,
    arrays: Arrays,
    width: int,
    classes: int | None,
    kind: type[MulticlassLearner] = MulticlassLearner,
) -> Learner:
    demand(isinstance(document, dict), "the machine must be a JSON object")
    sparse = flag(document.get("sparse"), "whether rows are sparse")
    rule, kernel = restore_rule(document.get("rule")), restore_kernel(document.get("kernel"))
    has_supports = contract(rule).keeps is not RandomFeatures
    own = ["end"] * (sparse and has_supports) + ["newcomer"] * (classes is not None)
    fields(document, "the machine", (*ALWAYS, *own))
    dtype = text(document["dtype"], "the dtype")
    demand(dtype in ("float64", "float32"), f"the dtype must be float64 or float32: {dtype[:30]}")
    options: dict[str, Any] = {
        "sparse": sparse,
        "dtype": dtype,
        "zero_is_mistake": flag(document["zero_is_mistake"], "whether 0 is a mistake"),
    }
    gaussian = kernel.exponential and not kernel.multiscale
    demand(has_supports or gaussian, "random features are for the Gaussian kernel alone")
    if classes is None:
        machine = kind_of_learner(rule)(rule, kernel, width, **options)
    else:
        demand(contract(rule).multiclass, "the rule has no single machine for many classes")
        shares = kind is MulticlassLearner or shares_supports(rule)
        demand(shares, "the rule has no factor that classes could share")
        machine = kind(rule, kernel, width, classes, **options)
        machine._has_newcomer = flag(document["newcomer"], "whether there is a newcomer")
    demand(machine.dtype == dtype, f"the rule does not work in {dtype}")
    machine.state = machine.state._replace(
        counts=array_of(document["counts"], "counts", COUNTS, np.int64),
        numbers=array_of(document["numbers"], "numbers", NUMBERS, float),
        randomness=restore_randomness(document["randomness"]),
    )
    if has_supports:
        machine.state = _with_supports(machine, document, arrays)
    machine.state = machine.state._replace(memory=_memory(machine, arrays.part("memory")))
    _check_counts(machine)
    _check_numbers(machine)
    _check_births(machine)
    for holds, problem in machine.state.memory.demands(machine.state):
        demand(holds, problem)
    return machine


def _with_supports(machine: Learner, document: Any, arrays: Arrays) -> State:
    order = arrays.take("order", np.int64, None)
    slots, columns = len(order), machine.state.weights.shape[1:]
    demand((np.sort(order) == np.arange(slots)).all(), "the order does not have every slot once")
    rows: Any = (
        _sparse_rows(arrays, document["end"], slots, machine.width, machine.dtype)
        if machine.sparse
        else _dense_rows(arrays, slots, machine.width, machine.dtype)
    )
    return machine.state._replace(
        rows=rows,
        weights=finite(arrays.take("weights", float, slots, *columns), "weights"),
        weight_time=finite(arrays.take("weight_time", float, slots, *columns), "weights' times"),
        births=arrays.take("births", np.int64, slots),
        order=order,
    )


def _memory(machine: Learner, arrays: Arrays) -> Any:
    """What the rule keeps, in the shapes that it has for so many slots."""
    empty, slots = machine.state.memory, len(machine.state.order)
    if isinstance(empty, RandomFeatures):
        budget = machine.rule.budget
        shapes: Any = ((machine.width, budget), (2 * budget,))
    else:
        shapes = empty.shapes(machine.rule, slots)
    return type(empty)(
        *(
            finite(arrays.take(name, array.dtype, *shape), name)
            for name, array, shape in zip(empty._fields, empty, shapes, strict=True)
        )
    )


def _dense_rows(arrays: Arrays, slots: int, width: int, dtype: Any) -> DenseRows:
    values = arrays.take("values", dtype, slots, width + 2)
    return DenseRows(finite(values, "supports"), _norms(arrays, slots))


def _norms(arrays: Arrays, slots: int) -> np.ndarray:
    return finite(arrays.take("norms", float, slots), "squared norms", least=0)


def _sparse_rows(arrays: Arrays, end: Any, slots: int, width: int, dtype: Any) -> SparseRows:
    values = finite(arrays.take("values", dtype, None), "supports")
    features = arrays.take("features", np.int64, len(values))
    starts, lengths = (arrays.take(name, np.int64, slots) for name in ("starts", "lengths"))
    free = whole(end, "the end of the pool", most=len(values))
    demand(((features >= 0) & (features < width)).all(), "a support has an unknown feature")
    inside = (starts >= 0) & (lengths >= 0) & (starts <= free) & (lengths <= free)
    demand(inside.all() and (starts + lengths <= free).all(), "a support is outside the pool")
    demand(sum(lengths.tolist()) <= free, "supports share their place in the pool")
    ends = np.array([free, width])
    return SparseRows(starts, lengths, features, values, _norms(arrays, slots), ends)


def _check_counts(machine: Learner) -> None:
    counts = dict(zip(COUNTS, machine.state.counts.tolist(), strict=True))
    slots, most = len(machine.state.order), getattr(machine.rule, "budget", math.inf)
    demand(counts["size"] <= most, "there are more supports than the budget")
    demand(slots <= max(most_supports(machine.rule), 1), "there are more slots than the budget")
    demand(counts["size"] <= counts["used"] <= slots, "there are more supports than slots")
    used = machine.slots.max(initial=-1) < counts["used"]
    demand(used, "a support is where none has been")
    for part, all_of in (
        *(("mistakes", "seen"), ("updates", "seen"), ("maintained_at", "updates")),
        ("weighted_mistakes", "mistakes"),
    ):
        demand(counts[part] <= counts[all_of], f"{part} are more than {all_of}")
    demand(counts["has_weights"] <= 1, "has_weights must be 0 or 1")


def _check_numbers(machine: Learner) -> None:
    numbers = dict(zip(NUMBERS, machine.state.numbers.tolist(), strict=True))
    demand(
        SMALLEST_SCALE <= numbers["scale"] <= 1 / SMALLEST_SCALE,
        "the scale is too small or too large",
    )
    for name in ("scale_sum", "largest_norm", "largest_weight"):
        demand(numbers[name] >= 0, f"{name} is negative")


def _check_births(machine: Learner) -> None:
    births, seen = machine.births, machine.state.counts[SEEN]
    demand((np.diff(births) >= 0).all(), "supports are not in the order of their births")
    demand(((births >= 0) & (births < seen)).all(), "a support is from outside the stream")
