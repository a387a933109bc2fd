"""A learner as JSON and arrays: what there is to know of it, and nothing else."""

from __future__ import annotations

from enum import Enum
from functools import cache, singledispatch
from typing import Any

import numpy as np

from .. import registry
from ..core.platt import (
    INTERCEPTS,
    MEAN_SCORE,
    MEMORY_WEIGHT,
    SLOPES,
    STATE_SIZE,
    TOTAL_WEIGHT,
    stiffness,
)
from ..engine import MulticlassLearner, OneVsRest
from ..estimators import (
    Budgetron,
    DriftingThreshold,
    KernelClassifier,
    RestartingExperts,
    StreamClassifier,
    WhitenedPerceptron,
)
from .arrays import Arrays
from .checking import (
    array_of,
    demand,
    fields,
    finite,
    flag,
    listed,
    real,
    text,
    whole,
)
from .ingredients import describe_randomness, restore_randomness
from .labels import describe_labels, restore_labels
from .machine import MOST_FEATURES, describe_machine, restore_machine
from .parameters import describe_parameter, restore_parameter
from .pool import describe_pool, restore_pool
from .whitening import describe_whitening, restore_whitening

__all__ = ["describe", "restore"]


class Role(Enum):
    """What a learner is for, which decides what it has to know."""

    ITSELF = "for itself"
    TWIN = "in case that the only class so far is the first of two"
    EXPERT = "an expert that learns on the way"


LEARNERS: dict[str, type[StreamClassifier]] = {
    name: row.estimator for name, row in registry.LEARNERS.items()
}

TALLY = ("seen", "mistakes", "expected", "best")
INTERVAL = ("low", "high", "closed")
THRESHOLD_COUNTS = ("seen", "mistakes", "updates", "resets")


def describe(learner: StreamClassifier, arrays: Arrays, role: Role = Role.ITSELF) -> dict[str, Any]:
    """The class, the parameters, and what has been learned: null if nothing has."""
    name = type(learner).__name__
    demand(LEARNERS.get(name) is type(learner), f"{name} is no learner of this package")
    return {
        "class": name,
        "parameters": {
            key: describe_parameter(key, value, arrays, describe)
            for key, value in _given(learner).items()
        },
        "learned": _describe_learned(learner, arrays, role) if _is_fitted(learner) else None,
    }


def restore(document: Any, arrays: Arrays, role: Role = Role.ITSELF) -> StreamClassifier:
    """The learner that was described.

    A parameter that is missing, because the learner did not have it then, has its default.
    """
    fields(document, "the learner", ("class", "parameters", "learned"))
    name = text(document["class"], "the learner's class")
    demand(name in LEARNERS, f"{name[:60]!r} is no learner of this package")
    given = fields(document["parameters"], "the parameters", (), _defaults(name))
    learner: Any = LEARNERS[name](
        **{key: restore_parameter(key, value, arrays, restore) for key, value in given.items()}
    )
    if document["learned"] is not None:
        _restore_learned(learner, document["learned"], arrays, role)
    return learner


@cache
def _defaults(name: str) -> dict[str, Any]:
    """The parameters of a learner that is given none, but for where it is."""
    defaults: dict[str, Any] = LEARNERS[name]().get_params(deep=False)
    return {name: default for name, default in defaults.items() if name != "device"}


def _given(learner: StreamClassifier) -> dict[str, Any]:
    """The parameters that are not what they are by default."""
    told = learner.__dict__
    return {
        name: told[name]
        for name, default in _defaults(type(learner).__name__).items()
        if type(told[name]) is not type(default)
        or type(default) not in PLAIN
        or told[name] != default
    }


PLAIN = bool, int, float, str, type(None)


def _is_fitted(learner: StreamClassifier) -> bool:
    return learner.__sklearn_is_fitted__()


def _describe_learned(learner: Any, arrays: Arrays, role: Role) -> dict[str, Any]:
    document = {"classes": describe_labels(learner.classes_), "width": int(learner.n_features_in_)}
    if _has_named(learner, role):
        document["named"] = bool(learner._named)
    if hasattr(learner, "feature_names_in_"):
        document["feature_names"] = [str(name) for name in learner.feature_names_in_]
    if _has_twin(learner, role):
        twin = learner._were_it_first
        document["twin"] = describe(twin, arrays.part(), Role.TWIN)
    return document | _describe_own(learner, arrays)


