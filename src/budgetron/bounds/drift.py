"""Regret and error where the target drifts.

K. Crammer, Y. Mansour, E. Even-Dar and J. Wortman Vaughan, "Regret minimization with concept
drift", COLT 2010. Functions that are near each other disagree with probability at most lambda (the
drift rate); the target moves to a near one in every round but K.

The paper counts a sequence as K-shift legal if T - K of its T - 1 steps are near, which none is for
K = 0; here all but K of them are.
"""

from __future__ import annotations

from math import ceil, e, expm1, inf, log, pi, sqrt

from ..parameters import real, whole
from .bound import Assumption, Bound, at_most, require

__all__ = [
    "drift_cost",
    "experts_loss",
    "hedge_rate",
    "hyperplane_error",
    "hyperplane_eta",
    "realizable_restart_length",
    "restart_length",
    "restarting_loss",
    "restarting_regret",
    "threshold_error",
    "unavoidable_threshold_error",
]

COVER = 10
"""The constant c of Lemma 8: c <= 10 is what its proof gives."""


def drift_cost(length: int, drift_rate: float) -> Bound:
    """Over l rounds without a shift the first target costs at most l (l - 1) lambda/2 more.

    More than the sequence of targets, in expectation. As printed it is (l - 1)^2 lambda/2, which
    is false for l = 2: two functions that disagree with probability lambda cost lambda.

    Parameters
    ----------
    length : int
        l, at least 1.
    drift_rate : float
        lambda.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import drift
    >>> drift.drift_cost(length=2, drift_rate=0.1)
    Bound(0.1, 'Concept drift, Lemma 2')
    """
    length, drift_rate = whole("length", length, least=1), _rate(drift_rate)
    return Bound(length * (length - 1) / 2 * drift_rate, "Concept drift, Lemma 2", ())


def restarting_regret(
    horizon: int, shifts: int, experts: int, drift_rate: float, restart_every: int
) -> Bound:
    """Total regret <= ceil(T/m) (sqrt(m ln(N)/2) + m (m-1) lambda/2) + K m, whatever the labels.

    For exponential weights with rate sqrt(8 ln(N)/m), started afresh every m rounds; in
    expectation. The sequence that the learner is compared with has to be chosen before the
    examples are drawn. As printed it is the best in retrospect, and that is false: let f_0 be +1,
    and f_i = f_0 but on the i-th of 2/lambda intervals of probability lambda/2. All are near each
    other, and for labels that are coin flips one of them is right in every round.

    Parameters
    ----------
    horizon : int
        T, the number of rounds.
    shifts : int
        K, the rounds after which the target is not near the one before.
    experts : int
        N.
    drift_rate : float
        lambda.
    restart_every : int
        m; see `restart_length`.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import drift
    >>> m = drift.restart_length(experts=100, drift_rate=1e-4)
    >>> m, round(drift.restarting_regret(10**6, 5, 100, 1e-4, restart_every=m) / 10**6, 3)
    (773, 0.097)
    """
    horizon, shifts, experts, m = _runs(horizon, shifts, experts, restart_every)
    each = sqrt(m * log(experts) / 2) + drift_cost(m, drift_rate)
    return Bound(ceil(horizon / m) * each + shifts * m, "Concept drift, Theorem 3", ())


def restarting_loss(
    horizon: int, shifts: int, experts: int, drift_rate: float, restart_every: int
) -> Bound:
    """Total loss <= ceil(T/m) (L + sqrt(2 L ln N) + ln N) + K m, if one expert is always right.

    Here L = m (m-1) lambda/2 is what the best expert of a period without a shift is expected to
    lose at most, and Hedge with the rate of `hedge_rate` starts afresh every m rounds.

    Parameters
    ----------
    horizon, shifts, experts, drift_rate, restart_every
        As in `restarting_regret`.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import drift
    >>> m = drift.realizable_restart_length(experts=100, drift_rate=1e-4)
    >>> m, round(drift.restarting_loss(10**6, 5, 100, 1e-4, restart_every=m) / 10**6, 3)
    (215, 0.055)
    """
    horizon, shifts, experts, m = _runs(horizon, shifts, experts, restart_every)
    L, N = drift_cost(m, drift_rate), log(experts)
    each = L + sqrt(2 * L * N) + N
    return Bound(ceil(horizon / m) * each + shifts * m, "Concept drift, Theorem 4", ())


