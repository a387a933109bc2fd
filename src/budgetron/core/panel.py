"""A panel of experts: filters, one that knows the labels alone, and a stack that adds both up.

Each says how certain it is of a class, from -1 to 1. They are trusted by how well they have
predicted, and a part of the trust is shared out in each round: the panel's losses are bounded by
those of its best expert, whatever the experts are (Proposition 1 of the page "The flagship").

Of two classes there is one column, for the second; of more, one for each.
"""

from __future__ import annotations

from math import exp, isnan, sqrt, tanh
from typing import NamedTuple

import numpy as np

from .columns import measure
from .compiled import by_reference, compiled_in_place, inlined
from .triggers import is_mistake

__all__ = [
    "AGE",
    "BETTER",
    "COUNTS",
    "EQUAL_WITHIN",
    "FARTHEST",
    "FARTHEST_LOG",
    "FEATURES",
    "FROM_CENTER",
    "FROM_ZERO",
    "HAS_WEIGHTS",
    "LABELS",
    "LOSS",
    "MEASURED",
    "MISTAKES",
    "NOTED",
    "NOT_COUNTED",
    "PERIOD",
    "PERIODS",
    "SEEN",
    "STACK",
    "UPDATES",
    "WORSE",
    "Panel",
    "Room",
    "advise",
    "confer",
    "numbers_kept",
]

LABELS, STACK = -2, -1
"""The places of the experts that are no filters: the last ones."""

FIRST_TRUST = 1 / 8
"""In each of these two; the filters share what is left."""

RATE = 1 / 8
"""(y - c)^2 is exp-concave at this rate for c and y from -1 to 1."""

RUNS = 10.0
"""So many labels have to be alike or different before the last one says much about the next."""

FARTHEST = 4.0
"""A score beyond this says no more to the stack."""

MEMORY = 0.999
"""Of the stack: what is left of a step's weight after the next."""

LEAST_CURVATURE = 0.01
LARGEST_TRACE = 8.0
"""Of the stack's curvature, and of its inverse."""

EQUAL_WITHIN, TIED = 1e-9, 4e-9
"""Scores that differ by less are equal; of those of two classes, four times less."""

WEIGHT, ALIKE, SPREAD = range(3)
"""Places in `tally`: the labels' weight, and how they go with the last one."""

SCORE, MEAN, LAST = range(3)
FEATURES = 4
"""Of the stack: what filters say, the mean label, the last one, and 1."""

SEEN, AGE, MISTAKES, UPDATES, HAS_WEIGHTS = range(5)
COUNTS = 5
"""Places in `counts`: examples, those learned since the first that was kept, and so on."""

NOT_COUNTED = -1
"""In the place of whether an example changed a filter: somebody else counts."""

WORSE, BETTER = range(2)
"""Places in `merit`: by how much the leading filter has been worse than the mean of the labels, and
by how much better, each since that was least."""

PERIOD = 50
"""So many examples are a period."""

BEFORE, EARLIER, LATELY, NOW = range(4)
PERIODS = 4
FARTHEST_LOG = 50.0
"""A logarithm of a squared distance counts for no more."""

LOSS, FROM_CENTER, FROM_ZERO, MEASURED = range(4)
NOTED = 4
"""Places in `watch`: a row for each period, with its losses, the logarithms of squared distances
from the center and from 0, and how many of these there are."""


