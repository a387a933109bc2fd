"""BOGD: Zhao et al., Fast Bounded Online Gradient Descent (ICML 2012), with uniform removal.

The step is that of norma.py with a margin of 1: f shrinks in every round, and the words there on
updates, weights and margins hold here.
"""

from collections.abc import Callable

from .arithmetic import Number, divide
from .kernels import Kernel
from .learners import Change, scaled, without
from .many_classes import (
    Classes,
    JointChange,
    JointRound,
    JointSupports,
    JointTrial,
    LabelledStream,
    Ties,
    play_jointly,
    shrunk,
)
from .rounds import Round, Stream, Supports, Trial, Weights, ZeroScore, compare, play


def clipped(weight: Number, limit: Number) -> Number:
    """The number of [-limit, limit] that is next to this one."""
    return max(-limit, min(limit, weight))


def unbiased(budget: int) -> Number:
    """What a support that stays is multiplied by: one of `budget` leaves, so 1 / (1 - 1/B)."""
    return divide(budget, budget - 1) if budget > 1 else 1  # of one support, none stays


def budgeted_gradient_descent(
    stream: Stream,
    kernel: Kernel,
    *,
    budget: int,
    step: Number,
    regularization: Number,
    bound: Number,
    draw: Callable[[int], int],
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[Round]:
    """BOGD with uniform removal: the old support in position draw(budget) goes, the oldest being 0.

    Those that stay are multiplied by (1 - step regularization) B / (B - 1): with the newcomer,
    which is not drawn from, that is the gradient step in expectation. Last, every weight is brought
    into [-bound step, bound step].
    """
    factor = 1 - step * regularization

    def within(supports: Supports) -> Supports:
        return tuple((i, clipped(weight, bound * step)) for i, weight in supports)

    def rule(trial: Trial) -> Change:
        kept, removed = scaled(trial.supports, factor), ()
        if compare(trial.y * trial.score, 1, trial.scale) >= 0:
            return (kept, removed) if kept and factor != 1 else None
        if len(kept) == budget:
            victim = draw(budget)
            removed = (kept[victim][0],)
            kept = scaled(without(kept, victim), unbiased(budget))
        return within((*kept, (trial.t, trial.u * step * trial.y))), removed

    return play(stream, kernel, zero_score, rule, weights)


def joint_budgeted_gradient_descent(
    stream: LabelledStream,
    kernel: Kernel,
    *,
    budget: int,
    step: Number,
    regularization: Number,
    bound: Number,
    draw: Callable[[int], int],
    classes: Classes = None,
    weights: Weights = None,
    zero_score: Ties = "positive",
) -> list[JointRound]:
    """BOGD in the joint space: a support has the same weight for its right class as against s."""
    factor = 1 - step * regularization

    def within(supports: JointSupports) -> JointSupports:
        return tuple(
            (i, {c: clipped(w, bound * step) for c, w in of_class.items()})
            for i, of_class in supports
        )

    def rule(trial: JointTrial) -> JointChange:
        kept, removed = shrunk(trial.supports, factor), ()
        if compare(trial.margin, 1, trial.scale) >= 0:
            return (kept, removed) if kept and factor != 1 else None
        if len(kept) == budget:
            victim = draw(budget)
            removed = (kept[victim][0],)
            kept = shrunk((*kept[:victim], *kept[victim + 1 :]), unbiased(budget))
        return within((*kept, trial.newcomer(step))), removed

    return play_jointly(stream, kernel, classes, weights, zero_score, rule)
