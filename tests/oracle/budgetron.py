"""The Budgetron of one kernel, from docs/flagship.md alone: "The filter", under a panel.

Nothing is kept in coordinates. A hypothesis f = sum_i a_i k(x_i, .) is its weights a, and the
covariance is the matrix C of these weights: with K = L L^T and k = (k(x_i, x))_i, the coordinates
are z = L^-1 k and w = L^T a, hence C = L^-T P L^-1, w z = a k, z^T P z = k^T C k, P z is C k, the
identity is K^-1, and Var a_i is C_ii. All systems are solved afresh, in extended precision.

Whatever there is for each class is an array of a number for each of them, or of one number for two
classes: see `panel`.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from .arithmetic import Vector
from .kernels import Kernel
from .many_classes import JointSupports, Label, LabelledStream
from .panel import (
    CLOSE,
    Array,
    Opinion,
    Panel,
    divisor,
    extended,
    labels_of,
    leading,
    loss_of,
    rival_of,
)
from .rounds import Round, Stream, Supports, Weights, ZeroScore, convention, is_mistake, weight_of

EXPERTS = ("average", "cautious", "bold")  # of equally trusted ones the first leads
ALL_EXPERTS = ("cautious", "bold", "average", "labels", "stack")
NEW_SHARE, EXCHANGE_SHARE = 0.001, 0.1  # of k(x, x), which the residual must exceed
WALD_SHARE = 0.1
LEAST, LOOK_AFTER = 8, 100  # so many least supports are known, for so many learned examples
WIDEST = 30  # times 1 / s: the variance that fading tends to
STALE = 0.02  # of the cautious expert's trust, with which the average starts again

Trust = dict[str, Any]


def solve(matrix: Array, right: Array) -> Array:
    """Solve a symmetric positive definite system, by Gaussian elimination."""
    n = len(matrix)
    both = np.column_stack([matrix, right])
    for i in range(n):
        both[i] /= both[i, i]
        others = np.arange(n) != i
        both[others] -= np.outer(both[others, i], both[i])
    return both[:, n:].reshape(right.shape)


def below(a: Any, b: Any) -> bool:
    """a < b, and not by rounding only."""
    return bool(a < b - CLOSE * abs(b))


class Span:
    """The supports, the weights of every expert on them, and the covariance of weights.

    `weights[e][i, k]` is that of support i in the hypothesis of expert e for class k.
    """

    def __init__(self, kernel: Kernel, classes: int = 1) -> None:
        self.kernel = cache(kernel)  # of the same points it is asked again and again
        self.points: list[Vector] = []
        self.known_gram: tuple[list[Vector], Array] = [], extended([]).reshape(0, 0)
        self.names: list[int] = []  # their indices in the stream
        self.weights = {e: extended([]).reshape(0, classes) for e in EXPERTS}
        self.covariance = extended([]).reshape(0, 0)
        self.unit = np.longdouble(0)  # s: k(x, x) of the first support ever

    def column(self, x: Vector) -> Array:
        """All k(x_i, x) over the supports."""
        return extended([float(self.kernel(p, x)) for p in self.points])

    def gram(self) -> Array:
        """All k(x_i, x_j) over the supports, found once for the same ones."""
        n = len(self.points)
        if self.known_gram[0] != self.points:
            gram = extended([self.column(p) for p in self.points]).reshape(n, n)
            self.known_gram = [*self.points], gram
        return self.known_gram[1]

    def inverse(self) -> Array:
        """K^-1."""
        return solve(self.gram(), np.eye(len(self.points), dtype=np.longdouble))

    def project(self, x: Vector) -> tuple[Array, np.longdouble]:
        """The weights of the projection of k(x, .), and its squared distance from the span."""
        k = self.column(x)
        b = solve(self.gram(), k)
        return b, np.longdouble(float(self.kernel(x, x))) - k @ b

    def margins(self, x: Vector) -> dict[str, Array]:
        """What every expert says of x, for each class."""
        k = self.column(x)
        return {e: k @ w for e, w in self.weights.items()}

    def add(self, x: Vector, name: int) -> None:
        """Let x come: the unit vector that it adds has the weights (-b, 1) / sqrt(delta)."""
        b, delta = self.project(x)
        self.unit = self.unit or delta
        direction = np.append(-b, np.longdouble(1)) / np.sqrt(delta)
        self.covariance = np.pad(self.covariance, (0, 1))
        self.covariance += np.outer(direction, direction) / self.unit
        self.weights = {e: np.pad(w, ((0, 1), (0, 0))) for e, w in self.weights.items()}
        self.points.append(x)
        self.names.append(name)

    def remove(self, leaving: Sequence[int]) -> None:
        """Let these supports leave: their weights go to the others, which project them."""
        before, unit = self.points, np.eye(len(self.points), dtype=np.longdouble)
        staying = [i for i in range(len(before)) if i not in leaving]
        self.points = [before[i] for i in staying]
        self.names = [self.names[i] for i in staying]
        onto = unit[staying]
        for i in leaving:
            onto[:, i] = self.project(before[i])[0]
        self.weights = {e: onto @ w for e, w in self.weights.items()}
        self.covariance = onto @ self.covariance @ onto.T

    def add_class(self, place: int) -> None:
        """Let one more class come, the `place`-th, of weights 0; of two, the first is mirrored."""
        for e, w in self.weights.items():
            both = np.hstack([-w, w]) if w.shape[1] == 1 else w
            self.weights[e] = np.insert(both, place, 0, axis=1)

    def rescale(self, factors: Sequence[float]) -> None:
        """Multiply the columns of the points; those near the span of the points before leave."""
        moved = [tuple(a * c for a, c in zip(p, factors, strict=True)) for p in self.points]
        self.points, leaving = [], []
        for i, x in enumerate(moved):
            if below(NEW_SHARE * float(self.kernel(x, x)), self.project(x)[1]):
                self.points.append(x)
            else:
                leaving.append(i)
        self.points = moved
        self.remove(leaving)

    def fade(self, factor: float) -> None:
        """P <- factor P + (1 - factor) (30 / s) I."""
        prior = self.inverse() * WIDEST / self.unit
        self.covariance = factor * self.covariance + (1 - factor) * prior

    def forget(self) -> None:
        """Keep the supports alone."""
        self.weights = {e: 0 * w for e, w in self.weights.items()}
        self.covariance = self.inverse() / self.unit

    def common(self, trust: dict[str, Any]) -> Array:
        """The weights of the experts' common hypothesis, for each class."""
        return sum(trust[e] * self.weights[e] for e in EXPERTS)

    def distances(self) -> Array:
        """All d_i: how far each support is from the span of the others."""
        return 1 / np.sqrt(np.diag(self.inverse()))

    def in_order(self, trust: dict[str, Any]) -> list[int]:
        """The positions of the supports, the one first whose leaving changes least."""
        changes = np.sqrt((self.common(trust) ** 2).sum(axis=1)) * self.distances()
        left, ordered = list(range(len(changes))), []
        while left:
            equal = min(changes[left]) * (1 + CLOSE) + max(changes) * CLOSE
            ordered.append(next(i for i in left if changes[i] <= equal))
            left.remove(ordered[-1])
        return ordered