def _restore_learned(learner: Any, document: Any, arrays: Arrays, role: Role) -> None:
    demand(isinstance(document, dict), "what has been learned must be a JSON object")
    learner.classes_ = restore_labels(document.get("classes"))
    many = len(learner.classes_) > 2
    demand(
        not many or learner.__sklearn_tags__().classifier_tags.multi_class,
        f"{type(learner).__name__} learns two classes only",
    )
    demand(role is Role.ITSELF or not many, "a twin or an expert has two classes at most")
    learner.n_features_in_ = whole(
        document.get("width"), "the number of features", least=1, most=MOST_FEATURES
    )
    common = {"classes", "width"}
    if _has_named(learner, role):
        learner._named = flag(document.get("named"), "whether classes are named")
        common.add("named")
    if "feature_names" in document:
        learner.feature_names_in_ = _names(document["feature_names"], learner.n_features_in_)
        common.add("feature_names")
    if _has_twin(learner, role):
        learner._were_it_first = _restore_twin(learner, document.get("twin"), arrays.part())
        common.add("twin")
    if role is Role.ITSELF:
        learner._codes = {label: code for code, label in enumerate(learner.classes_.tolist())}
    own = {name: value for name, value in document.items() if name not in common}
    _restore_own(learner, own, arrays, role)


def _has_named(learner: Any, role: Role) -> bool:
    return role is not Role.EXPERT and not isinstance(learner, WhitenedPerceptron)


def _has_twin(learner: Any, role: Role) -> bool:
    alone = len(learner.classes_) == 1 and role is Role.ITSELF
    return alone and not isinstance(learner, WhitenedPerceptron)


def _restore_twin(learner: Any, document: Any, arrays: Arrays) -> StreamClassifier:
    twin: Any = restore(document, arrays, Role.TWIN)
    same = (
        type(twin) is type(learner)
        and _is_fitted(twin)
        and np.array_equal(twin.classes_, learner.classes_)
        and twin.n_features_in_ == learner.n_features_in_
    )
    demand(same, "the twin is of another kind")
    return twin


def _names(value: Any, width: int) -> np.ndarray:
    names = listed(value, "the names of the features")
    demand(len(names) == width, f"there are {len(names)} names for {width} features")
    return np.array([text(name, "the name of a feature") for name in names], object)


# ------------------------------------------------------------------------- what differs by class


@singledispatch
def _describe_own(learner: Any, arrays: Arrays) -> dict[str, Any]:
    raise NotImplementedError


@singledispatch
def _restore_own(learner: Any, document: Any, arrays: Arrays, role: Role) -> None:
    raise NotImplementedError


@_describe_own.register
def _describe_kernel_classifier(learner: KernelClassifier, arrays: Arrays) -> dict[str, Any]:
    arrays.put(np.array([learner._seeds]))
    _describe_counts(learner, arrays)
    return {"machine": describe_machine(learner._learner, arrays)}


def _describe_counts(learner: KernelClassifier, arrays: Arrays) -> None:
    arrays.put_unless_zero(learner._class_counts, learner._calibration)


@_restore_own.register
def _restore_kernel_classifier(
    learner: KernelClassifier, document: Any, arrays: Arrays, role: Role
) -> None:
    fields(document, "what has been learned", ("machine",))
    demand(learner.multi_class in learner._ways_for_classes, "multi_class is unknown")
    learner._seeds = finite(arrays.take("seeds", np.int64, 1), "seeds", least=0).item()
    _restore_counts(learner, arrays)
    learner._learner = restore_machine(
        document["machine"],
        arrays,
        learner.n_features_in_,
        len(learner.classes_),
        learner.multi_class,
    )


def _restore_counts(learner: KernelClassifier, arrays: Arrays) -> None:
    classes = len(learner.classes_)
    counts = arrays.take_or_zero("class_counts", np.int64, classes)
    demand((abs(counts) < 2**61).all(), "class counts are too large")
    learner._class_counts = finite(counts, "class counts", least=0)
    learner._calibration = _restore_calibration(arrays, classes)
    _check_live_parameters(learner)


@_describe_own.register
def _(learner: Budgetron, arrays: Arrays) -> dict[str, Any]:
    _describe_counts(learner, arrays)
    return {"pool": describe_pool(learner._learner, arrays)}


@_restore_own.register
def _(learner: Budgetron, document: Any, arrays: Arrays, role: Role) -> None:
    fields(document, "what has been learned", ("pool",))
    _restore_counts(learner, arrays)
    learner._learner = restore_pool(document["pool"], arrays, learner)
    learner._seeds = 0


@_describe_own.register
def _(learner: WhitenedPerceptron, arrays: Arrays) -> dict[str, Any]:
    arrays.put_unless_zero(learner._calibration)
    return {
        "whitening": describe_whitening(learner._whitening, arrays),
        "machine": describe_machine(learner._learner, arrays),
    }


@_restore_own.register
def _(learner: WhitenedPerceptron, document: Any, arrays: Arrays, role: Role) -> None:
    demand(role is Role.ITSELF, "the whitened Perceptron does not learn on the way")
    fields(document, "what has been learned", ("whitening", "machine"))
    learner._calibration = _restore_calibration(arrays, len(learner.classes_))
    learner._whitening = restore_whitening(document["whitening"], arrays, learner.n_features_in_)
    learner._learner = restore_machine(
        document["machine"],
        arrays,
        learner._whitening.map.shape[1],
        len(learner.classes_),
    )
    _check_live_parameters(learner)


