"""A learner on random features: it keeps no examples, and looks at one after the other."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from ..core.edits.random_features import RandomFeatures, draw_frequencies
from ..core.kernel import Kernel, Rows
from ..core.random import generator_state
from ..core.state import SEEN, State
from .learner import Learner

__all__ = ["RandomFeatureLearner"]


class RandomFeatureLearner(Learner):
    """Gradient descent on random Fourier features, in the place of a Gaussian kernel.

    Parameters
    ----------
    rule : NamedTuple
        With a budget of frequencies.
    kernel : Kernel
        A Gaussian one.
    width : int
        The number of features.
    seed : int, optional
        Without it, the frequencies are drawn by `reseed`.
    **options
        The others of `Learner`.
    """

    def __init__(
        self, rule: Any, kernel: Any, width: int, *, seed: int | None = None, **options: Any
    ) -> None:
        if not (isinstance(kernel, Kernel) and kernel.exponential and not kernel.multiscale):
            raise ValueError('random features are for the Gaussian kernel alone: kernel="rbf"')
        super().__init__(rule, kernel, width, **options)
        if seed is not None:
            self.reseed(seed)

    def _new_state(self, seed: int) -> State:
        return self._state_with(np.zeros((0, self.rule.budget), np.float32), seed)

    def _state_with(self, frequencies: np.ndarray, seed: int) -> State:
        return State.empty(self.no_rows(), RandomFeatures.of(frequencies), seed)

    def reseed(self, seed: int) -> None:
        """Start the random numbers from `seed`, and draw the frequencies."""
        frequencies = draw_frequencies(self.kernel, self.width, self.rule.budget, seed)
        self.state = self.state._replace(
            memory=self.state.memory._replace(frequencies=frequencies),
            randomness=generator_state(seed),
        )

    def fresh(self, seed: int) -> Learner:
        """One with the same frequencies that has learned nothing, and begins here."""
        learner = copy(self)
        learner.state = self._state_with(self.state.memory.frequencies, seed)
        learner.state.counts[SEEN] = self.seen
        return learner

    def mirrored(self, seed: int) -> Learner:
        """One with the same frequencies that has learned the opposite."""
        learner = self.copied()
        weights = learner.state.memory.weights
        np.negative(weights, out=weights)
        learner.state.randomness[:] = generator_state(seed)
        return learner

    @property
    def has_coarse_scores(self) -> bool:
        """Scores are summed one by one, in a block too."""
        return False

    def make_room(self, X: Rows, first: int, last: int) -> None:
        """There is nothing to make room for."""
