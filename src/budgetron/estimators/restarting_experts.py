"""The experts of a drifting stream as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ..core.hedge import (
    BEST,
    EXPECTED,
    REALIZABLE,
    ROUNDS,
    UNREALIZABLE,
    WRONG,
    follow_the_experts,
    learning_rate,
    restart_length,
    trust,
)
from ..core.kernel import Rows
from ..core.random import generator_state
from ..core.state import EVICTED, SIZE_AFTER, WAS_MISTAKE, WAS_UPDATE
from ..engine import Record
from ..parameters import one_of, real, whole
from .documentation import documented
from .drifting_threshold import DriftingThreshold
from .forgetron import Forgetron
from .kernel_classifier import KernelClassifier, learn_together
from .projectron import ProjectronPlusPlus
from .randomized_budget_perceptron import RandomizedBudgetPerceptron
from .second_order_perceptron import LeastRecentBudgetSecondOrderPerceptron
from .stream_classifier import StreamClassifier, steady

__all__ = ["RestartingExperts"]

DRIFT_RATE = 0.001


@documented
@dataclass(eq=False, repr=False)
class RestartingExperts(StreamClassifier):
    """Follows the best of several experts, even when the best one changes.

    It draws an expert for each example, one that has erred little more likely, and forgets all
    errors from time to time, so that an expert which has become good is soon found. The experts
    may be functions or classifiers that stay as they are, or learners of this package that learn
    on the way; where these have the same kernel, it is evaluated once for all of them.

    Parameters
    ----------
    experts : sequence, default=None
        Each is a function from a matrix of examples to their classes, a fitted classifier with
        `predict`, or a learner of this package that is not fitted. The latter is copied, and the
        copy learns. None for four learners on a budget of 100.
    restart_every : int, default=None
        The number of examples after which all errors are forgotten. None to have it chosen for a
        drift rate.
    drift_rate : float, default=None
        How often neighbouring targets disagree, at most: lambda of the paper. Together with the
        number of experts it gives the length to restart after. None for 0.001; not to be given
        together with `restart_every`.
    setting : {"unrealizable", "realizable"}, default="unrealizable"
        "realizable" if some slowly changing sequence of the experts never errs, which allows to
        restart sooner and to distrust faster (Theorem 4); "unrealizable" otherwise (Theorem 3).
    random_state : int, RandomState or None, default=None
        For the draws, and for experts whose own is None.

    Attributes
    ----------
    classes_ : ndarray
        The two classes; the second is the positive one.
    n_features_in_ : int
    experts_ : list
        The experts, with what they have learned.
    shares_ : ndarray
        The probability of each expert to be followed next.
    restart_every_ : int
    learning_rate_ : float
        An error divides an expert's share by exp(learning_rate_), before they are made to add up.
    n_seen_, n_mistakes_, n_updates_ : int
        Examples seen, drawn predictions that were wrong, and examples on which an expert erred or
        learned.
    expected_loss_ : float
        The mistakes to expect from such draws: the sum of the wrong experts' shares.
    best_experts_loss_ : float
        The mistakes of the best expert of each period between restarts, summed over the periods.

    Notes
    -----
    `prequential` has the drawn predictions and mistakes. Its scores are the votes: the share of
    the experts for `classes_[1]` less that of the others, so that the expected loss of an example
    with label y = +-1 is (1 - y * score) / 2. `predict` follows the majority, and `predict_proba`
    are the probabilities with which a class would be drawn.

    Examples
    --------
    >>> from budgetron import Forgetron, RestartingExperts, prequential
    >>> from budgetron.datasets import load_spam
    >>> spam = load_spam()
    >>> learner = RestartingExperts([Forgetron(budget=b) for b in (30, 100, 300)], random_state=0)
    >>> trace = prequential(learner, spam.X, spam.y)  # drawn predictions
    >>> [expert.n_mistakes_ for expert in learner.experts_], learner.n_mistakes_
    ([404, 243, 193], 239)

    References
    ----------
    K. Crammer, E. Even-Dar, Y. Mansour and J. Wortman Vaughan, "Regret minimization with concept
    drift", COLT 2010, Sec. 4.
    """

    experts: Sequence[Any] | None = None
    restart_every: int | None = None
    drift_rate: float | None = None
    setting: Literal["unrealizable", "realizable"] = "unrealizable"
    random_state: Any = None

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probabilities with which the classes would be drawn.

        Parameters
        ----------
        X : array or CSR matrix of shape (n_examples, n_features)

        Returns
        -------
        ndarray of shape (n_examples, n_classes)
        """
        with self._reading() as still:
            positive = np.clip((1 + still._decision(X)) / 2, 0, 1)
            if len(still.classes_) == 1:
                return np.ones((len(positive), 1))
            return np.column_stack([1 - positive, positive])

    @steady
    def shares_(self) -> np.ndarray:
        """The probability of each expert to be followed next."""
        restart = self.n_seen_ % self.restart_every_ == 0
        shares = np.empty(len(self._losses))
        trust(np.zeros_like(self._losses) if restart else self._losses, self.learning_rate_, shares)
        return shares

    @steady
    def n_seen_(self) -> int:
        """Examples seen."""
        return int(self._tally[ROUNDS])

    @steady
    def n_mistakes_(self) -> int:
        """Drawn predictions that were wrong."""
        return int(self._tally[WRONG])

    @steady
    def expected_loss_(self) -> float:
        """The mistakes to expect from such draws."""
        return float(self._tally[EXPECTED])

    @steady
    def best_experts_loss_(self) -> float:
        """The mistakes of the best expert of each period, summed over the periods."""
        return float(self._tally[BEST] + self._losses.min())

    def _begin(self, X: Rows) -> None:
        setting = one_of("setting", self.setting, (UNREALIZABLE, REALIZABLE))
        given = _default_experts() if self.experts is None else _listed(self.experts)
        self._learning = [_learns_on_the_way(i, expert) for i, expert in enumerate(given)]
        self.experts_ = [
            clone(expert) if learning else expert
            for expert, learning in zip(given, self._learning, strict=True)
        ]
        rate = self._drift_rate()
        if rate is None:
            self.restart_every_ = whole("restart_every", self.restart_every, least=1)
        else:
            self.restart_every_ = restart_length(len(given), rate, setting)
        self.learning_rate_ = learning_rate(len(given), self.restart_every_, rate, setting)
        self._losses, self._tally = np.zeros(len(given)), np.zeros(4)
        self._randomness, self.n_updates_ = generator_state(0), 0
        for learner in self._learners:
            learner.classes_, learner.n_features_in_ = self.classes_, self.n_features_in_
            learner._begin(X)

    def _drift_rate(self) -> float | None:
        """The drift rate to restart for; None if the length itself is given."""
        if self.restart_every is None:
            rate = DRIFT_RATE if self.drift_rate is None else self.drift_rate
            return real("drift_rate", rate, above=0, most=1)
        if self.drift_rate is not None:
            raise ValueError("give restart_every or drift_rate, not both")
        return None

    def _check(self, X: Rows) -> None:
        for learner in self._learners:
            learner._check(X)

    def _longest_step(self, rows: int) -> float:
        return max((learner._longest_step(rows) for learner in self._learners), default=0.0)

    def _draft(self) -> Self:
        draft = super()._draft()
        if self.__sklearn_is_fitted__():
            pairs = zip(self.experts_, self._learning, strict=True)
            draft.experts_ = [expert._draft() if learning else expert for expert, learning in pairs]
            draft._losses, draft._tally = self._losses.copy(), self._tally.copy()
            draft._randomness = self._randomness.copy()
        return draft

    def _seed(self) -> None:
        random = check_random_state(self.random_state)
        self._randomness = generator_state(random.randint(2**31))
        for learner in self._learners:
            if getattr(learner, "random_state", 0) is None:
                learner.set_params(random_state=random.randint(2**31))
            learner._seed()

    def _go_over(self, X: Rows, labels: np.ndarray, record: Record) -> None:
        advice = np.empty((len(labels), len(self.experts_)), np.int8)
        learning = np.array(self._learning)
        for i in np.flatnonzero(~learning):
            advice[:, i] = self._advice(i, X)
        events, scores = _learn_all(self._learners, X, labels)
        signs, is_told = np.copysign(1, labels), ~np.isnan(labels)
        said = np.where(events[:, :, WAS_MISTAKE], -signs, signs)
        advice[:, learning] = np.where(is_told, said, np.where(scores >= 0, 1, -1)).T
        votes, drawn = np.empty(len(labels)), np.empty(len(labels), np.int8)
        follow_the_experts(
            advice,
            labels,
            self.restart_every_,
            self.learning_rate_,
            self._losses,
            np.empty(len(self._losses)),
            self._tally,
            self._randomness,
            votes,
            drawn,
        )
        own = record.events_of(0, len(labels))
        own[:, WAS_MISTAKE] = is_told & (drawn != signs)
        has_erred = is_told & (advice != signs[:, None]).any(1)
        own[:, WAS_UPDATE] = events[:, :, WAS_UPDATE].any(0) | has_erred
        own[:, SIZE_AFTER] = events[:, :, SIZE_AFTER].sum(0)
        own[:, EVICTED] = -1
        self.n_updates_ += int(own[:, WAS_UPDATE].sum())
        record.keep(0, votes)
        if record.chances.shape[1] > 0:
            positive = np.clip((1 + votes) / 2, 0, 1)
            both = np.column_stack([1 - positive, positive])
            record.chances[:] = both[:, -record.chances.shape[1] :]

    def _scores(self, X: Rows) -> np.ndarray:
        votes = np.zeros(X.shape[0])
        for i, share in enumerate(self.shares_):  # in an order that no number of rows changes
            votes += share * self._advice(i, X)
        return votes

    def _advice(self, i: Any, X: Rows) -> np.ndarray:
        """What expert `i`, as it is, says of the examples: -1 or +1."""
        expert = self.experts_[i]
        if self._learning[i]:
            return np.where(expert._scores(X) >= 0, 1, -1)
        said = np.asarray(expert.predict(X) if hasattr(expert, "predict") else expert(X))
        if said.shape != (X.shape[0],):
            raise ValueError(f"expert {i} returned shape {said.shape} for {X.shape[0]} examples")
        positive = said == self.classes_[-1]
        if not np.all(positive | (said == self.classes_[0])):
            raise ValueError(f"expert {i} said something else than the classes {self.classes_}")
        return np.where(positive, 1, -1)

    @property
    def _learners(self) -> list[StreamClassifier]:
        pairs = zip(self.experts_, self._learning, strict=True)
        return [expert for expert, learning in pairs if learning]

    def _decide_which_was_first(self, place: int) -> None:
        super()._decide_which_was_first(place)
        for learner in self._learners:
            learner.classes_ = self.classes_
            learner._add_class(place)

    def _advance(self, X: Rows, codes: np.ndarray, weights: np.ndarray, record: Record) -> None:
        super()._advance(X, codes, weights, record)
        if len(self.classes_) == 2:
            drawn = np.where(record.events[:, WAS_MISTAKE], 1 - codes, codes)
            record.choices[:] = np.where(np.isnan(weights), record.choices, drawn)


