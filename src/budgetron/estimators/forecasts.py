"""Scores that are calibrated as they come, and what was forecast of each before its label."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, softmax

from ..core.platt import SUREST, calibrate, forecast
from ..engine import Record

__all__ = ["calibrate_all"]


def calibrate_all(states: np.ndarray, record: Record, labels: np.ndarray) -> None:
    """Go over a record's scores, and write down what is forecast, if that is wished.

    Parameters
    ----------
    states : ndarray of shape (n_classes, STATE_SIZE), or (1, STATE_SIZE) for one class or two
    record : Record
    labels : ndarray of shape (len(states), n_examples)
        +1 or -1 times a weight; NaN where a label has not come.
    """
    scores = record.scores.reshape(len(record.scores), -1)
    if record.chances.shape[1] == 0:
        for own, state in enumerate(states):
            calibrate(state, scores[:, own], labels[own])
        return
    odds = np.empty(labels.shape)
    for own, state in enumerate(states):
        forecast(state, scores[:, own], labels[own], odds[own])
    record.chances[:] = _chances(odds.T)[:, -record.chances.shape[1] :]


def _chances(odds: np.ndarray) -> np.ndarray:
    """As `predict_proba` has them."""
    if odds.shape[1] == 1:
        second = expit(np.clip(odds, -SUREST, SUREST))
        return np.column_stack([1 - second, second])
    least = np.exp(-SUREST)
    shares: np.ndarray = softmax(odds, axis=1)
    return least + (1 - odds.shape[1] * least) * shares