def experts_loss(
    best_loss: float, horizon: int, experts: int, restart_every: int, rate: float
) -> Bound:
    """Loss <= min((eta L + n ln N)/(1 - e^-eta), L + n ln(N)/eta + eta T/8), whatever happens.

    What both theorems start from: exponential weights with rate eta, started afresh every m
    rounds, n = ceil(T/m) times. In expectation over the learner's own draws alone.

    Parameters
    ----------
    best_loss : float
        L, the loss of the best expert of each period, summed over the periods.
    horizon : int
        T, the number of rounds.
    experts : int
        N.
    restart_every : int
        m.
    rate : float
        eta, above 0; or 0, if N = 1.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import drift
    >>> round(drift.experts_loss(20, 1000, experts=10, restart_every=100, rate=1.1), 1)
    67.5
    """
    horizon, _, experts, m = _runs(horizon, 0, experts, restart_every)
    L, eta = real("best_loss", best_loss, least=0), real("rate", rate, least=0)
    start, theorem = ceil(horizon / m) * log(experts), "Concept drift, Section 4"
    if eta == 0:
        single = Assumption("there is one expert if the rate is 0", experts == 1, f"N is {experts}")
        return Bound(L, theorem, require(theorem, single))
    value = min((eta * L + start) / -expm1(-eta), L + start / eta + eta * horizon / 8)
    return Bound(value, theorem, ())


def hedge_rate(restart_every: int, experts: int, drift_rate: float) -> float:
    """The rate ln(1 + sqrt(2 ln(N)/L)) for which `restarting_loss` holds.

    Parameters
    ----------
    restart_every : int
        m.
    experts : int
        N.
    drift_rate : float
        lambda.

    Returns
    -------
    float
        Infinite if L = 0: an expert that errs once is out.

    Examples
    --------
    >>> from budgetron.bounds import drift
    >>> round(drift.hedge_rate(restart_every=215, experts=100, drift_rate=1e-4), 3)
    1.099
    """
    L = drift_cost(restart_every, drift_rate)
    return log(1 + sqrt(2 * log(whole("experts", experts, least=1)) / L)) if L > 0 else inf


def restart_length(experts: int, drift_rate: float) -> int:
    """The m = (ln N)^(1/3) lambda^(-2/3) of Theorem 3.

    Parameters
    ----------
    experts : int
        N.
    drift_rate : float
        lambda, above 0.

    Returns
    -------
    int

    Examples
    --------
    >>> from budgetron.bounds import drift
    >>> drift.restart_length(experts=100, drift_rate=1e-4)
    773
    """
    logarithm = log(whole("experts", experts, least=1))
    return max(1, ceil(logarithm ** (1 / 3) * real("drift_rate", drift_rate, above=0) ** (-2 / 3)))


def realizable_restart_length(experts: int, drift_rate: float) -> int:
    """The m = sqrt(ln(N)/lambda) of Theorem 4.

    Parameters
    ----------
    experts : int
        N.
    drift_rate : float
        lambda, above 0.

    Returns
    -------
    int

    Examples
    --------
    >>> from budgetron.bounds import drift
    >>> drift.realizable_restart_length(experts=100, drift_rate=1e-4)
    215
    """
    logarithm = log(whole("experts", experts, least=1))
    return max(1, ceil(sqrt(logarithm / real("drift_rate", drift_rate, above=0))))


def threshold_error(horizon: int, shifts: int, drift_rate: float, gamma: float) -> Bound:
    """Average error <= K/T + sqrt(2 (K+1) lambda/(T gamma)) + sqrt(5 lambda).

    In expectation, for the drifting threshold on [0, 1] with labels from the target.

    Parameters
    ----------
    horizon : int
        T, the number of rounds.
    shifts : int
        K, the rounds after which the threshold moves by more than gamma.
    drift_rate : float
        lambda: no interval of width gamma has a larger probability.
    gamma : float
        How far a threshold drifts in one round, at most lambda.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import drift
    >>> round(drift.threshold_error(10**6, shifts=0, drift_rate=0.001, gamma=0.001), 4)
    0.0721
    """
    horizon, shifts = whole("horizon", horizon, least=1), whole("shifts", shifts, least=0)
    drift_rate, gamma = _rate(drift_rate), real("gamma", gamma, above=0)
    theorem = "Concept drift, Theorem 5"
    checked = require(theorem, at_most("gamma <= lambda", gamma, drift_rate))
    start = sqrt(2 * (shifts + 1) * drift_rate / (horizon * gamma))
    return Bound(shifts / horizon + start + sqrt(5 * drift_rate), theorem, checked)


