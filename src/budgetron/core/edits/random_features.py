"""A hypothesis without supports: f(x) = sum_j a_j cos<w_j, x> + b_j sin<w_j, x>, over sqrt(D).

With D frequencies w drawn from the normal distribution of variance 2 gamma, the features' inner
products are on average the Gaussian kernel's values (A. Rahimi and B. Recht, "Random features for
large-scale kernel machines", NIPS 2007). An example's features come from its own numbers alone, in
their order and in float64, so that they are the same wherever in the stream it stands.
"""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import Any, NamedTuple

import numpy as np

from ..blocks import SparseBlock
from ..compiled import by_class, compiled_in_place, inlined
from ..expansion import EDITS, PEAK, POSITION, UNIT_ROUNDOFF, Ahead, correct
from ..random import generator_state
from .projection import dot

__all__ = ["Spectrum", "Waves", "drawn", "illuminate", "step_along", "wave_score"]


class Waves(NamedTuple):
    """What is kept: no supports, the frequencies, and a weight for each cosine and each sine."""

    rows: Any  # of no supports, as are births and order
    births: np.ndarray
    order: np.ndarray
    frequencies: np.ndarray  # (features, D) in float32, whatever the examples are in
    weights: np.ndarray  # of the D cosines, and then of the sines
    counts: np.ndarray  # as in `expansion.Kept`
    numbers: np.ndarray
    randomness: np.ndarray

    @classmethod
    def still(cls, rows: Any, frequencies: np.ndarray, seed: int) -> Waves:
        """Nothing learned yet."""
        return cls(
            rows=rows,
            births=np.zeros(0, np.int64),
            order=np.zeros(0, np.int64),
            frequencies=frequencies,
            weights=np.zeros(2 * frequencies.shape[1]),
            counts=np.zeros(10, np.int64),
            numbers=np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
            randomness=generator_state(seed),
        )


class Spectrum(NamedTuple):
    """The hypothesis, as a rule sees it in the middle of the stream."""

    kernel: Any
    kept: Waves
    ahead: Ahead
    features: np.ndarray  # (length, 2 D): of the block's examples

    @property
    def scores(self) -> np.ndarray:
        """The scores of the block's examples."""
        return self.ahead.scores

    def score_ahead(self) -> None:
        """A score is summed when its example's turn comes."""


def drawn(kernel: Any, width: int, many: int, seed: int) -> np.ndarray:
    """So many frequencies, a column for each."""
    normal = np.random.RandomState(seed).standard_normal((width, many))
    return (sqrt(kernel.product) * normal).astype(np.float32)  # product = 2 gamma


@compiled_in_place
def illuminate(block, frequencies, features):
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
def wave_score(f):
    """f(x) of the current example, and a bound on its rounding error.

    Weights are sums that may have cancelled: they are off in proportion to the largest so far.
    """
    weights = f.kept.weights
    many = len(weights)
    noise = many * sqrt(many) * UNIT_ROUNDOFF * f.kept.numbers[PEAK]
    return dot(weights, f.features[f.kept.counts[POSITION]], many), noise


@inlined
def step_along(f, weight):
    """Add `weight` times the current example, as its features show it."""
    weights, peak = f.kept.weights, f.kept.numbers[PEAK]
    correct(weights, weight, f.features[f.kept.counts[POSITION]])
    for j in range(len(weights)):
        peak = max(peak, abs(weights[j]))
    f.kept.numbers[PEAK] = peak
    f.kept.counts[EDITS] += 1