class Filter:
    """The learner of one kernel: three experts on the span of the supports, trusted as they do.

    `experts` are those with trust; names that are none of the three count for nothing. The budget
    may be raised at any time. `trust` is for its own decisions, and `jury` for what is predicted
    and learned later: they are the same until a label comes late. A step along u = 0 is an update
    like any other. `classes` is 1 where there are two.
    """

    def __init__(
        self,
        kernel: Kernel,
        *,
        budget: int,
        classes: int = 1,
        noise: float = 0.3,
        bold_noise: float = 0.03,
        drift: float = 0.002,
        sharing: float = 0.0001,
        exchange: str = "careful",
        experts: Sequence[str] = EXPERTS,
        patience: float | None = 20.0,
    ) -> None:
        self.kernel, self.budget = kernel, budget
        self.noise, self.bold_noise, self.drift, self.sharing = noise, bold_noise, drift, sharing
        self.exchange, self.patience = exchange, patience
        own = [e for e in EXPERTS if e in experts]
        self.share = {e: np.longdouble(e in own) / len(own) for e in EXPERTS}
        self.span = Span(kernel, classes)
        self.learned, self.exchanges = 0, 0  # T and E of the page
        self.least: list[int] = []  # the names of the least supports that are known
        self.looked = 0  # T when they were looked for
        self.begin()

    def begin(self) -> None:
        """Nothing of trust, doubt and age is known."""
        self.trust, self.jury = dict(self.share), dict(self.share)
        self.since, self.averaged = 0, 0  # tau and t of the page
        self.doubt = np.longdouble(0)
        self.lost, self.weighed = np.longdouble(1), np.longdouble(1)

    def supports(self) -> tuple[tuple[int, tuple[float, ...]], ...]:
        """The common hypothesis: the weights of each support, for each class."""
        weights = [tuple(map(float, row)) for row in self.span.common(self.trust)]
        return tuple(zip(self.span.names, weights, strict=True))

    def mean(self, said: dict[str, Array], trust: Trust | None = None) -> Array:
        """What the experts say, by the trust in them."""
        trust = self.trust if trust is None else trust
        return sum(trust[e] * said[e] for e in EXPERTS)

    def certainties(self, x: Vector) -> dict[str, Array]:
        """All c, for each class."""
        return {e: np.clip(2 * m, -1, 1) for e, m in self.span.margins(x).items()}

    def predict(self, x: Vector, trust: Trust | None = None) -> Array:
        """The scores that are shown, one for each class."""
        m, trust = self.span.margins(x), self.trust if trust is None else trust
        trusted = [e for e in EXPERTS if trust[e]]
        certain = [
            np.all([2 * sign * m[e] >= 1 - CLOSE for e in trusted], axis=0) for sign in (-1, 1)
        ]
        f = self.mean(self.certainties(x), trust)
        return np.where(certain[0] | certain[1], 2 * self.mean(m, trust), f)

    def learn(
        self,
        x: Vector,
        y: int,
        u: float = 1.0,
        name: int | None = None,
        kept: dict[str, Array] | None = None,
        late: int | None = 0,
    ) -> tuple[bool, tuple[int, ...]]:
        """Learn an example of weight u > 0: whether there was an update, and who left for it.

        `kept` are the certainties of when it was predicted, so many learned examples before; None
        if nobody could say anything then.
        """
        m, c = self.span.margins(x), self.certainties(x)
        f, kept = self.mean(c), c if kept is None else kept
        labels = labels_of(y, len(f))

        came, removed, stepped = False, (), False
        is_short = any((labels * m[e] < 1 - CLOSE).any() for e in ("cautious", "bold"))
        if is_short:
            came, removed = self.admit(x, y, u, self.learned if name is None else name)
        together = self.mean(kept, self.jury)
        self.trust = self.weighed_by(self.trust, {e: u * loss_of(c[e], y, f) / 8 for e in EXPERTS})
        rate = u / divisor(self.learned if late is None else late)
        losses = {e: rate * loss_of(kept[e], y, together) for e in EXPERTS}
        self.jury = self.weighed_by(self.jury, losses)
        if late is None:
            self.jury = self.slow_first(self.jury)
        if is_short and self.span.points:
            stepped = self.step(x, labels, u)
        self.average()
        despaired = self.despair(loss_of(f, y, f), u)
        self.learned += 1
        return came or stepped or despaired, removed

    def weighed_by(self, trust: Trust, loss: dict[str, Any]) -> Trust:
        """The trust in the experts after they lost this."""
        least = min(loss[e] for e in EXPERTS if trust[e])
        raw = {e: trust[e] and trust[e] * np.exp(least - loss[e]) for e in EXPERTS}
        kept, total = 1 - self.sharing, sum(raw.values())
        return {e: kept * raw[e] / total + self.sharing * self.share[e] for e in EXPERTS}

    def slow_first(self, trust: Trust) -> Trust:
        """The trust in the experts, none of them having more than a slower one."""
        limited, most = dict(trust), np.longdouble(1)
        for e in ("average", "cautious", "bold"):
            if self.share[e]:
                limited[e] = most = min(trust[e], most)
        return {e: limited[e] / sum(limited.values()) for e in EXPERTS}

    def admit(self, x: Vector, y: int, u: float, name: int) -> tuple[bool, tuple[int, ...]]:
        """Let x become a support, if it should: whether it did, and who left for it."""
        own, (_, delta) = float(self.kernel(x, x)), self.span.project(x)
        if len(self.span.points) < self.budget:
            if not below(NEW_SHARE * own, delta):
                return False, ()
            self.span.add(x, name)
            return True, ()

        limit = self.budget / 10 + 10 * self.learned / self.budget
        is_asked = (
            len(self.span.points) == self.budget
            and below(EXCHANGE_SHARE * own, delta)
            and self.errs(x, y)
            and self.exchanges < limit
        )
        if not is_asked or self.exchange == "never":
            return False, ()
        i = self.least_support()
        if self.exchange == "careful" and not self.gives_way(i, x, y, u):
            return False, ()
        removed = (self.span.names[i],)
        self.span.remove([i])
        self.span.add(x, name)
        self.exchanges += 1
        return True, removed

    def errs(self, x: Vector, y: int) -> bool:
        """Whether the true class has no higher score than the rival; for two, if y f <= 0."""
        shown = self.predict(x)
        if len(shown) == 1:
            return bool(y * shown[0] <= CLOSE)
        f = self.mean(self.certainties(x))
        return bool(shown[y] <= shown[rival_of(y, f)] + CLOSE)

    def least_support(self) -> int:
        """The position of the least support that is known, after a look if that is due."""
        names = self.span.names
        self.least = [name for name in self.least if name in names]
        if not self.least or self.learned - self.looked >= LOOK_AFTER:
            self.least = [names[i] for i in self.span.in_order(self.trust)[:LEAST]]
            self.looked = self.learned
        return names.index(self.least[0])

    def gives_way(self, i: int, x: Vector, y: int, u: float) -> bool:
        """Whether the support i gives way to x: little speaks for it, and much for x."""
        span, r = self.span, self.noise / u
        e = next(e for e in EXPERTS if self.trust[e] >= max(self.trust.values()) * (1 - CLOSE))
        k, (_, delta) = span.column(x), span.project(x)
        g, v = delta / span.unit, k @ span.covariance @ k
        m = span.margins(x)[e]
        short = np.maximum(0, 1 - labels_of(y, len(m)) * m)
        for_newcomer = (short**2).sum() * g / ((v + r) * (v + r + g))
        for_support = (span.weights[e][i] ** 2).sum() / span.covariance[i, i]
        if e == "average" and not below(span.distances()[i] ** 2, delta):
            return False
        return below(for_support, WALD_SHARE * for_newcomer)

    def step(self, x: Vector, y: Array, u: float) -> bool:
        """Correct the bold and the cautious expert: whether one of them was not right enough."""
        update, span = False, self.span
        span.fade(math.exp(-self.drift / WIDEST * self.since))
        self.since = 0
        m, k = span.margins(x), span.column(x)
        direction = span.covariance @ k
        v = k @ direction
        for e, r in (("bold", self.bold_noise / u), ("cautious", self.noise / u)):
            is_short = y * m[e] < 1 - CLOSE
            if is_short.any():
                errors = np.where(is_short, y - m[e], 0)
                span.weights[e] = span.weights[e] + np.outer(direction, errors) / (v + r)
                update = True
                if e == "cautious":
                    span.covariance -= np.outer(direction, direction) / (v + r)
        return update

    def average(self) -> None:
        """Let the average follow the cautious expert, afresh if it is far behind."""
        trust, weights = self.jury, self.span.weights
        is_behind = self.share["average"] and below(trust["average"], STALE * trust["cautious"])
        if is_behind and self.patience is not None:
            self.averaged = 0
        step = (weights["cautious"] - weights["average"]) * 2 / (self.averaged + 2)
        weights["average"] = weights["average"] + step
        self.since, self.averaged = self.since + 1, self.averaged + 1

    def despair(self, loss: Any, u: float) -> bool:
        """Doubt, and begin anew if there is reason to: whether there was."""
        c = min(u, 1.0)
        mean = self.lost / self.weighed
        self.doubt = max(np.longdouble(0), self.doubt + c * (loss - 1 - mean / 2))
        self.lost, self.weighed = self.lost + c * loss, self.weighed + c
        if self.patience is None or not below(self.patience, self.doubt):
            return False
        self.span.forget()
        self.begin()
        return True

    def add_class(self, place: int) -> None:
        """Let one more class come, the `place`-th."""
        self.span.add_class(place)

    def rescale(self, factors: Sequence[float]) -> None:
        """Multiply the features of the supports; which are the least is not known any more."""
        self.span.rescale(factors)
        self.least = []


