"""Adversaries: what no learner on a budget, and none that tracks a drifting target, can avoid."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from sklearn.exceptions import NotFittedError

from .estimators import KernelClassifier
from .evaluation import prequential
from .parameters import real, whole
from .streams.moving_target import PIECE, ROUNDING, MovingTarget, signs

__all__ = ["Duel", "RandomUnitVectors", "ThresholdLowerBound", "UnitVectors"]


@dataclass(frozen=True, eq=False)
class Duel:
    """What an adversary presented to a learner, and how both did.

    Attributes
    ----------
    X : ndarray of shape (n_rounds, n_features)
    y : ndarray of int
        The labels, -1 or +1.
    mistakes : ndarray of bool
        The rounds that the learner lost.
    scores : ndarray of float
        The learner's, before it learned the round's label.
    competitor : ndarray of shape (n_features,)
        A fixed linear classifier u.
    """

    X: np.ndarray
    y: np.ndarray
    mistakes: np.ndarray
    scores: np.ndarray
    competitor: np.ndarray

    @property
    def competitor_norm(self) -> float:
        """|u|."""
        return float(np.linalg.norm(self.competitor))

    @property
    def competitor_losses(self) -> np.ndarray:
        """The competitor's hinge losses, max(0, 1 - y <u, x>)."""
        losses: np.ndarray = np.maximum(0, 1 - self.y * (self.X @ self.competitor))
        return losses

    def __len__(self) -> int:
        return len(self.y)

    def __repr__(self) -> str:
        return (
            f"Duel({len(self)} rounds, {self.mistakes.sum()} mistakes, competitor of norm "
            f"{self.competitor_norm:.3g} with loss {self.competitor_losses.sum():g})"
        )


@dataclass(frozen=True)
class UnitVectors:
    """The adversary that makes a learner on a budget err in every round.

    Of the B + 1 unit vectors, one at least is orthogonal to the B supports of a learner with a
    linear kernel. Its score is zero, and the label is -1. The vector u = -(1, ..., 1) of norm
    sqrt(B + 1) has no hinge loss at all; so a learner can be compared with shorter ones only.

    Parameters
    ----------
    budget : int
        B, the learner's.

    Examples
    --------
    >>> from budgetron import Perceptron, RandomizedBudgetPerceptron
    >>> from budgetron.adversaries import UnitVectors
    >>> UnitVectors(8).play(RandomizedBudgetPerceptron(budget=8, kernel="linear"), rounds=100)
    Duel(100 rounds, 100 mistakes, competitor of norm 3 with loss 0)
    >>> UnitVectors(8).play(Perceptron(kernel="linear"), rounds=100)
    Duel(9 rounds, 9 mistakes, competitor of norm 3 with loss 0)

    References
    ----------
    O. Dekel, S. Shalev-Shwartz and Y. Singer, "The Forgetron: a kernel-based Perceptron on a fixed
    budget", NIPS 2005, Section 2.
    """

    budget: int

    def __post_init__(self) -> None:
        whole("budget", self.budget, least=1)

    def play(self, learner: KernelClassifier, rounds: int) -> Duel:
        """Present vectors that the learner does not predict -1, as long as there is one.

        Parameters
        ----------
        learner : a learner of this package
            With a linear kernel; it has learned the rounds afterwards.
        rounds : int
            The largest number of rounds.

        Returns
        -------
        Duel
        """
        vectors = np.eye(self.budget + 1)
        presented: list[int] = []
        traces = []
        for _ in range(whole("rounds", rounds, least=0)):
            open_to_attack = np.flatnonzero(_predictions(learner, vectors) != -1)
            if len(open_to_attack) == 0:
                break
            choice = open_to_attack[0]
            presented.append(choice)
            traces.append(prequential(learner, vectors[[choice]], [-1], classes=[-1, 1]))
        return Duel(
            X=vectors[presented],
            y=np.full(len(presented), -1),
            mistakes=np.array([trace.mistakes[0] for trace in traces], dtype=bool),
            scores=np.array([trace.scores[0] for trace in traces], dtype=float),
            competitor=np.full(self.budget + 1, -1.0),
        )


