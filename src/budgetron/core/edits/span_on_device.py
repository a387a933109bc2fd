"""A stretch of examples whose coordinates are elsewhere, with M and the covariance.

All that is asked of them are numbers for each two examples: with coordinates z and the stored
covariance P, the products z . z_s and z' P z_s. A newcomer's coordinate c adds c c_s to the one and
its variance times that to the other. A support that leaves takes the direction u with it that is
only its own, from M's column, which stands behind the examples as one more of them: with a = u . z,
the one loses a a_s, and the other becomes (z - a u)' P (z_s - a_s u). See `span` for all else.
"""

from __future__ import annotations

from math import hypot, sqrt
from typing import Any, NamedTuple

import numpy as np

from ..compiled import inlined
from ..linalg.vectors import axpy
from ..state import POSITION
from .span import (
    BASE,
    EXPERTS,
    GONE,
    HAS_OWN,
    JOINED,
    MANY,
    PENDING,
    RISE,
    SpanExpansion,
    add_coordinate,
    dismiss,
    end,
    find_along,
    forget_least,
    has_faded,
    is_overtaken,
    may_change,
    need_image,
    own,
    place,
    rotate_along,
    vary,
    vary_along,
)
from .supports import remove, size

__all__ = ["SpanExpansionOnDevice", "StretchOnDevice"]


class StretchOnDevice(NamedTuple):
    """A `Stretch` without coordinates; what it says of its arrays goes for those of the same name.

    Of the coordinates, there are those in the directions that came during the stretch.
    """

    places: np.ndarray
    grams: np.ndarray  # (rows, rows): z . z_s, for later s
    covariances: np.ndarray  # (rows, rows): the same with the stored P between them
    lengths: np.ndarray
    variances: np.ndarray
    inflated: np.ndarray
    margins: np.ndarray
    along: np.ndarray
    links: np.ndarray
    taken_by: np.ndarray
    joined: np.ndarray
    gained: np.ndarray  # (rows, rows): for each example that joined, everybody's coordinate
    stored: np.ndarray  # (rows,): and the stored variance in it
    leaving: np.ndarray  # (slots,): the direction that is only the least support's
    gains: np.ndarray
    steps: np.ndarray
    shares: np.ndarray
    inflation: np.ndarray
    left: np.ndarray
    mixed: np.ndarray
    shown: np.ndarray
    right: np.ndarray
    kept_in: np.ndarray
    now: np.ndarray
    said: np.ndarray

    @classmethod
    def beside(cls, stretch: Any, shaped: Any, slots: int) -> StretchOnDevice:
        """One that has its arrays in common with a `Stretch`, the others being made."""
        rows = len(stretch.lengths)
        square, line = (rows, rows), (rows,)
        shapes = {"grams": square, "gained": square, "stored": line, "leaving": (slots,)}
        own = {name: shaped(name, np.dtype(float), *shape) for name, shape in shapes.items()}
        common = {name: getattr(stretch, name) for name in {*cls._fields} - {*own}}
        return cls(**own, **common)


class SpanExpansionOnDevice(SpanExpansion):
    """The same of which the rule sees a `StretchOnDevice`."""


@is_overtaken.register(SpanExpansionOnDevice)
def _(f):
    """Nothing is expected of the covariance."""
    return False


@may_change.register(SpanExpansionOnDevice)
def _(f, replaces):
    """A support leaves before all else that is to be stored."""
    places = f.ahead.plan.places
    is_first = places[PENDING] == 0 and places[JOINED] == 0
    return not has_faded(f) and (is_first or not replaces)


@need_image.register(SpanExpansionOnDevice)
def _(f, i):
    """All of them are."""


@find_along.register(SpanExpansionOnDevice)
def _(f, i, along):
    stretch = f.ahead.plan
    base, rise = stretch.inflation[BASE], stretch.inflation[RISE]
    stretch.inflated[i, BASE], stretch.inflated[i, RISE] = base, rise
    for s in range(i, end(f)):
        along[s] = base * stretch.covariances[i, s] + rise * stretch.grams[i, s]


@vary.register(SpanExpansionOnDevice)
def _(f, n, stored):
    f.ahead.plan.stored[f.ahead.plan.places[JOINED] - 1] = stored


@add_coordinate.register(SpanExpansionOnDevice)
def _(f, slot, n, distance, stored):
    stretch, i, t = f.ahead.plan, place(f), f.ahead.cursor[POSITION]
    new = stretch.gained[stretch.places[JOINED] - 1]
    new[:i], new[i] = 0, distance
    for s in range(i + 1, stretch.places[MANY]):
        new[s] = (f.ahead.values[slot, t + s - i] - stretch.grams[i, s]) / distance


@vary_along.register(SpanExpansionOnDevice)
def _(f, n, stored):
    stretch, many = f.ahead.plan, f.ahead.plan.places[MANY]
    new = stretch.gained[stretch.places[JOINED] - 1]
    for s in range(place(f), many):
        stretch.lengths[s] += new[s] ** 2
        stretch.variances[s] += stored * new[s] ** 2
        axpy(stretch.grams[s, s:many], new[s], new[s:many])
        axpy(stretch.covariances[s, s:many], stored * new[s], new[s:many])


@dismiss.register(SpanExpansionOnDevice)
def _(f, i):
    span, u, n = f.state.memory, f.ahead.plan.leaving, size(f)
    cosines, sines = f.ahead.scratch[0], f.ahead.scratch[1]
    at = u[i]
    for j in range(i, n - 1):
        length = hypot(at, u[j + 1])
        cosines[j] = u[j + 1] / length if length > 0 else 1.0
        sines[j] = at / length if length > 0 else 0.0
        at = length
    for e in range(EXPERTS):
        rotate_along(span.weights[e], cosines, sines, i, n)
    lose_direction(f)
    f.ahead.plan.places[GONE] = i
    forget_least(span.least, i)
    remove(f, i)


@inlined
def lose_direction(f):
    """Let the current example and later ones lose what they have of the least support's own."""
    stretch, i, many = f.ahead.plan, place(f), own(f)
    lost, known = stretch.along[0], stretch.along[1]  # u . z, and the rest of u' P z
    length, varied = sqrt(stretch.lengths[many]), stretch.variances[many] / stretch.lengths[many]
    for s in range(i, many):
        lost[s] = stretch.grams[s, many] / length
        known[s] = stretch.covariances[s, many] / length - varied * lost[s]
    for s in range(i, many):
        stretch.lengths[s] -= lost[s] ** 2
        stretch.variances[s] -= (2 * known[s] + varied * lost[s]) * lost[s]
        axpy(stretch.grams[s, s:many], -lost[s], lost[s:many])
        axpy(stretch.covariances[s, s:many], -known[s] - varied * lost[s], lost[s:many])
        axpy(stretch.covariances[s, s:many], -lost[s], known[s:many])
    for e in range(EXPERTS):
        for k in range(len(stretch.mixed)):
            margins = stretch.margins[e, k]
            axpy(margins[i:many], -margins[many] / length, lost[i:many])
    stretch.places[HAS_OWN] = 0