@by_reference
class Panel(NamedTuple):
    """What is known of the experts: the filters first, then the labels and the stack."""

    trust: np.ndarray  # adds up to 1
    first_trust: np.ndarray  # what each began with, and is given of what is shared out
    losses: np.ndarray
    mistakes: np.ndarray
    label_sums: np.ndarray  # (columns,)
    last_label: np.ndarray  # (columns,): -1 or 1, 0 before there was any
    tally: np.ndarray  # see WEIGHT, ALIKE, SPREAD
    theta: np.ndarray  # (FEATURES,): the stack's weights
    spread: np.ndarray  # (FEATURES, FEATURES): its inverse curvature
    watch: np.ndarray  # (PERIODS, NOTED): the last two, the present one, and all before
    merit: np.ndarray  # (2,): see WORSE and BETTER
    slots: np.ndarray  # (filters,): the place that each filter had when it was opened
    counts: np.ndarray  # (COUNTS,)

    @classmethod
    def empty(cls, columns: int, *, labels: bool, stack: bool) -> Panel:
        """No filters yet, and nothing known."""
        panel = cls(
            trust=np.zeros(2),
            first_trust=np.array([float(labels), float(stack)]),
            losses=np.zeros(2),
            mistakes=np.zeros(2, np.int64),
            label_sums=np.zeros(columns),
            last_label=np.zeros(columns),
            tally=np.array([1.0, 0.0, 0.0]),
            theta=np.array([1.0, 0.0, 0.0, 0.0]),
            spread=np.eye(FEATURES),
            watch=np.zeros((PERIODS, NOTED)),
            merit=np.zeros(2),
            slots=np.zeros(0, np.int64),
            counts=np.zeros(COUNTS, np.int64),
        )
        return panel.with_filters(0)

    @property
    def filters(self) -> int:
        """How many there are."""
        return len(self.trust) - 2

    def copied(self) -> Panel:
        """The same in arrays of its own."""
        return Panel(*(array.copy() for array in self))

    def with_filters(self, filters: int) -> Panel:
        """The same with so many new ones, all of them trusted as at first."""
        others = FIRST_TRUST * (self.first_trust[LABELS:] > 0)
        each = (1 - 2 * FIRST_TRUST) / filters if filters else 0.0
        first = np.concatenate([np.full(filters, each), others])
        first /= first.sum() or 1.0
        before = LABELS if others[LABELS] > 0 else STACK
        lost = self.losses[before] if others.any() else self.tally[WEIGHT] - 1
        new = np.full(filters, lost)
        return self._replace(
            trust=first.copy(),
            first_trust=first,
            losses=np.concatenate([new, self.losses[LABELS:]]),
            mistakes=np.concatenate([np.zeros(filters, np.int64), self.mistakes[LABELS:]]),
            watch=np.zeros((PERIODS, NOTED)),
            merit=np.zeros(2),
            slots=np.arange(filters),
        )

    def without(self, dropped: list[int]) -> Panel:
        """The same without some filters, whose trust the others get in proportion to theirs."""
        fewer = self.with_filters(self.filters - len(dropped))
        trust = np.delete(self.trust, dropped)
        return fewer._replace(
            trust=trust / trust.sum(),
            losses=np.delete(self.losses, dropped),
            mistakes=np.delete(self.mistakes, dropped),
            watch=self.watch,
            merit=self.merit,
            slots=np.delete(self.slots, dropped),
        )

    def with_class(self, place: int) -> Panel:
        """The same with one more class, the `place`-th, which all labels so far were not of."""
        sums, last, tally = self.label_sums, self.last_label, self.tally.copy()
        if len(sums) == 1:
            sums, last = np.concatenate([-sums, sums]), np.concatenate([-last, last])
            tally[[ALIKE, SPREAD]] *= 2
        was_any = float(last.any())
        return self._replace(
            label_sums=np.insert(sums, place, 1 - tally[WEIGHT]),
            last_label=np.insert(last, place, -was_any),
            tally=tally,
        )

    @property
    def last_periods(self) -> tuple[np.ndarray, np.ndarray]:
        """What was noted in all but the last two periods, and in these."""
        return self.watch[BEFORE], self.watch[EARLIER] + self.watch[LATELY]

    @property
    def last_periods_after_next(self) -> tuple[np.ndarray, np.ndarray]:
        """The same after an example that ends a period, and that adds to the second."""
        return self.watch[BEFORE] + self.watch[EARLIER], self.watch[LATELY] + self.watch[NOW]


