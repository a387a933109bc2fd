"""River: linear models of dicts, and one behind its map to Fourier features."""

from __future__ import annotations

import numpy as np
from river import feature_extraction, linear_model, optim

from .contender import Contender, dicts, with_widths
from .matching import fourier_features

__all__ = ["linear", "mapped"]

LIBRARY = "River"
STEPS = tuple({"step": step} for step in (0.1, 0.01, 0.001))
AGGRESSIONS = tuple({"C": C} for C in (1.0, 0.1, 0.01))


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
