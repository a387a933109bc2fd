"""What a rule keeps beside supports and weights: a class for each kind, an array for each thing.

A rule names the class by `keeps=` (see `rule.updates`). Whatever can be said of all learners that
keep it is said here, once: how its arrays grow with the slots, how much scratch its edits want,
what is solved for ahead of a block, and whether its weights carry an error of their own.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator
from typing import Any, Self

import numpy as np

from .allocation import zeros
from .buffers import Buffers
from .state import SIZE, NoPlan

__all__ = [
    "BETWEEN_SLOTS",
    "BY_RANK",
    "BY_SLOT",
    "LOWER",
    "SOLVING",
    "SYMMETRIC",
    "UPPER",
    "WHOLE",
    "Factor",
    "FactorMemory",
    "GramAndLabels",
    "GramAndScores",
    "HalvedGramAndScores",
    "ImagedProjections",
    "Journal",
    "LabelledFactor",
    "LeadingDirections",
    "Memory",
    "Nothing",
    "Projections",
    "SecondOrderFactors",
    "SuffixScores",
]

SOLVED = 1e-13
"""How well weights are known that are solved for, relative to the largest of them so far."""

SMALL = 2**16
"""A triangle of fewer numbers is copied as a square."""

SMALLEST_PIVOT, LARGEST_PIVOT = 1e-158, 1e154
"""The diagonal of a factor of kernel values that a float64 can hold."""

Shapes = tuple[tuple[int, ...], ...]

BY_SLOT, BY_RANK, BETWEEN_SLOTS = "by slot", "by rank", "between slots"
SYMMETRIC, LOWER, UPPER, WHOLE = "symmetric", "lower", "upper", "whole"
"""Forms: numbers of each support, by its slot or by its place from the oldest on; the symmetric
matrix of all pairs of them by slot, or by place; triangles by place; and what has nothing to do
with supports."""


class Memory:
    """What is the same for all kinds, unless one says otherwise; a kind is a named tuple."""

    __slots__ = ()

    weight_error = 0.0
    """The relative error that weights carry beside that of the scores they come from."""

    makes_room_first = False
    """Whether the budget is never exceeded, not even in the middle of an update."""

    long_blocks = False
    """Whether much of the work is done for a whole block at once."""

    has_stretches = False
    """Whether it is asked for little but numbers of each two examples: see `edits.span`."""

    matrices = 0
    """How many of its arrays are of all supports by all supports."""

    signed: tuple[str, ...] = ()
    """Its arrays that change their sign with the labels."""

    forms: tuple[str, ...] = ()
    """What is in each of its arrays: BY_SLOT, BETWEEN_SLOTS and so on."""

    @classmethod
    def shapes(cls, rule: Any, slots: int) -> Shapes:
        """The shape of each array, for so many slots."""
        return ()

    @classmethod
    def empty(cls, rule: Any) -> Self:
        """Without a slot."""
        return cls(*map(np.zeros, cls.shapes(rule, 0)))

    def copied(self: Any, rule: Any, used: int, slots: int) -> Any:
        """The same in arrays of its own with so many slots, of which only the first are used."""
        shapes = self.shapes(rule, used), self.shapes(rule, slots)
        return type(self)(*map(_copied, self, *shapes, self.forms))

    @classmethod
    def scratch_rows(cls, slots: int) -> int:
        """How many vectors of scratch its edits want."""
        return 1

    def plan(self, buffers: Buffers, slots: int, length: int) -> Any:
        """Room for what is solved for ahead of a block."""
        return NoPlan()

    def demands(self, state: Any) -> Iterator[tuple[bool, str]]:
        """What has to hold beside all numbers being finite, and what is wrong if it does not."""
        return iter(())


def _copied(
    array: np.ndarray, used: tuple[int, ...], shape: tuple[int, ...], form: str
) -> np.ndarray:
    """The same corner; of a triangle no more than that, since what is not touched takes no room."""
    corner = tuple(map(slice, used))
    is_large_triangle = form in {LOWER, UPPER} and array.size > SMALL
    if array.shape == used == shape and not is_large_triangle:
        return array.copy()
    made, old = zeros(shape, array.dtype), array[corner]
    if is_large_triangle:
        for i, row in enumerate(old):
            part = slice(i + 1) if form == LOWER else slice(i, len(row))
            made[i, part] = row[part]
    else:
        made[corner] = old
    return made


class Nothing(namedtuple("Nothing", ""), Memory):
    """Supports and weights are all."""


class SuffixScores(namedtuple("SuffixScores", "scores"), Memory):
    """For each support, by slot, the score that it and all that came later give it.

    Without the common scale. Where the oldest is always the first to go, that of the oldest is f at
    its own instance.
    """

    signed = ("scores",)
    forms = (BY_SLOT,)

    @classmethod
    def shapes(cls, rule: Any, slots: int) -> Shapes:
        """A number for each support."""
        return ((slots,),)


class GramAndScores(namedtuple("GramAndScores", "gram scores"), Memory):
    """Kernel values between supports, by slot, and each one's score f(x_i) without the scale."""

    matrices = 1
    signed = ("scores",)
    forms = BETWEEN_SLOTS, BY_SLOT

    @classmethod
    def shapes(cls, rule: Any, slots: int) -> Shapes:
        """A matrix, and a number for each support."""
        return (slots, slots), (slots,)


