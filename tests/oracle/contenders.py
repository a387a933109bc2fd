"""Learners of later papers, transcribed from them.

Wang and Vucetic, Online Passive-Aggressive Algorithms on a Budget (AISTATS 2010).
Everything is recomputed from the definitions in every round. The weight u of an example multiplies
its step (rounds.py).
"""

from collections.abc import Callable

from .arithmetic import Number, divide
from .kernels import Kernel
from .learners import Change, without
from .rounds import Round, Stream, Trial, Weights, ZeroScore, compare, play

Objective = Callable[[Number], Number]


def smallest(objective: Objective, corners: list[Number]) -> tuple[Number, Number]:
    """The best of some numbers, and its value; of equals the first."""
    best = min(corners, key=objective)
    return best, objective(best)


def exchange(
    C: Number, margin: Number, part: Number, square: Number, along: Number, own: Number
) -> tuple[Number, Number]:
    """The best coefficient b of the newcomer once a part of f has left, and the objective there.

    `part` is that part's margin at the newcomer, `square` its squared norm, `along` its inner
    product with y times the newcomer, and `own` is k(x, x): min over b of
    |b y x - part|^2 / 2 + C max(0, 1 - (margin - part) - b k(x, x)). It is convex, and smallest
    where either quadratic is, or where they meet.
    """
    room = 1 - (margin - part)

    def objective(b: Number) -> Number:
        distance = square - 2 * b * along + b * b * own
        return divide(distance, 2) + C * max(0, room - b * own)

    return smallest(objective, [divide(along, own), divide(along, own) + C, divide(room, own)])


def budgeted_passive_aggressive(
    stream: Stream,
    kernel: Kernel,
    *,
    budget: int,
    C: Number,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[Round]:
    """BPA-S: PA-I until the budget is full, then the best removal r and newcomer's weight.

    The best weight without a loss to repair is that of the projection of what leaves; what is
    beyond it is the step, which u multiplies. Of equal objectives, the oldest support leaves.
    """

    def rule(trial: Trial) -> Change:
        margin, own = trial.y * trial.score, kernel(trial.x, trial.x)
        if compare(margin, 1, trial.scale) >= 0 or own == 0:
            return None
        if len(trial.supports) < budget:
            step = min(C, divide(1 - margin, own))
            return (*trial.supports, (trial.t, trial.u * trial.y * step)), ()
        found = []
        for i, weight in trial.supports:
            x_i = stream[i][0]
            along = trial.y * weight * kernel(x_i, trial.x)
            square = weight * weight * kernel(x_i, x_i)
            b, value = exchange(C, margin, along, square, along, own)
            still = divide(along, own)
            found.append((value, trial.y * (still + trial.u * (b - still))))
        least, scale = min(value for value, _ in found), max(value for value, _ in found)
        r = next(p for p, (v, _) in enumerate(found) if compare(v, least, scale) == 0)
        kept = (*without(trial.supports, r), (trial.t, found[r][1]))
        return kept, (trial.supports[r][0],)

    return play(stream, kernel, zero_score, rule, weights)
