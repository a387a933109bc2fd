"""A learner whose M and covariance are on a device: what its walk asks for comes from there."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.edits.span import EXPERTS, IS_LOOK_DUE, MANY, begin_stretch
from ..core.edits.span_on_device import SpanExpansionOnDevice, StretchOnDevice
from ..rules.budgetron import keep_found

__all__ = ["SpanOnDevice"]


class SpanOnDevice:
    """Stands in for a `SpanLearner` where it multiplies by matrices of supports by supports.

    Parameters
    ----------
    learner : SpanLearner
        Whose mirror is at the block in view.
    f : SpanExpansion
        That block.
    """

    def __init__(self, learner: Any, f: Any) -> None:
        self._learner, self._state = learner, f.state
        self._mirror, self._there = learner.mirror, learner.mirror.span

    def _weights(self) -> np.ndarray:
        """Of all hypotheses, a row for each."""
        weights = self._state.memory.weights[:, :, : self._learner.size]
        return weights.reshape(-1, self._learner.size)

    def locate(self, f: Any, first: int, last: int) -> None:
        """Find coordinates and margins of the examples `first` to `last - 1`, a new stretch."""
        stretch = f.ahead.plan
        begin_stretch(stretch, first, last - first)
        self._there.follow(f.state, self._learner.descent)
        margins = self._there.locate(self._mirror.values_of(f, first, last), self._weights())
        stretch.margins[:, :, : last - first] = margins.reshape(EXPERTS, -1, last - first)

    def view(self, f: Any) -> Any:
        """`f` as it is walked through."""
        shaped = self._mirror.workspace.buffers.shaped
        plan = StretchOnDevice.beside(f.ahead.plan, shaped, len(f.state.order))
        return SpanExpansionOnDevice(f.kernel, f.state, f.ahead._replace(plan=plan))

    def foresee(self, f: Any, labels: np.ndarray, t: int, first: int, last: int) -> None:
        """Find what is asked of the stretch, of which the examples before `t` have been learned."""
        stretch, span = f.ahead.plan, f.state.memory
        if stretch.places[IS_LOOK_DUE]:
            common = np.tensordot(span.trust, span.weights[:, :, : self._learner.size], 1)
            self._learner.call(keep_found, f, self._there.meant(common))
        begin_stretch(stretch, first, int(stretch.places[MANY]))
        self._there.foresee(stretch, self._weights(), int(span.least[0]))

    def store(self, f: Any, far: np.ndarray) -> np.ndarray:
        """Let M and the covariance follow, and say how the weights do, so `far` along each step."""
        return self._there.store(f.ahead.plan, far, f.state, self._learner.descent)
