"""What was predicted for an example whose label comes later."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

__all__ = ["NOTHING_PREDICTED", "Prediction"]


class Prediction(NamedTuple):
    """What `ask_one` gives, and `learn_one` takes when the label has come.

    Attributes
    ----------
    label : label
        The predicted class; None if nothing had been learned.
    score : float or tuple of floats
        f(x): of two classes, positive for the second; of more, one for each.
    advice : ndarray or None
        What the learner wants to be told again when the label comes; None if that is nothing.
    """

    label: Any
    score: float | tuple[float, ...]
    advice: np.ndarray | None = None

    @property
    def classes(self) -> int:
        """How many classes there were at least, when it was made."""
        return len(self.score) if isinstance(self.score, tuple) else 1

    @property
    def noted(self) -> np.ndarray:
        """The advice as a row of a matrix: an empty one if there is none."""
        return np.zeros((1, 0)) if self.advice is None else self.advice[None]


NOTHING_PREDICTED = Prediction(None, 0.0)
"""Nothing had been learned."""