@by_reference
class Room(NamedTuple):
    """Room to work in."""

    advice: np.ndarray  # (experts, columns): how certain each is
    features: np.ndarray  # (columns, FEATURES): what the stack is told
    sums: np.ndarray  # (columns,): what it makes of it
    mixed: np.ndarray  # (columns,): the panel's prediction
    step: np.ndarray  # (2, FEATURES)

    @classmethod
    def of(cls, panel: Panel) -> Room:
        """As much as a panel needs."""
        columns = len(panel.label_sums)
        return cls(
            np.zeros((len(panel.trust), columns)),
            np.zeros((columns, FEATURES)),
            np.zeros(columns),
            np.zeros(columns),
            np.zeros((2, FEATURES)),
        )


@compiled_in_place
def advise(panel, room, scores, shown, said):
    """What the panel says of examples, given the filters' scores (filters, examples, columns).

    Of the first example it is kept what was said of it, if there is room for that.
    """
    for t in range(len(shown)):
        ask(panel, room, scores[:, t], shown[t])
        if t < len(said):
            keep(panel, room, scores[:, t], said[t])


@compiled_in_place
def confer(
    rows,
    panel,
    room,
    scores,
    now,
    codes,
    weights,
    distances,
    sharing,
    shown,
    leads,
    zero_is_mistake,
    kept_in,
    said,
    updated,
):
    """The same, each label becoming known after its example; `leads` has the most trusted filter.

    Features are noted as well: see `columns.measure`. A code is the number of a class, also where
    there is one column for two. A single example is counted, if it is said whether it has changed a
    filter. An example whose weight is NaN is only looked at, and what was said of it is kept in the
    row of `said` that is its own; when it is learned, the experts are judged by that. What filters
    say `now` is for those who learn.
    """
    measure(rows, weights, distances)
    for t in range(len(shown)):
        leads[t] = lead_of(panel)
        ask(panel, room, scores[:, t], shown[t])
        if isnan(weights[t]):
            if kept_in[t] >= 0 and panel.counts[SEEN] > 0:
                keep(panel, room, scores[:, t], said[kept_in[t]])
            continue
        count(panel.counts, shown[t], codes[t], weights[t], zero_is_mistake, updated)
        if weights[t] > 0:
            watch_over(panel, room, now[:, t], codes[t], weights[t], distances[t])
            late = recall(panel, room, said[kept_in[t]]) if kept_in[t] >= 0 else 0.0
            learn(panel, room, codes[t], weights[t], late, sharing)


def numbers_kept(slots: int, columns: int) -> int:
    """How much is kept of an example that is looked at: when it was, and what was said then.

    That is for each column the score of each filter, by its slot; what the labels, the stack and
    the panel say; and what the stack is told, but for the last feature, which is 1.
    """
    return 1 + columns * (slots + 2 + FEATURES)