class HalvedGramAndScores(GramAndScores):
    """The same for weights that are solved for when half of the supports have left."""

    weight_error = SOLVED

    @classmethod
    def scratch_rows(cls, slots: int) -> int:
        """Three, and a factor for the half that stays."""
        return 3 + (slots + 1) // 2


class GramAndLabels(namedtuple("GramAndLabels", "gram labels"), Memory):
    """Kernel values between supports, by slot, and their labels, for weights that solve for them.

    Four vectors of scratch are for conjugate gradients.
    """

    weight_error = SOLVED
    matrices = 1
    signed = ("labels",)
    forms = BETWEEN_SLOTS, BY_SLOT

    @classmethod
    def shapes(cls, rule: Any, slots: int) -> Shapes:
        """A matrix, and a number for each support."""
        return (slots, slots), (slots,)

    @classmethod
    def scratch_rows(cls, slots: int) -> int:
        """As many as conjugate gradients want."""
        return 4


class LeadingDirections(namedtuple("LeadingDirections", "gram directions"), Memory):
    """Kernel values between supports until the budget is full, and from then on D_k^-1/2 V_k^T.

    V_k and D_k are the leading eigenvectors and eigenvalues of the full matrix, which is 0 then.
    """

    weight_error = SOLVED
    matrices = 1
    forms = BETWEEN_SLOTS, BY_SLOT

    @classmethod
    def shapes(cls, rule: Any, slots: int) -> Shapes:
        """A matrix, and some rows."""
        return (slots, slots), (rule.rank, slots)

    @classmethod
    def scratch_rows(cls, slots: int) -> int:
        """For eigenvalues, what the solver wants beside, and the change of the weights."""
        return 3


class Projections(namedtuple("Projections", "coefficients coordinates row_of journal")):
    """The block's likely updates, projected onto the supports: see `edits.projection`.

    Row `row_of[t]` of the coefficients, and of the coordinates where they are kept, is example
    t's; -1 if it is not solved for. In the rows of the coefficients after those of all examples,
    there are columns of the inverse: see `Journal`.
    """


class ImagedProjections(
    namedtuple("ImagedProjections", "coefficients coordinates row_of journal images")
):
    """The same with the projections' values at the block's examples, from whoever multiplies fast.

    Row u of the images has sum_i coefficients[u, i] k(x_i, x_t) for each later example t, so that a
    step along the projection is a step for their scores, and not one for each support.
    """


