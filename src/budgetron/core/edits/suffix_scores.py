"""Rules that ask what a support and all that came after it say of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..blocks import column
from ..buffers import Buffers
from ..compiled import by_class, compiled_in_place, inlined
from ..exact import is_between, load_quantized_column, nearest, rounding, to_joint_products
from ..memory import SuffixScores
from ..state import POSITION, SCALE, SIZE, USED, slot_of
from .supports import add, k_xx, scale_memory

__all__ = ["Owed", "add_with_suffix_scores", "pay_all", "pay_newcomers", "suffix_score"]

SCALED = -1
"""In the place of a newcomer: all scores were multiplied by a number."""


class Owed(NamedTuple):
    """What the block's newcomers say of the supports, who are told when they ask, or at its end.

    Everybody is told the same things in the same order as if it were at once, so that the sums are
    the same; but at the end several threads do so, or a device that has the kernel values.
    """

    whose: np.ndarray  # which example of the block is each newcomer, or SCALED
    columns: np.ndarray  # in which column of the look-ahead are its kernel values
    numbers: np.ndarray  # its weight without the common scale, or by what scores were multiplied
    cells: np.ndarray  # what kernel values with it are rounded to: see `exact.rounding`
    near: np.ndarray  # and how near to the middle of two they are evaluated again
    many: np.ndarray  # [how many of these there are]
    told: np.ndarray  # by slot, how many of them its support knows of

    @classmethod
    def nothing(cls, buffers: Buffers, slots: int, length: int) -> Owed:
        """Room for what a block can make: an example is a newcomer, and may fold the scale."""
        shaped, most = buffers.shaped, 2 * length
        owed = cls(
            whose=shaped("whose", np.int64, most),
            columns=shaped("columns", np.int64, most),
            numbers=shaped("numbers", float, most),
            cells=shaped("cells", float, most),
            near=shaped("near", float, most),
            many=shaped("many", np.int64, 1),
            told=shaped("told", np.int64, slots),
        )
        owed.many[:] = 0
        owed.told[:] = 0
        return owed

    @property
    def newcomers(self) -> np.ndarray:
        """Which examples of the block they are."""
        whose = self.whose[: self.many[0]]
        return whose[whose != SCALED]

    def with_columns_of(self, newcomers: np.ndarray) -> Owed:
        """The same for kernel values with these examples alone, which are in order."""
        return self._replace(columns=np.searchsorted(newcomers, self.whose[: self.many[0]]))


@inlined
def add_with_suffix_scores(f, weight):
    """Add, and let every support know what the newcomer says of it.

    The suffix score of support i is then sum_{j >= i} weight_j k(x_j, x_i), j running over itself
    and all that came later.
    """
    stored = weight / f.state.numbers[SCALE]
    tell(f.ahead.plan, f, stored)
    slot = add(f, weight)
    f.state.memory.scores[slot] = stored * k_xx(f)
    begin_with(f.ahead.plan, slot)


@inlined
def suffix_score(f, i):
    """What support `i`, counted from the oldest, and all that came later say of it."""
    slot = slot_of(f, i)
    pay(f.ahead.plan, f, slot)
    return f.state.numbers[SCALE] * f.state.memory.scores[slot]


@by_class
def tell(plan, f, stored):
    """Tell every support what a newcomer of this weight says of it."""
    scores = f.state.memory.scores
    load_quantized_column(f)
    to_joint_products(f)
    for slot in range(f.state.counts[USED]):
        scores[slot] += stored * f.ahead.column[slot]


@by_class
def begin_with(plan, slot):
    """There is a newcomer in this slot, who knows all."""


@by_class
def pay(plan, f, slot):
    """Tell a support all that it does not know yet."""


@by_class
def scale_scores(plan, f, factor):
    """Multiply everybody's suffix score."""
    for slot in range(f.state.counts[USED]):
        f.state.memory.scores[slot] *= factor


@scale_memory.register(SuffixScores)
def _(memory, f, factor):
    scale_scores(f.ahead.plan, f, factor)


@tell.register(Owed)
def _(plan, f, stored):
    cell, near = rounding(f)
    owe(plan, f.ahead.cursor[POSITION], stored, cell, near)


@begin_with.register(Owed)
def _(plan, slot):
    plan.told[slot] = plan.many[0]


@scale_scores.register(Owed)
def _(plan, f, factor):
    owe(plan, SCALED, factor, 1.0, 0.0)


@pay.register(Owed)
def _(plan, f, slot):
    score, values = f.state.memory.scores[slot], f.ahead.values[slot]
    whose, numbers, cells = plan.whose, plan.numbers, plan.cells
    for i in range(plan.told[slot], plan.many[0]):
        t = whose[i]
        if t == SCALED:
            score *= numbers[i]
            continue
        place = values[plan.columns[i]] / cells[i]
        if values.itemsize == 4 or is_between(place, plan.near[i]):
            column(f.kernel, f.state.rows, slot, slot + 1, f.ahead.block, t, f.ahead.column)
            place = f.ahead.column[slot] / cells[i]
        score += numbers[i] * (nearest(place) * cells[i])
    f.state.memory.scores[slot] = score
    plan.told[slot] = plan.many[0]


@inlined
def owe(plan, whose, number, cell, near):
    """Note what all supports are to be told."""
    i = plan.many[0]
    plan.whose[i], plan.columns[i], plan.numbers[i] = whose, whose, number
    plan.cells[i], plan.near[i] = cell, near
    plan.many[0] = i + 1


@compiled_in_place
def pay_all(f, first, last):
    """At the end of a block, tell the supports from `first` to `last - 1` all that came in it."""
    for i in range(first, last):
        pay(f.ahead.plan, f, slot_of(f, i))


@compiled_in_place
def pay_newcomers(f):
    """At the end of a block, tell those supports all that came in it."""
    for i in range(f.state.counts[SIZE]):
        slot = slot_of(f, i)
        if f.ahead.plan.told[slot] > 0:
            pay(f.ahead.plan, f, slot)
