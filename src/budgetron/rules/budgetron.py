"""Budgetron: a Kalman filter in the span of the supports, read in three ways.

The example is projected onto the span of the supports (Projectron), where a step of second order
costs no more than the projection did (Second-order Perceptron). The weights' covariance rises with
time, so that they can follow a target that moves (Tracking the best hyperplane). A cautious expert
takes the steps that the filter advises and a bold one longer ones; the average of the cautious one
is for a target that stands still. They are trusted by how well they have predicted, and some of the
trust is shared out in each round (Regret minimization with concept drift). When the budget is full,
an example that is far from the span may take the place of the support that means least. A learner
whose predictions have been worse than none begins anew, on the supports that it has.

Of two classes there is one hypothesis of each expert, for the second; of more, one for each class,
all of them in the same span and with the same covariance. What an expert says is then half the
difference between the right class and its *rival*, the wrong one that all together are most certain
of.

If labels come late, trust that experts earn with an example they have seen the neighbours of is no
measure of how well they predict. So there are two: one by what they say when they learn, for all
decisions about the filter itself, and a jury by what they said then, which predicts.
"""

from __future__ import annotations

from math import copysign, exp, inf, isnan, sqrt
from typing import Annotated, NamedTuple

from ..core.compiled import by_class, compiled_in_place, inlined, inlined_reassociated
from ..core.edits.span import (
    AVERAGE,
    BEGAN,
    BOLD,
    CAUTIOUS,
    CHANGE,
    DOUBT,
    EXPERTS,
    HAS_OWN,
    IS_LOOK_DUE,
    LEARNED,
    LEASTS,
    LOOKED,
    LOSS,
    MANY,
    NO_RECORD,
    NOT_KEPT,
    NOT_KNOWN,
    ROSE,
    WEIGHT,
    Span,
    admit,
    common_weights,
    dismiss,
    end_step,
    extend_inverse,
    find_own,
    find_step,
    follow_average,
    forget_weights,
    inflate,
    is_alone,
    is_overtaken,
    margin,
    margin_of_own,
    may_change,
    residual,
    take_step,
    variance,
    variance_of_own,
    volume_of_own,
)
from ..core.edits.span_on_device import SpanExpansionOnDevice
from ..core.edits.supports import k_xx, size
from ..core.linalg.vectors import axpy
from ..core.rule import decides, notes, updates, waits
from ..core.state import MEMO, POSITION
from ..core.triggers import EVERY_EXAMPLE
from ..parameters import Budget, NonNegative, Positive, Within

__all__ = ["HIGHEST", "NEAR", "OFTEN", "SHARPNESS", "Budgetron", "keep_found"]

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

LEAST_WEIGHT = 1e-100
"""Of an example: what weighs less says nothing, and could not be divided by."""

LOOK = 100
"""For so many examples it is known which supports mean least."""

OFTEN = 10
"""In so many parts of B examples there is an exchange, at most, in the long run."""

EQUAL_WITHIN = 1e-9
"""Margins, scores and losses that differ by less are equal."""


NOTHING, ROOM_FOR_ONE, EXCHANGE = range(3)
"""What becomes of the supports."""


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
    columns: Annotated[int, Within(least=1)]  # one for two classes, else one for each


@decides(Budgetron)
def judge(rule, f, nothing):
    """The score that the example is learned by; of many classes, by how much the right one leads.

    The one that is shown is the jury's.
    """
    t, span, stretch, largest = f.ahead.cursor[POSITION], f.state.memory, f.ahead.plan, 1.0
    for k in range(len(stretch.mixed)):
        stretch.mixed[k], stretch.now[t, k] = mixed_and_shown(f, span.trust, k)
        _, stretch.shown[t, k] = mixed_and_shown(f, span.jury, k)
        largest = max(largest, abs(stretch.shown[t, k]))
    f.ahead.errors[t] = EQUAL_WITHIN * largest
    if len(stretch.mixed) == 1:
        return stretch.now[t, 0]
    if stretch.right[t] == NOT_KNOWN:
        return 0.0
    lead = stretch.now[t, stretch.right[t]] - stretch.now[t, rival(f)]
    return lead if abs(lead) > EQUAL_WITHIN else 0.0


