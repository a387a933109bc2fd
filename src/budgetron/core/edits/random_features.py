"""A hypothesis without supports: f(x) = sum_j a_j cos<w_j, x> + b_j sin<w_j, x>, over sqrt(D).

With D frequencies w drawn from the normal distribution of variance 2 gamma, the features' inner
products are on average the Gaussian kernel's values (A. Rahimi and B. Recht, "Random features for
large-scale kernel machines", NIPS 2007). An example's features come from its own numbers alone, in
their order and in float64, so that they are the same wherever in the stream it stands.
"""

from __future__ import annotations

from collections import namedtuple
from math import cos, sin, sqrt
from typing import Any, NamedTuple

import numpy as np

from ..allocation import refuse_unless_it_fits, zeros
from ..blocks import SparseBlock
from ..compiled import by_class, by_reference, compiled_in_place, inlined
from ..exact import UNIT_ROUNDOFF
from ..linalg.vectors import axpy, dot
from ..memory import WHOLE, Memory
from ..state import EDITS, LARGEST_WEIGHT, POSITION, LookAhead, State

__all__ = [
    "FeatureExpansion",
    "Features",
    "RandomFeatures",
    "draw_frequencies",
    "feature_score",
    "featurize",
    "step_along_features",
]


LARGEST_PRODUCT = 1e70
"""Twice gamma: frequencies are of the size of its root, and have to fit into a float32."""

BYTES = 8 + 4
"""Of a frequency in one feature, while it is drawn and as it is kept."""


class RandomFeatures(namedtuple("RandomFeatures", "frequencies weights"), Memory):
    """The frequencies, (features, D) in float32, and a weight for each cosine and each sine."""

    signed = ("weights",)
    forms = WHOLE, WHOLE

    @classmethod
    def of(cls, frequencies: np.ndarray) -> Any:
        """Nothing learned yet."""
        return cls(frequencies, zeros((2 * frequencies.shape[1],), float))

    def copied(self: Any, rule: Any, used: int, slots: int) -> Any:
        """The same frequencies, which are never changed, with weights of its own."""
        return self._replace(weights=self.weights.copy())


class Features(NamedTuple):
    """The cosines and sines of a block's examples: a plan."""

    features: np.ndarray  # (length, 2 D)


@by_reference
class FeatureExpansion(NamedTuple):
    """The hypothesis, as a rule sees it in the middle of the stream."""

    kernel: Any
    state: State
    ahead: LookAhead

    @property
    def scores(self) -> np.ndarray:
        """The scores of the block's examples."""
        return self.ahead.scores

    @property
    def sums(self) -> None:
        """A score is summed when its example's turn comes."""


def draw_frequencies(kernel: Any, width: int, many: int, seed: int) -> np.ndarray:
    """So many frequencies, a column for each."""
    if not kernel.product <= LARGEST_PRODUCT:
        raise ValueError(
            f"gamma={kernel.product / 2:g} is too large for random features; scale the data"
        )
    refuse_unless_it_fits(width * many * BYTES)
    normal = np.random.RandomState(seed).standard_normal((width, many))
    return (sqrt(kernel.product) * normal).astype(np.float32)  # product = 2 gamma


@compiled_in_place
def featurize(block, frequencies, features):
    """Fill in the features of the block's examples."""
    many = frequencies.shape[1]
    for t in range(len(features)):
        cosines, sines = features[t, :many], features[t, many:]
        cosines[:] = 0
        _sum_phases(block, t, frequencies, cosines)
        for j in range(many):
            phase = cosines[j]
            cosines[j] = cos(phase) / sqrt(many)
            sines[j] = sin(phase) / sqrt(many)


@by_class
def _sum_phases(block, t, frequencies, phases):
    """Add <w_j, x_t> for each frequency, feature by feature; those that are 0 are left out."""
    for k in range(block.rows.shape[1]):
        if block.rows[t, k] != 0:
            _add(phases, np.float64(block.rows[t, k]), frequencies[k])


@_sum_phases.register(SparseBlock)
def _(block, t, frequencies, phases):
    for i in range(block.starts[t], block.starts[t + 1]):
        if block.values[i] != 0:
            _add(phases, np.float64(block.values[i]), frequencies[block.features[i]])


@inlined
def _add(phases, value, frequencies):
    for j in range(len(phases)):
        phases[j] += value * np.float64(frequencies[j])


@inlined
def feature_score(f):
    """f(x) of the current example, and a bound on its rounding error.

    Weights are sums that may have cancelled: they are off in proportion to the largest so far.
    """
    weights = f.state.memory.weights
    many = len(weights)
    noise = many * sqrt(many) * UNIT_ROUNDOFF * f.state.numbers[LARGEST_WEIGHT]
    return dot(weights, f.ahead.plan.features[f.ahead.cursor[POSITION]], many), noise


@inlined
def step_along_features(f, weight):
    """Add `weight` times the current example, as its features show it."""
    weights, largest = f.state.memory.weights, f.state.numbers[LARGEST_WEIGHT]
    axpy(weights, weight, f.ahead.plan.features[f.ahead.cursor[POSITION]])
    for j in range(len(weights)):
        largest = max(largest, abs(weights[j]))
    f.state.numbers[LARGEST_WEIGHT] = largest
    f.ahead.cursor[EDITS] += 1
