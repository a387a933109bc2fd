"""Budgetron: a Kalman filter in the span of the supports, read in three ways.

The example is projected onto the span of the supports (Projectron), where a step of second order
costs no more than the projection did (Second-order Perceptron). The weights' covariance rises with
time, so that they can follow a target that moves (Tracking the best hyperplane). A cautious expert
takes the steps that the filter advises and a bold one longer ones; the average of the cautious one
is for a target that stands still. They are trusted by how well they have predicted, and some of the
trust is shared out in each round (Regret minimization with concept drift). When the budget is full,
an example that is far from the span may take the place of the support that means least. A learner
whose predictions have been worse than none begins anew, on the supports that it has.
"""

from __future__ import annotations

from math import copysign, exp, inf, sqrt
from typing import Annotated, NamedTuple

from ..core.compiled import inlined, inlined_reassociated
from ..core.edits.projection import dot
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
    admit,
    dismiss,
    locate,
    only_of,
    residual,
    settle_covariance,
    sharpen,
    spread,
    wait,
)
from ..core.expansion import EDITS, OWN, POSITION, correct, own_value, size
from ..core.rule import SOLVED, SPAN, judges, updates
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
"""The average begins anew if it has so little of the trust in the cautious expert."""

ROUNDING = 1e-9
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
    ]  # how much worse than none predictions may be before all begins anew
    cautious_trust: Share  # what the experts begin with, and are given of what is shared out
    bold_trust: Share
    average_trust: Share


@judges(Budgetron)
def judge(rule, f, nothing):
    """The score of the current example, the margins of the experts being noted.

    Where all experts are certain of the same, it says how far beyond certainty they are.
    """
    margins, z = f.plan.margins, f.plan.coordinates[f.kept.counts[POSITION]]
    score, beyond, extremes = 0.0, 0.0, 0.0
    for e in range(len(margins)):
        margins[e] = dot(f.span.weights[e], z, size(f))
        trust = f.span.trust[e]
        score += trust * certainty(margins[e])
        beyond += trust * SHARPNESS * margins[e]
        is_certain = SHARPNESS * abs(margins[e]) >= 1 - ROUNDING
        extremes += copysign(trust, margins[e]) if is_certain else 0.0
    if abs(extremes) >= 1 - ROUNDING:
        return beyond
    return score if abs(score) > ROUNDING else 0.0


@inlined
def certainty(margin):
    """The margin, sharpened and cut off at -1 and 1."""
    return min(1.0, max(-1.0, SHARPNESS * margin))


@updates(Budgetron, on=EVERY_EXAMPLE, keeps=SPAN, blur=SOLVED)
def weigh_and_track(rule, f, y):
    weight, y, margins = abs(y), copysign(1.0, y), f.plan.margins
    weigh_experts(rule, f, y, weight)
    if is_short(margins[CAUTIOUS], y) or is_short(margins[BOLD], y):
        choose_supports(rule, f, y, weight)
        if size(f) > 0:
            track(rule, f, y, weight)
    follow(rule, f)
    f.span.ages[LEARNED] += 1
    keep_record(f, y, min(weight, 1.0))
    if is_above(f.span.record[DOUBT], rule.patience):
        begin_anew(rule, f)


@inlined
def is_short(margin, y):
    """Whether the margin is below 1."""
    return y * margin < 1 - ROUNDING


@inlined
def weigh_experts(rule, f, y, weight):
    """Trust those more that lost less, and share some of the trust out."""
    trust, margins, least, total = f.span.trust, f.plan.margins, 4.0, 0.0
    for e in range(len(trust)):
        if trust[e] > 0:
            least = min(least, squared_loss(margins[e], y))
    for e in range(len(trust)):
        loss = squared_loss(margins[e], y)
        f.span.losses[e] += weight * loss
        f.span.mistakes[e] += y * margins[e] <= 0
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
    k, distance, score = own_value(f), residual(f), f.ahead.scores[f.kept.counts[POSITION]]
    if size(f) < rule.budget:
        if is_above(distance, NEAR * k):
            if size(f) == 0:
                f.kept.numbers[OWN] = k
            settle_covariance(f)
            admit(f, distance, 1 / f.kept.numbers[OWN])
    elif rule.exchange and y * score <= 0 and is_above(distance, FAR * k):
        least = least_meant(f)
        if not rule.careful or gives_way(f, least, y, distance, rule.noise / weight):
            settle_covariance(f)
            dismiss(f, least)
            locate(f)
            admit(f, residual(f), 1 / f.kept.numbers[OWN])