class Journal(
    namedtuple("Journal", "counts origins steps pivots squares examples leavers rhs room")
):
    """What the factor is to be told at the end of the block: see `edits.journal`.

    Attributes
    ----------
    counts : array
        Supports when the block began, steps, newcomers and leavers since, and leavers foreseen.
    origins : array, (slots)
        For each support, its place when the block began, or that and how many newcomers came
        before it.
    steps : array, (2 length, 2)
        Which place was left, or -1 for a newcomer, and the row of the coefficients then.
    pivots, squares, examples : arrays, (length)
        Of each newcomer: its squared distance from the span, its entry of the diagonal of K with
        the ridge, and which of the block's examples it is.
    leavers : array, (length)
        The origins of those who will leave; the coefficients have their columns of the inverse.
    rhs, room : arrays, (slots + length)
        A right-hand side by origin, and by place.
    """


class FactorMemory(Memory):
    """What is the same for all that keep a Cholesky factor L of the supports' kernel matrix."""

    __slots__ = ()

    weight_error = SOLVED
    makes_room_first = True
    long_blocks = True
    matrices = 1
    forgets = False  # whether supports leave; coordinates are kept if not

    def plan(self, buffers: Buffers, slots: int, length: int) -> Projections:
        """Projections, none of which is solved for."""
        shaped, leavers = buffers.shaped, length if self.forgets else 0
        return Projections(
            shaped("coefficients", float, length + leavers, slots),
            shaped("coordinates", float, length - leavers, slots),
            shaped("row_of", np.int64, length),
            Journal(
                counts=shaped("journal counts", np.int64, 5),
                origins=shaped("journal origins", np.int64, slots),
                steps=shaped("journal steps", np.int64, 2 * length, 2),
                pivots=shaped("journal pivots", float, length),
                squares=shaped("journal squares", float, length),
                examples=shaped("journal examples", np.int64, length),
                leavers=shaped("journal leavers", np.int64, length),
                rhs=shaped("journal rhs", float, slots + length),
                room=shaped("journal room", float, slots + length),
            ),
        )

    def demands(self: Any, state: Any) -> Iterator[tuple[bool, str]]:
        """Pivots that can be divided by."""
        return _good_factor(self.L, state)


class Factor(namedtuple("Factor", "L"), FactorMemory):
    """L, its rows from the oldest support to the newest."""

    forms = (LOWER,)

    @classmethod
    def shapes(cls, rule: Any, slots: int) -> Shapes:
        """A triangle in a square."""
        return ((slots, slots),)


class LabelledFactor(namedtuple("LabelledFactor", "L labels"), FactorMemory):
    """The same with a ridge, and the supports' labels by slot, for weights that solve for them."""

    forgets = True
    signed = ("labels",)
    forms = LOWER, BY_SLOT

    @classmethod
    def shapes(cls, rule: Any, slots: int) -> Shapes:
        """A triangle in a square, and a number for each support."""
        return (slots, slots), (slots,)


class SecondOrderFactors(namedtuple("SecondOrderFactors", "L R vector"), FactorMemory):
    """L, and in its orthonormal coordinates the second-order matrix and the Perceptron's vector.

    R is the transposed Cholesky factor of ridge I + sum z z^T, and the vector sum y z, over the
    coordinates z of the updates.
    """

    matrices = 2
    signed = ("vector",)
    forms = LOWER, UPPER, BY_RANK

    @classmethod
    def shapes(cls, rule: Any, slots: int) -> Shapes:
        """Two triangles, and a number for each support."""
        return (slots, slots), (slots, slots), (slots,)

    def demands(self: Any, state: Any) -> Iterator[tuple[bool, str]]:
        """Pivots that can be divided by."""
        yield from super().demands(state)
        yield from _good_factor(self.R, state)


SOLVING = (
    *(HalvedGramAndScores, GramAndLabels, LeadingDirections),
    *(Factor, LabelledFactor, SecondOrderFactors),
)
"""Those of weights that are solved for."""


def _good_factor(factor: np.ndarray, state: Any) -> Iterator[tuple[bool, str]]:
    pivots = np.diagonal(factor)[: state.counts[SIZE]]
    yield (
        bool(((pivots >= SMALLEST_PIVOT) & (pivots <= LARGEST_PIVOT)).all()),
        "a factor's diagonal is not positive",
    )
    yield bool(np.abs(factor).max(initial=0) <= LARGEST_PIVOT), "a factor is too large"