@dataclass(frozen=True)
class Asked:
    """What is kept of a prediction until the label comes.

    `said` and the stack's rows are in the opinion; `learned` is how many examples had been.
    """

    opinion: Opinion
    certainties: dict[str, Array]
    learned: int


class OneWidth:
    """A filter of one kernel under a panel. `settings` are the filter's."""

    def __init__(
        self,
        kernel: Kernel,
        classes: int = 1,
        *,
        experts: Sequence[str] = ALL_EXPERTS,
        sharing: float = 0.0001,
        **settings: Any,
    ) -> None:
        self.filter = Filter(kernel, classes=classes, experts=experts, sharing=sharing, **settings)
        self.panel = Panel(1, experts, sharing=sharing, classes=classes)

    def consult(self, x: Vector) -> Opinion:
        """What all say of x, the filter being scored by its jury."""
        return self.panel.consult([self.filter.predict(x, self.filter.jury)])

    def learn(
        self, opinion: Opinion, x: Vector, y: int, u: float, name: int
    ) -> tuple[bool, tuple[int, ...]]:
        """Learn an example of which this was said: the filter's update."""
        self.panel.learn(opinion, y, u)
        return self.filter.learn(x, y, u, name)

    def ask(self, x: Vector) -> Asked:
        """What all say of x, and what has to be kept of that until its label comes."""
        return Asked(self.consult(x), self.filter.certainties(x), self.filter.learned)

    def learn_late(self, asked: Asked, x: Vector, y: int, u: float, name: int) -> None:
        """Learn an example of which this was said; of no use if nothing had been learned then."""
        if asked.learned == 0 < self.filter.learned:
            self.panel.learn(self.consult(x), y, u, None)
            self.filter.learn(x, y, u, name, None, None)
            return
        late = self.filter.learned - asked.learned
        self.panel.learn(asked.opinion, y, u, late)
        self.filter.learn(x, y, u, name, asked.certainties, late)

    def add_class(self, place: int) -> None:
        """Let one more class come, the `place`-th."""
        self.panel.add_class(place)
        self.filter.add_class(place)

    def leading_filter(self) -> Filter:
        """The most trusted one."""
        return self.filter


