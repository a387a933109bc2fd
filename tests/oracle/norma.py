"""NORMA: Kivinen, Smola and Williamson, Online Learning with Kernels (IEEE TSP 2004).

The loss of a round is max(0, margin - y f(x)) + regularization |f|^2 / 2, and a step against its
gradient is f <- (1 - step regularization) f, plus step y k(x, .) where y f(x) < margin. So
f shrinks in every round, with a loss or without. `update` says whether the example changed the
learner: a support came or went, or one is held and the shrinking is by a factor other than 1. The
weight u of an example multiplies its new term and not the shrinking (rounds.py); one of weight 0
changes nothing. On the margin there is no loss, and no new term. A margin is positive: with 0,
f = 0 would stay what it is.
"""

from .arithmetic import Number
from .kernels import Kernel
from .learners import Change, scaled
from .many_classes import (
    Classes,
    JointChange,
    JointRound,
    JointTrial,
    LabelledStream,
    Ties,
    play_jointly,
    shrunk,
)
from .rounds import Round, Stream, Trial, Weights, ZeroScore, compare, play


def norma(
    stream: Stream,
    kernel: Kernel,
    *,
    step: Number,
    regularization: Number,
    margin: Number = 1,
    budget: int,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[Round]:
    """NORMA with the soft margin loss, a fixed margin and no offset.

    A new term that finds `budget` of them stored takes the place of the oldest, which is as many
    rounds old or older: what truncation costs (the paper's Proposition 1) holds with tau = budget.
    """
    factor = 1 - step * regularization

    def rule(trial: Trial) -> Change:
        kept, removed = scaled(trial.supports, factor), ()
        if compare(trial.y * trial.score, margin, trial.scale) >= 0:
            return (kept, removed) if kept and factor != 1 else None
        if len(kept) == budget:
            kept, removed = kept[1:], (kept[0][0],)
        return (*kept, (trial.t, trial.u * step * trial.y)), removed

    return play(stream, kernel, zero_score, rule, weights)


def joint_norma(
    stream: LabelledStream,
    kernel: Kernel,
    *,
    step: Number,
    regularization: Number,
    margin: Number = 1,
    budget: int,
    classes: Classes = None,
    weights: Weights = None,
    zero_score: Ties = "positive",
) -> list[JointRound]:
    """NORMA in the joint space: the loss is max(0, margin - (f_r(x) - f_s(x)))."""
    factor = 1 - step * regularization

    def rule(trial: JointTrial) -> JointChange:
        kept, removed = shrunk(trial.supports, factor), ()
        if compare(trial.margin, margin, trial.scale) >= 0:
            return (kept, removed) if kept and factor != 1 else None
        if len(kept) == budget:
            kept, removed = kept[1:], (kept[0][0],)
        return (*kept, trial.newcomer(step)), removed

    return play_jointly(stream, kernel, classes, weights, zero_score, rule)
