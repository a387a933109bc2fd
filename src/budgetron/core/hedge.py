"""Follow the experts that have erred least since the last restart: Hedge, restarted.

K. Crammer, E. Even-Dar, Y. Mansour and J. Wortman Vaughan, "Regret minimization with concept
drift", COLT 2010, Sec. 4, with the exponentially weighted forecaster of N. Cesa-Bianchi and
G. Lugosi, "Prediction, learning, and games", 2006.
"""

from __future__ import annotations

import math

from ..bounds import drift
from .compiled import compiled, inlined
from .random import draw_unit

__all__ = [
    "BEST",
    "EXPECTED",
    "REALIZABLE",
    "ROUNDS",
    "UNREALIZABLE",
    "WRONG",
    "follow_the_experts",
    "learning_rate",
    "restart_length",
    "trust",
]

REALIZABLE, UNREALIZABLE = "realizable", "unrealizable"
"""Whether a slowly moving sequence of experts never errs (Theorem 4), or may (Theorem 3)."""

# places in `tally`
ROUNDS, WRONG, EXPECTED, BEST = range(4)

LARGEST_RATE = 50.0
"""At which an expert that errs once is as good as out."""


def restart_length(experts: int, drift_rate: float, setting: str) -> int:
    """After how many examples to restart, by Theorem 3 or Theorem 4."""
    if setting == REALIZABLE:
        return drift.realizable_restart_length(experts, drift_rate)
    return drift.restart_length(experts, drift_rate)


def learning_rate(experts: int, length: int, drift_rate: float | None, setting: str) -> float:
    """How fast to distrust those that err.

    For regret sqrt(m ln N / 2) over m examples, sqrt(8 ln N / m). For a loss in proportion to that
    of the best expert, the rate of `bounds.drift.hedge_rate`; if no drift rate is given, for the
    one that m is the restart length of.
    """
    if setting == REALIZABLE:
        drift_rate = drift_rate or min(1.0, math.log(experts) / length**2)
        return min(drift.hedge_rate(length, experts, drift_rate), LARGEST_RATE)
    return math.sqrt(8 * math.log(experts) / length)


@compiled
def follow_the_experts(
    advice, labels, restart_every, rate, losses, shares, tally, randomness, votes, drawn
):
    """Go over the examples: vote, draw a prediction, and count who erred.

    `advice` is what each expert (column) says of each example (row), -1 or +1; `losses` are the
    experts' since the last restart. For an example whose label is NaN there is a vote and nothing
    is drawn: the majority is followed.
    """
    for t in range(len(labels)):
        restarts = tally[ROUNDS] % restart_every == 0
        trust(losses, 0.0 if restarts else rate, shares)
        vote = 0.0
        for i in range(len(losses)):
            vote += shares[i] * advice[t, i]
        votes[t] = vote
        if math.isnan(labels[t]):
            drawn[t] = 1 if vote >= 0 else -1
            continue
        if restarts:
            tally[BEST] += losses.min()
            losses[:] = 0
        y, expected = math.copysign(1.0, labels[t]), 0.0
        for i in range(len(losses)):
            if advice[t, i] != y:
                expected += shares[i]
                losses[i] += abs(labels[t])
        drawn[t] = 1 if draw_unit(randomness) < (1 + vote) / 2 else -1
        tally[ROUNDS] += 1
        tally[WRONG] += drawn[t] != y
        tally[EXPECTED] += expected * abs(labels[t])


@inlined
def trust(losses, rate, shares):
    """The share of each expert, in proportion to exp(-rate * loss)."""
    least, total = losses.min(), 0.0
    for i in range(len(losses)):
        shares[i] = math.exp(-rate * (losses[i] - least))
        total += shares[i]
    for i in range(len(losses)):
        shares[i] /= total
