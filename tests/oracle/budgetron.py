"""The Budgetron, transcribed from the section "The algorithm" of docs/flagship.md alone.

Nothing is kept in coordinates. A hypothesis f = sum_i a_i k(x_i, .) is its weights a, and the
covariance is the matrix C of these weights: with K = L L^T and k = (k(x_i, x))_i, the coordinates
are z = L^-1 k and w = L^T a, hence C = L^-T P L^-1, w z = a k, z^T P z = k^T C k, P z is C k, the
identity is K^-1, and Var a_i is C_ii. All systems are solved afresh, in extended precision.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .kernels import Kernel
from .rounds import Round, Stream, Weights, ZeroScore, convention, is_mistake, weight_of

Array = NDArray[np.longdouble]

EXPERTS = ("average", "cautious", "bold")  # of equally trusted ones the first leads
CLOSE = 1e-9  # what differs by less differs by rounding only
NEW_SHARE, EXCHANGE_SHARE = 0.001, 0.1  # of k(x, x), which the residual must exceed
WALD_SHARE = 0.1
WIDEST = 30  # times 1 / s: the variance that fading tends to
STALE = 0.02  # of the cautious expert's trust, with which the average starts again


def extended(values: Any) -> Array:
    """The same numbers as an array of extended precision."""
    return np.array(values, dtype=np.longdouble)


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

    def __init__(self, stream: Stream, kernel: Kernel) -> None:
        self.points = [x for x, _ in stream]
        self.kernel = kernel
        self.active: list[int] = []
        self.weights = {e: extended([]) for e in EXPERTS}
        self.covariance = extended([]).reshape(0, 0)
        self.unit = np.longdouble(0)  # s: k(x, x) of the first support ever

    def column(self, t: int) -> Array:
        """All k(x_i, x_t) over the supports."""
        return extended([float(self.kernel(self.points[i], self.points[t])) for i in self.active])

    def gram(self) -> Array:
        """All k(x_i, x_j) over the supports."""
        n = len(self.active)
        return extended([self.column(i) for i in self.active]).reshape(n, n)

    def inverse(self) -> Array:
        """K^-1."""
        return solve(self.gram(), np.eye(len(self.active), dtype=np.longdouble))

    def project(self, t: int) -> tuple[Array, np.longdouble]:
        """The weights of the projection of k(x_t, .), and its squared distance from the span."""
        k = self.column(t)
        b = solve(self.gram(), k)
        return b, np.longdouble(float(self.kernel(self.points[t], self.points[t]))) - k @ b

    def margins(self, t: int) -> dict[str, np.longdouble]:
        """What every expert says of x_t."""
        return {e: w @ self.column(t) for e, w in self.weights.items()}

    def add(self, t: int) -> None:
        """Let x_t come: the unit vector that it adds has the weights (-b, 1) / sqrt(delta)."""
        b, delta = self.project(t)
        self.unit = self.unit or delta
        direction = np.append(-b, np.longdouble(1)) / np.sqrt(delta)
        self.covariance = np.pad(self.covariance, (0, 1))
        self.covariance += np.outer(direction, direction) / self.unit
        self.weights = {e: np.append(w, np.longdouble(0)) for e, w in self.weights.items()}
        self.active.append(t)

    def remove(self, i: int) -> None:
        """Let support i leave: its weight goes to the others, which project it."""
        left = self.active.pop(i)
        b, _ = self.project(left)
        onto = np.insert(np.eye(len(b), dtype=np.longdouble), i, b, axis=1)
        self.weights = {e: onto @ w for e, w in self.weights.items()}
        self.covariance = onto @ self.covariance @ onto.T

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
        return sum((trust[e] * self.weights[e] for e in EXPERTS), np.zeros(len(self.active)))


def giving_way(
    span: Span, t: int, y: int, trust: dict[str, Any], noise: Any, careful: bool
) -> int | None:
    """The position of the least support, if it gives way to x_t."""
    squares = 1 / np.diag(span.inverse())  # d_i^2
    losses = abs(span.common(trust)) * np.sqrt(squares)
    equal = losses.min() * (1 + CLOSE) + losses.max() * CLOSE
    i = next(i for i, loss in enumerate(losses) if loss <= equal)
    if not careful:
        return i
    leader = next(e for e in EXPERTS if trust[e] >= max(trust.values()) * (1 - CLOSE))
    k, (_, delta) = span.column(t), span.project(t)
    g, v = delta / span.unit, k @ span.covariance @ k
    error = y - span.margins(t)[leader]
    for_newcomer = error**2 * g / ((v + noise) * (v + noise + g))
    for_support = span.weights[leader][i] ** 2 / span.covariance[i, i]
    if not below(for_support, WALD_SHARE * for_newcomer):
        return None
    if leader == "average" and not below(squares[i], delta):
        return None
    return i


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
    experts: Sequence[str] = ("cautious", "bold", "average"),
    patience: float | None = 20.0,
    weights: Weights = None,
    zero_score: ZeroScore = "positive",
) -> list[Round]:
    """The Budgetron: three experts on the span of the supports, trusted as they do.

    The score is the one shown; the supports hold the common hypothesis, with the trust after the
    round. `experts` are those with trust. A step along u = 0 is an update like any other.
    """
    span = Span(stream, kernel)
    share = {e: np.longdouble(e in experts) / len(experts) for e in EXPERTS}
    trust = dict(share)
    since, averaged = 0, 0  # tau and t of the page
    doubt, lost, weighed = np.longdouble(0), np.longdouble(1), np.longdouble(1)
    rounds = []
    for t, (x, y) in enumerate(stream):
        u, own = float(weight_of(weights, t)), float(kernel(x, x))
        m = span.margins(t)
        certain = {e: np.clip(2 * m[e], -1, 1) for e in EXPERTS}
        f = shown = sum(trust[e] * certain[e] for e in EXPERTS)
        if any(all(2 * sign * m[e] >= 1 - CLOSE for e in EXPERTS if trust[e]) for sign in (-1, 1)):
            shown = sum(trust[e] * 2 * m[e] for e in EXPERTS)
        seen = float(shown) if abs(shown) > CLOSE else 0.0
        mistake = is_mistake(y, seen, 0.0, convention(zero_score, t))
        update, removed = False, ()

        if u > 0:
            loss = {e: u * (y - certain[e]) ** 2 / 8 for e in EXPERTS}
            least = min(loss[e] for e in EXPERTS if trust[e])
            raw = {e: trust[e] and trust[e] * np.exp(least - loss[e]) for e in EXPERTS}
            total = sum(raw.values())
            trust = {e: (1 - sharing) * raw[e] / total + sharing * share[e] for e in EXPERTS}

            wrong = any(y * m[e] < 1 - CLOSE for e in ("cautious", "bold"))
            if wrong and (own > 0 or span.active):
                _, delta = span.project(t)
                if len(span.active) < budget:
                    if below(NEW_SHARE * own, delta):
                        span.add(t)
                        update = True
                elif exchange != "never" and below(EXCHANGE_SHARE * own, delta) and y * f <= CLOSE:
                    i = giving_way(span, t, y, trust, noise / u, exchange == "careful")
                    if i is not None:
                        removed = (span.active[i],)
                        span.remove(i)
                        span.add(t)
                        update = True

                span.fade(math.exp(-drift / WIDEST * since))
                since = 0
                m, k = span.margins(t), span.column(t)
                direction = span.covariance @ k
                v = k @ direction
                for e, r in (("bold", bold_noise / u), ("cautious", noise / u)):
                    if y * m[e] < 1 - CLOSE:
                        span.weights[e] = span.weights[e] + direction * (y - m[e]) / (v + r)
                        update = True
                        if e == "cautious":
                            span.covariance -= np.outer(direction, direction) / (v + r)

            is_behind = share["average"] and below(trust["average"], STALE * trust["cautious"])
            if is_behind and patience is not None:
                averaged = 0
            average, cautious = span.weights["average"], span.weights["cautious"]
            span.weights["average"] = average + (cautious - average) * 2 / (averaged + 2)
            since, averaged = since + 1, averaged + 1

            c = min(u, 1.0)
            doubt = max(np.longdouble(0), doubt + c * ((y - f) ** 2 - 1 - lost / weighed / 2))
            lost, weighed = lost + c * (y - f) ** 2, weighed + c
            if patience is not None and below(patience, doubt):
                span.forget()
                trust = dict(share)
                since, averaged = 0, 0
                doubt, lost, weighed = np.longdouble(0), np.longdouble(1), np.longdouble(1)
                update = True

        common = zip(span.active, map(float, span.common(trust)), strict=True)
        rounds.append(Round(float(shown), mistake, update, removed, tuple(common)))
    return rounds
