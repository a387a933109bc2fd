"""What learns: a rule, a kernel, and what is kept of the stream."""

from __future__ import annotations

import math
from collections.abc import Iterator
from copy import copy
from functools import lru_cache
from typing import Any

import numpy as np

from ..core.edits.random_features import RandomFeatures
from ..core.edits.supports import SMALLEST_SCALE
from ..core.kernel import Kernel
from ..core.memory import WHOLE
from ..core.rule import contract, most_supports
from ..core.state import COUNTS, NUMBERS, SEEN, SIZE, USED, State
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
from .checking import LARGEST, demand, fields, finite, flag, text
from .ingredients import describe_form, describe_rule, restore_form, restore_rule
from .packing import asymmetry, has_two_halves, mend, packed, packed_shape, unpacked

__all__ = [
    "MOST_FEATURES",
    "describe_machine",
    "describe_state",
    "new_learner",
    "restore_machine",
    "restore_state",
]

MOST_FEATURES = 2**31 - 1
"""A learner may need memory for each, whether or not a support has it."""


def describe_machine(machine: Any, arrays: Arrays) -> dict[str, Any]:
    """A learner of two classes, one of many, or one for each class."""
    if isinstance(machine, OneVsRest):
        told = _describe_way(machine.machines[0])
        arrays.put(np.array([machine.mistakes, machine.updates]))
        for one in machine.machines:
            describe_state(one, arrays)
        return told
    told = _describe_way(machine)
    if isinstance(machine, MulticlassLearner):
        told["newcomer"] = bool(machine._has_newcomer)
    describe_state(machine, arrays)
    return told


def restore_machine(
    document: Any, arrays: Arrays, width: int, classes: int, multi_class: str = "one_vs_rest"
) -> Any:
    """A machine for so many features and classes, or one for each of them: see `multi_class`."""
    kind: Any = None
    if multi_class == "single_machine":
        kind = MulticlassLearner
    elif classes > 2 and multi_class == "shared":
        kind = SharedLearner
    if classes <= 2 or kind is not None:
        machine = _new_machine(document, width, classes, kind)
        restore_state(machine, arrays)
        return machine
    counts = finite(arrays.take("counts of all", np.int64, 2), "counts of all", least=0)
    first = _new_machine(document, width, classes, None)
    machines = [copy(first) for _ in range(classes)]
    for one in machines:
        restore_state(one, arrays)
    seen = machines[0].seen
    demand(all(one.seen == seen for one in machines), "the machines do not learn alike")
    demand((counts <= seen).all(), "there are more mistakes than examples")
    if isinstance(first, RandomFeatureLearner):
        _share_frequencies(machines)
    return OneVsRest(machines, *counts.tolist())


def _share_frequencies(machines: list[Any]) -> None:
    """The frequencies are the largest part of a machine, and the same for all classes."""
    first = machines[0].state.memory.frequencies
    for machine in machines[1:]:
        memory = machine.state.memory
        same = np.array_equal(memory.frequencies, first)
        demand(same, "the machines have different frequencies")
        machine.state = machine.state._replace(memory=memory._replace(frequencies=first))


# ---------------------------------------------------------------------------------- how it learns


def _describe_way(machine: Learner) -> dict[str, Any]:
    """What is not learned."""
    return {
        "rule": describe_rule(machine.rule),
        "kernel": describe_form(machine.kernel),
        "sparse": bool(machine.sparse),
        "dtype": machine.dtype.name,
        "zero_is_mistake": bool(machine.zero_is_mistake),
    }


def _new_machine(document: Any, width: int, classes: int, kind: Any) -> Learner:
    """One that has learned nothing; of a `kind` for many classes, if that is given."""
    own = () if kind is None else ("newcomer",)
    fields(document, "the machine", (*WAY, *own))
    rule, kernel = restore_rule(document["rule"]), restore_form(document["kernel"])
    dtype = text(document["dtype"], "the dtype")
    demand(dtype in ("float64", "float32"), f"the dtype must be float64 or float32: {dtype[:30]}")
    options: dict[str, Any] = {
        "sparse": flag(document["sparse"], "whether rows are sparse"),
        "dtype": dtype,
        "zero_is_mistake": flag(document["zero_is_mistake"], "whether 0 is a mistake"),
    }
    has_supports = contract(rule).keeps is not RandomFeatures
    gaussian = kernel.exponential and not kernel.multiscale
    demand(has_supports or gaussian, "random features are for the Gaussian kernel alone")
    if kind is None:
        machine = new_learner(rule, kernel, width, **options)
    else:
        demand(contract(rule).multiclass, "the rule has no single machine for many classes")
        shares = kind is MulticlassLearner or shares_supports(rule)
        demand(shares, "the rule has no factor that classes could share")
        machine = kind(rule, kernel, width, classes, **options)
        machine._has_newcomer = flag(document["newcomer"], "whether there is a newcomer")
    demand(machine.dtype == dtype, f"the rule does not work in {dtype}")
    return machine


