"""How often a drifting threshold is missed: the theorems of the drift paper's Section 5.1, run."""

from __future__ import annotations

from ..adversaries import ThresholdLowerBound
from ..estimators import DriftingThreshold
from ..evaluation import prequential
from ..streams import DriftingThresholds
from .task import Outcome, Task, does

__all__ = ["ADVERSARY", "STREAMS", "errors_of"]

ADVERSARY = "the lower bound's stream"
STREAMS = ("up and down", "back and forth", ADVERSARY)
"""A threshold that moves at random, one that moves steadily, and the one no learner follows."""


def errors_of(drift_rate: float, runs: int, length: int) -> list[Task]:
    """The tasks that measure the learner's error at this lambda, with gamma = lambda.

    Parameters
    ----------
    drift_rate : float
        lambda in the paper.
    runs : int
        Run i has the seed i.
    length : int
        Rows of each stream, T in the paper.

    Returns
    -------
    list of Task
        Their outcomes are the share of mistakes, by the name of the stream.
    """
    return [
        Task.of("drifting-thresholds", drift_rate=drift_rate, length=length, seed=seed)
        for seed in range(runs)
    ]


@does("drifting-thresholds")
def _run(drift_rate: float, length: int, seed: int) -> Outcome:
    streams = (
        DriftingThresholds(gamma=drift_rate, movement="random", random_state=seed),
        DriftingThresholds(gamma=drift_rate, movement="linear", random_state=seed),
        ThresholdLowerBound(drift_rate=drift_rate, gamma=drift_rate, random_state=seed),
    )
    outcome = {}
    for name, stream in zip(STREAMS, streams, strict=True):
        sample = stream.take(length)
        learner = DriftingThreshold(gamma=drift_rate)
        trace = prequential(learner, sample.X, sample.y, classes=[-1, 1])
        outcome[name] = float(trace.mistakes.mean())
    return outcome
