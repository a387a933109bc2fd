"""Budgetron: a Kalman filter in the span of the supports, read in three ways.

The example is projected onto the span of the supports (Projectron), where a step of second order
costs no more than the projection did (Second-order Perceptron). The weights' covariance rises with
time, so that they can follow a target that moves (Tracking the best hyperplane). A cautious expert
takes the steps that the filter advises and a bold one longer ones; the average of the cautious one
is for a target that stands still. They are trusted by how well they have predicted, and some of the
trust is shared out in each round (Regret minimization with concept drift). When the budget is full,
an example that is far from the span may take the place of the support that means least. A learner
whose predictions have been worse than none inits anew, on the supports that it has.
"""

from __future__ import annotations

from math import copysign, exp, inf, sqrt
from typing import Annotated, NamedTuple

from ..core.compiled import inlined, inlined_reassociated
from ..core.edits.span import (
    AVERAGE,
    BEGAN,
    BOLD,
    CAUTIOUS,
    DOUBT,
    LEARNED,
    LOSS,
    NO_RECORD,
    ROSE,
    WEIGHT,
    Span,
    admit,
    coordinates,
    cov_downdate,
    cov_flush,
    cov_matvec,
    dismiss,
    inflate,
    only_of,
    residual,
)
from ..core.edits.supports import k_xx, size
from ..core.linalg.vectors import axpy, dot
from ..core.rule import decides, updates
from ..core.state import EDITS, MEMO, POSITION
from ..core.triggers import EVERY_EXAMPLE
from ..parameters import Budget, NonNegative, Positive, Within

__all__ = ["Budgetron"]

NEAR = 1e-3
"""An example becomes a support if its squared distance from the span, over k(x, x), is larger."""

FAR = 0.1
"""The same while the budget is full: it may then take another one's place."""

EVIDENCE = 0.1
"""What speaks for a support may be so many times what speaks for the example in its place."""

SHARPNESS = 2.0
"""A margin of 1/2 is certainty."""

RATE = 1 / 8
"""(y - c)^2 is exp-concave at this rate for c and y from -1 to 1."""

HIGHEST = 30.0
"""How many times more uncertain than at the start a weight would become in the long run."""

STALE = 0.02
"""The average inits anew if it has so little of the trust in the cautious expert."""

LEAST_WEIGHT = 1e-100
"""Of an example: what weighs less says nothing, and could not be divided by."""

EQUAL_WITHIN = 1e-9
"""Margins, scores and losses that differ by less are equal."""


Share = Annotated[float, Within(least=0, most=1)]
Patience = Annotated[float, Within(above=0, or_infinite=True)]


class Budgetron(NamedTuple):
    """Projection, second order, tracking and trust, on a budget."""

    budget: Budget
    noise: Positive  # the variance of labels around the margin, for the cautious expert
    bold_noise: Positive  # and for the bold one
    drift: NonNegative  # the variance that each weight gains in a round
    sharing: Share  # the part of the trust that is shared out in a round
    exchange: bool  # whether a support may be replaced
    careful: bool  # and whether only if little speaks for it
    patience: Annotated[
        float, Within(above=0, or_infinite=True)
    ]  # how much worse than none predictions may be before all inits anew
    cautious_trust: Share  # what the experts begin with, and are given of what is shared out
    bold_trust: Share
    average_trust: Share


@decides(Budgetron)
def judge(rule, f, nothing):
    """The score of the current example, the margins of the experts being noted.

    Where all experts are certain of the same, it says how far beyond certainty they are.
    """
    t, margins = f.ahead.cursor[POSITION], f.ahead.plan.margins
    z, score, beyond, extremes = f.ahead.plan.coordinates[t], 0.0, 0.0, 0.0
    for e in range(len(margins)):
        margins[e] = dot(f.state.memory.weights[e], z, size(f))
        trust = f.state.memory.trust[e]
        score += trust * certainty(margins[e])
        beyond += trust * SHARPNESS * margins[e]
        is_certain = SHARPNESS * abs(margins[e]) >= 1 - EQUAL_WITHIN
        extremes += copysign(trust, margins[e]) if is_certain else 0.0
    f.ahead.errors[t] = EQUAL_WITHIN * max(1.0, abs(beyond))
    if abs(extremes) >= 1 - EQUAL_WITHIN:
        return beyond
    return score if abs(score) > EQUAL_WITHIN else 0.0


