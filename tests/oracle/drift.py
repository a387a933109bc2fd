"""Learners of Regret Minimization with Concept Drift (Crammer et al.) beside the Perceptrons.

The restarted forecaster of Sec. 4, the thresholds of Sec. 5.1, and the Modified Perceptron of
Sec. 5.2 on a budget, which is this project's extension of it.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .arithmetic import Number, divide, magnitude, total
from .kernels import Kernel
from .learners import scaled, without
from .rounds import Round, Stream, Supports, ZeroScore, compare, evaluate, present

# Sec. 4: a general reduction


@dataclass(frozen=True)
class ExpertsRound:
    """One round of a forecaster that follows expert i with probability p[i].

    `vote` is the expected prediction, `loss` the probability of a mistake, and `weights` are those
    after the label has been revealed (a restart happens at the beginning of a round).
    """

    p: list[Number]
    vote: Number
    loss: Number
    weights: list[Number]


def restarting_experts(
    predictions: Sequence[Sequence[int]],
    labels: Sequence[int],
    *,
    restart_every: int,
    rate: float,
) -> list[ExpertsRound]:
    """Concept Drift, Theorems 3 and 4: the exponentially weighted forecaster, begun ever anew.

    predictions[t][i] is what expert i says in round t, which is +1 or -1 like the labels.
    """
    weights: list[Number] = []
    rounds = []
    for t, (said, y) in enumerate(zip(predictions, labels, strict=True)):
        if t % restart_every == 0:
            weights = [1 for _ in said]
        p = [divide(weight, total(weights)) for weight in weights]
        vote = total(p_i * said_i for p_i, said_i in zip(p, said, strict=True))
        loss = total(p_i for p_i, said_i in zip(p, said, strict=True) if said_i != y)
        weights = [
            weight * math.exp(-rate) if said_i != y else weight
            for weight, said_i in zip(weights, said, strict=True)
        ]
        rounds.append(ExpertsRound(p, vote, loss, weights))
    return rounds


def restart_length(experts: int, drift_rate: Number, realizable: bool) -> int:
    """Concept Drift, the m of Theorem 4 (realizable) or of Theorem 3, as a whole number."""
    log_n = math.log(experts)
    if realizable:
        return max(1, math.ceil(math.sqrt(log_n / drift_rate)))
    return max(1, math.ceil(log_n ** (1 / 3) * drift_rate ** (-2 / 3)))


def rate(experts: int, length: int, realizable: bool) -> float:
    """The forecaster's learning rate for segments of this length.

    Unrealizable: sqrt(8 ln N / m), which minimises ln N / rate + rate m / 8. Realizable:
    ln(1 + sqrt(2 ln N / L)), where the best expert is expected to lose L = m^2 lambda / 2; with
    lambda = ln N / m^2, for which Theorem 4 restarts every m rounds, this is ln(1 + sqrt(4)).
    """
    return math.log(3) if realizable else math.sqrt(8 * math.log(experts) / length)


# Sec. 5.1: one-dimensional thresholds


class Interval(NamedTuple):
    """The closed [a, b] or the open (a, b)."""

    a: Number
    b: Number
    closed: bool


EVERYTHING = Interval(0, 1, closed=True)


@dataclass(frozen=True)
class ThresholdRound:
    """One round of the interval algorithm; `interval` is the one after it.

    `inside` says whether x was in the interval that predicted, `reset` whether a shift was found.
    """

    score: Number
    mistake: bool
    inside: bool
    reset: bool
    interval: Interval


def drifting_threshold(
    stream: Sequence[tuple[Number, int]], *, gamma: Number
) -> list[ThresholdRound]:
    """Concept Drift, Sec. 5.1 (readings.md, 30): the interval of the feasible thresholds."""
    interval = EVERYTHING
    rounds = []
    for x, y in stream:
        a, b, closed = interval
        scale = magnitude(a) + magnitude(b) + magnitude(x)
        least = 0 if closed else 1  # how far inside is inside: a border point is, or is not
        inside = compare(x, a, scale) >= least and compare(b, x, scale) >= least
        score = x - divide(a + b, 2)
        prediction = 1 if compare(score, 0, scale) >= 0 else -1
        mistake = prediction != y
        reset = mistake and not inside
        if reset:
            interval = EVERYTHING
        elif not inside:
            interval = Interval(a - gamma, b + gamma, closed=False)
        elif y > 0:  # the threshold is at most x
            interval = Interval(a - gamma, x + gamma, closed=False)
        else:
            interval = Interval(x - gamma, b + gamma, closed=False)
        rounds.append(ThresholdRound(score, mistake, inside, reset, interval))
    return rounds


# Sec. 5.2: hyperplanes, on a budget

NOTHING = 1e-12


def squared_norm(supports: Supports, stream: Stream, kernel: Kernel) -> Number:
    """|f|^2 = sum_ij weight_i weight_j k(x_i, x_j)."""
    return total(
        weight_i * weight_j * kernel(stream[i][0], stream[j][0])
        for i, weight_i in supports
        for j, weight_j in supports
    )


def modified_budget_perceptron(
    stream: Stream,
    kernel: Kernel,
    *,
    budget: int,
    draw: Callable[[int], int] | None = None,
    zero_score: ZeroScore = "positive",
) -> list[Round]:
    """The Modified Perceptron (Sec. 5.2) with at most `budget` >= 1 supports.

    At a mistake with a full budget the oldest support, or the one in position draw(budget), is
    forgotten first and what is left is stretched back to length 1; x is then reflected upon only
    if this rest errs on it, too. Where nothing is left, the learner begins anew with y x / |x|.
    """
    supports: Supports = ()
    rounds = []
    for t, (x, y) in enumerate(stream):
        square = kernel(x, x)
        if not supports and square > 0:
            supports = ((t, 1 / math.sqrt(square)),)
        trial = present(stream, t, kernel, supports, zero_score)
        removed: tuple[int, ...] = ()
        update = trial.mistake and square > 0 and compare(trial.score, 0, trial.scale) != 0
        if update and len(supports) < budget:
            supports = (*supports, (t, -2 * trial.score / square))
        elif update:
            victim = draw(budget) if draw else 0
            removed = (supports[victim][0],)
            rest = without(supports, victim)
            length_squared = squared_norm(rest, stream, kernel)
            if length_squared <= NOTHING:
                supports = (*rest, (t, y / math.sqrt(square)))
            else:
                rest = scaled(rest, 1 / math.sqrt(length_squared))
                score, scale = evaluate(rest, stream, kernel, x)
                errs = compare(y * score, 0, scale) < 0
                supports = (*rest, (t, -2 * score / square)) if errs else rest
        rounds.append(Round(trial.score, trial.mistake, update, removed, supports))
    return rounds
