"""Filters of several widths under one panel of experts, in the memory of one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from ..core.columns import Columns, measured, next_look
from ..core.edits.span import EXPERTS
from ..core.kernel import (
    Kernel,
    OwnKernel,
    Rows,
    largest_norm,
    largest_squared_norm,
    scale_gamma,
    squared_norms,
)
from ..core.missing import filled
from ..core.panel import (
    AGE,
    BETTER,
    EQUAL_WITHIN,
    FARTHEST_LOG,
    FROM_CENTER,
    FROM_ZERO,
    HAS_WEIGHTS,
    LOSS,
    MEASURED,
    MISTAKES,
    NOT_COUNTED,
    PERIOD,
    SEEN,
    UPDATES,
    WORSE,
    Panel,
    Room,
    advise,
    confer,
    numbers_kept,
)
from ..core.state import EVICTED, SIZE_AFTER, WAS_MISTAKE, WAS_UPDATE, State
from ..core.state import SEEN as SEEN_BY_MACHINE
from ..kernels import gaussian
from .blocked import decide
from .device import CPU
from .learn import learn
from .record import Record
from .span import Lessons, SpanLearner
from .testimony import Testimony, numbers_of_testimony
from .widths import MOST_KERNELS, budget_of_each, first_kernels, middle_gamma, numbers_stored
from .winner import leveled

__all__ = ["MILESTONES", "MISSING_REFUSED", "Kept", "Pool", "gamma_of"]

MILESTONES = 2, 5, 10
"""Filters are opened when so many examples have been kept: the last time for good."""

TRIED = 100
"""Nobody is dropped before so many examples."""

PROVED = 20.0
"""Nor before the most trusted filter has been so much better than the mean of the labels; of more
than two classes, so much for each two of them."""

DISPROVED = 2.0
"""If it has been so many patiences worse, and others have been dropped, all start over."""

MOST_LOST = 4.0
"""With one example."""

EXTREMES = [(MOST_LOST, far, far, far != 0) for far in (-FARTHEST_LOG, 0.0, FARTHEST_LOG)]
"""What one example can add to a period, at most: see `core.panel`."""

UNTRUSTED = 0.01
"""A filter is dropped that has so little of the trust in the most trusted one."""

MOST_FILTERS = (1600, 1), (800, 2), (400, 3)
"""From so many examples on, so many filters stay at most."""

SETTLED = 200
"""It does not start over before so many examples."""

NEVER = 2**62

FAR = np.log(16.0)
"""How far the logarithms of squared distances must have moved for that."""

MISSING_REFUSED = (
    'a value is NaN; missing="center" takes that for the center of the feature, if the width of the'
    " Gaussian kernel is automatic"
)


class Kept(NamedTuple):
    """Examples that filters are going to be opened with."""

    X: Rows = None
    codes: tuple[int, ...] = ()
    weights: tuple[float, ...] = ()

    def with_more(self, X: Rows, codes: np.ndarray, weights: np.ndarray) -> Kept:
        """The same and some more, of which those without weight are left out."""
        own = np.flatnonzero(weights > 0)
        return Kept(
            X[own].copy() if self.X is None else _stacked(self.X, X[own]),
            (*self.codes, *codes[own].tolist()),
            (*self.weights, *weights[own].tolist()),
        )

    def with_class(self, place: int) -> Kept:
        """The same with one more class, the `place`-th."""
        return self._replace(codes=tuple(code + (code >= place) for code in self.codes))


def _stacked(X: Rows, more: Rows) -> Rows:
    if sparse.issparse(X):
        return sparse.csr_array(sparse.vstack([X, more]))
    return np.concatenate([X, more])


class Pool:
    """Learns two or more classes, by filters whose kernels are given or found on the way.

    Parameters
    ----------
    rule : Budgetron
        What each filter learns by, with the budget of one that is alone.
    kernel : Kernel, OwnKernel or None
        None to try several widths of the Gaussian kernel.
    width : int
        The number of features.
    sparse, zero_is_mistake : bool
        As for `Learner`.
    classes : int
    scaled, missing, labels, stack : bool
        Whether features are scaled; whether values may be missing; whether these experts take part.
    """

    def __init__(
        self,
        rule: Any,
        kernel: Kernel | OwnKernel | None,
        width: int,
        *,
        sparse: bool,
        zero_is_mistake: bool,
        classes: int,
        scaled: bool,
        missing: bool,
        labels: bool,
        stack: bool,
    ) -> None:
        self.given_kernel, self.width = kernel, width
        self.sparse, self.zero_is_mistake = sparse, zero_is_mistake
        self.scaled, self.missing = scaled, missing
        self.classes = max(classes, 2)
        self.rule = rule._replace(columns=self.columns_of_scores)
        self.panel = Panel.empty(self.columns_of_scores, labels=labels, stack=stack)
        self.filters: list[SpanLearner] = []
        self.columns: Columns | None = None
        self.kept: Kept | None = Kept()
        self.stored = 0.0  # numbers that a row takes
        self.openings = 0  # how often trust began anew
        if kernel is not None:
            self.kept, self.stored = None, float(width)
            self.filters = [self._new_filter(kernel, rule.budget)]
            self.panel = self.panel.with_filters(1)

    device = CPU
    """Where its filters are: see `Learner`."""

    def use(self, device: str) -> None:
        """Go on with this device."""
        if device == self.device:
            return
        for one in self.filters:
            one.use(device)
        self.device = device

    @property
    def columns_of_scores(self) -> int:
        """One for two classes, else one for each."""
        return self.classes if self.classes > 2 else 1

    def _new_filter(self, kernel: Any, budget: int) -> SpanLearner:
        rule = self.rule._replace(budget=budget)
        options = {"sparse": self.sparse, "zero_is_mistake": self.zero_is_mistake}
        one = SpanLearner(rule, kernel, self.width, **options)
        one.use(self.device)
        return one

    def copied(self) -> Pool:
        """One that has learned the same, and goes on by itself."""
        pool = object.__new__(Pool)
        pool.__dict__ = self.__dict__ | {
            "panel": self.panel.copied(),
            "filters": [one.copied() for one in self.filters],
            "columns": None if self.columns is None else self.columns.copied(),
        }
        return pool

    def add_class(self, place: int) -> None:
        """Begin with one more class, the `place`-th."""
        for one in self.filters:
            one.add_class(place)
        self.classes += 1
        self.rule = self.rule._replace(columns=self.classes)
        self.panel = self.panel.with_class(place)
        if self.kept is not None:
            self.kept = self.kept.with_class(place)

    # ------------------------------------------------------------------------------ what is known

    @property
    def lead(self) -> SpanLearner:
        """The most trusted filter; one that has learned nothing while there is none."""
        if not self.filters:
            return self._new_filter(first_kernels(1.0, 1, 1.0)[0], self.rule.budget)
        trust = self.panel.trust[: len(self.filters)]
        return self.filters[int((trust * (1 + EQUAL_WITHIN) >= trust.max()).argmax())]

    @property
    def seen(self) -> int:
        """The number of examples seen."""
        return self.panel.counts.item(SEEN)

    @property
    def age(self) -> int:
        """The number of examples learned since the first one that was kept."""
        return self.panel.counts.item(AGE)

    @property
    def mistakes(self) -> int:
        """The number of predictions that were wrong."""
        return self.panel.counts.item(MISTAKES)

    @property
    def updates(self) -> int:
        """The number of examples that changed a filter."""
        return self.panel.counts.item(UPDATES)

    @property
    def is_weighted(self) -> bool:
        """Whether an example had another weight than 1."""
        return bool(self.panel.counts[HAS_WEIGHTS])

    @property
    def state(self) -> State:
        """What the most trusted filter keeps."""
        return self.lead.state

    @property
    def kernel(self) -> Kernel | OwnKernel:
        """That of the most trusted filter."""
        return self.lead.kernel

    @property
    def slots(self) -> int:
        """How many filters there can be."""
        return MOST_KERNELS if self.given_kernel is None else 1

    @property
    def numbers_of_testimony(self) -> int:
        """How many numbers are kept of an example whose label comes later."""
        return numbers_of_testimony(self.slots, self.columns_of_scores)

    @property
    def numbers_each(self) -> float:
        """How many numbers are kept for each support, beside matrices: its row and weights."""
        return self.stored + EXPERTS * self.columns_of_scores

    @property
    def least_part(self) -> float:
        """The least part of the filters' trust that one of them has begun with."""
        return 1.0 if self.given_kernel is not None else 1 / MOST_KERNELS

    @property
    def dtype(self) -> np.dtype[Any]:
        """In which supports are kept: float64."""
        return np.dtype(np.float64)

    @property
    def size(self) -> int:
        """The number of supports of the most trusted filter."""
        return int(self.lead.size)

    @property
    def supports(self) -> Rows:
        """The supports of the most trusted filter, with features as they came."""
        rows = self.lead.supports
        return rows if self.columns is None else self.columns.restored(rows)

    @property
    def weights(self) -> np.ndarray:
        """Their weights."""
        weights: np.ndarray = self.lead.weights
        return weights

    def longest_step(self, rows: int) -> float:
        """About how many multiplications are done without a pause: see `Learner`."""
        return sum(one.longest_step(min(rows, self.rest)) for one in self.filters)

    # ---------------------------------------------------------------------------------- learning

    @property
    def rest(self) -> int:
        """How many examples there are up to the next one after which something may change."""
        age = self.panel.counts.item(AGE)
        if self.given_kernel is not None:
            return NEVER
        if self.kept is not None:
            return next(m for m in MILESTONES if m > age) - age
        return min(next_look(age), age - age % PERIOD + PERIOD) - age

    def learn(self, X: Rows, codes: np.ndarray, weights: np.ndarray, record: Record) -> None:
        """Predict each example and learn from it, given its class by number and its weight.

        An example whose weight is NaN is only looked at.
        """
        X = self._as_stored(X)
        counted = np.cumsum(weights > 0)
        start, end = 0, len(codes)
        while start < end:
            done = counted[start - 1] if start > 0 else 0
            stop = int(np.searchsorted(counted, done + self.rest)) + 1
            here = slice(start, min(stop, end))
            self._advance(X[here], codes[here], weights[here], record, here)
            start = here.stop
        for one in self.filters:
            one.come_home()
        if self.classes == 2:
            self.count(record)

    def count(self, record: Record) -> None:
        """Count mistakes and updates."""
        self.panel.counts[MISTAKES] += record.events[:, WAS_MISTAKE].sum()
        self.panel.counts[UPDATES] += record.events[:, WAS_UPDATE].sum()

    def _advance(
        self, X: Rows, codes: np.ndarray, weights: np.ndarray, record: Record, here: slice
    ) -> None:
        """Learn examples up to the next one after which something may change."""
        rest, learned = self.rest, int((weights > 0).sum())
        raw, X = X, self.scaled_rows(X)
        self._refuse_what_is_too_large(X)
        records = [Record(len(codes), self._columns()) for _ in self.filters]
        testimony = Testimony(self, record, here)
        self._learn_filters(X, codes, weights, records, testimony)
        scores, leads = self._confer(X, records, codes, weights, testimony)
        testimony.keep()
        self._write(record, here, scores, codes, weights, records, leads)
        if self.kept is not None:
            self.kept = self.kept.with_more(raw, codes, weights)
        if learned == rest:
            self.change()

    def _refuse_what_is_too_large(self, X: Rows) -> None:
        if self.given_kernel is None:  # otherwise somebody has looked before
            largest = largest_squared_norm(X)
            if not largest <= self.largest_norm:
                raise ValueError(
                    f"an example of squared norm {largest:g} is too large for the kernel in"
                    f" {self.dtype}; scale the data"
                )

    @property
    def largest_norm(self) -> float:
        """The largest |x|^2, in scaled features, that all kernels can take."""
        kernels = [one.kernel for one in self.filters] or [gaussian()]
        return min(largest_norm(kernel, self.dtype) for kernel in kernels)

    def _columns(self) -> int | None:
        return self.classes if self.classes > 2 else None

    def _as_stored(self, X: Rows) -> Rows:
        """The examples in float64, as the first ones were: what is sparse has its centers at 0."""
        if self.given_kernel is not None:
            return X
        X = X.astype(self.dtype, copy=False)
        if sparse.issparse(X) == self.sparse:
            return X
        return sparse.csr_array(X) if self.sparse else X.toarray()

    def filled_rows(self, X: Rows) -> Rows:
        """The examples with the centers of features that are missing."""
        if not self.missing:
            return X
        return filled(X, 0.0 if self.columns is None else self.columns.center)

    def as_seen(self, X: Rows) -> Rows:
        """Examples as they came, as filters see them."""
        return self.scaled_rows(self._as_stored(X))

    def scaled_rows(self, X: Rows) -> Rows:
        """The examples with scaled features, none of which is missing."""
        X = self.filled_rows(X)
        return X if self.columns is None else self.columns.scale(X)

    def _learn_filters(
        self,
        X: Rows,
        codes: np.ndarray,
        weights: np.ndarray,
        records: list[Record],
        testimony: Testimony,
    ) -> None:
        labels = np.where(codes == 0, -weights, weights) if self.classes == 2 else weights
        lessons = [
            Lessons(labels, codes, testimony.kept_in, now, said)
            for now, said in zip(testimony.now, testimony.by_filters, strict=True)
        ]
        if self.filters:
            learn(self.filters, X, lessons, records)

    def _confer(
        self,
        X: Rows,
        records: list[Record],
        codes: np.ndarray,
        weights: np.ndarray,
        testimony: Testimony,
    ) -> tuple[np.ndarray, np.ndarray]:
        """What the panel says of examples that the filters have scored, and who leads then."""
        advice = np.empty((len(records), len(codes), self.columns_of_scores))
        for own, one in zip(advice, records, strict=True):
            own[:] = one.scores.reshape(own.shape)
        shown, leads = np.empty(advice.shape[1:]), np.zeros(len(codes), np.int64)
        told = codes.astype(np.int64), weights, np.empty((len(codes), 2)), self.rule.sharing
        rows, room = measured(self.columns, X), Room.of(self.panel)
        kept = testimony.kept_in, testimony.by_panel
        how = self.zero_is_mistake, *kept, NOT_COUNTED
        confer(rows, self.panel, room, advice, testimony.now, *told, shown, leads, *how)
        return shown, leads

    def _write(
        self,
        record: Record,
        here: slice,
        scores: np.ndarray,
        codes: np.ndarray,
        weights: np.ndarray,
        records: list[Record],
        leads: np.ndarray,
    ) -> None:
        """Write down what happened, and count it."""
        events = record.events_of(here.start, here.stop)
        if self.classes > 2:
            scores = level(scores)
            mistakes = scores.argmax(axis=1) != codes
        else:
            scores = scores[:, 0]
            mistakes = (scores >= 0) != (codes == 1)
            mistakes |= self.zero_is_mistake & (scores == 0)
        record.keep(here.start, scores)
        if self.classes > 2:
            record.choices[here] = scores.argmax(axis=1)
        events[:, WAS_MISTAKE], events[:, EVICTED] = mistakes & ~np.isnan(weights), -1
        if records:
            each = np.array([own.events for own in records])
            rows = np.arange(len(codes))
            events[:, WAS_UPDATE] = each[:, :, WAS_UPDATE].any(axis=0)
            events[:, SIZE_AFTER] = each[leads, rows, SIZE_AFTER]
            events[:, EVICTED] = each[leads, rows, EVICTED]

    # ---------------------------------------------------------------------------------- changing

    def change(self) -> None:
        """Do what is due after so many examples."""
        if self.kept is not None:
            self._open(self.kept)
        else:
            if self.scaled:
                self._rescale()
            if self.age % PERIOD == 0:
                self._drop()
            if self._starts_over:
                self._start_over()

    def _open(self, kept: Kept) -> None:
        """Begin with filters of several widths, and let them learn what has been kept."""
        self.columns = Columns.of(kept.X, scaled=self.scaled)
        X, self.stored = self.scaled_rows(kept.X), numbers_stored(kept.X)
        gamma = middle_gamma(X)
        if gamma is None:
            unmoved = self.columns._replace(offsets=0 * self.columns.offsets)
            first = unmoved.scale(self.filled_rows(kept.X[:1]))
            gamma = scale_gamma(float(squared_norms(first)[0]), self.width)
        kernels = first_kernels(gamma, self.rule.budget, self.numbers_each)
        budget = budget_of_each(len(kernels), self.rule.budget, self.numbers_each)
        self.filters = [self._new_filter(kernel, budget) for kernel in kernels]
        self.panel, self.openings = self.panel.with_filters(len(kernels)), self.openings + 1
        codes, weights = np.array(kept.codes), np.array(kept.weights)
        records = [Record(len(codes), self._columns()) for _ in kernels]
        for one in self.filters:
            one.state.counts[SEEN_BY_MACHINE] = self.seen - len(codes)
        nothing_said = Testimony(self, Record(len(codes)), slice(None))
        self._learn_filters(X, codes, weights, records, nothing_said)
        if self.age == MILESTONES[-1]:
            self.kept = None

    def _rescale(self) -> None:
        """Look at the features' scales again, and move the supports with them."""
        assert self.columns is not None
        if next_look(self.age - 1) == self.age:
            renewed = self.columns.renewed()
            if (renewed.powers != self.columns.powers).any():
                factors = 2.0 ** (self.columns.powers - renewed.powers)
                for one in self.filters:
                    one.rescale(factors)
            self.columns = renewed

    def _drop(self) -> None:
        """Drop filters that nobody trusts, and give the others their room."""
        many, age = len(self.filters), self.age
        trust = self.panel.trust[:many]
        if many == 1 or age < TRIED or self.panel.merit[BETTER] <= self._proof:
            return
        order = np.lexsort((np.arange(many), -np.round(trust / trust.max(), 9)))
        most = next((most for since, most in MOST_FILTERS if age >= since), many)
        stay = [j for j in order[:most] if trust[j] >= UNTRUSTED * trust.max()]
        dropped = sorted({*range(many)} - {*stay})
        if dropped:
            self.filters = [self.filters[j] for j in sorted(stay)]
            self.panel = self.panel.without(dropped)
            budget = budget_of_each(len(self.filters), self.rule.budget, self.numbers_each)
            for one in self.filters:
                one.rule = one.rule._replace(budget=max(budget, one.rule.budget))

    @property
    def _proof(self) -> float:
        """How much better than the mean of the labels a filter has to be."""
        return PROVED * self.classes / 2

    @property
    def goes_on(self) -> bool:
        """Whether nothing changes after the next example, whatever it is."""
        if self.kept is not None or self.rest > 1:
            return self.kept is None
        age, panel = self.age + 1, self.panel
        may_drop = len(self.filters) > 1 and panel.merit[BETTER] + MOST_LOST > self._proof
        if may_drop or age % PERIOD > 0:
            return False
        before, recent = panel.last_periods_after_next
        return panel.merit[WORSE] + MOST_LOST <= DISPROVED * self.rule.patience and not any(
            _has_left(before, recent + next_one, age) for next_one in EXTREMES
        )

    @property
    def _starts_over(self) -> bool:
        """Whether the filters are not for this stream any more, at the end of a period."""
        if self.age < SETTLED or self.age % PERIOD > 0:
            return False
        return _has_left(*self.panel.last_periods, self.age) or self._is_of_no_use

    @property
    def _is_of_no_use(self) -> bool:
        """Whether the labels alone say more than the widths that have not been dropped."""
        if self.panel.merit[WORSE] <= DISPROVED * self.rule.patience:
            return False
        return len(self.filters) < len(first_kernels(1.0, self.rule.budget, self.numbers_each))

    def _start_over(self) -> None:
        """Drop all filters: others will be opened with the examples that come next."""
        self.filters, self.panel = [], self.panel.with_filters(0)
        self.kept, self.columns, self.panel.counts[AGE] = Kept(), None, 0
        self.openings += 1

    # -------------------------------------------------------------------------------- predicting

    def decide(self, X: Rows) -> np.ndarray:
        """The scores of all examples, which change nothing."""
        X = self.as_seen(X)
        self._refuse_what_is_too_large(X)
        advice = np.empty((len(self.filters), X.shape[0], self.columns_of_scores))
        for own, one in zip(advice, self.filters, strict=True):
            own[:] = decide(one, X).reshape(own.shape)
        shown = np.empty(advice.shape[1:])
        nothing_kept = np.empty((0, numbers_kept(self.slots, self.columns_of_scores)))
        advise(self.panel, Room.of(self.panel), advice, shown, nothing_kept)
        return level(shown) if self.classes > 2 else shown[:, 0]


def _has_left(before: np.ndarray, recent: np.ndarray, age: int) -> bool:
    """Whether the stream is not where it was, by what was noted before and in the last periods."""
    if not (before[MEASURED] > 0 and recent[MEASURED] > 0):
        return False
    where = [FROM_CENTER, FROM_ZERO]
    moved = recent[where] / recent[MEASURED] - before[where] / before[MEASURED]
    lost, usual = recent[LOSS] / (2 * PERIOD), before[LOSS] / (age - MILESTONES[-1] - 2 * PERIOD)
    return bool(np.abs(moved).max() > FAR and lost > (1 + usual) / 2)


def gamma_of(one: Any) -> float:
    """The gamma of a filter, if its kernel has one."""
    return float(one.kernel.product / 2)


def level(scores: np.ndarray) -> np.ndarray:
    """Scores of which those that rounding cannot tell apart are equal."""
    return leveled(scores, EQUAL_WITHIN * np.maximum(1.0, np.abs(scores)))