@inlined
def mixed_and_shown(f, trust, k):
    """What experts say of a class, and where all are certain of the same, how far beyond that."""
    mixed, beyond, extremes = 0.0, 0.0, 0.0
    for e in range(EXPERTS):
        m = margin(f, e, k)
        mixed += trust[e] * certainty(m)
        beyond += trust[e] * SHARPNESS * m
        is_certain = SHARPNESS * abs(m) >= 1 - EQUAL_WITHIN
        extremes += copysign(trust[e], m) if is_certain else 0.0
    if abs(extremes) >= 1 - EQUAL_WITHIN:
        return mixed, beyond
    return mixed, mixed if abs(mixed) > EQUAL_WITHIN else 0.0


@inlined
def certainty(margin):
    """The margin, sharpened and cut off at -1 and 1."""
    return min(1.0, max(-1.0, SHARPNESS * margin))


@notes(Budgetron)
def note_what_is_said(rule, f):
    """Note what each expert says of an example whose label comes later."""
    stretch, i = f.ahead.plan, f.ahead.plan.kept_in[f.ahead.cursor[POSITION]]
    if i != NOT_KEPT and f.state.memory.ages[LEARNED] > 0:
        stretch.said[i, 0] = f.state.memory.ages[LEARNED]
        for k in range(len(stretch.mixed)):
            for e in range(EXPERTS):
                stretch.said[i, 1 + EXPERTS * k + e] = certainty(margin(f, e, k))


@inlined
def rival(f):
    """The wrong class that the experts together are most certain of."""
    stretch, right, found = f.ahead.plan, f.ahead.plan.right[f.ahead.cursor[POSITION]], -1
    for k in range(len(stretch.mixed)):
        if k != right and (found < 0 or stretch.mixed[k] > stretch.mixed[found] + EQUAL_WITHIN):
            found = k
    return found


@inlined
def label(f, y, k):
    """Of the current example, for a class."""
    if len(f.ahead.plan.mixed) == 1:
        return y
    return 1.0 if f.ahead.plan.right[f.ahead.cursor[POSITION]] == k else -1.0


@updates(Budgetron, on=EVERY_EXAMPLE, keeps=Span)
def weigh_and_track(rule, f, y):
    weight, y = max(abs(y), LEAST_WEIGHT), copysign(1.0, y)
    weigh_experts(rule, f, y, weight)
    if is_any_short(f, y):
        change_supports(f)
        if size(f) > 0:
            track(rule, f, y, weight)
    follow(rule, f)
    f.state.memory.ages[LEARNED] += 1
    keep_record(f, y, min(weight, 1.0))
    if is_above(f.state.memory.record[DOUBT], rule.patience):
        begin_anew(rule, f)


@inlined
def is_any_short(f, y):
    """Whether an expert that takes steps would take one."""
    for k in range(len(f.ahead.plan.mixed)):
        own = label(f, y, k)
        if is_short(margin(f, CAUTIOUS, k), own) or is_short(margin(f, BOLD, k), own):
            return True
    return False


@inlined
def is_short(margin, y):
    """Whether the margin is below 1."""
    return y * margin < 1 - EQUAL_WITHIN


@inlined
def weigh_experts(rule, f, y, weight):
    """Trust those more that lost less: by what they say now, and by what they said then."""
    span, i = f.state.memory, f.ahead.plan.kept_in[f.ahead.cursor[POSITION]]
    against = rival(f)
    for e in range(EXPERTS):
        span.losses[e] += weight * loss_of(f, e, y, against, NOT_KEPT)
        span.mistakes[e] += is_mistaken(f, e, y)
    weigh(rule, f, span.trust, y, weight, against, NOT_KEPT)
    late = 0.0 if i == NOT_KEPT else span.ages[LEARNED] - f.ahead.plan.said[i, 0]
    if isnan(late):
        late, own = 1.0 * span.ages[LEARNED], rival_then(f, NOT_KEPT)
        weigh(rule, f, span.jury, y, weight / sqrt(1 + late), own, NOT_KEPT)
        prefer_slow(rule, span.jury)
    else:
        weigh(rule, f, span.jury, y, weight / sqrt(1 + late), rival_then(f, i), i)