@inlined
def certainty(margin):
    """The margin, sharpened and cut off at -1 and 1."""
    return min(1.0, max(-1.0, SHARPNESS * margin))


@updates(Budgetron, on=EVERY_EXAMPLE, keeps=Span)
def weigh_and_track(rule, f, y):
    weight, y, margins = max(abs(y), LEAST_WEIGHT), copysign(1.0, y), f.ahead.plan.margins
    weigh_experts(rule, f, y, weight)
    if is_short(margins[CAUTIOUS], y) or is_short(margins[BOLD], y):
        choose_supports(rule, f, y, weight)
        if size(f) > 0:
            track(rule, f, y, weight)
    follow(rule, f)
    f.state.memory.ages[LEARNED] += 1
    keep_record(f, y, min(weight, 1.0))
    if is_above(f.state.memory.record[DOUBT], rule.patience):
        begin_anew(rule, f)


@inlined
def is_short(margin, y):
    """Whether the margin is below 1."""
    return y * margin < 1 - EQUAL_WITHIN


@inlined
def weigh_experts(rule, f, y, weight):
    """Trust those more that lost less, and share some of the trust out."""
    trust, margins, least, total = f.state.memory.trust, f.ahead.plan.margins, 4.0, 0.0
    for e in range(len(trust)):
        if trust[e] > 0:
            least = min(least, squared_loss(margins[e], y))
    for e in range(len(trust)):
        loss = squared_loss(margins[e], y)
        f.state.memory.losses[e] += weight * loss
        f.state.memory.mistakes[e] += y * margins[e] <= 0
        trust[e] *= exp(-RATE * weight * (loss - least))
        total += trust[e]
    for e in range(len(trust)):
        trust[e] = (1 - rule.sharing) * trust[e] / total + rule.sharing * first_trust(rule, e)


@inlined
def squared_loss(margin, y):
    """From 0 to 4."""
    return (y - certainty(margin)) ** 2


@inlined
def first_trust(rule, e):
    if e == CAUTIOUS:
        return rule.cautious_trust
    return rule.bold_trust if e == BOLD else rule.average_trust


@inlined
def choose_supports(rule, f, y, weight):
    """Make the current example a support if there is room, or if another one should give way."""
    k, distance, score = k_xx(f), residual(f), f.ahead.scores[f.ahead.cursor[POSITION]]
    if size(f) < rule.budget:
        if is_above(distance, NEAR * k):
            if size(f) == 0:
                f.state.numbers[MEMO] = k
            cov_flush(f)
            admit(f, distance, 1 / f.state.numbers[MEMO])
    elif rule.exchange and y * score <= 0 and is_above(distance, FAR * k):
        least = least_meant(f)
        if not rule.careful or gives_way(f, least, y, distance, rule.noise / weight):
            cov_flush(f)
            dismiss(f, least)
            coordinates(f)
            admit(f, residual(f), 1 / f.state.numbers[MEMO])


@inlined
def is_above(number, limit):
    """Whether it is larger than the limit, and not by rounding."""
    return number > (1 + EQUAL_WITHIN) * limit


@inlined_reassociated
def least_meant(f):
    """The support whose loss changes the experts' common hypothesis least: the oldest of these.

    Without support i, at a distance d_i from the others' span, f changes by |weight_i| d_i, where
    weight = M^T w and 1 / d_i^2 is the squared length of M's i-th column.
    """
    span, n = f.state.memory, size(f)
    weight, squares = f.ahead.scratch[0], f.ahead.scratch[1]
    for j in range(n):
        weight[j], squares[j] = 0, 0
    for i in range(n):
        common = 0.0
        for e in range(len(span.trust)):
            common += span.trust[e] * span.weights[e, i]
        for j in range(i + 1):
            m = span.inverse[i, j]
            weight[j] += common * m
            squares[j] += m * m
    most = 0.0
    for j in range(n):
        weight[j] = abs(weight[j]) / sqrt(squares[j])
        most = max(most, weight[j])
    least = 0
    for j in range(1, n):
        if is_above(weight[least], weight[j] + EQUAL_WITHIN * most):
            least = j
    return least