@dataclass(frozen=True)
class RandomUnitVectors(MovingTarget):
    """Unit vectors at random, that no learner on a budget learns although a line has no loss.

    All B + 1 unit vectors have one common label, which is drawn at the start. With probability
    1 / (B + 1) at least, the next one is orthogonal to the learner's supports; what it then says
    does not depend on what it has seen and is wrong for one of the two labels. So the probability
    of a mistake is at least 1 / (2 (B + 1)) in each round, over the draw of the label too.

    Parameters
    ----------
    budget : int
        B, the learner's.
    random_state : int, default=0

    Examples
    --------
    >>> from budgetron import RandomizedBudgetPerceptron, prequential
    >>> from budgetron.adversaries import RandomUnitVectors
    >>> sample = RandomUnitVectors(budget=4, random_state=4).take(1000)
    >>> learner = RandomizedBudgetPerceptron(budget=4, kernel="linear", random_state=0)
    >>> prequential(learner, sample.X, sample.y, classes=[-1, 1])
    Trace(1000 examples, 207 mistakes, 207 updates, size 4)

    References
    ----------
    G. Cavallanti, N. Cesa-Bianchi and C. Gentile, "Tracking the best hyperplane with a simple
    budget Perceptron", Machine Learning 69 (2007) 143-167, Remark 7.
    """

    budget: int
    random_state: int = 0

    def __post_init__(self) -> None:
        whole("budget", self.budget, least=1)
        whole("random_state", self.random_state, least=0)

    @property
    def competitor(self) -> np.ndarray:
        """The vector +(1, ..., 1) or -(1, ..., 1), which has no hinge loss."""
        label_draw, _ = self._generators(self.random_state, 2)
        return np.full(self.budget + 1, label_draw.choice([-1.0, 1.0]))

    @property
    def competitor_norm(self) -> float:
        """sqrt(B + 1)."""
        return math.sqrt(self.budget + 1)

    @property
    def least_error(self) -> float:
        """The probability of a mistake is at least this in each round."""
        return 1 / (2 * (self.budget + 1))

    def _pieces(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        _, choices = self._generators(self.random_state, 2)
        vectors = np.eye(self.budget + 1)
        targets = np.tile(self.competitor, (PIECE, 1))
        while True:
            X = vectors[choices.integers(self.budget + 1, size=PIECE)]
            yield X, targets[:, 0].astype(int), targets


@dataclass(frozen=True)
class ThresholdLowerBound(MovingTarget):
    """A threshold that drifts or stays, so that any learner errs of the order sqrt(lambda).

    In each phase of 2n rows, n = floor(1 / sqrt(lambda)), a coin decides whether the threshold
    stays at 1/2, or moves from there by gamma in each row, n times up, and back. The weight
    n lambda is spread evenly over [1/2, 1/2 + n gamma], where alone the two differ, the rest over
    the rest of [0, 1]. The first instance between the two thresholds is a coin to the learner.

    Parameters
    ----------
    drift_rate : float
        lambda in the paper, above 0 and at most 1.
    gamma : float
        Above 0, at most lambda, and such that n gamma is at most 1/2.
    random_state : int, default=0

    Examples
    --------
    >>> from budgetron.adversaries import ThresholdLowerBound
    >>> adversary = ThresholdLowerBound(drift_rate=0.01, gamma=0.01)
    >>> round(adversary.expected_error, 4)
    0.0158
    >>> adversary.take(10_000).shifts
    0

    References
    ----------
    K. Crammer, E. Even-Dar, Y. Mansour and J. Wortman Vaughan, "Regret minimization with concept
    drift", COLT 2010, Theorem 6 and Appendix A.1.
    """

    drift_rate: float
    gamma: float
    random_state: int = 0

    def __post_init__(self) -> None:
        real("drift_rate", self.drift_rate, above=0, most=1)
        real("gamma", self.gamma, above=0, most=self.drift_rate)
        if self.climb * self.gamma > 0.5:
            raise ValueError(
                f"gamma must be at most 1/{2 * self.climb}, so that the threshold stays below 1;"
                f" got {self.gamma!r}"
            )
        whole("random_state", self.random_state, least=0)

    @property
    def climb(self) -> int:
        """n, the number of rows in which the threshold rises; a phase is twice as long."""
        return math.floor(1 / math.sqrt(self.drift_rate))

    @property
    def near(self) -> float:
        """gamma, and a hair for rounding."""
        return self.gamma + ROUNDING

    @property
    def expected_error(self) -> float:
        """(1 - 1/e) sqrt(lambda) / 4: no learner's expected error is lower."""
        return (1 - 1 / math.e) * math.sqrt(self.drift_rate) / 4

    def _pieces(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        coins, sides, places = self._generators(self.random_state, 3)
        n, rows = self.climb, 2 * self.climb
        # 1, ..., n, n, ..., 1: the two halves are alike, as in the product of the proof
        hill = np.concatenate([np.arange(1, n + 1), np.arange(n, 0, -1)])
        phases = max(1, PIECE // rows)
        disputed = n * self.gamma
        while True:
            moving = coins.integers(2, size=phases)
            thresholds = 0.5 + self.gamma * np.outer(moving, hill).ravel()
            inside = sides.random(rows * phases) < n * self.drift_rate
            place = places.random(rows * phases)
            rest = (1 - disputed) * place
            x = np.where(inside, 0.5 + disputed * place, rest + disputed * (rest >= 0.5))
            yield x[:, None], signs(x >= thresholds), thresholds


def _predictions(learner: KernelClassifier, X: np.ndarray) -> np.ndarray:
    try:
        return learner.predict(X)
    except NotFittedError:
        return np.ones(len(X))