@inlined
def weigh(rule, f, trust, y, weight, against, i):
    """Trust those more that lost less, and share some of the trust out."""
    least, total = 4.0, 0.0
    for e in range(EXPERTS):
        if trust[e] > 0:
            least = min(least, loss_of(f, e, y, against, i))
    for e in range(EXPERTS):
        trust[e] *= exp(-RATE * weight * (loss_of(f, e, y, against, i) - least))
        total += trust[e]
    for e in range(EXPERTS):
        trust[e] = (1 - rule.sharing) * trust[e] / total + rule.sharing * first_trust(rule, e)


@inlined
def prefer_slow(rule, trust):
    """Trust nobody more than a slower one.

    What experts say of a label that came late, now that they know those just before it, is better
    than what they would have said: the faster they learn, the more. Who loses even so has lost.
    """
    most, total = 1.0, 0.0
    for e in (AVERAGE, CAUTIOUS, BOLD):
        if first_trust(rule, e) > 0:
            most = trust[e] = min(trust[e], most)
            total += trust[e]
    for e in range(EXPERTS):
        trust[e] /= total


@inlined
def loss_of(f, e, y, against, i):
    """An expert's squared loss, from 0 to 4, with what it says or with what was kept in row i."""
    if len(f.ahead.plan.mixed) == 1:
        return (y - said_of(f, e, 0, i)) ** 2
    right = said_of(f, e, f.ahead.plan.right[f.ahead.cursor[POSITION]], i)
    return (1 - (right - said_of(f, e, against, i)) / 2) ** 2


@inlined
def said_of(f, e, k, i):
    """How certain an expert is of a class, or was."""
    if i == NOT_KEPT:
        return certainty(margin(f, e, k))
    return f.ahead.plan.said[i, 1 + EXPERTS * k + e]


@inlined
def rival_then(f, i):
    """The wrong class that the jury is most certain of, or was by what was kept in row i."""
    right, found, most = f.ahead.plan.right[f.ahead.cursor[POSITION]], -1, 0.0
    for k in range(len(f.ahead.plan.mixed)):
        mixed = 0.0
        for e in range(EXPERTS):
            mixed += f.state.memory.jury[e] * said_of(f, e, k, i)
        if k != right and (found < 0 or mixed > most + EQUAL_WITHIN):
            found, most = k, mixed
    return found


@inlined
def is_mistaken(f, e, y):
    """Whether an expert by itself would prefer a wrong class, or none."""
    if len(f.ahead.plan.mixed) == 1:
        return y * margin(f, e, 0) <= 0
    return margin(f, e, f.ahead.plan.right[f.ahead.cursor[POSITION]]) <= margin(f, e, rival(f))


@inlined
def first_trust(rule, e):
    if e == CAUTIOUS:
        return rule.cautious_trust
    return rule.bold_trust if e == BOLD else rule.average_trust


@waits(Budgetron)
def changes_supports(rule, f, score, y):
    """Decide what becomes of the supports, and whether it has to wait for what was learned."""
    if not is_alone(f) and is_overtaken(f):
        return True
    weight, y, change = max(abs(y), LEAST_WEIGHT), copysign(1.0, y), NOTHING
    if is_any_short(f, y):
        if size(f) < rule.budget:
            change = ROOM_FOR_ONE if is_above(residual(f), NEAR * k_xx(f)) else NOTHING
        elif may_take_a_place(rule, f, score, y):
            if not knows_least(f):
                return True
            if not rule.careful or gives_way(f, y, rule.noise / weight):
                change = EXCHANGE
    f.ahead.plan.places[CHANGE] = change
    return change != NOTHING and not may_change(f, change == EXCHANGE)