@inlined
def gives_way(f, i, y, distance, noise):
    """Whether less speaks for support `i` than for the current example, by the leading expert.

    For the support, that is the Wald statistic of the weight in the direction that is only its own;
    for the example, how much better the label is explained with its direction than without. While
    the average leads, nothing moves: then the span's volume has to grow, too.
    """
    span, n, trust = f.state.memory, size(f), f.state.memory.trust
    own, image, t = f.ahead.scratch[0], f.ahead.scratch[1], f.ahead.cursor[POSITION]
    inverse_distance = only_of(f, i, own)
    lead = AVERAGE
    for e in range(AVERAGE):
        lead = e if is_above(trust[e], trust[lead]) else lead
    if lead == AVERAGE and not is_above(distance * inverse_distance**2, 1.0):
        return False
    cov_matvec(f, own, -1, image)
    variance = dot(own, image, n)
    cov_matvec(f, f.ahead.plan.coordinates[t], f.ahead.plan.image_of[t], image)
    known = noise + dot(f.ahead.plan.coordinates[t], image, n)
    novel = distance / f.state.numbers[MEMO]
    gain = (y - f.ahead.plan.margins[lead]) ** 2 * novel / (known * (known + novel))
    return is_above(EVIDENCE * gain * variance, dot(span.weights[lead], own, n) ** 2)


@inlined
def track(rule, f, y, weight):
    """The Kalman filter's step, for a label that is the margin and some noise; and a longer one."""
    plan, ages, n, t = f.ahead.plan, f.state.memory.ages, size(f), f.ahead.cursor[POSITION]
    waited = ages[LEARNED] - ages[ROSE]
    inflate(f, exp(-rule.drift / HIGHEST * waited), HIGHEST / f.state.numbers[MEMO])
    ages[ROSE] = ages[LEARNED]
    z, step = plan.coordinates[t], plan.steps[plan.pending[0]]
    cov_matvec(f, z, plan.image_of[t], step)
    variance = dot(z, step, n)
    for e in range(AVERAGE):
        w = f.state.memory.weights[e]
        margin = dot(w, z, n)
        if is_short(margin, y):
            noise = rule.noise if e == CAUTIOUS else rule.bold_noise
            gain = 1 / (variance + noise / weight)
            axpy(w[:n], gain * (y - margin), step)
            f.ahead.cursor[EDITS] += 1
            if e == CAUTIOUS:
                cov_downdate(f, gain)


@inlined
def follow(rule, f):
    """Let the average follow the cautious expert: anew, if it has lost the trust to it."""
    average, cautious = f.state.memory.weights[AVERAGE], f.state.memory.weights[CAUTIOUS]
    ages, trust = f.state.memory.ages, f.state.memory.trust
    is_stale = trust[AVERAGE] > 0 and is_above(STALE * trust[CAUTIOUS], trust[AVERAGE])
    if is_stale and rule.patience < inf:
        ages[BEGAN] = ages[LEARNED]
    part = 2 / (ages[LEARNED] - ages[BEGAN] + 2)
    for j in range(size(f)):
        average[j] += part * (cautious[j] - average[j])


@inlined
def keep_record(f, y, weight):
    """Note how the prediction was, and by how much all of late have been worse than none.

    To predict nothing is a score of 0, which always loses 1. Half of what it usually loses is
    allowed beside: labels that are noisy are no reason to despair, and no single one is, however
    much it weighs.
    """
    record, score = f.state.memory.record, f.ahead.scores[f.ahead.cursor[POSITION]]
    loss, usual = (y - min(1.0, max(-1.0, score))) ** 2, record[LOSS] / record[WEIGHT]
    record[DOUBT] = max(0.0, record[DOUBT] + weight * (loss - 1 - usual / 2))
    record[LOSS] += weight * loss
    record[WEIGHT] += weight


@inlined
def begin_anew(rule, f):
    """Forget everything but the supports."""
    span, n = f.state.memory, size(f)
    for e in range(len(span.trust)):
        span.trust[e] = first_trust(rule, e)
        for j in range(n):
            span.weights[e, j] = 0
    inflate(f, 0.0, 1 / f.state.numbers[MEMO])
    span.ages[ROSE], span.ages[BEGAN] = span.ages[LEARNED], span.ages[LEARNED]
    for i in range(len(NO_RECORD)):
        span.record[i] = NO_RECORD[i]
    span.restarts[0] += 1
    f.ahead.cursor[EDITS] += 1