@inlined
def is_above(number, limit):
    """Whether it is larger than the limit, and not by rounding."""
    return number > (1 + ROUNDING) * limit


@inlined_reassociated
def least_meant(f):
    """The support whose loss changes the experts' common hypothesis least: the oldest of these.

    Without support i, at a distance d_i from the others' span, f changes by |weight_i| d_i, where
    weight = M^T w and 1 / d_i^2 is the squared length of M's i-th column.
    """
    span, n = f.span, size(f)
    weight, squares = f.plan.scratch[0], f.plan.scratch[1]
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
        if is_above(weight[least], weight[j] + ROUNDING * most):
            least = j
    return least


@inlined
def gives_way(f, i, y, distance, noise):
    """Whether less speaks for support `i` than for the current example, by the leading expert.

    For the support, that is the Wald statistic of the weight in the direction that is only its own;
    for the example, how much better the label is explained with its direction than without. While
    the average leads, nothing moves: then the span's volume has to grow, too.
    """
    span, n, trust = f.span, size(f), f.span.trust
    own, image, t = f.plan.scratch[0], f.plan.scratch[1], f.kept.counts[POSITION]
    inverse_distance = only_of(f, i, own)
    lead = AVERAGE
    for e in range(AVERAGE):
        lead = e if is_above(trust[e], trust[lead]) else lead
    if lead == AVERAGE and not is_above(distance * inverse_distance**2, 1.0):
        return False
    spread(f, own, -1, image)
    variance = dot(own, image, n)
    spread(f, f.plan.coordinates[t], f.plan.known[t], image)
    known = noise + dot(f.plan.coordinates[t], image, n)
    novel = distance / f.kept.numbers[OWN]
    gain = (y - f.plan.margins[lead]) ** 2 * novel / (known * (known + novel))
    return is_above(EVIDENCE * gain * variance, dot(span.weights[lead], own, n) ** 2)


@inlined
def track(rule, f, y, weight):
    """The Kalman filter's step, for a label that is the margin and some noise; and a longer one."""
    plan, ages, n, t = f.plan, f.span.ages, size(f), f.kept.counts[POSITION]
    waited = ages[LEARNED] - ages[ROSE]
    wait(f, exp(-rule.drift / HIGHEST * waited), HIGHEST / f.kept.numbers[OWN])
    ages[ROSE] = ages[LEARNED]
    z, step = plan.coordinates[t], plan.steps[plan.pending[0]]
    spread(f, z, plan.known[t], step)
    variance = dot(z, step, n)
    for e in range(AVERAGE):
        w = f.span.weights[e]
        margin = dot(w, z, n)
        if is_short(margin, y):
            noise = rule.noise if e == CAUTIOUS else rule.bold_noise
            gain = 1 / (variance + noise / weight)
            correct(w[:n], gain * (y - margin), step)
            f.kept.counts[EDITS] += 1
            if e == CAUTIOUS:
                sharpen(f, gain)


@inlined
def follow(rule, f):
    """Let the average follow the cautious expert: anew, if it has lost the trust to it."""
    average, cautious = f.span.weights[AVERAGE], f.span.weights[CAUTIOUS]
    ages, trust = f.span.ages, f.span.trust
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
    record, score = f.span.record, f.ahead.scores[f.kept.counts[POSITION]]
    loss, usual = (y - min(1.0, max(-1.0, score))) ** 2, record[LOSS] / record[WEIGHT]
    record[DOUBT] = max(0.0, record[DOUBT] + weight * (loss - 1 - usual / 2))
    record[LOSS] += weight * loss
    record[WEIGHT] += weight


@inlined
def begin_anew(rule, f):
    """Forget everything but the supports."""
    span, n = f.span, size(f)
    for e in range(len(span.trust)):
        span.trust[e] = first_trust(rule, e)
        for j in range(n):
            span.weights[e, j] = 0
    wait(f, 0.0, 1 / f.kept.numbers[OWN])
    span.ages[ROSE], span.ages[BEGAN] = span.ages[LEARNED], span.ages[LEARNED]
    for i in range(len(NO_RECORD)):
        span.record[i] = NO_RECORD[i]
    span.restarts[0] += 1
    f.kept.counts[EDITS] += 1
