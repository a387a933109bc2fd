"""More than two classes: one machine per class, all of them on the same supports.

Each machine is a Projectron++ of its own that is told +1 for its class and -1 for the others, but a
row that one of them stores is stored for all. In a round the machines have their turns, those that
are mistaken first, in class order: what an earlier turn has stored is in the span of the later
ones, whose projection of it is the row itself.
"""

import math
from dataclasses import dataclass

from .arithmetic import Number
from .kernels import Kernel
from .many_classes import (
    Classes,
    ClassWeights,
    JointSupports,
    Label,
    LabelledStream,
    Ties,
    class_score,
    first_highest,
)
from .projectron import DEFAULT_ETA, project
from .rounds import Weights, compare, is_mistake, weight_of


@dataclass(frozen=True)
class SharedRound:
    """One round of all machines; `scores` are those of the classes known before the row."""

    scores: dict[Label, Number]
    mistake: bool
    update: bool
    supports: JointSupports


def shared_projectron_plus_plus(
    stream: LabelledStream,
    kernel: Kernel,
    *,
    norm_bound: float | None = None,
    eta: float | None = None,
    budget: int | None = None,
    classes: Classes = None,
    weights: Weights = None,
    zero_score: Ties = "mistake",
    span_tolerance: float = 1e-12,
) -> list[SharedRound]:
    """The Projectron, Sec. 4.1, by turns.

    Classes that are not named are known from the row on which they first appear, which is predicted
    without them; the first two of them, in hindsight, from row 0: what their machines do is the
    same up to the sign, as long as a zero score is a mistake.
    """
    if norm_bound is None and eta is None and budget is None:
        eta = DEFAULT_ETA
    if norm_bound is not None:
        big_u = float(norm_bound)
    elif eta is not None:
        big_u = 1 / eta if eta > 0 else math.inf
    else:
        big_u = 0.0

    labels = [label for _, label in stream]
    in_hindsight = list(dict.fromkeys(labels))[:2]
    supports: JointSupports = ()
    rounds = []
    for t, (x, right) in enumerate(stream):
        before = sorted({*labels[:t]} if classes is None else classes)
        known = sorted({*before, right, *in_hindsight} if classes is None else classes)
        valued = {c: class_score(supports, stream, kernel, x, c) for c in known}
        heard = {c: valued[c][0] for c in before}
        scale = max(scale for _, scale in valued.values())
        missed = not heard or first_highest(heard, scale) != right
        u, own, changed = weight_of(weights, t), float(kernel(x, x)), False
        label = {c: 1 if c == right else -1 for c in known}
        wrong = {c: is_mistake(label[c], *valued[c], zero_score) for c in known}
        for c in sorted(known, key=lambda c: not wrong[c]) if u > 0 else ():
            margin = label[c] * valued[c][0]
            low = compare(margin, 0, valued[c][1]) > 0 and compare(margin, 1, valued[c][1]) < 0
            if not (wrong[c] or low):
                continue
            p = project(supports, stream, kernel, x, span_tolerance)
            loss = max(0.0, float(1 - margin))
            limit = eta
            if norm_bound is not None:
                limit = (2 * loss - p.square - 0.5) / (2 * big_u)  # Eq. (13)
            near = limit is not None and limit > 0
            near = near and compare(p.delta, limit, math.sqrt(own)) <= 0
            full = budget is not None and len(supports) >= budget
            if wrong[c] and not (p.delta == 0 or near or full):
                supports, changed = (*supports, (t, {c: label[c] * u})), True
                continue
            tau = 1.0 if wrong[c] else min(loss / p.square, 1.0)  # Eq. (17)
            pain = 2 * big_u * p.delta if p.delta > 0 else 0.0
            gain = 2 * loss - tau * p.square  # Eq. (16), divided by tau
            if wrong[c] or compare(gain, pain, valued[c][1]) >= 0:
                supports = moved_for(supports, c, label[c] * u * tau, p.coefficients)
                changed = True
        rounds.append(SharedRound(heard, missed, changed, supports))
    return rounds


def moved_for(
    supports: JointSupports, c: Label, step: Number, coefficients: tuple[float, ...]
) -> JointSupports:
    """The hypothesis of one class, f_c + step P k(x, .)."""
    moved: list[tuple[int, ClassWeights]] = []
    for (i, weights), d_i in zip(supports, coefficients, strict=True):
        moved.append((i, weights | {c: weights.get(c, 0) + step * d_i}))
    return tuple(moved)
