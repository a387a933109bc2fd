"""What was predicted for an example whose label comes later."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

__all__ = ["Prediction"]


class Prediction(NamedTuple):
    """What `ask_one` gives, and `learn_one` takes when the label has come.

    Attributes
    ----------
    label : label
        The predicted class.
    score : float or tuple of floats
        f(x): of two classes, positive for the second; of more, one for each.
    advice : ndarray or None
        What the learner wants to be told again when the label comes.
    """

    label: Any
    score: float | tuple[float, ...]
    advice: np.ndarray | None = None

    @property
    def classes(self) -> int:
        """How many classes there were at least, when it was made."""
        return len(self.score) if isinstance(self.score, tuple) else 1
