"""What learns: a rule, a kernel, and what is kept of the stream."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core.edits.random_features import Waves
from ..core.edits.span import AGES, NO_RECORD, WEIGHT, Span
from ..core.expansion import OWN, SEEN, SMALLEST_SCALE, Kept
from ..core.rule import blur, most_supports, needs_factor, needs_gram, needs_waves
from ..core.single_machine import has_single_machine
from ..core.storage import DenseRows, SparseRows
from ..engine import (
    FourierLearner,
    Learner,
    ManyLearner,
    OneVsRest,
    SpanLearner,
    kind_of_learner,
)
from ..rules.pseudoinverse_second_order_perceptron import PseudoinverseSecondOrderPerceptron
from ..rules.second_order_perceptron import SpanSecondOrderPerceptron
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

COUNTS = (
    *("size", "used", "seen", "mistakes", "updates"),
    *("edits", "position", "tended", "weighted", "heeded"),
)
NUMBERS = ("scale", "mass", "largest", "own", "blur", "clock", "peak", "noted")

MOST_FEATURES = 2**31 - 1
"""A learner may need memory for each, whether or not a support has it."""

SMALLEST, LARGEST = 1e-158, 1e154
"""The diagonal of a factor of kernel values that a float64 can hold."""

WARPING = PseudoinverseSecondOrderPerceptron, SpanSecondOrderPerceptron
"""Rules with a second triangle in the rectangle of the factor: see `warp`."""


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
    document: Any, arrays: Arrays, width: int, classes: int, *, single: bool
) -> Any:
    """A machine for so many features and classes: a single one, or else one for each of many."""
    if single:
        return _restore(document, arrays, width, classes)
    if classes <= 2:
        return _restore(document, arrays, width, None)
    fields(document, "the machines", ("machines", "mistakes", "updates"))
    each = listed(document["machines"], "the machines")
    demand(len(each) == classes, f"there are {len(each)} machines for {classes} classes")
    machines = [_restore(one, arrays.part(str(i)), width, None) for i, one in enumerate(each)]
    demand(len({_way(one) for one in machines}) == 1, "the machines do not learn alike")
    if isinstance(machines[0], FourierLearner):
        _share_frequencies(machines)
    seen = machines[0].seen
    return OneVsRest(
        machines,
        whole(document["mistakes"], "the mistakes", most=seen),
        whole(document["updates"], "the updates", most=seen),
    )


def _share_frequencies(machines: list[Any]) -> None:
    """The frequencies are the largest part of a machine, and the same for all classes."""
    first = machines[0].kept.frequencies
    for machine in machines[1:]:
        same = np.array_equal(machine.kept.frequencies, first)
        demand(same, "the machines have different frequencies")
        machine.kept = machine.kept._replace(frequencies=first)


def _way(machine: Learner) -> tuple[Any, ...]:
    """What machines for the classes of one stream have in common."""
    return (
        *(machine.rule, machine.kernel, machine.sparse, machine.dtype),
        *(machine.zero_is_mistake, machine.seen),
    )


def _describe(machine: Learner, arrays: Arrays) -> dict[str, Any]:
    if isinstance(machine, FourierLearner):
        arrays.put(frequencies=machine.kept.frequencies, weights=machine.kept.weights)
        return _describe_common(machine)
    kept = machine.kept.trimmed()
    rows = {name: array for name, array in kept.rows._asdict().items() if name != "ends"}
    arrays.put(
        **rows,
        weights=kept.weights,
        tardy=kept.tardy,
        echoes=kept.echoes,
        births=kept.births,
        order=kept.order,
        gram=kept.gram,
    )
    document = _describe_common(machine)
    if machine.sparse:
        document["end"] = int(kept.rows.ends[0])
    if isinstance(machine, SpanLearner):
        arrays.part("span").put(**machine.span.trimmed(len(kept.order))._asdict())
    if isinstance(machine, ManyLearner):
        document["newcomer"] = bool(machine._has_newcomer)
    return document


def _describe_common(machine: Learner) -> dict[str, Any]:
    """What all machines have, whatever else they keep."""
    kept = machine.kept
    return {
        "rule": describe_rule(machine.rule),
        "kernel": describe_kernel(machine.kernel),
        "sparse": bool(machine.sparse),
        "dtype": machine.dtype.name,
        "zero_is_mistake": bool(machine.zero_is_mistake),
        "counts": dict(zip(COUNTS, kept.counts.tolist(), strict=True)),
        "numbers": dict(zip(NUMBERS, kept.numbers.tolist(), strict=True)),
        "randomness": describe_randomness(kept.randomness),
    }


ALWAYS = (
    *("rule", "kernel", "sparse", "dtype", "zero_is_mistake"),
    *("counts", "numbers", "randomness"),
)


def _restore(document: Any, arrays: Arrays, width: int, classes: int | None) -> Learner:
    demand(isinstance(document, dict), "the machine must be a JSON object")
    sparse = flag(document.get("sparse"), "whether rows are sparse")
    rule, kernel = restore_rule(document.get("rule")), restore_kernel(document.get("kernel"))
    on_waves = needs_waves(rule)
    own = ["end"] * (sparse and not on_waves) + ["newcomer"] * (classes is not None)
    fields(document, "the machine", (*ALWAYS, *own))
    dtype = text(document["dtype"], "the dtype")
    demand(dtype in ("float64", "float32"), f"the dtype must be float64 or float32: {dtype[:30]}")
    options: dict[str, Any] = {
        "sparse": sparse,
        "dtype": dtype,
        "zero_is_mistake": flag(document["zero_is_mistake"], "whether 0 is a mistake"),
    }
    if on_waves and classes is None:
        return _restore_waves(document, arrays, width, rule, kernel, options)
    if classes is None:
        machine = kind_of_learner(rule)(rule, kernel, width, **options)
    else:
        demand(has_single_machine(rule), "the rule has no single machine for many classes")
        machine = ManyLearner(rule, kernel, width, classes, **options)
        machine._has_newcomer = flag(document["newcomer"], "whether there is a newcomer")
    demand(machine.dtype == dtype, f"the rule does not work in {dtype}")
    order = arrays.take("order", np.int64, None)
    slots = len(order)
    demand((np.sort(order) == np.arange(slots)).all(), "the order does not have every slot once")
    columns = () if classes is None else (classes,)
    gram = (slots, slots + 1) if needs_gram(rule) else (0, 1)
    machine.kept = Kept(
        rows=(
            _sparse_rows(arrays, document["end"], slots, width, machine.dtype)
            if sparse
            else _dense_rows(arrays, slots, width, machine.dtype)
        ),
        weights=finite(arrays.take("weights", float, slots, *columns), "weights"),
        tardy=finite(arrays.take("tardy", float, slots, *columns), "tardy parts of weights"),
        echoes=finite(arrays.take("echoes", float, slots), "echoes"),
        births=arrays.take("births", np.int64, slots),
        order=order,
        gram=finite(arrays.take("gram", float, *gram), "kernel values"),
        counts=array_of(document["counts"], "counts", COUNTS, np.int64),
        numbers=array_of(document["numbers"], "numbers", NUMBERS, float),
        randomness=restore_randomness(document["randomness"]),
    )
    _check_counts(machine)
    _check_numbers(machine)
    _check_births(machine)
    if needs_factor(rule):
        _check_factor(machine)
    if isinstance(machine, SpanLearner):
        machine.span = _restore_span(machine, arrays.part("span"), slots)
    return machine


def _restore_span(machine: SpanLearner, arrays: Arrays, slots: int) -> Span:
    experts, size = len(machine.span.trust), machine.size
    span = Span(
        inverse=finite(arrays.take("inverse", float, slots, slots), "the factor's inverse"),
        weights=finite(arrays.take("weights", float, experts, slots), "weights"),
        covariance=finite(arrays.take("covariance", float, slots, slots), "covariances"),
        trust=finite(arrays.take("trust", float, experts), "trust", least=0),
        losses=finite(arrays.take("losses", float, experts), "losses", least=0),
        mistakes=arrays.take("mistakes", np.int64, experts),
        ages=arrays.take("ages", np.int64, AGES),
        record=finite(arrays.take("record", float, len(NO_RECORD)), "the record", least=0),
        restarts=arrays.take("restarts", np.int64, 1),
    )
    diagonal = np.diagonal(span.inverse)[:size]
    demand((np.abs(diagonal) >= 1 / LARGEST).all(), "the factor's inverse is singular")
    demand((np.diagonal(span.covariance) >= 0).all(), "a variance is negative")
    demand(max(np.abs(array).max(initial=0) for array in span[:3]) <= LARGEST, "too large")
    demand(abs(span.trust.sum() - 1) < 1e-6, "the trust does not add up to 1")
    learned, *earlier = span.ages.tolist()
    demand(
        0 <= min(earlier) <= max(earlier) <= learned <= machine.seen,
        "the ages are not those of the stream",
    )
    demand(0 <= span.restarts[0] <= learned, "it has begun anew too often")
    demand(span.record[WEIGHT] >= 1, "the record has no weight")
    own = (span.mistakes >= 0) & (span.mistakes <= learned)
    demand(own.all(), "an expert has made too many mistakes")
    demand(size == 0 or machine.kept.numbers[OWN] > 0, "the scale of the kernel is not positive")
    return span


def _restore_waves(
    document: Any, arrays: Arrays, width: int, rule: Any, kernel: Any, options: dict[str, Any]
) -> Learner:
    demand(kernel.exponential, "random waves are for the Gaussian kernel alone")
    frequencies = arrays.take("frequencies", np.float32, width, rule.budget)
    weights = arrays.take("weights", float, 2 * rule.budget)
    machine = FourierLearner(rule, kernel, width, **options)
    machine.kept = Waves.still(
        machine.no_rows(), finite(frequencies, "frequencies"), seed=0
    )._replace(
        weights=finite(weights, "weights"),
        counts=array_of(document["counts"], "counts", COUNTS, np.int64),
        numbers=array_of(document["numbers"], "numbers", NUMBERS, float),
        randomness=restore_randomness(document["randomness"]),
    )
    _check_counts(machine)
    _check_numbers(machine)
    return machine


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
    counts = dict(zip(COUNTS, machine.kept.counts.tolist(), strict=True))
    slots, most = len(machine.kept.order), getattr(machine.rule, "budget", math.inf)
    demand(counts["size"] <= most, "there are more supports than the budget")
    demand(getattr(machine.rule, "rank", 0) <= most, "the rank is larger than the budget")
    demand(slots <= max(most_supports(machine.rule), 1), "there are more slots than the budget")
    demand(counts["size"] <= counts["used"] <= slots, "there are more supports than slots")
    used = machine.slots.max(initial=-1) < counts["used"]
    demand(used, "a support is where none has been")
    for part, all_of in (
        *(("mistakes", "seen"), ("updates", "seen"), ("tended", "updates")),
        *(("heeded", "mistakes"), ("position", "seen")),
    ):
        demand(counts[part] <= counts[all_of], f"{part} are more than {all_of}")
    demand(counts["weighted"] <= 1, "weighted must be 0 or 1")


def _check_numbers(machine: Learner) -> None:
    numbers = dict(zip(NUMBERS, machine.kept.numbers.tolist(), strict=True))
    demand(
        SMALLEST_SCALE <= numbers["scale"] <= 1 / SMALLEST_SCALE,
        "the scale is too small or too large",
    )
    demand(numbers["blur"] == blur(machine.rule), "the blur is not that of the rule")
    for name in ("mass", "largest", "clock", "peak"):
        demand(numbers[name] >= 0, f"{name} is negative")


def _check_births(machine: Learner) -> None:
    births, seen = machine.births, machine.kept.counts[SEEN]
    demand((np.diff(births) >= 0).all(), "supports are not in the order of their births")
    demand(((births >= 0) & (births < seen)).all(), "a support is from outside the stream")


def _check_factor(machine: Learner) -> None:
    size, gram = machine.size, machine.kept.gram
    for offset in (0, 1) if isinstance(machine.rule, WARPING) else (0,):
        diagonal = np.diagonal(gram, offset)[:size]
        demand(
            ((diagonal >= SMALLEST) & (diagonal <= LARGEST)).all(),
            "a factor's diagonal is not positive",
        )
    demand(np.abs(gram).max(initial=0) <= LARGEST, "a factor is too large")