def _restore_calibration(arrays: Arrays, classes: int) -> np.ndarray:
    states = arrays.take_or_zero("calibration", float, classes if classes > 2 else 1, STATE_SIZE)
    if not states.any():
        return states
    finite(states, "calibrations")
    for place in (MEAN_SCORE, MEMORY_WEIGHT, TOTAL_WEIGHT, SLOPES, INTERCEPTS):
        finite(states[:, place], "calibrations", least=0)
    sums = np.delete(states, MEAN_SCORE, axis=1)  # a score may be as large as it likes
    demand((np.abs(sums) < 1e150).all(), "a calibration is too large")
    demand(all(stiffness(state) > 0 for state in states), "a calibration is not convex")
    return states


def _check_live_parameters(learner: Any) -> None:
    """Those that learning looks at again and again."""
    weights = learner.class_weight
    if isinstance(weights, dict):
        for weight in weights.values():
            real(weight, "a class's weight", least=0)
    else:
        demand(weights is None or weights == "balanced", "class_weight is unknown")
    for name in ("probability", "average"):
        flag(getattr(learner, name, False), name)


@_describe_own.register
def _(learner: DriftingThreshold, arrays: Arrays) -> dict[str, Any]:
    return {
        "gamma": float(learner._gamma),
        "column": int(learner._column),
        "interval": dict(zip(INTERVAL, learner._ends.tolist(), strict=True)),
        "counts": dict(zip(THRESHOLD_COUNTS, learner._counts.tolist(), strict=True)),
    }


@_restore_own.register
def _(learner: DriftingThreshold, document: Any, arrays: Arrays, role: Role) -> None:
    fields(document, "what has been learned", ("gamma", "column", "interval", "counts"))
    learner._gamma = real(document["gamma"], "gamma", above=0)
    most = learner.n_features_in_ - 1
    learner._column = whole(document["column"], "the column", most=most)
    learner._ends = array_of(document["interval"], "the interval", INTERVAL, float)
    learner._counts = array_of(document["counts"], "counts", THRESHOLD_COUNTS, np.int64)
    demand((learner._counts[1:] <= learner._counts[0]).all(), "counts are more than seen")


@_describe_own.register
def _(learner: RestartingExperts, arrays: Arrays) -> dict[str, Any]:
    arrays.put(learner._losses)
    return {
        "experts": [
            _describe_expert(i, expert, learning, arrays.part())
            for i, (expert, learning) in enumerate(
                zip(learner.experts_, learner._learning, strict=True)
            )
        ],
        "restart_every": int(learner.restart_every_),
        "learning_rate": float(learner.learning_rate_),
        "tally": dict(zip(TALLY, learner._tally.tolist(), strict=True)),
        "randomness": describe_randomness(learner._randomness),
        "updates": int(learner.n_updates_),
    }


def _describe_expert(i: int, expert: Any, learning: bool, arrays: Arrays) -> dict[str, Any]:
    demand(
        isinstance(expert, StreamClassifier),
        f"expert {i} cannot be saved: it is no learner of this package, but {expert!r}",
    )
    role = Role.EXPERT if learning else Role.ITSELF
    return {"learning": bool(learning), "learner": describe(expert, arrays, role)}


@_restore_own.register
def _(learner: RestartingExperts, document: Any, arrays: Arrays, role: Role) -> None:
    fields(
        document,
        "what has been learned",
        ("experts", "restart_every", "learning_rate", "tally", "randomness", "updates"),
    )
    experts = listed(document["experts"], "the experts")
    demand(experts, "there are no experts")
    losses = arrays.take("losses", float, len(experts))
    learner._losses = finite(losses, "losses", least=0)
    learner._tally = array_of(document["tally"], "the tally", TALLY, float)
    finite(learner._tally, "the tally", least=0)
    learner.experts_, learner._learning = [], []
    for expert in experts:
        fields(expert, "an expert", ("learning", "learner"))
        learning = flag(expert["learning"], "whether an expert learns")
        restored = restore(
            expert["learner"], arrays.part(), Role.EXPERT if learning else Role.ITSELF
        )
        demand(_is_fitted(restored), "an expert has not begun")
        if learning:
            _check_learning(learner, restored)
        learner.experts_.append(restored)
        learner._learning.append(learning)
    learner.restart_every_ = whole(document["restart_every"], "restart_every", least=1)
    learner.learning_rate_ = real(document["learning_rate"], "the learning rate", least=0)
    learner._randomness = restore_randomness(document["randomness"])
    learner.n_updates_ = whole(document["updates"], "the updates")


def _check_learning(learner: Any, expert: Any) -> None:
    """An expert must have seen what the others have."""
    demand(
        isinstance(expert, KernelClassifier | DriftingThreshold)
        and expert.n_features_in_ == learner.n_features_in_
        and expert.n_seen_ == learner.n_seen_,
        "an expert has seen another stream",
    )
    if isinstance(expert, KernelClassifier):
        two = not isinstance(expert._learner, MulticlassLearner | OneVsRest)
        demand(two, "an expert must be for two classes")
