"""River: linear models of dicts, one behind its map to Fourier features, trees and neighbours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from river import feature_extraction, forest, linear_model, neighbors, optim, tree

from .contender import Contender, dicts, with_widths
from .matching import fourier_features, numbers_of

__all__ = ["linear", "mapped", "nearest", "trees"]

LIBRARY = "River"
STEPS = tuple({"step": step} for step in (0.1, 0.01, 0.001))
AGGRESSIONS = tuple({"C": C} for C in (1.0, 0.1, 0.01))
PATIENCE = 6
"""Trees and neighbours are what people take, and slow: so they get through some thousand rows."""


def linear(stream):
    """Perceptron, logistic regression and Passive-Aggressive."""
    kinds = {
        "Perceptron": (({},), lambda: linear_model.Perceptron()),
        "LogisticRegression": (STEPS, _logistic),
        "PAClassifier": (AGGRESSIONS, lambda C: linear_model.PAClassifier(C=C, mode=1)),
    }
    return [
        _contender(name, "linear", stream.features + 1, make, choices)
        for name, (choices, make) in kinds.items()
    ]


def mapped(stream, numbers):
    """Logistic regression behind `RBFSampler`."""
    features = fourier_features(numbers, stream.features)

    def make(step, gamma):
        sampler = feature_extraction.RBFSampler(gamma=gamma, n_components=features, seed=0)
        return sampler | _logistic(step)

    return [
        _contender(
            f"RBFSampler({features}) | LogisticRegression",
            "kernel",
            features * (stream.features + 2),
            make,
            with_widths(STEPS, stream),
            components=features,
        )
    ]


def trees(stream):
    """One that adapts to drift, and a forest of ten: they keep as much as they like."""
    kinds = {
        "HoeffdingAdaptiveTreeClassifier": lambda: tree.HoeffdingAdaptiveTreeClassifier(seed=0),
        "ARFClassifier": lambda: forest.ARFClassifier(seed=0),
    }
    return [
        replace(
            _contender(name, "tree", None, make, ({},)), prepare=zeros_as_well, patience=PATIENCE
        )
        for name, make in kinds.items()
    ]


def nearest(stream, budget):
    """Five neighbours among the last rows, as many as there are supports in the budget."""

    def make():
        return neighbors.KNNClassifier(engine=neighbors.LazySearch(window_size=budget))

    name = f"KNNClassifier({budget})"
    numbers = numbers_of(budget, stream.width)
    return replace(_contender(name, "neighbours", numbers, make, ({},)), patience=PATIENCE)


def zeros_as_well(X, y):
    """Dense rows as dicts of all values: a tree takes one that is not there for missing."""
    if not isinstance(X, np.ndarray):
        return dicts(X, y)
    names = [*map(str, range(X.shape[1]))]
    rows = (dict(zip(names, row, strict=True)) for row in X.tolist())
    return [*zip(rows, y.tolist(), strict=True)]


def _logistic(step):
    return linear_model.LogisticRegression(optimizer=optim.SGD(step))


def _contender(name, family, numbers, make, choices, **settings):
    def begin(**choice):
        model = make(**choice)

        def step(rows):
            mistakes = np.zeros(len(rows), bool)
            for t, (x, label) in enumerate(rows):
                mistakes[t] = (model.predict_one(x) or 0) != label
                model.learn_one(x, label)
            return mistakes

        return step

    return Contender(
        name=name,
        library=LIBRARY,
        family=family,
        at_once=1,
        numbers=numbers,
        begin=begin,
        prepare=dicts,
        choices=choices,
        settings=settings,
    )
