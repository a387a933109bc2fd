"""The Budgetron that finds its width: "The widths" of docs/flagship.md alone.

All examples since the first one that was kept are at hand, and whatever is said of them is worked
out afresh. Only those of positive weight are examples here. Of sparse points all values but 0 are
stored. A value that is missing is NaN, and stored.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arithmetic import Vector
from .budgetron import (
    ALL_EXPERTS,
    Filter,
    SharingRound,
    below,
    is_wrong,
    play_sharing,
    supports_of,
)
from .kernels import gaussian, mixture
from .many_classes import Label, LabelledStream
from .panel import CLOSE, Opinion, Panel, loss_of
from .rounds import Round, Stream, Weights, ZeroScore, weight_of

Width = float | str  # a gamma, or "mixture" for k_*

OPENINGS = (2, 5, 10)  # kept examples
FACTORS = (1, "mixture", 4, 1 / 4, 16, 1 / 16, 64)  # of gamma
LOOK_EVERY, DROP_FROM, START_FROM, RECENT = 50, 100, 200, 100
FALLEN = 0.01  # of the most trusted filter's trust
MOST = ((1600, 1), (800, 2), (400, 3))  # after so many examples, so many filters
BETTER, BETTER_PER_CLASS = 20, 10  # G, with which features are known to say something
PATIENCE, WORSE = 20, 2  # times the patience: H, with which what is left is of no use
LEFT = math.log(16)
FIRST_LOOKS = 15, 20  # at the scales, and after twice as many each time
SAME = 1e-12  # of the center or the range: what differs by no more does not differ
FARTHEST = 4  # times the median at the opening, or the mean so far
SMALLEST, LARGEST = -60, 59.75  # exponents
LEFT_OUT = 60  # the exponent of a feature that is left out
EARLY = 100  # examples, before which the common exponent may change
MOST_LOG = 50  # a logarithm of rho and sigma counts for no more
OFFSET = 1000  # times as far from 0 as from the center, of a feature that is moved to 0


def numbers(b: int, features: float, classes: int = 1) -> float:
    """m(b): how many numbers a filter with b supports keeps; `classes` is 1 if there are two."""
    return b * (features + 3 * classes) + 2 * b * b


def budget_of(n: int, budget: int, features: float, classes: int = 1) -> int:
    """b(n): the budget of each of n filters."""
    room = numbers(budget, features, classes)
    fitting = [b for b in range(1, budget + 1) if n * numbers(b, features, classes) <= room]
    return max(fitting, default=1)


def filters_of(budget: int, features: float, classes: int = 1) -> int:
    """How many filters are begun."""
    room = numbers(budget, features, classes)
    enough = [1]
    for n in range(2, 8):
        b = budget_of(n, budget, features, classes)
        if 3 * b >= budget and n * numbers(b, features, classes) <= room:
            enough.append(n)
    return max(enough)


def width_of(points: Sequence[Vector], first: Vector | None = None) -> float:
    """gamma: one over the median of the squared distances that are not 0.

    `first` is the first point, if the points have been moved.
    """
    pairs = combinations(points, 2)
    distances = [sum((a - b) ** 2 for a, b in zip(p, q, strict=True)) for p, q in pairs]
    apart = [d for d in distances if d > 0]
    if apart:
        return float(1 / np.median(apart))
    length = sum(a * a for a in first or points[0])
    return float(1 / (length or len(points[0])))


def middle(values: Sequence[float]) -> float:
    """The median of the values that are not missing."""
    there = [a for a in values if not math.isnan(a)]
    return float(np.median(there)) if there else 0.0


def quarter(e: float) -> float:
    """The nearest multiple of 1/4, and of two that are as near that of 1/2."""
    eighths = round(8 * e)
    return round(eighths / 2 if abs(8 * e - eighths) < CLOSE else 4 * e) / 4


def rise(steps: Sequence[Any]) -> Any:
    """How far a sum of these steps has risen, since it was least."""
    risen: Any = 0
    for step in steps:
        risen = max(0, risen + step)
    return risen


def gain_of(c: Any, p: Any, y: int) -> Any:
    """What is added to G, where a filter says c and p are the means of the labels."""
    if len(c) == 1:
        return (y - p[0]) ** 2 - (y - c[0]) ** 2
    chosen = all(c[y] > c[k] + CLOSE for k in range(len(c)) if k != y)
    usual = all(p[y] >= p[k] - CLOSE for k in range(len(p)))
    return int(chosen) - int(usual)


def typical(values: Sequence[float], center: float, opening: int) -> tuple[int, float]:
    """n and t of a feature: how many values differ from the center, and by how much on the mean.

    The first `opening` values are those that were kept.
    """
    apart = [abs(a - center) if abs(a - center) > SAME * abs(center) else 0 for a in values]
    first = [d for d in apart[:opening] if d]
    counted = [min(d, FARTHEST * np.median(first)) for d in first]
    for d in filter(None, apart[opening:]):
        counted.append(min(d, FARTHEST * fmean(counted)) if len(counted) >= 5 else d)
    return len(counted), fmean(counted) if counted else 0.0


def trends(values: Sequence[float]) -> bool:
    """Whether values have only risen or only fallen, from each one to the next."""
    steps = [b - a for a, b in pairwise(values)]
    return all(step > 0 for step in steps) or all(step < 0 for step in steps)


def leaves_range(values: Sequence[float], before: int, sparse: bool = False) -> bool:
    """Whether more than three quarters of the values are outside of the range of those `before`.

    The first `before` values have the range, and it is the others that may be outside.
    """
    known, since = values[:before], values[before:]
    low, high = min(known), max(known)
    slack = SAME * max(abs(low), abs(high))
    outside = [a for a in since if a < low - slack or a > high + slack]
    if sparse:
        outside = [a for a in outside if a != 0]
    return 4 * len(outside) > 3 * len(since)


def looks_until(seen: int) -> list[int]:
    """After how many examples scales have been looked at, the last opening being the first time."""
    later = {first * 2**i for first in FIRST_LOOKS for i in range(seen.bit_length())}
    return [OPENINGS[-1], *sorted(n for n in later if n <= seen)]


def is_left_out(values: Sequence[float], sparse: bool = False) -> bool:
    """Whether a feature is left out, by all its values up to a look at the scales.

    It left its range in this look and in the one before; the first one is the last opening.
    """
    looks = looks_until(len(values))
    left = [trends(values[: looks[0]])]
    left += [leaves_range(values[:now], before, sparse) for before, now in pairwise(looks)]
    return all(left[-2:])


def middle_log(
    rows: NDArray[np.float64], center: NDArray[np.float64], opening: int, out: Sequence[int] = ()
) -> float:
    """s: the median of log2 t over the features that have differed from the center."""
    found = [typical(rows[:, j], center[j], opening) for j in range(len(center)) if j not in out]
    logs = [math.log2(t) for n, t in found if n]
    return float(np.median(logs)) if logs else 0.0


def scales(
    rows: NDArray[np.float64],
    center: NDArray[np.float64],
    exponents: Sequence[float],
    opening: int,
    out: Sequence[int] = (),
) -> list[float]:
    """The exponents after these rows, the first `opening` of them kept, if they were `exponents`.

    Rows and center are as they came. Features in `out` are left out.
    """
    before = [0 if e == LEFT_OUT else e for e in exponents]
    there = [j for j in range(len(center)) if j not in out]
    found = {j: typical(rows[:, j], center[j], opening) for j in there}
    known = {j: math.log2(t) for j, (n, t) in found.items() if n}
    s = middle_log(rows, center, opening, out)
    e = {j: log - s for j, log in known.items()}
    off = {j: e[j] - before[j] for j in e}
    near = 1 / 4 if any(before[j] for j in there) else 1
    far = [j for j in off if below(near + 3 / math.sqrt(found[j][0]), abs(off[j]))]
    power = {j: np.longdouble(4) ** o for j, o in off.items()}
    share = sum(power[j] for j in far)
    new = [LEFT_OUT if j in out else e for j, e in enumerate(before)]
    if not far or (10 * len(far) < len(known) and below(10 * share, sum(power.values()))):
        return new
    for j in off:
        if below(1 / 8, abs(off[j])):
            is_rare = 2 * found[j][0] < len(rows)
            new[j] = min(max(quarter(e[j]), 0 if is_rare else SMALLEST), LARGEST)
    return new


@dataclass(frozen=True)
class WidthsRound(Round):
    """A Round of which updates and supports are those of the filter most trusted after it.

    There are none where there is no filter, and to be opened is an update. `widths`, `budgets` and
    `trust` are those of all filters after the round, in the order in which they were begun, and
    features are divided by two to the `exponents`, each of them plus the `common` one.
    """

    widths: tuple[Width, ...]
    budgets: tuple[int, ...]
    trust: tuple[float, ...]
    exponents: tuple[float, ...]
    common: float


class Widths:
    """Filters of several widths beside each other, and who comes and goes among them."""

    def __init__(
        self,
        features: int,
        budget: int,
        scale: bool,
        panel: Panel,
        settings: dict[str, Any],
        sparse: bool = False,
    ) -> None:
        self.features, self.budget, self.scale, self.sparse = features, budget, scale, sparse
        self.panel, self.settings = panel, settings
        self.start()

    def start(self) -> None:
        """No filter, and nothing kept."""
        self.filters: list[Filter] = []
        self.scales = False  # whether features are scaled
        self.widths: list[Width] = []
        self.exponents: list[float] = [0] * self.features
        self.offsets: list[float] = [0] * self.features  # what is subtracted before
        self.common, self.scalable = 0.0, 0  # the common exponent; so many features may be scaled
        self.dropped = False  # whether filters have been dropped since the opening
        self.examples: list[tuple[Vector, int, float, int]] = []  # since the first one kept
        self.losses: list[Any] = []  # since the opening
        self.gains: list[Any] = []  # what is added to G, since the opening
        self.distances: list[tuple[float, float]] = []  # rho and sigma, since the opening

    def rows(self) -> NDArray[np.float64]:
        """The points of the examples, as they came."""
        return np.array([x for x, *_ in self.examples], dtype=float)

    def filled(self, x: Sequence[Any]) -> tuple[float, ...]:
        """The features of x, or the center's where they are missing."""
        values = zip(map(float, x), self.center, strict=True)
        return tuple(float(c) if math.isnan(a) else a for a, c in values)

    def scaled(self, x: Sequence[Any]) -> tuple[float, ...]:
        """The features of x, filled in, moved and divided by their scales."""
        values = zip(self.filled(x), self.offsets, self.powers(), strict=True)
        return tuple((a - offset) / 2.0**e for a, offset, e in values)

    def powers(self) -> list[float]:
        """The exponents, with the common one."""
        return [e + self.common * (j < self.scalable) for j, e in enumerate(self.exponents)]

    def consult(self, x: Vector) -> Opinion:
        """What all say of x."""
        return self.panel.consult([one.predict(self.scaled(x)) for one in self.filters])

    def add_class(self, place: int) -> None:
        """Let one more class come, the `place`-th."""

        def renumbered(y: int) -> int:
            number = max(y, 0) if self.panel.classes == 1 else y
            return number + (number >= place)

        self.examples = [(x, renumbered(y), u, name) for x, y, u, name in self.examples]
        self.panel.add_class(place)
        for one in self.filters:
            one.add_class(place)

    def room(self, n: int) -> int:
        """b(n)."""
        return budget_of(n, self.budget, self.stored, self.panel.classes)

    def leading_filter(self) -> Filter | None:
        """The most trusted one, if there is any."""
        return self.filters[self.leader()] if self.filters else None

    def leader(self) -> int:
        """The number of the most trusted filter."""
        return self.ranking()[0]

    def ranking(self) -> list[int]:
        """The filters, the most trusted one first, of equals the one begun first."""
        left, ranked = list(range(len(self.filters))), []
        while left:
            most = max(self.panel.trust[j] for j in left)
            ranked.append(next(j for j in left if not below(self.panel.trust[j], most)))
            left.remove(ranked[-1])
        return ranked

    def learn(
        self, opinion: Opinion, x: Vector, y: int, u: float, name: int
    ) -> tuple[bool, tuple[int, ...]]:
        """Learn an example of which this was said: the most trusted filter's update."""
        if self.filters:
            away = [a - b for a, b in zip(self.scaled(x), self.scaled(self.center), strict=True)]
            self.distances.append((sum(a * a for a in away), sum(a * a for a in self.scaled(x))))
            self.losses.append(loss_of(opinion.f, y, opinion.f))
            gain = gain_of(opinion.said[self.leader()], self.panel.labels.share(), y)
            self.gains.append(min(u, 1.0) * gain)
        self.panel.learn(opinion, y, u)
        changes = [one.learn(self.scaled(x), y, u, name) for one in self.filters]
        self.examples.append((x, y, u, name))
        seen = len(self.examples)
        if seen in OPENINGS:
            self.open()
            return True, ()
        if self.scales and seen in looks_until(seen):
            self.rescale()
        looks = seen % LOOK_EVERY == 0
        kept = range(len(self.filters))
        if looks and seen >= DROP_FROM and self.is_useful():
            kept = self.drop(seen)
        if looks and seen >= START_FROM and (self.has_left() or self.is_useless()):
            self.panel.begin(0)
            self.start()
            return False, ()
        return changes[kept[self.leader()]] if self.filters else (False, ())

    def open(self) -> None:
        """Begin filters that learn what has been kept."""
        rows, self.stored, self.scales = self.rows(), float(self.features), self.scale
        self.scalable = self.features
        self.center = np.array([middle(rows[:, j]) for j in range(self.features)])
        if self.sparse:
            stored, occurring = np.count_nonzero(rows), np.flatnonzero(rows.any(axis=0))
            self.scalable = int(occurring[-1]) + 1 if len(occurring) else 0
            self.stored = 2 * stored / len(rows)
            self.scales = self.scale and 2 * stored >= len(rows) * self.scalable
            self.center = np.zeros(self.features)
        self.losses, self.distances, self.gains, self.dropped = [], [], [], False
        self.exponents, self.offsets = [0] * self.features, [0] * self.features
        self.common = 0.0
        if self.scales:
            self.exponents, self.first_middle = self.new_exponents(len(rows))
            self.offsets = self.new_offsets()
        points, first = [self.scaled(x) for x, *_ in self.examples], self.filled(rows[0])
        unmoved = tuple(a / 2.0**e for a, e in zip(first, self.powers(), strict=True))
        gamma = width_of(points, unmoved)
        classes = self.panel.classes
        n = filters_of(self.budget, self.stored, classes)
        self.widths = [f if isinstance(f, str) else f * gamma for f in FACTORS[:n]]
        kernels = [mixture(gamma) if isinstance(w, str) else gaussian(w) for w in self.widths]
        self.filters = [
            Filter(kernel, budget=self.room(n), classes=classes, **self.settings)
            for kernel in kernels
        ]
        for one in self.filters:
            for x, y, u, name in self.examples:
                one.learn(self.scaled(x), y, u, name)
        self.panel.begin(n)

    def new_exponents(self, opening: int) -> tuple[list[float], float]:
        """The exponents after all examples, the first `opening` of them kept, and s."""
        n = self.scalable
        rows = np.array([self.filled(x) for x in self.rows()])[:, :n]
        out: list[int] = []
        if len(rows) >= OPENINGS[-1]:
            out = [j for j in range(n) if is_left_out(rows[:, j].tolist(), self.sparse)]
        new = scales(rows, self.center[:n], self.exponents[:n], opening, out)
        return new + self.exponents[n:], middle_log(rows, self.center[:n], opening, out)

    def new_offsets(self) -> list[float]:
        """The centers of features that are far from 0, by the examples that were kept."""
        rows, offsets = np.array([self.filled(x) for x in self.rows()]), [0.0] * self.features
        for j, c in enumerate(self.center.tolist()):
            if not self.sparse and abs(c) > OFFSET * typical(rows[:, j], c, len(rows))[1]:
                offsets[j] = c
        return offsets

    def rescale(self) -> None:
        """Look at the scales again, and move the supports with the features."""
        before, n = self.powers(), len(self.examples)
        self.exponents, s = self.new_exponents(OPENINGS[-1])
        grown = s - self.first_middle
        if n < EARLY and below(1 + 3 / math.sqrt(n), abs(grown - self.common)):
            self.common = min(max(quarter(grown), -LEFT_OUT), LEFT_OUT)
        if self.powers() != before:
            factors = [2.0 ** (a - b) for a, b in zip(before, self.powers(), strict=True)]
            for one in self.filters:
                one.rescale(factors)

    def has_left(self) -> bool:
        """Whether the stream has left the place where it was."""
        before, recent = slice(None, -RECENT), slice(-RECENT, None)
        usual, loss = np.mean(self.losses[before]), np.mean(self.losses[recent])
        if not below((1 + usual) / 2, loss):
            return False
        parts = [[both for both in self.distances[part] if all(both)] for part in (before, recent)]
        if not all(parts):
            return False
        logs = [np.clip(np.log(part), -MOST_LOG, MOST_LOG) for part in parts]
        means = [np.mean(part, axis=0) for part in logs]  # of rho and of sigma
        return any(below(LEFT, abs(a - b)) for a, b in zip(*means, strict=True))

    def is_useful(self) -> bool:
        """Whether the features are known to say something."""
        classes = self.panel.classes
        enough = BETTER if classes == 1 else BETTER_PER_CLASS * classes
        return below(enough, rise(self.gains))

    def is_useless(self) -> bool:
        """Whether the widths that are left are of no use."""
        patience = self.settings.get("patience", PATIENCE)
        if patience is None or not self.dropped:
            return False
        return below(WORSE * patience, rise([-gain for gain in self.gains]))

    def drop(self, seen: int) -> list[int]:
        """Drop filters that nobody trusts: those that stay."""
        trust = self.panel.trust
        ranked = self.ranking()
        ranked = [j for j in ranked if not below(trust[j], FALLEN * trust[ranked[0]])]
        most = next((n for after, n in MOST if seen >= after), len(ranked))
        kept = sorted(ranked[:most])
        self.dropped |= len(kept) < len(self.filters)
        self.panel.keep(kept)
        self.filters = [self.filters[j] for j in kept]
        self.widths = [self.widths[j] for j in kept]
        for one in self.filters:
            one.budget = self.room(len(kept))
        return kept


