"""What a learner keeps between examples, and what it needs for the block that is next.

A `State` lasts: it is all that is saved, copied and sent. A `LookAhead` is the scratch of a block,
and nothing of it is missed afterwards. A view of both together, an `Expansion` or one of its
relatives, is the `f` that rules edit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .compiled import by_reference, compiled_in_place, inlined
from .random import generator_state
from .storage import copied

__all__ = [
    "Expansion",
    "LookAhead",
    "NoPast",
    "NoPlan",
    "Past",
    "State",
    "by_age",
    "changed_slots",
    "new_slots",
    "slot_of",
    "weighted_sum",
]

# places in `State.counts`; a mistake counts for rules only if its example has a weight
SIZE, USED, SEEN, MISTAKES, UPDATES, MAINTAINED_AT, HAS_WEIGHTS, WEIGHTED_MISTAKES = range(8)
COUNTS = (
    *("size", "used", "seen", "mistakes", "updates"),
    *("maintained_at", "has_weights", "weighted_mistakes"),
)
# places in `State.numbers`
SCALE, SCALE_SUM, LARGEST_NORM, LARGEST_WEIGHT, MEMO, BOUND_SUM = range(6)
NUMBERS = ("scale", "scale_sum", "largest_norm", "largest_weight", "memo", "bound_sum")

# places in `LookAhead.cursor`
POSITION, EDITS, IS_SHORT, IS_PENDING, OLDEST = range(5)
# places in `LookAhead.bounds`
MASS, WEIGHT_ERROR, ADDED = range(3)
# columns of `LookAhead.events`
WAS_MISTAKE, WAS_UPDATE, SIZE_AFTER, EVICTED = range(4)

NOBODY = -1
"""In the place of a birth: a slot that no support is in."""


class State(NamedTuple):
    """What a learner keeps: its supports by slot, what its rule keeps beside, and some numbers."""

    rows: Any  # the supports' instances: see `storage`
    weights: np.ndarray  # to be multiplied by the common scale
    weight_time: np.ndarray  # each weight's changes times the scale sum when they were made
    births: np.ndarray  # when each support came, counted in examples seen before it
    order: np.ndarray  # slots from the oldest support to the newest, then the free slots
    memory: Any  # what the rule keeps of its own: see `memory`
    counts: np.ndarray
    numbers: np.ndarray
    randomness: np.ndarray  # the state of the generator

    @classmethod
    def empty(cls, rows: Any, memory: Any, seed: int) -> State:
        """Nothing learned yet."""
        numbers = np.zeros(len(NUMBERS))
        numbers[SCALE] = 1.0
        return cls(
            rows=rows,
            weights=np.zeros(0),
            weight_time=np.zeros(0),
            births=np.zeros(0, np.int64),
            order=np.zeros(0, np.int64),
            memory=memory,
            counts=np.zeros(len(COUNTS), np.int64),
            numbers=numbers,
            randomness=generator_state(seed),
        )

    def copied(self, rule: Any, slots: int) -> State:
        """The same in arrays of its own, with so many slots; no more is touched than is used."""
        used = int(self.counts[USED])
        return State(
            rows=self.rows.copied(used, slots),
            weights=copied(self.weights, used, slots),
            weight_time=copied(self.weight_time, used, slots),
            births=copied(self.births, used, slots),
            order=np.concatenate([self.order, np.arange(len(self.order), slots)]),
            memory=self.memory.copied(rule, used, slots),
            counts=self.counts.copy(),
            numbers=self.numbers.copy(),
            randomness=self.randomness.copy(),
        )

    def trimmed(self, memory: Any) -> State:
        """The same without the room that has never been used, which comes last in any order."""
        used = int(self.counts[USED])
        return self._replace(
            rows=self.rows.trimmed(used),
            weights=self.weights[:used],
            weight_time=self.weight_time[:used],
            births=self.births[:used],
            order=self.order[self.order < used],
            memory=memory,
        )


class NoPlan(NamedTuple):
    """Nothing is known of a block but its kernel values and scores."""


class NoPast(NamedTuple):
    """Nobody will ask what the weights were in the middle of a block."""


class Past(NamedTuple):
    """The weights that the block's examples were scored with, for whoever asks afterwards."""

    weights: np.ndarray  # (length, slots): oldest support first, with the scale
    births: np.ndarray  # (length, slots): of these supports
    sizes: np.ndarray  # how many they are
    kept_at: np.ndarray  # for each example, the row above that has its weights