@inlined
def change_supports(f):
    """Make the current example a support if there is room, or if another one gives way."""
    change = f.ahead.plan.places[CHANGE]
    if size(f) == 0:
        f.state.numbers[MEMO] = k_xx(f)
    if change == EXCHANGE:
        dismiss(f, f.state.memory.least[0])
        f.state.memory.exchanges[0] += 1
    if change != NOTHING:
        admit(f, residual(f), 1 / f.state.numbers[MEMO])


@inlined
def may_take_a_place(rule, f, score, y):
    """Whether the current example is a mistake, and so far from the supports that it might.

    In T examples there are at most B/10 + 10 T/B exchanges, each of which costs as much as some B
    examples do that have nothing but products.
    """
    span, B = f.state.memory, rule.budget
    is_spared = span.exchanges[0] * B >= B * B / OFTEN + OFTEN * span.ages[LEARNED]
    is_wrong = rule.exchange and y * score <= 0
    return is_wrong and not is_spared and is_above(residual(f), FAR * k_xx(f))


@inlined
def is_look_due(f):
    """Whether it is not known any more which supports mean least."""
    span = f.state.memory
    return span.least[0] < 0 or span.ages[LEARNED] - span.ages[LOOKED] >= LOOK


@by_class
def knows_least(f):
    """Whether it is known which support means least, and its own direction: they are found here."""
    if is_look_due(f):
        look_for_least(f)
    find_own(f)
    return True


@knows_least.register(SpanExpansionOnDevice)
def _(f):
    """They are found where the matrices are, while nothing waits to be stored."""
    places = f.ahead.plan.places
    places[IS_LOOK_DUE] = is_look_due(f)
    return places[HAS_OWN] == 1 and places[IS_LOOK_DUE] == 0


@inlined
def is_above(number, limit):
    """Whether it is larger than the limit, and not by rounding."""
    return number > (1 + EQUAL_WITHIN) * limit


@inlined_reassociated
def look_for_least(f):
    """Find the supports whose loss changes the common hypotheses least: of equals, the oldest.

    Without support i, at a distance d_i from the others' span, f changes by |weight_i| d_i, where
    weight = M^T w and 1 / d_i^2 is the squared length of M's i-th column.
    """
    extend_inverse(f)
    span, n, w = f.state.memory, size(f), f.ahead.plan.coordinates[f.ahead.plan.places[MANY]]
    weight, squares, meant = f.ahead.scratch[0], f.ahead.scratch[1], f.ahead.scratch[2]
    for j in range(n):
        squares[j], meant[j] = 0, 0
    for i in range(n):
        for j in range(i + 1):
            squares[j] += span.inverse[i, j] ** 2
    for k in range(len(f.ahead.plan.mixed)):
        for j in range(n):
            weight[j] = 0
        common_weights(f, k, w)
        for i in range(n):
            axpy(weight[: i + 1], w[i], span.inverse[i])
        for j in range(n):
            meant[j] += weight[j] ** 2
    for j in range(n):
        meant[j] = sqrt(meant[j] / squares[j])
    keep_least(f, meant)


@compiled_in_place
def keep_found(f, meant):
    """Keep them when a device has found what each support means."""
    keep_least(f, meant)


@inlined_reassociated
def keep_least(f, meant):
    """Keep the supports that mean least, and that they have been looked for: see the above."""
    span, n, most = f.state.memory, size(f), 0.0
    for j in range(n):
        most = max(most, meant[j])
    for i in range(LEASTS):
        span.least[i] = -1
        for j in range(n):
            if meant[j] < inf:
                least = span.least[i]
                if least < 0 or is_above(meant[least], meant[j] + EQUAL_WITHIN * most):
                    span.least[i] = j
        if span.least[i] >= 0:
            meant[span.least[i]] = inf
    span.ages[LOOKED], f.ahead.plan.places[HAS_OWN] = span.ages[LEARNED], 0