@inlined
def keep(panel, room, scores, said):
    """Keep what was said of the example that was asked about."""
    columns = len(room.mixed)
    others = 1 + columns * ((len(said) - 1) // columns - 2 - FEATURES)
    said[0] = panel.counts[SEEN]
    for k in range(columns):
        for j in range(len(scores)):
            said[1 + panel.slots[j] * columns + k] = scores[j, k]
        own = others + k * (2 + FEATURES)
        said[own], said[own + 1] = room.advice[LABELS, k], room.advice[STACK, k]
        said[own + 2] = room.mixed[k]
        for i in range(FEATURES - 1):
            said[own + 3 + i] = room.features[k, i]


@inlined
def recall(panel, room, said):
    """Let the room be as it was when that was kept, if it was; how many were learned since then.

    The example itself has been counted.
    """
    if isnan(said[0]):
        return 0.0
    columns = len(room.mixed)
    others = 1 + columns * ((len(said) - 1) // columns - 2 - FEATURES)
    for k in range(columns):
        for j in range(len(panel.slots)):
            room.advice[j, k] = cut_off(said[1 + panel.slots[j] * columns + k], 1.0)
        own = others + k * (2 + FEATURES)
        room.advice[LABELS, k], room.advice[STACK, k] = said[own], said[own + 1]
        room.mixed[k] = said[own + 2]
        for i in range(FEATURES - 1):
            room.features[k, i] = said[own + 3 + i]
    return panel.counts[SEEN] - 1 - said[0]


@inlined
def count(counts, shown, code, weight, zero_is_mistake, updated):
    """Count an example."""
    counts[SEEN] += 1
    counts[AGE] += weight > 0
    counts[HAS_WEIGHTS] |= weight != 1
    if updated != NOT_COUNTED:
        counts[UPDATES] += updated
        if len(shown) == 1:
            counts[MISTAKES] += is_mistake(shown[0], 2.0 * code - 1, zero_is_mistake)
        else:
            counts[MISTAKES] += chosen(shown) != code


@inlined
def chosen(shown):
    """The first class of those that may have the highest score: see `engine.winner`."""
    best = 0
    for k in range(1, len(shown)):
        if shown[k] > shown[best]:
            best = k
    for k in range(best):
        if shown[best] - shown[k] <= TIED * (max(1.0, abs(shown[best])) + max(1.0, abs(shown[k]))):
            return k
    return best


@inlined
def lead_of(panel):
    """The filter with the most trust: of equals, the first."""
    lead = 0
    for j in range(1, len(panel.trust) - 2):
        if panel.trust[j] > (1 + EQUAL_WITHIN) * panel.trust[lead]:
            lead = j
    return lead


@inlined
def ask(panel, room, scores, shown):
    """The score of the current example, what each expert said being noted."""
    consult_labels(panel, room)
    consult_stack(panel, room, scores)
    filters = len(panel.trust) - 2
    for k in range(len(shown)):
        f, beyond = 0.0, 0.0
        for j in range(filters):
            room.advice[j, k] = cut_off(scores[j, k], 1.0)
        for e in range(len(panel.trust)):
            f += panel.trust[e] * room.advice[e, k]
        for j in range(filters):
            beyond += panel.trust[j] * (scores[j, k] - room.advice[j, k])
        room.mixed[k] = f
        shown[k] = f + beyond if abs(f) >= 1 - EQUAL_WITHIN else f
        if abs(shown[k]) <= EQUAL_WITHIN:
            shown[k] = 0.0


@inlined
def cut_off(number, limit):
    return min(limit, max(-limit, number))


@inlined
def consult_labels(panel, room):
    """The best guess from the last label, if labels come in runs; else the share of the class."""
    rho = panel.tally[ALIKE] / (panel.tally[SPREAD] + RUNS)
    for k in range(len(room.mixed)):
        mean = panel.label_sums[k] / panel.tally[WEIGHT]
        guess = cut_off(mean + rho * (panel.last_label[k] - mean), 1.0)
        room.advice[LABELS, k] = guess


@inlined
def consult_stack(panel, room, scores):
    """A logistic regression on what filters and labels say."""
    total = 0.0
    for j in range(len(scores)):
        total += panel.trust[j]
    for k in range(len(room.mixed)):
        said, phi = 0.0, room.features[k]
        for j in range(len(scores)):
            said += panel.trust[j] * cut_off(scores[j, k], FARTHEST)
        phi[SCORE] = said / total if total > 0 else 0.0
        phi[MEAN] = panel.label_sums[k] / panel.tally[WEIGHT]
        phi[LAST] = panel.last_label[k]
        phi[3] = 1.0
        room.sums[k] = dot4(panel.theta, phi)
    if len(room.mixed) == 1:
        room.advice[STACK, 0] = tanh(room.sums[0] / 2)
        return
    highest, total = room.sums[0], 0.0
    for k in range(1, len(room.mixed)):
        highest = max(highest, room.sums[k])
    for k in range(len(room.mixed)):
        total += exp(room.sums[k] - highest)
    for k in range(len(room.mixed)):
        room.advice[STACK, k] = 2 * exp(room.sums[k] - highest) / total - 1


@inlined
def dot4(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


@inlined
def learn(panel, room, code, weight, late, sharing):
    """Learn from the label of the example that was asked about so many examples before."""
    part, own, y = min(weight, 1.0), own_column(room, code), own_label(room, code)
    rival = rival_of(room, code)
    weigh(panel, room, own, rival, y, weight, RATE / sqrt(1 + late), sharing)
    teach_stack(panel, room, own, rival, y, part)
    note_label(panel, room, code, part)


@inlined
def watch_over(panel, room, now, code, weight, distances):
    """Note how well it goes, by what is said of an example at the moment that it is learned.

    What was said before it was known could not have been better, if labels come late: that is no
    reason to start over.
    """
    own, y, rival = own_column(room, code), own_label(room, code), rival_of(room, code)
    against = mixed_now(panel, room, now, rival) if rival >= 0 else 0.0
    panel.watch[NOW, LOSS] += loss_with(mixed_now(panel, room, now, own), against, rival, y)
    if min(distances[0], distances[1]) > -np.inf:
        panel.watch[NOW, FROM_CENTER] += cut_off(distances[0], FARTHEST_LOG)
        panel.watch[NOW, FROM_ZERO] += cut_off(distances[1], FARTHEST_LOG)
        panel.watch[NOW, MEASURED] += 1
    if len(panel.trust) > 2:
        judge_lead(panel, room, now, own, rival, y, min(weight, 1.0))
    if panel.counts[AGE] % PERIOD == 0:
        for i in range(NOTED):
            panel.watch[BEFORE, i] += panel.watch[EARLIER, i]
            panel.watch[EARLIER, i] = panel.watch[LATELY, i]
            panel.watch[LATELY, i] = panel.watch[NOW, i]
            panel.watch[NOW, i] = 0


@inlined
def mixed_now(panel, room, now, k):
    """The panel's prediction, with what filters say now."""
    mixed = room.mixed[k]
    for j in range(len(now)):
        mixed += panel.trust[j] * (cut_off(now[j, k], 1.0) - room.advice[j, k])
    return mixed


@inlined
def own_column(room, code):
    """That of the true class, or of the second of two."""
    return code if len(room.mixed) > 1 else 0


@inlined
def own_label(room, code):
    """1 for the true class; of two, 1 if it is the second and -1 if it is the first."""
    return 1.0 if len(room.mixed) > 1 else 2.0 * code - 1


@inlined
def judge_lead(panel, room, now, own, rival, y, part):
    """See whether the leading filter says more than the mean of the labels does.

    Of many classes it may do so long before its certainty is worth anything: its choices count.
    """
    lead = lead_of(panel)
    if rival < 0:
        mean = room.features[own, MEAN]
        worse = part * ((y - cut_off(now[lead, own], 1.0)) ** 2 - (y - mean) ** 2)
    else:
        by_mean = lead_over(room.features[:, MEAN], own) >= -EQUAL_WITHIN
        worse = part * (by_mean - 1.0 * (lead_over(now[lead], own) > EQUAL_WITHIN))
    panel.merit[WORSE] = max(0.0, panel.merit[WORSE] + worse)
    panel.merit[BETTER] = max(0.0, panel.merit[BETTER] - worse)


@inlined
def lead_over(scores, own):
    """By how much one is more certain of this class than of any other."""
    least = np.inf
    for k in range(len(scores)):
        if k != own:
            least = min(least, cut_off(scores[own], 1.0) - cut_off(scores[k], 1.0))
    return least


@inlined
def rival_of(room, code):
    """The wrong class that the panel is most certain of; -1 if there are two classes."""
    rival = -1
    for k in range(len(room.mixed) if len(room.mixed) > 1 else 0):
        if k != code and (rival < 0 or room.mixed[k] > room.mixed[rival] + EQUAL_WITHIN):
            rival = k
    return rival


@inlined
def weigh(panel, room, own, rival, y, weight, rate, sharing):
    """Trust those more that lost less, and share some of the trust out."""
    trust, least, total = panel.trust, 4.0, 0.0
    for e in range(len(trust)):
        if trust[e] > 0:
            least = min(least, loss_of(room, e, own, rival, y))
    for e in range(len(trust)):
        loss = loss_of(room, e, own, rival, y)
        panel.losses[e] += weight * loss
        if rival < 0:
            panel.mistakes[e] += y * room.advice[e, own] <= 0
        else:
            panel.mistakes[e] += room.advice[e, own] <= room.advice[e, rival]
        trust[e] *= exp(-rate * weight * (loss - least))
        total += trust[e]
    for e in range(len(trust)):
        trust[e] = trust[e] / total if total > 0 else panel.first_trust[e]
    share_out(trust, panel.first_trust, sharing)


@inlined
def share_out(trust, first, sharing):
    """Share some of the trust out: among filters and others, and then among the filters.

    So whoever else leads, filters that lose less than others are trusted more than these.
    """
    filters, together, first_together = len(trust) - 2, 0.0, 0.0
    for j in range(filters):
        together += trust[j]
        first_together += first[j]
    kept = (1 - sharing) * together + sharing * first_together
    for j in range(filters):
        part = trust[j] / together if together > 0 else 1 / filters
        trust[j] = kept * ((1 - sharing) * part + sharing / filters)
    for e in range(filters, len(trust)):
        trust[e] = (1 - sharing) * trust[e] + sharing * first[e]


@inlined
def loss_of(room, e, own, rival, y):
    """What an expert loses."""
    against = room.advice[e, rival] if rival >= 0 else 0.0
    return loss_with(room.advice[e, own], against, rival, y)


@inlined
def loss_with(said, against, rival, y):
    """From 0 to 4, having said so much of the second class, or of the true one and of its rival."""
    return (y - said) ** 2 if rival < 0 else (1 - (said - against) / 2) ** 2


@inlined
def teach_stack(panel, room, own, rival, y, part):
    """A step of recursive logistic regression, on the difference of true class and rival."""
    Q, theta, phi, u = panel.spread, panel.theta, room.step[0], room.step[1]
    for i in range(FEATURES):
        phi[i] = room.features[own, i]
        if rival >= 0:
            phi[i] -= room.features[rival, i]
    a = dot4(theta, phi)
    q = 1 / (1 + exp(-a)) if a > -700 else 0.0
    h = part * max(q * (1 - q), LEAST_CURVATURE)
    for i in range(FEATURES):
        u[i] = dot4(Q[i], phi)
    v, error = dot4(phi, u), part * ((1 + y) / 2 - q)
    trace = 0.0
    for i in range(FEATURES):
        theta[i] += u[i] * error / (1 + h * v)
        for j in range(FEATURES):
            Q[i, j] = (Q[i, j] - h * u[i] * u[j] / (MEMORY + h * v)) / MEMORY
        trace += Q[i, i]
    if trace > LARGEST_TRACE:
        for i in range(FEATURES):
            for j in range(FEATURES):
                Q[i, j] *= LARGEST_TRACE / trace


@inlined
def note_label(panel, room, code, part):
    """Know the label, and how it went with the last one that was known before it."""
    sums, tally = panel.label_sums, panel.tally
    for k in range(len(sums)):
        y = 2.0 * (code == k) - 1 if len(sums) > 1 else 2.0 * code - 1
        mean, last = room.features[k, MEAN], room.features[k, LAST]
        tally[ALIKE] += part * (y - mean) * (last - mean)
        tally[SPREAD] += part * (last - mean) ** 2
        sums[k] += part * y
        panel.last_label[k] = y
    tally[WEIGHT] += part