def is_wrong(y: int, score: Any, t: int, zero_score: ZeroScore) -> bool:
    """Whether this score is a mistake in round t."""
    seen = float(score) if abs(score) > CLOSE else 0.0
    return is_mistake(y, seen, 0.0, convention(zero_score, t))


def budgetron(
    stream: Stream,
    kernel: Kernel,
    *,
    budget: int,
    noise: float = 0.3,
    bold_noise: float = 0.03,
    drift: float = 0.002,
    sharing: float = 0.0001,
    exchange: str = "careful",
    experts: Sequence[str] = ALL_EXPERTS,
    patience: float | None = 20.0,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[Round]:
    """The Budgetron of one kernel: a filter, the label expert and the stack, or those in `experts`.

    The score is the one that the panel shows. Updates and supports are the filter's: its common
    hypothesis, with the trust after the round.
    """
    learner = OneWidth(
        kernel,
        budget=budget,
        noise=noise,
        bold_noise=bold_noise,
        drift=drift,
        sharing=sharing,
        exchange=exchange,
        experts=experts,
        patience=patience,
    )
    rounds = []
    for t, (x, y) in enumerate(stream):
        u = float(weight_of(weights, t))
        opinion = learner.consult(x)
        score = opinion.shown[0]
        change = learner.learn(opinion, x, y, u, t) if u > 0 else (False, ())
        mistake = is_wrong(y, score, t, zero_score)
        rounds.append(Round(float(score), mistake, *change, supports_of(learner.filter)))
    return rounds


def supports_of(one: Filter) -> Supports:
    """The supports of a filter for two classes, with the weight of each."""
    return tuple((name, weight) for name, (weight,) in one.supports())


@dataclass(frozen=True)
class SharingRound:
    """One round of classes that share supports.

    `scores`, what the prediction was made of, is about the classes known before the row. A support
    has a weight for each class; two classes have one score and one weight, those of the second.
    """

    scores: dict[Label, float]
    prediction: Label | None
    mistake: bool
    update: bool
    removed: tuple[int, ...]
    supports: JointSupports


def play_sharing(
    learner: Any,
    stream: LabelledStream,
    classes: Sequence[Label] | None,
    weights: Weights,
    zero_score: ZeroScore,
) -> Iterator[SharingRound]:
    """The rounds of a learner for these classes, or for the first two, which others join in time.

    It is a `OneWidth`, or `Widths`, for as many classes.
    """
    known = [] if classes is None else sorted(classes)
    present = known or first_two(stream)
    for t, (x, label) in enumerate(stream):
        opinion = learner.consult(x)
        own = present if len(present) > 2 else present[1:]  # those that have a score
        scores = dict(zip(own, map(float, opinion.shown), strict=True))
        prediction = predicted(scores, known)
        mistake = prediction != label
        if len(own) == 1 and len(known) == 2 and label in known:
            mistake = is_wrong(1 if label == own[0] else -1, opinion.shown[0], t, zero_score)
        if label not in present:
            own = present = sorted([*present, label])
            learner.add_class(present.index(label))
            opinion = learner.consult(x)
        u, update, removed = float(weight_of(weights, t)), False, ()
        if u > 0:
            y = own.index(label) if len(own) > 1 else 1 if label == own[0] else -1
            update, removed = learner.learn(opinion, x, y, u, t)
        one = learner.leading_filter()
        supports = () if one is None else one.supports()
        yield SharingRound(
            {c: score for c, score in scores.items() if c in known},
            prediction,
            mistake,
            update,
            removed,
            tuple((name, dict(zip(own, row, strict=True))) for name, row in supports),
        )
        known = sorted({*known, label})


def first_two(stream: LabelledStream) -> list[Label]:
    """The two classes that appear first, in hindsight."""
    return sorted(list(dict.fromkeys(label for _, label in stream))[:2])


def predicted(scores: dict[Label, float], known: Sequence[Label]) -> Label | None:
    """The known class of the highest score; one score is that of the second of two."""
    if len(known) < 2:
        return known[0] if known else None
    if len(scores) == 1:
        return known[scores[known[1]] >= -CLOSE]
    return known[leading([scores[c] for c in known])]


def budgetron_of_classes(
    stream: LabelledStream,
    kernel: Kernel,
    classes: Sequence[Label] | None = None,
    *,
    budget: int,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
    **settings: Any,
) -> list[SharingRound]:
    """The Budgetron of one kernel for these classes, or for two that others join in time.

    `settings` are those of `OneWidth`. The scores are those that the panel shows; updates and
    supports are the filter's, as in `budgetron`.
    """
    scores = len(classes) if classes and len(classes) > 2 else 1
    learner = OneWidth(kernel, scores, budget=budget, **settings)
    return [*play_sharing(learner, stream, classes, weights, zero_score)]


def budgetron_late(
    stream: LabelledStream,
    kernel: Kernel,
    arrivals: Sequence[float],
    classes: Sequence[Label] | None = None,
    *,
    budget: int,
    weights: Weights = None,
    **settings: Any,
) -> Iterator[tuple[float, ...]]:
    """The scores that are shown of each example, if labels come late; `settings` are `OneWidth`'s.

    Label t is learned after the last example with a number of at most `arrivals[t]` was predicted,
    if there is any; of labels that come then, the one of the lower arrival first, and of equal ones
    that of the first example. There is a score for each class, or one for the second of two.
    """
    named = [-1, 1] if classes is None else sorted(classes)
    own = named if len(named) > 2 else named[1:]
    learner, asked = OneWidth(kernel, len(own), budget=budget, **settings), []
    for now, (x, _) in enumerate(stream):
        asked.append(learner.ask(x))
        yield tuple(map(float, asked[now].opinion.shown))
        come = [t for t in range(len(stream)) if now <= arrivals[t] < now + 1]
        for t in sorted(come, key=lambda t: arrivals[t]):
            x, label = stream[t]
            y = own.index(label) if len(own) > 1 else 1 if label == own[0] else -1
            if (u := float(weight_of(weights, t))) > 0:
                learner.learn_late(asked[t], x, y, u, t)
