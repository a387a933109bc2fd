"""The Budgetron of one kernel, from docs/flagship.md alone: "The filter", under a panel.

Nothing is kept in coordinates. A hypothesis f = sum_i a_i k(x_i, .) is its weights a, and the
covariance is the matrix C of these weights: with K = L L^T and k = (k(x_i, x))_i, the coordinates
are z = L^-1 k and w = L^T a, hence C = L^-T P L^-1, w z = a k, z^T P z = k^T C k, P z is C k, the
identity is K^-1, and Var a_i is C_ii. All systems are solved afresh, in extended precision.
"""

import math
from collections.abc import Sequence
from copy import deepcopy
from functools import cache
from typing import Any

import numpy as np

from .arithmetic import Vector
from .kernels import Kernel
from .many_classes import Label, LabelledStream, OneVsRestRound
from .panel import CLOSE, Array, Panel, PanelOfClasses, extended, leading
from .rounds import Round, Stream, Supports, Weights, ZeroScore, convention, is_mistake, weight_of

EXPERTS = ("average", "cautious", "bold")  # of equally trusted ones the first leads
ALL_EXPERTS = ("cautious", "bold", "average", "labels", "stack")
NEW_SHARE, EXCHANGE_SHARE = 0.001, 0.1  # of k(x, x), which the residual must exceed
WALD_SHARE = 0.1
WIDEST = 30  # times 1 / s: the variance that fading tends to
STALE = 0.02  # of the cautious expert's trust, with which the average starts again


def solve(matrix: Array, right: Array) -> Array:
    """Solve a symmetric positive definite system, by Gaussian elimination."""
    n = len(matrix)
    both = np.column_stack([matrix, right])
    for i in range(n):
        both[i] /= both[i, i]
        for j in range(n):
            if j != i:
                both[j] -= both[j, i] * both[i]
    return both[:, n:].reshape(right.shape)


def below(a: Any, b: Any) -> bool:
    """a < b, and not by rounding only."""
    return bool(a < b - CLOSE * abs(b))


class Span:
    """The supports, the weights of every expert on them, and the covariance of weights."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = cache(kernel)  # of the same points it is asked again and again
        self.points: list[Vector] = []
        self.names: list[int] = []  # their indices in the stream
        self.weights = {e: extended([]) for e in EXPERTS}
        self.covariance = extended([]).reshape(0, 0)
        self.unit = np.longdouble(0)  # s: k(x, x) of the first support ever

    def column(self, x: Vector) -> Array:
        """All k(x_i, x) over the supports."""
        return extended([float(self.kernel(p, x)) for p in self.points])

    def gram(self) -> Array:
        """All k(x_i, x_j) over the supports."""
        n = len(self.points)
        return extended([self.column(p) for p in self.points]).reshape(n, n)

    def inverse(self) -> Array:
        """K^-1."""
        return solve(self.gram(), np.eye(len(self.points), dtype=np.longdouble))

    def project(self, x: Vector) -> tuple[Array, np.longdouble]:
        """The weights of the projection of k(x, .), and its squared distance from the span."""
        k = self.column(x)
        b = solve(self.gram(), k)
        return b, np.longdouble(float(self.kernel(x, x))) - k @ b

    def margins(self, x: Vector) -> dict[str, np.longdouble]:
        """What every expert says of x."""
        k = self.column(x)
        return {e: w @ k for e, w in self.weights.items()}

    def add(self, x: Vector, name: int) -> None:
        """Let x come: the unit vector that it adds has the weights (-b, 1) / sqrt(delta)."""
        b, delta = self.project(x)
        self.unit = self.unit or delta
        direction = np.append(-b, np.longdouble(1)) / np.sqrt(delta)
        self.covariance = np.pad(self.covariance, (0, 1))
        self.covariance += np.outer(direction, direction) / self.unit
        self.weights = {e: np.append(w, np.longdouble(0)) for e, w in self.weights.items()}
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
        """The weights of the experts' common hypothesis."""
        return sum((trust[e] * self.weights[e] for e in EXPERTS), np.zeros(len(self.points)))


def giving_way(
    span: Span, x: Vector, y: int, trust: dict[str, Any], noise: Any, careful: bool
) -> int | None:
    """The position of the least support, if it gives way to x."""
    squares = 1 / np.diag(span.inverse())  # d_i^2
    losses = abs(span.common(trust)) * np.sqrt(squares)
    equal = losses.min() * (1 + CLOSE) + losses.max() * CLOSE
    i = next(i for i, loss in enumerate(losses) if loss <= equal)
    if not careful:
        return i
    leader = next(e for e in EXPERTS if trust[e] >= max(trust.values()) * (1 - CLOSE))
    k, (_, delta) = span.column(x), span.project(x)
    g, v = delta / span.unit, k @ span.covariance @ k
    error = y - span.margins(x)[leader]
    for_newcomer = error**2 * g / ((v + noise) * (v + noise + g))
    for_support = span.weights[leader][i] ** 2 / span.covariance[i, i]
    if not below(for_support, WALD_SHARE * for_newcomer):
        return None
    if leader == "average" and not below(squares[i], delta):
        return None
    return i


