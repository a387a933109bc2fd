"""A learner on random waves: it keeps no examples, and looks at one after the other."""

from __future__ import annotations

from copy import copy, deepcopy
from typing import Any

import numpy as np

from ..core.buffers import Buffer
from ..core.edits.random_features import Spectrum, Waves, drawn, illuminate
from ..core.expansion import SEEN
from ..core.kernel import Kernel, OwnKernel, Rows
from ..core.random import generator_state
from ..core.rule import trigger
from ..core.walk import walk_of_waves
from .learner import Learner
from .workspace import Workspace

__all__ = ["FourierLearner"]


class FourierWorkspace(Workspace):
    """Buffers for one block at a time, with the features of its examples.

    Learners with the same frequencies, one for each class, share them.
    """

    def __init__(self, width: int, **options: Any) -> None:
        super().__init__(width, **options)
        self._features = Buffer(float)
        self._shown: tuple[Any, Any] = None, None

    def in_view(  # type: ignore[override]
        self, kernel: Kernel | OwnKernel, kept: Any, block: Any, events: np.ndarray
    ) -> Spectrum:
        """f, with the block ahead of it, none of its examples scored yet."""
        ahead = super().in_view(kernel, kept, block, events).ahead
        features = self._features.shaped(len(block.norms), len(kept.weights))
        if self._shown[0] is not block or self._shown[1] is not kept.frequencies:
            illuminate(block, kept.frequencies, features)
            self._shown = block, kept.frequencies
        return Spectrum(kernel, kept, ahead, features)


class FourierLearner(Learner):
    """Gradient descent on the features of random waves, in the place of a Gaussian kernel.

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

    kept: Any

    def __init__(
        self, rule: Any, kernel: Any, width: int, *, seed: int | None = None, **options: Any
    ) -> None:
        if not (isinstance(kernel, Kernel) and kernel.exponential):
            raise ValueError('random waves are for the Gaussian kernel alone: kernel="rbf"')
        super().__init__(rule, kernel, width, **options)
        if seed is not None:
            self.reseed(seed)

    _kind_of_workspace = FourierWorkspace

    def _nothing_kept(self, seed: int) -> Any:
        none = np.zeros((0, self.rule.budget), np.float32)
        return Waves.still(self.no_rows(), none, seed)

    def reseed(self, seed: int) -> None:
        """Start the random numbers from `seed`, and draw the frequencies."""
        frequencies = drawn(self.kernel, self.width, self.rule.budget, seed)
        self.kept = self.kept._replace(frequencies=frequencies, randomness=generator_state(seed))

    def fresh(self, seed: int) -> Learner:
        """One with the same frequencies that has learned nothing, and begins here."""
        learner = copy(self)
        learner._idle = []
        learner.kept = Waves.still(self.no_rows(), self.kept.frequencies, seed)
        learner.kept.counts[SEEN] = self.seen
        return learner

    def mirrored(self, seed: int) -> Learner:
        """One with the same frequencies that has learned the opposite."""
        frequencies = self.kept.frequencies
        learner = deepcopy(self, {id(frequencies): frequencies})
        np.negative(learner.kept.weights, out=learner.kept.weights)
        learner.kept.randomness[:] = generator_state(seed)
        return learner

    def make_room(self, X: Rows, first: int, last: int) -> None:
        """There is nothing to make room for."""

    def walk(self, f: Any, labels: np.ndarray, roundoff: float) -> None:
        """Learn the block in view."""
        self.suited(walk_of_waves)(
            self.rule,
            np.ascontiguousarray(labels, np.float64),
            float(trigger(self.rule).threshold),
            self.zero_is_mistake,
            roundoff,
            f,
        )