@dataclass(frozen=True)
class WidthsSharingRound(SharingRound):
    """A SharingRound, and what there is after it, as in WidthsRound."""

    widths: tuple[Width, ...]
    budgets: tuple[int, ...]
    trust: tuple[float, ...]
    exponents: tuple[float, ...]
    common: float


def after_round(learner: Widths) -> dict[str, Any]:
    """What there is after a round, by the names of WidthsRound."""
    return {
        "widths": tuple(learner.widths),
        "budgets": tuple(one.budget for one in learner.filters),
        "trust": tuple(float(learner.panel.trust[j]) for j in learner.panel.filters()),
        "exponents": tuple(learner.exponents),
        "common": learner.common,
    }


def budgetron_of_widths_and_classes(
    stream: LabelledStream,
    classes: Sequence[Label] | None = None,
    *,
    budget: int,
    scale: bool = True,
    sparse: bool = False,
    experts: Sequence[str] = ALL_EXPERTS,
    sharing: float = 0.0001,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
    **settings: Any,
) -> list[WidthsSharingRound]:
    """The Budgetron with an automatic width for these classes, or for two that others join in time.

    `settings` are as in `budgetron_of_widths`.
    """
    settings |= {"experts": experts, "sharing": sharing}
    scores = len(classes) if classes and len(classes) > 2 else 1
    panel = Panel(0, experts, sharing=sharing, classes=scores)
    learner = Widths(len(stream[0][0]), budget, scale, panel, settings, sparse)
    rounds = play_sharing(learner, stream, classes, weights, zero_score)
    return [WidthsSharingRound(**vars(r), **after_round(learner)) for r in rounds]


def budgetron_of_widths(
    stream: Stream,
    *,
    budget: int,
    scale: bool = True,
    sparse: bool = False,
    experts: Sequence[str] = ALL_EXPERTS,
    sharing: float = 0.0001,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
    **settings: Any,
) -> list[WidthsRound]:
    """The Budgetron with an automatic width: two classes, and points of as many numbers each.

    Numbers that are NaN are missing, and count as the center.
    `settings` are those of every filter, beside its kernel and its budget.
    """
    settings |= {"experts": experts, "sharing": sharing}
    panel = Panel(0, experts, sharing=sharing)
    learner = Widths(len(stream[0][0]), budget, scale, panel, settings, sparse)
    rounds = []
    for t, (x, y) in enumerate(stream):
        u = float(weight_of(weights, t))
        opinion = learner.consult(x)
        change = learner.learn(opinion, x, y, u, t) if u > 0 else (False, ())
        score, one = float(opinion.shown[0]), learner.leading_filter()
        supports = supports_of(one) if one else ()
        mistake = is_wrong(y, score, t, zero_score)
        rounds.append(WidthsRound(score, mistake, *change, supports, **after_round(learner)))
    return rounds