def unavoidable_threshold_error(drift_rate: float) -> Bound:
    """Any learner of drifting thresholds can be made to err at a rate of (1 - 1/e) sqrt(lambda)/4.

    A lower bound, without any shift and with labels from the target.

    Parameters
    ----------
    drift_rate : float
        lambda, at most 1/4: the proof moves the threshold from 1/2 by gamma/sqrt(lambda), and
        stays within [0, 1] for every gamma <= lambda only then.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import drift
    >>> round(drift.unavoidable_threshold_error(drift_rate=0.01), 4)
    0.0158
    """
    drift_rate = _rate(drift_rate)
    theorem = "Concept drift, Theorem 6"
    checked = require(theorem, at_most("lambda <= 1/4", drift_rate, 0.25))
    return Bound((1 - 1 / e) * sqrt(drift_rate) / 4, theorem, checked)


def hyperplane_error(
    horizon: int, shifts: int, drift_rate: float, gamma: float, dimension: int, eta: float
) -> Bound:
    """Average error <= (1 + 2 pi (K+1)/(T gamma) + eta^2/(2 d)) lambda d/(q eta^2) + 2 q.

    With q = 10 eta lambda/gamma + 2 lambda, and (K+1)/T more if K > 0. In expectation, for the
    Modified Perceptron on unit vectors with labels from the target, if the rounds of the shifts
    are chosen in advance. It says something only for large T and tiny gamma: with d = 2 and
    gamma = lambda it can be below 1 from about T = 10^5 on, and up to about gamma = 6 10^-5.

    Parameters
    ----------
    horizon : int
        T, the number of rounds.
    shifts : int
        K, the rounds after which the target turns by more than gamma.
    drift_rate : float
        lambda: hyperplanes with an angle of at most gamma disagree with at most this probability.
    gamma : float
        The angle by which a target drifts in one round, at most lambda.
    dimension : int
        d.
    eta : float
        Any number between 0 and 1/2; see `hyperplane_eta`.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import drift
    >>> round(drift.hyperplane_error(10**6, 0, 1e-5, 1e-5, dimension=2, eta=0.03), 3)
    0.721
    """
    horizon, shifts = whole("horizon", horizon, least=1), whole("shifts", shifts, least=0)
    drift_rate, gamma = _rate(drift_rate), real("gamma", gamma, above=0)
    d, eta = whole("dimension", dimension, least=1), real("eta", eta)
    theorem = "Concept drift, Theorem 10"
    checked = require(
        theorem,
        at_most("gamma <= lambda", gamma, drift_rate),
        Assumption("0 < eta < 1/2", 0 < eta < 0.5, f"it is {eta:.6g}"),
    )
    q = COVER * eta * drift_rate / gamma + 2 * drift_rate
    start = 2 * pi * (shifts + 1) / (horizon * gamma)
    value = (1 + start + eta**2 / (2 * d)) * drift_rate * d / (q * eta**2) + 2 * q
    return Bound(value + ((shifts + 1) / horizon if shifts else 0), theorem, checked)


def hyperplane_eta(drift_rate: float, gamma: float, dimension: int) -> float:
    """The eta = (d/lambda)^(1/4) gamma^(1/2) that the paper recommends for Theorem 10.

    Parameters
    ----------
    drift_rate : float
        lambda, above 0.
    gamma : float
        The angle by which a target drifts in one round.
    dimension : int
        d.

    Returns
    -------
    float
        Of the right order only: a smaller one often gives a better bound, and sometimes the only
        one below 1.

    Examples
    --------
    >>> from budgetron.bounds import drift
    >>> round(drift.hyperplane_eta(drift_rate=1e-5, gamma=1e-5, dimension=2), 4)
    0.0669
    """
    d, gamma = whole("dimension", dimension, least=1), real("gamma", gamma, above=0)
    return float((d / real("drift_rate", drift_rate, above=0)) ** 0.25 * sqrt(gamma))


def _runs(horizon: int, shifts: int, experts: int, restart_every: int) -> tuple[int, int, int, int]:
    return (
        whole("horizon", horizon, least=1),
        whole("shifts", shifts, least=0),
        whole("experts", experts, least=1),
        whole("restart_every", restart_every, least=1),
    )


def _rate(drift_rate: float) -> float:
    drift_rate = real("drift_rate", drift_rate, least=0)
    if drift_rate > 1:
        raise ValueError(f"drift_rate must be a probability, got {drift_rate!r}")
    return drift_rate