@inlined
def gives_way(f, y, noise):
    """Whether less speaks for the least support than for the current example, by the lead expert.

    For the support, that is the Wald statistic of the weights in the direction that is only its
    own; for the example, how much better the labels are explained with its direction than without.
    While the average leads, nothing moves: then the span's volume has to grow, too.
    """
    trust, lead, distance = f.state.memory.trust, AVERAGE, residual(f)
    for e in range(AVERAGE):
        lead = e if is_above(trust[e], trust[lead]) else lead
    if lead == AVERAGE and not is_above(distance * volume_of_own(f), 1.0):
        return False
    known, novel = noise + variance(f), distance / f.state.numbers[MEMO]
    missing, own = 0.0, 0.0
    for k in range(len(f.ahead.plan.mixed)):
        missing += max(0.0, 1 - label(f, y, k) * margin(f, lead, k)) ** 2
        own += margin_of_own(f, lead, k) ** 2
    gain = missing * novel / (known * (known + novel))
    return is_above(EVIDENCE * gain * variance_of_own(f), own)


@inlined
def track(rule, f, y, weight):
    """The Kalman filter's step, for a label that is the margin and some noise; and a longer one."""
    ages, memo = f.state.memory.ages, f.state.numbers[MEMO]
    inflate(f, exp(-rule.drift / HIGHEST * (ages[LEARNED] - ages[ROSE])), HIGHEST / memo)
    ages[ROSE] = ages[LEARNED]
    known, shrinks = find_step(f), 0.0
    for e in range(AVERAGE):
        gain = 1 / (known + (rule.noise if e == CAUTIOUS else rule.bold_noise) / weight)
        for k in range(len(f.ahead.plan.mixed)):
            own = label(f, y, k)
            if is_short(margin(f, e, k), own):
                take_step(f, e, k, gain * (own - margin(f, e, k)))
                shrinks = gain if e == CAUTIOUS else shrinks
    end_step(f, shrinks)


@inlined
def follow(rule, f):
    """Let the average follow the cautious expert: anew, if it has lost the trust to it."""
    ages, jury = f.state.memory.ages, f.state.memory.jury
    is_stale = jury[AVERAGE] > 0 and is_above(STALE * jury[CAUTIOUS], jury[AVERAGE])
    if is_stale and rule.patience < inf:
        ages[BEGAN] = ages[LEARNED]
    follow_average(f, 2 / (ages[LEARNED] - ages[BEGAN] + 2))


@inlined
def keep_record(f, y, weight):
    """Note how the prediction was, and by how much all of late have been worse than none.

    To predict nothing is a score of 0, which always loses 1. Half of what it usually loses is
    allowed beside: labels that are noisy are no reason to despair, and no single one is, however
    much it weighs.
    """
    record, mixed = f.state.memory.record, f.ahead.plan.mixed
    if len(mixed) == 1:
        loss = (y - mixed[0]) ** 2
    else:
        right = mixed[f.ahead.plan.right[f.ahead.cursor[POSITION]]]
        loss = (1 - (right - mixed[rival(f)]) / 2) ** 2
    usual = record[LOSS] / record[WEIGHT]
    record[DOUBT] = max(0.0, record[DOUBT] + weight * (loss - 1 - usual / 2))
    record[LOSS] += weight * loss
    record[WEIGHT] += weight


@inlined
def begin_anew(rule, f):
    """Forget everything but the supports."""
    span = f.state.memory
    for e in range(EXPERTS):
        span.trust[e] = first_trust(rule, e)
        span.jury[e] = first_trust(rule, e)
    forget_weights(f)
    inflate(f, 0.0, 1 / f.state.numbers[MEMO])
    span.ages[ROSE], span.ages[BEGAN] = span.ages[LEARNED], span.ages[LEARNED]
    for i in range(len(NO_RECORD)):
        span.record[i] = NO_RECORD[i]
    span.restarts[0] += 1
