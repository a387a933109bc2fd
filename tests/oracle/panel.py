"""The trust over filters, label expert and stack: "The experts" of docs/flagship.md alone.

The panel does not know what a filter is, it is told what each of them shows: `scores[j][k]` is that
of filter j for class k. Two classes are one score, and a label y of -1 or 1; of more classes, y is
the number of the true one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.longdouble]
Expert = int | str  # the number of a filter, or "labels", or "stack"

CLOSE = 1e-9  # what differs by less differs by rounding only
FIRST = {"labels": 0.125, "stack": 0.125}  # the first trust, and the rest for the filters
RIDGE = 10  # beside V
CUT = 4  # of the scores that the stack adds up
FORGET = 0.999  # lambda
LEAST = 0.01  # of the h of a logistic regression
LARGEST = 8  # the trace of Q


def extended(values: Any) -> Array:
    """The same numbers as an array of extended precision."""
    return np.array(values, dtype=np.longdouble)


def leading(values: Sequence[Any]) -> int:
    """The position of the largest value, of equal ones the first."""
    return next(i for i, value in enumerate(values) if value >= max(values) - CLOSE)


def labels_of(y: int, scores: int) -> Array:
    """The labels of -1 and 1, for so many scores."""
    return extended([y] if scores == 1 else [1 if k == y else -1 for k in range(scores)])


def rival_of(y: int, f: Array) -> int:
    """Of more than two classes, the one of the highest f but y, and of equal ones the first."""
    rest = [k for k in range(len(f)) if k != y]
    return rest[leading([f[k] for k in rest])]


def loss_of(c: Array, y: int, f: Array) -> np.longdouble:
    """What is lost by who says c, between 0 and 4; f, which all say together, tells the rival."""
    if len(c) == 1:
        return (y - c[0]) ** 2
    return (1 - (c[y] - c[rival_of(y, f)]) / 2) ** 2


def divisor(late: int) -> np.longdouble:
    """What a loss is divided by, if so many examples were learned since the prediction."""
    return 8 * np.sqrt(np.longdouble(1 + late))


def first_trust(filters: int, others: Sequence[str]) -> dict[Expert, np.longdouble]:
    """The trust pi0 in so many filters and these other experts."""
    parts: dict[Expert, Any] = {j: (1 - sum(FIRST.values())) / filters for j in range(filters)}
    parts |= {e: FIRST[e] for e in FIRST if e in others}
    total = sum(map(np.longdouble, parts.values()))
    return {e: np.longdouble(part) / total for e, part in parts.items()}


class LabelExpert:
    """The best guess from the last label, and from the share of the labels."""

    def __init__(self, classes: int = 1) -> None:
        self.last = extended([0] * classes)  # z
        self.sum = extended([0] * classes)  # S
        self.number = np.longdouble(1)  # N
        self.product, self.square = np.longdouble(0), np.longdouble(0)  # A and V

    def share(self) -> Array:
        """p, for each class."""
        return self.sum / self.number

    def guess(self) -> Array:
        """c, for each class."""
        p = self.share()
        return np.clip(p + self.product / (self.square + RIDGE) * (self.last - p), -1, 1)

    def learn(self, y: Array, u: float, p: Array | None = None, z: Array | None = None) -> None:
        """See the labels y, which count by u; p and z are those of now, or of the prediction."""
        p, z = self.share() if p is None else p, self.last if z is None else z
        self.product += u * ((y - p) @ (z - p))
        self.square += u * ((z - p) @ (z - p))
        self.note(y, u)

    def note(self, y: Array, u: float) -> None:
        """Know the labels y, and nothing of how they go with others."""
        self.sum = self.sum + u * y
        self.number += u
        self.last = y

    def with_class(self, place: int) -> "LabelExpert":
        """The same with one more class, the `place`-th, which no label has been of."""
        last, total, new = self.last, self.sum, LabelExpert()
        new.product, new.square = self.product, self.square
        if len(last) == 1:
            last, total = np.append(-last, last), np.append(-total, total)
            new.product, new.square = 2 * self.product, 2 * self.square
        new.number = self.number
        new.sum = np.insert(total, place, 1 - self.number)
        new.last = np.insert(last, place, -1 if last.any() else 0)
        return new


class Stack:
    """A logistic regression that forgets, on what the filters and the labels say."""

    def __init__(self) -> None:
        self.theta = extended([1, 0, 0, 0])
        self.Q = np.eye(4, dtype=np.longdouble)

    def learn(self, phi: Array, y: int, u: float) -> None:
        """One step for the row phi with the label y, which counts by u."""
        q = 1 / (1 + np.exp(-(self.theta @ phi)))
        h = u * max(q * (1 - q), np.longdouble(LEAST))
        direction = self.Q @ phi
        v = phi @ direction
        self.theta = self.theta + direction * u * ((1 + y) / np.longdouble(2) - q) / (1 + h * v)
        forget = np.longdouble(FORGET)
        self.Q = (self.Q - h * np.outer(direction, direction) / (forget + h * v)) / forget
        if np.trace(self.Q) > LARGEST:
            self.Q = self.Q * LARGEST / np.trace(self.Q)


@dataclass(frozen=True)
class Opinion:
    """What is said of one example: by each expert, by all of them, and what is shown of that.

    All are arrays with a number for each class, or with one number for two classes. `rows` are the
    stack's phi, one for each of these.
    """

    said: dict[Expert, Array]
    rows: Array
    f: Array
    shown: Array


class Panel:
    """Filters beside each other, label expert and stack, trusted as they do.

    `classes` is 1 where there are two, which have one score.
    """

    def __init__(
        self,
        filters: int,
        others: Sequence[str] = ("labels", "stack"),
        *,
        sharing: float = 0.0001,
        classes: int = 1,
    ) -> None:
        self.others = [e for e in others if e in FIRST]
        self.sharing = sharing
        self.labels, self.stack = LabelExpert(classes), Stack()
        self.begin(filters)

    def begin(self, filters: int) -> None:
        """Trust so many new filters, and everybody else, as at first."""
        self.first = first_trust(filters, self.others)
        self.trust = dict(self.first)

    def keep(self, kept: Sequence[int]) -> None:
        """Drop all filters but these, which are numbered anew."""
        trust: dict[Expert, Any] = {j: self.trust[old] for j, old in enumerate(kept)}
        trust |= {e: self.trust[e] for e in self.others}
        self.first = first_trust(len(kept), self.others)
        self.trust = {e: trust[e] / sum(trust.values()) for e in self.first}

    @property
    def classes(self) -> int:
        """How many there are, or 1 if these are two."""
        return len(self.labels.last)

    def add_class(self, place: int) -> None:
        """Let one more class come, the `place`-th."""
        self.labels = self.labels.with_class(place)

    def shared_out(self, trust: dict[Expert, Any]) -> dict[Expert, Any]:
        """The trust with alpha of it shared out among filters and others, and among filters."""
        alpha, m = np.longdouble(self.sharing), len(self.filters())
        together, at_first = (sum(d[j] for j in self.filters()) for d in (trust, self.first))
        new = {e: (1 - alpha) * trust[e] + alpha * self.first[e] for e in trust}
        for j in self.filters():
            part = trust[j] / together if together else np.longdouble(1) / m
            new[j] = ((1 - alpha) * together + alpha * at_first) * ((1 - alpha) * part + alpha / m)
        return new

    def filters(self) -> list[int]:
        """The numbers of the filters."""
        return [e for e in self.trust if isinstance(e, int)]

    def chances(self, a: Array) -> Array:
        """The stack's c, for its sums a."""
        if len(a) == 1:
            return np.tanh(a / 2)
        odds = np.exp(a - max(a))
        return 2 * odds / odds.sum() - 1

    def consult(self, scores: Sequence[Sequence[Any]]) -> Opinion:
        """What is said where the filters show these scores."""
        s = {j: extended(scores[j]) for j in self.filters()}
        said: dict[Expert, Array] = {j: np.clip(s[j], -1, 1) for j in s}

        mean, trusted = extended([0] * self.classes), sum(self.trust[j] for j in s)
        if trusted:
            mean = sum(self.trust[j] * np.clip(s[j], -CUT, CUT) for j in s) / trusted
        ones = extended([1] * self.classes)
        rows = np.column_stack([mean, self.labels.share(), self.labels.last, ones])
        if "labels" in self.others:
            said["labels"] = self.labels.guess()
        if "stack" in self.others:
            said["stack"] = self.chances(rows @ self.stack.theta)

        f = sum((self.trust[e] * said[e] for e in said), 0 * ones)
        raw = sum((self.trust[e] * (said | s)[e] for e in said), 0 * ones)
        return Opinion(said, rows, f, np.where(abs(f) >= 1 - CLOSE, raw, f))

    def lesson(self, opinion: Opinion, y: int) -> tuple[Array, int]:
        """The row that the stack learns, and its label."""
        if self.classes == 1:
            return opinion.rows[0], y
        return opinion.rows[y] - opinion.rows[rival_of(y, opinion.f)], 1

    def learn(self, opinion: Opinion, y: int, u: float = 1.0, late: int | None = 0) -> None:
        """See the label of the example that this was said of, which weighs u > 0.

        So many examples have been learned since then; the rival is that of then. None: it was asked
        about when nobody could say anything, and this is said now.
        """
        judged = opinion.said if late is not None else {j: opinion.said[j] for j in self.filters()}
        rate = u / divisor(late or 0)
        losses = {e: rate * loss_of(c, y, opinion.f) for e, c in judged.items()}
        least = min((losses[e] for e in losses if self.trust[e]), default=0)
        raw = {e: self.trust[e] and self.trust[e] * np.exp(least - losses[e]) for e in losses}
        before, total = sum(self.trust[e] for e in raw), sum(raw.values())
        self.trust = self.shared_out(self.trust | {e: before * raw[e] / total for e in raw})
        labels, c = labels_of(y, self.classes), min(u, 1.0)
        if late is None:
            self.labels.note(labels, c)
        else:
            self.labels.learn(labels, c, opinion.rows[:, 1], opinion.rows[:, 2])
            self.stack.learn(*self.lesson(opinion, y), c)