def _default_experts() -> list[StreamClassifier]:
    return [
        RandomizedBudgetPerceptron(),
        Forgetron(),
        ProjectronPlusPlus(budget=100),
        LeastRecentBudgetSecondOrderPerceptron(),
    ]


def _listed(experts: Any) -> list[Any]:
    listed = list(experts)
    if not listed:
        raise ValueError("experts must not be empty")
    return listed


def _learns_on_the_way(i: int, expert: Any) -> bool:
    """Whether an expert is a learner that is not fitted, for one that is an expert at all."""
    if isinstance(expert, KernelClassifier | DriftingThreshold) and hasattr(expert, "partial_fit"):
        return not expert.__sklearn_is_fitted__()
    if isinstance(expert, type) or not (hasattr(expert, "predict") or callable(expert)):
        raise TypeError(
            f"expert {i} must be a function, a fitted classifier or a learner of this package,"
            f" got {expert!r}"
        )
    if hasattr(expert, "predict"):
        check_is_fitted(expert)
    return False


def _learn_all(
    learners: list[StreamClassifier], X: Rows, labels: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Let every learner go over the examples; events and scores of each, in the learners' order."""
    records = [Record(len(labels)) for _ in learners]
    pairs = [*zip(learners, records, strict=True)]
    with_kernel = [(one, record) for one, record in pairs if isinstance(one, KernelClassifier)]
    if with_kernel:
        classifiers, own = zip(*with_kernel, strict=True)
        learn_together(classifiers, X, labels, own)
    for one, record in pairs:
        if not isinstance(one, KernelClassifier):
            one._go_over(X, labels, record)
    events = np.array([record.events for record in records]).reshape(-1, len(labels), 4)
    return events, np.array([record.scores for record in records]).reshape(-1, len(labels))