class LookAhead(NamedTuple):
    """A block of examples, what is known of them so far, and room to work in."""

    block: Any
    values: np.ndarray  # (slots, length): k(support, example)
    scores: np.ndarray  # f(example)
    masses: np.ndarray  # of each score's summands before the block; infinity if it is not known
    errors: np.ndarray  # how far each settled score can be from the exact one
    events: np.ndarray  # (length, 4): mistake, update, size, evicted
    pending: np.ndarray  # changes of weights that later scores do not show yet: see `reweigh_all`
    column: np.ndarray  # the current example's kernel values by slot, in float64
    scratch: np.ndarray  # (rows, slots): vectors that nobody relies on after an edit
    cursor: np.ndarray  # where the walk is: see POSITION and those after it
    bounds: np.ndarray  # what errors are in proportion to: mass, and the weights' relative error
    plan: Any  # what is solved for ahead: see `memory`
    past: Any  # what the weights were: a `Past`, or none
    order: np.ndarray  # that of the state from the place OLDEST on, if not that of the state itself


@inlined
def slot_of(f, i):
    """That of support `i`, counted from the oldest."""
    return f.ahead.order[f.ahead.cursor[OLDEST] + i]


def by_age(f: Any) -> np.ndarray:
    """The slots from the oldest support to the newest, then the free ones."""
    slots: np.ndarray = f.ahead.order[f.ahead.cursor[OLDEST] :]
    return slots


@by_reference
class Expansion(NamedTuple):
    """f = sum_i weight_i k(x_i, .), as a rule sees it in the middle of the stream."""

    kernel: Any
    state: State
    ahead: LookAhead

    @property
    def scores(self) -> np.ndarray:
        """The scores of the block's examples."""
        return self.ahead.scores

    @property
    def sums(self) -> np.ndarray:
        """The block's scores, which are sums over slots."""
        return self.ahead.scores

    def sum_up(self, slots: slice, scores: np.ndarray) -> None:
        """What some slots add to the block's scores, given their kernel values."""
        weights, values = self.state.weights[slots], self.ahead.values[slots]
        weighted_sum(weights, self.state.numbers[SCALE], values, scores)

    def add_up(self, slots: slice, masses: np.ndarray) -> None:
        """The same for the summands' magnitudes, without the scale."""
        weighted_sum(np.abs(self.state.weights[slots]), 1.0, self.ahead.values[slots], masses)


@compiled_in_place
def weighted_sum(weights, scale, values, scores):
    """Scores = scale sum_i weights[i] values[i], in float64."""
    used, length = values.shape
    scores[:] = 0
    fours = used - used % 4
    for i in range(0, fours, 4):
        w0, w1, w2, w3 = weights[i], weights[i + 1], weights[i + 2], weights[i + 3]
        v0, v1, v2, v3 = values[i], values[i + 1], values[i + 2], values[i + 3]
        for t in range(length):
            scores[t] += w0 * v0[t] + w1 * v1[t] + w2 * v2[t] + w3 * v3[t]
    for i in range(fours, used):
        for t in range(length):
            scores[t] += weights[i] * values[i, t]
    scores *= scale


@compiled_in_place
def changed_slots(order, counts, births, known, places, owners, came):
    """Find the slots that have other supports than they were known to have."""
    found = 0
    for i in range(len(order)):
        slot = order[i]
        now = births[slot] if i < counts[SIZE] else NOBODY
        if now != known[slot]:
            if known[slot] != NOBODY:
                owners[places[slot]] -= 1
            if now != NOBODY:
                came[found] = slot
                found += 1
            known[slot] = now
    return found


@compiled_in_place
def new_slots(known, births, came):
    """Find the slots whose supports are other ones than were known, or are beyond those."""
    found = 0
    for slot in range(len(births)):
        if slot >= len(known) or known[slot] != births[slot]:
            came[found] = slot
            found += 1
    return found
