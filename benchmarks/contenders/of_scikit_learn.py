"""scikit-learn: linear models of the rows, and of rows mapped to stand for the kernel."""

from __future__ import annotations

from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import SGDClassifier

from .contender import CLASSES, Contender, with_widths
from .matching import fourier_features, numbers_of, supports_with_matrices

__all__ = ["linear", "mapped"]

LIBRARY = "scikit-learn"
PENALTIES = tuple({"alpha": alpha} for alpha in (1e-3, 1e-4, 1e-5))
AGGRESSIONS = tuple({"eta0": C} for C in (1.0, 0.1, 0.01))


def linear(stream, at_once):
    """`SGDClassifier` on the rows, with hinge loss or as Passive-Aggressive."""
    kinds = {
        "hinge": (PENALTIES, lambda alpha: SGDClassifier(alpha=alpha, random_state=0)),
        "PA": (
            AGGRESSIONS,
            lambda eta0: SGDClassifier(
                penalty=None, learning_rate="pa1", eta0=eta0, random_state=0
            ),
        ),
    }
    return [
        Contender(
            name=f"SGDClassifier {kind}, {at_once} at once",
            library=LIBRARY,
            family="linear",
            at_once=at_once,
            numbers=stream.features + 1,
            begin=lambda make=make, **choice: _tested_then_trained(make(**choice), at_once),
            choices=choices,
        )
        for kind, (choices, make) in kinds.items()
    ]


def mapped(stream, numbers, at_once):
    """`SGDClassifier` behind `Nystroem` or `RBFSampler`.

    The rows that `Nystroem` starts from are the first of the stream, and not timed.
    """
    components = supports_with_matrices(numbers, stream.width)
    features = fourier_features(numbers, stream.features)
    maps = {
        "Nystroem": (
            components,
            numbers_of(components, stream.width, matrices=1),
            lambda gamma: Nystroem(gamma=gamma, n_components=components, random_state=0),
        ),
        "RBFSampler": (
            features,
            features * (stream.features + 2),
            lambda gamma: RBFSampler(gamma=gamma, n_components=features, random_state=0),
        ),
    }

    def begin(make, alpha, gamma):
        rows = stream.X[: max(components, 2)]
        return _tested_then_trained(
            SGDClassifier(alpha=alpha, random_state=0), at_once, make(gamma).fit(rows).transform
        )

    return [
        Contender(
            name=f"{name}({size}) + SGDClassifier, {at_once} at once",
            library=LIBRARY,
            family="kernel",
            at_once=at_once,
            numbers=kept,
            begin=lambda make=make, **choice: begin(make, **choice),
            choices=with_widths(PENALTIES, stream),
            settings={"components": size},
        )
        for name, (size, kept, make) in maps.items()
    ]


def _tested_then_trained(model, at_once, transform=None):
    def step(rows):
        X, y = rows
        mistakes = y != 0  # what has learned nothing predicts the first class
        for first in range(0, len(y), at_once):
            here = slice(first, first + at_once)
            x = X[here] if transform is None else transform(X[here])
            if hasattr(model, "classes_"):
                mistakes[here] = model.predict(x) != y[here]
            model.partial_fit(x, y[here], CLASSES)
        return mistakes

    return step