def new_learner(rule: Any, kernel: Kernel, width: int, **options: Any) -> Learner:
    """One for two classes that has learned nothing; all alike share their machine code."""
    prototype = _prototype(rule, kernel, width, **options)
    learner: Learner = object.__new__(type(prototype))
    learner.__dict__.update(prototype.__dict__, _idle=[])
    return learner


@lru_cache(256, typed=True)
def _prototype(rule: Any, kernel: Kernel, width: int, **options: Any) -> Learner:
    return kind_of_learner(rule)(rule, kernel, width, **options)


WAY = "rule", "kernel", "sparse", "dtype", "zero_is_mistake"


# -------------------------------------------------------------------------------- what it learned


def describe_state(machine: Learner, arrays: Arrays) -> None:
    """All that is learned, and the numbers of the kernel: arrays."""
    state = machine.state
    numbers = np.array(machine.kernel[:3], float)
    arrays.put(numbers, state.counts, state.numbers, state.randomness)
    slots, forms = machine.slots, state.memory.forms
    if not isinstance(machine, RandomFeatureLearner):
        rows = state.rows
        arrays.put(state.order[: state.counts[USED]], rows.norms[slots], state.births[slots])
        arrays.put(state.weights[slots])
        arrays.put_unless_zero(state.weight_time[slots])
        if machine.sparse:
            X = rows.matrix(slots)
            arrays.put(rows.lengths[slots], X.indices.astype(np.int64), X.data)
        else:
            arrays.put(rows.matrix(slots))
    for array, form in zip(state.memory, forms, strict=True):
        if form != WHOLE:
            arrays.put(packed(array, form, slots))
        if has_two_halves(form):
            arrays.put_unless_zero(asymmetry(array, form, slots))
    for _, group in _whole(state.memory):
        arrays.put_joined(*(getattr(state.memory, name) for name in group))


def restore_state(machine: Learner, arrays: Arrays) -> None:
    """Let a machine have learned what is in the arrays."""
    product, norms, constant = finite(arrays.take("kernel", float, 3), "the kernel").tolist()
    form: Any = machine.kernel
    machine.kernel = form._replace(product=product, norms=norms, constant=constant)
    counts = finite(arrays.take("counts", np.int64, len(COUNTS)), "counts", least=0)
    demand((counts < LARGEST).all(), "counts are too large")
    numbers = finite(arrays.take("numbers", float, len(NUMBERS)), "numbers")
    randomness = arrays.take("randomness", np.uint64, 1)
    demand(randomness[0] > 0, "the randomness must not be 0")
    state = machine.state._replace(counts=counts, numbers=numbers, randomness=randomness)
    _check_counts(machine.rule, counts)
    _check_numbers(numbers)
    slots = NONE
    if not isinstance(machine, RandomFeatureLearner):
        state = _with_supports(machine, state, arrays)
        slots = state.order[: counts[SIZE]]
    machine.state = state._replace(memory=_memory(machine, state, slots, arrays))
    for holds, problem in machine.state.memory.demands(machine.state):
        demand(holds, problem)


NONE = np.zeros(0, np.int64)


def _with_supports(machine: Learner, state: State, arrays: Arrays) -> State:
    size, used = state.counts.item(SIZE), state.counts.item(USED)
    order = arrays.take("order", np.int64, used)
    demand(sorted(order.tolist()) == [*range(used)], "the order does not have every slot once")
    slots, columns = order[:size], state.weights.shape[1:]
    norms = finite(arrays.take("norms", float, size), "squared norms", least=0)
    births = arrays.take("births", np.int64, size)
    _check_births(births, state.counts.item(SEEN))
    weights = finite(arrays.take("weights", float, size, *columns), "weights")
    times = arrays.take_or_zero("weight_time", float, size, *columns)
    finite(times, "weights' times")
    rows: Any = (_sparse_rows if machine.sparse else _dense_rows)(
        arrays, norms, slots, used, machine.width, machine.dtype
    )
    return state._replace(
        rows=rows,
        weights=_scattered(weights, slots, used),
        weight_time=_scattered(times, slots, used),
        births=_scattered(births, slots, used),
        order=order,
    )