class Filter:
    """The learner of one kernel: three experts on the span of the supports, trusted as they do.

    `experts` are those with trust; names that are none of the three count for nothing. The budget
    may be raised at any time. A step along u = 0 is an update like any other.
    """

    def __init__(
        self,
        kernel: Kernel,
        *,
        budget: int,
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
        self.span = Span(kernel)
        self.begin()

    def begin(self) -> None:
        """As if no example had been learned."""
        self.trust = dict(self.share)
        self.since, self.averaged = 0, 0  # tau and t of the page
        self.doubt = np.longdouble(0)
        self.lost, self.weighed = np.longdouble(1), np.longdouble(1)

    def mirrored(self) -> "Filter":
        """One that has learned the opposite."""
        other = deepcopy(self)
        other.span.weights = {e: -w for e, w in self.span.weights.items()}
        return other

    def supports(self) -> Supports:
        """The common hypothesis."""
        weights = map(float, self.span.common(self.trust))
        return tuple(zip(self.span.names, weights, strict=True))

    def predict(self, x: Vector) -> np.longdouble:
        """The score that is shown."""
        m = self.span.margins(x)
        trusted = [e for e in EXPERTS if self.trust[e]]
        if any(all(2 * sign * m[e] >= 1 - CLOSE for e in trusted) for sign in (-1, 1)):
            return sum(self.trust[e] * 2 * m[e] for e in EXPERTS)
        return sum(self.trust[e] * np.clip(2 * m[e], -1, 1) for e in EXPERTS)

    def learn(
        self, x: Vector, y: int, u: float = 1.0, name: int = -1
    ) -> tuple[bool, tuple[int, ...]]:
        """Learn an example of weight u > 0: whether there was an update, and who left for it."""
        m = self.span.margins(x)
        certain = {e: np.clip(2 * m[e], -1, 1) for e in EXPERTS}
        f = sum(self.trust[e] * certain[e] for e in EXPERTS)
        self.weigh({e: u * (y - certain[e]) ** 2 / 8 for e in EXPERTS})

        update, removed = False, ()
        wrong = any(y * m[e] < 1 - CLOSE for e in ("cautious", "bold"))
        if wrong and (self.kernel(x, x) > 0 or self.span.points):
            came, removed = self.admit(x, y, u, f, name)
            update = self.step(x, y, u) or came
        self.average()
        return self.despair(y, u, f) or update, removed

    def weigh(self, loss: dict[str, Any]) -> None:
        """Trust the experts by what they lost."""
        least = min(loss[e] for e in EXPERTS if self.trust[e])
        raw = {e: self.trust[e] and self.trust[e] * np.exp(least - loss[e]) for e in EXPERTS}
        kept, total = 1 - self.sharing, sum(raw.values())
        self.trust = {e: kept * raw[e] / total + self.sharing * self.share[e] for e in EXPERTS}

    def admit(self, x: Vector, y: int, u: float, f: Any, name: int) -> tuple[bool, tuple[int, ...]]:
        """Let x become a support, if it should: whether it did, and who left for it."""
        own, (_, delta) = float(self.kernel(x, x)), self.span.project(x)
        removed: tuple[int, ...] = ()
        if len(self.span.points) < self.budget:
            if not below(NEW_SHARE * own, delta):
                return False, ()
        else:
            if self.exchange == "never" or not below(EXCHANGE_SHARE * own, delta) or y * f > CLOSE:
                return False, ()
            careful = self.exchange == "careful"
            i = giving_way(self.span, x, y, self.trust, self.noise / u, careful)
            if i is None:
                return False, ()
            removed = (self.span.names[i],)
            self.span.remove([i])
        self.span.add(x, name)
        return True, removed

    def step(self, x: Vector, y: int, u: float) -> bool:
        """Correct the bold and the cautious expert: whether one of them was not right enough."""
        update, span = False, self.span
        span.fade(math.exp(-self.drift / WIDEST * self.since))
        self.since = 0
        m, k = span.margins(x), span.column(x)
        direction = span.covariance @ k
        v = k @ direction
        for e, r in (("bold", self.bold_noise / u), ("cautious", self.noise / u)):
            if y * m[e] < 1 - CLOSE:
                span.weights[e] = span.weights[e] + direction * (y - m[e]) / (v + r)
                update = True
                if e == "cautious":
                    span.covariance -= np.outer(direction, direction) / (v + r)
        return update

    def average(self) -> None:
        """Let the average follow the cautious expert, afresh if it is far behind."""
        trust, weights = self.trust, self.span.weights
        is_behind = self.share["average"] and below(trust["average"], STALE * trust["cautious"])
        if is_behind and self.patience is not None:
            self.averaged = 0
        step = (weights["cautious"] - weights["average"]) * 2 / (self.averaged + 2)
        weights["average"] = weights["average"] + step
        self.since, self.averaged = self.since + 1, self.averaged + 1

    def despair(self, y: int, u: float, f: Any) -> bool:
        """Doubt, and begin anew if there is reason to: whether there was."""
        c, loss = min(u, 1.0), (y - f) ** 2
        mean = self.lost / self.weighed
        self.doubt = max(np.longdouble(0), self.doubt + c * (loss - 1 - mean / 2))
        self.lost, self.weighed = self.lost + c * loss, self.weighed + c
        if self.patience is None or not below(self.patience, self.doubt):
            return False
        self.span.forget()
        self.begin()
        return True


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
    filter_ = Filter(
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
    panel = Panel(1, experts, sharing=sharing)
    rounds = []
    for t, (x, y) in enumerate(stream):
        u = float(weight_of(weights, t))
        opinion = panel.consult([[filter_.predict(x)]])
        score = opinion.shown[0]
        update, removed = False, ()
        if u > 0:
            panel.learn(opinion, y, u)
            update, removed = filter_.learn(x, y, u, t)
        mistake = is_wrong(y, score, t, zero_score)
        rounds.append(Round(float(score), mistake, update, removed, filter_.supports()))
    return rounds


def budgetron_of_classes(
    stream: LabelledStream,
    kernel: Kernel,
    classes: Sequence[Label] | None = None,
    *,
    budget: int,
    experts: Sequence[str] = ALL_EXPERTS,
    sharing: float = 0.0001,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
    **settings: Any,
) -> list[OneVsRestRound]:
    """The Budgetron of one kernel for these classes, or for two that others join in time.

    `settings` are those of every class's filter, which has a budget of its own. A machine's score
    is what the panel shows for its class. Two classes are one machine, that of the second.
    """
    settings |= {"budget": budget, "experts": experts, "sharing": sharing}
    known = [] if classes is None else sorted(classes)
    present = known or sorted(list(dict.fromkeys(label for _, label in stream))[:2])
    if len(present) == 2:
        filters, panel = [Filter(kernel, **settings)], Panel(1, experts, sharing=sharing)
    else:
        filters = [Filter(kernel, **settings) for _ in present]
        panel = PanelOfClasses(1, len(present), experts, sharing=sharing)
    rounds = []
    for t, (x, label) in enumerate(stream):
        opinion = panel.consult([[one.predict(x) for one in filters]])
        scores = dict(zip(present[-len(filters) :], map(float, opinion.shown), strict=True))
        prediction = predicted(scores, known)
        if label not in present:
            if len(present) == 2:
                filters = [filters[0].mirrored(), *filters]
            present = sorted([*present, label])
            place = present.index(label)
            filters.insert(place, Filter(kernel, **settings))
            panel = panel.with_class(place)
            opinion = panel.consult([[one.predict(x) for one in filters]])
        u, own = float(weight_of(weights, t)), present[-len(filters) :]
        told = [1 if c == label else -1 for c in own]
        changes: list[tuple[bool, tuple[int, ...]]] = [(False, ())] * len(own)
        if u > 0:
            panel.learn(opinion, told[0] if len(own) == 1 else present.index(label), u)
            changes = [one.learn(x, y, u, t) for one, y in zip(filters, told, strict=True)]
        machines = {}
        for c, score, y, change, one in zip(
            own, opinion.shown, told, changes, filters, strict=True
        ):
            wrong = is_wrong(y, score, t, zero_score)
            machines[c] = Round(float(score), wrong, *change, one.supports())
        mistake = prediction != label
        if len(own) == 1 and {*known} == {*present}:
            mistake = machines[own[0]].mistake
        rounds.append(
            OneVsRestRound(
                {c: score for c, score in scores.items() if c in known},
                prediction,
                mistake,
                {c: machine.update for c, machine in machines.items()},
                {c: len(machine.supports) for c, machine in machines.items()},
                machines,
            )
        )
        known = sorted({*known, label})
    return rounds


def predicted(scores: dict[Label, float], known: Sequence[Label]) -> Label | None:
    """The known class of the highest score; one score is that of the second of two."""
    if len(known) < 2:
        return known[0] if known else None
    if len(scores) == 1:
        return known[scores[known[1]] >= -CLOSE]
    return known[leading([scores[c] for c in known])]
