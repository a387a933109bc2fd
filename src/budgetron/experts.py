"""Follow the experts that have erred least since the last restart: Hedge, restarted.

K. Crammer, E. Even-Dar, Y. Mansour and J. Wortman Vaughan, "Regret minimization with concept
drift", COLT 2010, Sec. 4, with the exponentially weighted forecaster of N. Cesa-Bianchi and
G. Lugosi, "Prediction, learning, and games", 2006.
"""

from __future__ import annotations

import math

from .compiled import compiled, inlined
from .randomness import draw_unit

__all__ = [
    "EXPECTED",
    "MISTAKES",
    "REALIZABLE",
    "SEEN",
    "UNREALIZABLE",
    "follow_the_experts",
    "learning_rate",
    "restart_length",
    "trust",
]

REALIZABLE, UNREALIZABLE = "realizable", "unrealizable"
"""Whether a slowly moving sequence of experts never errs (Theorem 4), or may (Theorem 3)."""

# places in `tally`
SEEN, MISTAKES, EXPECTED = range(3)


def restart_length(experts: int, drift_rate: float, setting: str) -> int:
    """After how many examples to restart: Theorem 3's (ln N / lambda^2)^(1/3), or Theorem 4's."""
    if setting == REALIZABLE:
        length = math.sqrt(math.log(experts) / drift_rate)
    else:
        length = (math.log(experts) / drift_rate**2) ** (1 / 3)
    return max(1, math.ceil(length))


def learning_rate(experts: int, length: int, setting: str) -> float:
    """How fast to distrust those that err.

    For regret sqrt(m ln N / 2) over m examples, sqrt(8 ln N / m). For regret
    sqrt(2 L ln N) + ln N where the best expert's loss is L, ln(1 + sqrt(2 ln N / L)); Theorem 4's
    length m = sqrt(ln N / lambda) makes Lemma 2's bound L = m^2 lambda / 2 the same ln N / 2 for
    every m, and the rate ln 3.
    """
    if setting == REALIZABLE:
        return math.log(3)
    return math.sqrt(8 * math.log(experts) / length)


@compiled
def follow_the_experts(
    advice, labels, restart_every, rate, losses, shares, tally, randomness, votes, drawn
):
    """Go over the examples: vote, draw a prediction, and count who erred.

    `advice` is what each expert (column) says of each example (row), -1 or +1; `losses` are the
    experts' since the last restart.
    """
    for t in range(len(labels)):
        if tally[SEEN] % restart_every == 0:
            losses[:] = 0
        trust(losses, rate, shares)
        vote, expected = 0.0, 0.0
        for i in range(len(losses)):
            vote += shares[i] * advice[t, i]
            if advice[t, i] != labels[t]:
                expected += shares[i]
                losses[i] += 1
        votes[t] = vote
        drawn[t] = 1 if draw_unit(randomness) < (1 + vote) / 2 else -1
        tally[SEEN] += 1
        tally[MISTAKES] += drawn[t] != labels[t]
        tally[EXPECTED] += expected


@inlined
def trust(losses, rate, shares):
    """The share of each expert, in proportion to exp(-rate * loss)."""
    least, total = losses.min(), 0.0
    for i in range(len(losses)):
        shares[i] = math.exp(-rate * (losses[i] - least))
        total += shares[i]
    for i in range(len(losses)):
        shares[i] /= total