def _scattered(numbers: np.ndarray, slots: np.ndarray, used: int) -> np.ndarray:
    """Numbers of supports, in the slots of these."""
    array = np.zeros((used, *numbers.shape[1:]), numbers.dtype)
    array[slots] = numbers
    return array


def _memory(machine: Learner, state: State, slots: np.ndarray, arrays: Arrays) -> Any:
    """What the rule keeps, in the shapes that it has for so many slots."""
    empty: Any = machine.state.memory
    if isinstance(empty, RandomFeatures):
        budget = machine.rule.budget
        shapes: Any = ((machine.width, budget), (2 * budget,))
    else:
        shapes = empty.shapes(machine.rule, len(state.order))
    told: dict[str, np.ndarray] = {}
    shape_of = dict(zip(empty._fields, shapes, strict=True))
    for name, form in zip(empty._fields, empty.forms, strict=True):
        if form != WHOLE:
            shape = shape_of[name]
            found = arrays.take(name, float, *packed_shape(form, shape, len(slots)))
            told[name] = unpacked(finite(found, name), form, shape, slots)
            if has_two_halves(form):
                difference = arrays.take_or_zero(name, np.int64, len(found))
                if difference.any():
                    mend(told[name], form, slots, difference)
                    finite(told[name], name)
    for dtype, group in _whole(empty):
        found_ones = arrays.take_joined(group[0], dtype, *(shape_of[name] for name in group))
        told |= zip(group, found_ones, strict=True)
    return type(empty)(**told)


def _whole(memory: Any) -> Iterator[tuple[Any, list[str]]]:
    """The names of the arrays that have nothing to do with supports, by their type."""
    own = zip(memory._fields, memory, memory.forms, strict=True)
    of_type: dict[Any, list[str]] = {}
    for name, array, form in own:
        if form == WHOLE:
            of_type.setdefault(array.dtype, []).append(name)
    yield from of_type.items()


def _dense_rows(
    arrays: Arrays, norms: np.ndarray, slots: np.ndarray, used: int, width: int, dtype: Any
) -> DenseRows:
    values = finite(arrays.take("values", dtype, len(slots), width), "supports")
    rows = DenseRows(np.zeros((used, width + 2), dtype), _scattered(norms, slots, used))
    rows.values[slots, :-2] = values
    rows.values[slots, -2], rows.values[slots, -1] = norms, 1
    return rows


def _sparse_rows(
    arrays: Arrays, norms: np.ndarray, slots: np.ndarray, used: int, width: int, dtype: Any
) -> SparseRows:
    lengths = arrays.take("lengths", np.int64, len(slots))
    features = arrays.take("features", np.int64, None)
    total = len(features)
    values = finite(arrays.take("values", dtype, total), "supports")
    demand(((features >= 0) & (features < width)).all(), "a support has an unknown feature")
    inside = ((lengths >= 0) & (lengths <= total)).all() and lengths.sum() == total
    demand(inside, "the supports do not fill their place")
    return SparseRows(
        starts=_scattered(np.cumsum(lengths) - lengths, slots, used),
        lengths=_scattered(lengths, slots, used),
        features=features,
        values=values,
        norms=_scattered(norms, slots, used),
        ends=np.array([total, width]),
    )


def _check_counts(rule: Any, all_counts: np.ndarray) -> None:
    counts = dict(zip(COUNTS, all_counts.tolist(), strict=True))
    most = getattr(rule, "budget", math.inf)
    demand(counts["size"] <= most, "there are more supports than the budget")
    demand(counts["used"] <= max(most_supports(rule), 1), "there are more slots than the budget")
    demand(counts["size"] <= counts["used"], "there are more supports than slots")
    for part, all_of in PARTS:
        demand(counts[part] <= counts[all_of], "{} are more than {}", part, all_of)
    demand(counts["has_weights"] <= 1, "has_weights must be 0 or 1")


PARTS = (
    *(("mistakes", "seen"), ("updates", "seen"), ("maintained_at", "updates")),
    ("weighted_mistakes", "mistakes"),
)


def _check_numbers(all_numbers: np.ndarray) -> None:
    numbers = dict(zip(NUMBERS, all_numbers.tolist(), strict=True))
    demand(
        SMALLEST_SCALE <= numbers["scale"] <= 1 / SMALLEST_SCALE,
        "the scale is too small or too large",
    )
    for name in ("scale_sum", "largest_norm", "largest_weight"):
        demand(numbers[name] >= 0, "{} is negative", name)


def _check_births(all_births: np.ndarray, seen: int) -> None:
    births = all_births.tolist()
    demand(births == sorted(births), "supports are not in the order of their births")
    inside = not births or 0 <= births[0] <= births[-1] < seen
    demand(inside, "a support is from outside the stream")
