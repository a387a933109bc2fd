"""The learners of this package."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from inspect import isclass, signature

import numpy as np

import budgetron
from budgetron import prequential
from budgetron.core.edits.random_features import RandomFeatures
from budgetron.core.edits.span import EXPERTS, Span
from budgetron.core.rule import contract
from budgetron.estimators import KernelClassifier

from .contender import CLASSES, Contender, dicts
from .matching import fourier_features, numbers_of, supports_with_matrices

__all__ = [
    "FLAGSHIP",
    "can_go_row_by_row",
    "dtypes_of",
    "finds_its_width",
    "in_batches",
    "learners",
    "made",
    "matched_budget",
    "matrices_of",
    "row_by_row",
    "row_by_row_of_dicts",
]

LIBRARY, FLAGSHIP = "Budgetron", "Budgetron"
PATIENCE = 6
"""The flagship is beside everyone, and so goes over the whole stream."""


def learners(scale, *, on_a_budget):
    """The names of the learners that go over a stream, with a budget or without."""
    everything = [getattr(budgetron, name) for name in budgetron.__all__]
    streaming = [
        learner
        for learner in everything
        if isclass(learner)
        and issubclass(learner, KernelClassifier)
        and hasattr(learner(), "partial_fit")
    ]
    return [
        learner.__name__
        for learner in streaming
        if on_a_budget is ("budget" in signature(learner).parameters)
        and (scale.learners is None or learner.__name__ in scale.learners)
    ]


def made(name, package=budgetron, **parameters):
    """A learner with those of the parameters that it has."""
    learner = getattr(package, name)
    known = signature(learner).parameters
    return learner(**{key: value for key, value in parameters.items() if key in known})


def rule_of(name):
    """The rule of a learner, whatever its budget."""
    return made(name, budget=1)._rule()


def matrices_of(name):
    """How many matrices of all its supports by all a learner keeps."""
    return contract(rule_of(name)).keeps.matrices


def weights_of(name):
    """How many weights it keeps for each support."""
    return EXPERTS if contract(rule_of(name)).keeps is Span else 1


def finds_its_width(name):
    """Whether it is given no gamma."""
    return getattr(getattr(budgetron, name)(), "gamma", None) == "auto"


def dtypes_of(name):
    """Those that make a difference: what projects or solves works in float64 in any case."""
    is_double = contract(rule_of(name)).keeps.weight_error > 0
    return ("float64",) if is_double else ("float64", "float32")


def matched_budget(name, stream, numbers):
    """The largest budget of a learner that fits into so many numbers."""
    if contract(rule_of(name)).keeps is RandomFeatures:
        return fourier_features(numbers, stream.features)
    matrices = matrices_of(name)
    if matrices:
        return supports_with_matrices(numbers, stream.width, matrices, weights_of(name))
    return numbers // (stream.width + 1)


def in_batches(name, stream, budget, dtype="float64"):
    """A learner that is handed many rows at a time, in its own exact way of learning them.

    Without a budget it is one that grows.
    """

    def begin(gamma):
        learner = made(name, **_parameters(gamma, budget, dtype))

        def step(rows):
            return prequential(learner, *rows, CLASSES).mistakes

        return step

    return _contender(
        name, stream, budget, dtype, None, begin, lambda X, y: (X.astype(dtype, copy=False), y)
    )


def row_by_row(name, stream, budget, dtype="float64"):
    """A learner that predicts and learns single rows: arrays, or dicts if the stream is sparse."""
    if stream.is_sparse:
        return row_by_row_of_dicts(name, stream, budget, dtype)

    def begin(gamma):
        return _with_arrays(name, _parameters(gamma, budget, dtype))

    return _contender(name, stream, budget, dtype, 1, begin, _arrays)


def row_by_row_of_dicts(name, stream, budget, dtype="float64"):
    """A learner of `budgetron.river`, with dicts of what is not 0."""

    def begin(gamma):
        return _with_dicts(name, _parameters(gamma, budget, dtype))

    contender = _contender(name, stream, budget, dtype, 1, begin, dicts)
    return replace(contender, name=f"{contender.name} as dicts")


def _numbers_of(name, stream, budget):
    if contract(rule_of(name)).keeps is RandomFeatures:
        return budget * (stream.features + 2)
    return numbers_of(budget, stream.width, matrices_of(name), weights_of(name))


def _contender(name, stream, budget, dtype, at_once, begin, prepare):
    described = f"{name}({budget or ''})"
    return Contender(
        name=f"{described}, {dtype}" + (", single rows" if at_once else ""),
        library=LIBRARY,
        family="kernel",
        at_once=at_once,
        numbers=_numbers_of(name, stream, budget) if budget else None,
        begin=begin,
        prepare=prepare,
        choices=({"gamma": "auto" if finds_its_width(name) else stream.gamma},),
        alike=described,
        patience=PATIENCE if name == FLAGSHIP else 1,
        settings={"learner": name, "dtype": dtype, "budget": budget},
    )


def _parameters(gamma, budget, dtype):
    parameters = {"gamma": gamma, "dtype": dtype, "random_state": 0, "seed": 0}
    return parameters | ({"budget": budget} if budget else {})


def can_go_row_by_row(stream):
    """Whether there is what it takes: dicts are River's."""
    return not stream.is_sparse or find_spec("river") is not None


def _arrays(X, y):
    return [*zip(X, y.tolist(), strict=True)]


def _with_arrays(name, parameters):
    learner = made(name, **parameters)

    def step(rows):
        mistakes = np.zeros(len(rows), bool)
        for t, (x, label) in enumerate(rows):
            if t > 0 or hasattr(learner, "classes_"):
                mistakes[t] = learner.predict_one(x) != label
                learner.learn_one(x, label)
            else:
                learner.partial_fit([x], [label], CLASSES)
                mistakes[t] = label != 1  # a score of 0 is the second class
        return mistakes

    return step


def _with_dicts(name, parameters):
    learner = made(name, package=import_module("budgetron.river"), **parameters)

    def step(rows):
        mistakes = np.zeros(len(rows), bool)
        for t, (x, label) in enumerate(rows):
            mistakes[t] = learner.predict_one(x) != label
            learner.learn_one(x, label)
        return mistakes

    return step
