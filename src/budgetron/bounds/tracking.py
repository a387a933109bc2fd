"""The Shifting Perceptron and the Randomized Budget Perceptron, against competitors that move.

G. Cavallanti, N. Cesa-Bianchi and C. Gentile, "Tracking the best hyperplane with a simple budget
Perceptron", Machine Learning 69 (2007) 143-167.

The competitor is a sequence u_1, u_2, ..., one for each round. The paper has |x| = 1; both learners
make the same mistakes on x and on x/R, so that any stream with k(x, x) <= R^2 will do.
"""

from __future__ import annotations

from math import ceil, e, log, sqrt

from ..parameters import real, whole
from .bound import Assumption, Bound, at_most, below, require
from .competitor import Competitor

__all__ = [
    "largest_epsilon",
    "randomized_budget",
    "randomized_mistakes",
    "randomized_norm",
    "randomized_squared_norm",
    "recommended_decay",
    "shifting_mistakes",
    "shifting_norm",
    "tuned_shifting_mistakes",
    "unavoidable_error",
]


def shifting_norm(mistakes: int, decay: float, radius: float = 1.0) -> Bound:
    """After k mistakes the Shifting Perceptron has |w| <= e R sqrt((lambda+k+1)/(2 lambda+1)).

    Parameters
    ----------
    mistakes : int
        k.
    decay : float
        lambda, the learner's parameter, at least 0.
    radius : float
        R, the largest sqrt(k(x, x)).

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import tracking
    >>> round(tracking.shifting_norm(mistakes=8, decay=0), 3)
    8.155
    """
    mistakes = whole("mistakes", mistakes, least=0)
    decay, radius = real("decay", decay, least=0), real("radius", radius, least=0)
    value = e * radius * sqrt((decay + mistakes + 1) / (2 * decay + 1))
    return Bound(value, "Tracking the best hyperplane, Lemma 1", ())


def shifting_mistakes(
    norm: float, hinge_loss: float, total_shift: float, decay: float, radius: float = 1.0
) -> Bound:
    """M <= D + K^2 + K sqrt(D + lambda + 1), K = e (S + (4 lambda + 1) U) / sqrt(2 lambda + 1).

    It holds for every decay; decay 0 is the Perceptron.

    Parameters
    ----------
    norm : float
        U, the largest |u_t|.
    hinge_loss : float
        D, the sum of the hinge losses of u_t in round t over the rounds with a mistake (or all).
    total_shift : float
        S, the sum of |u_t - u_s| over consecutive mistaken rounds s < t (or over all rounds). The
        paper numbers the competitors from 0 and its rounds from 1; here round t has the t-th.
    decay : float
        lambda, the learner's parameter, at least 0.
    radius : float
        R, the largest sqrt(k(x, x)), in units of which U is measured.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import tracking
    >>> round(tracking.shifting_mistakes(norm=2, hinge_loss=0, total_shift=4, decay=0.5), 1)
    393.0
    """
    competitor = Competitor.measured(norm, hinge_loss, radius)
    total_shift = real("total_shift", total_shift, least=0)
    decay = real("decay", decay, least=0)
    U, D, S = radius * competitor.norm, competitor.hinge_loss, radius * total_shift
    K = e * (S + (4 * decay + 1) * U) / sqrt(2 * decay + 1)
    value = D + K**2 + K * sqrt(D + decay + 1)
    return Bound(value, "Tracking the best hyperplane, Theorem 2, Eq. (5)", ())


def tuned_shifting_mistakes(
    norm: float, hinge_loss: float, total_shift: float, decay: float, radius: float = 1.0
) -> Bound:
    """M <= D + e sqrt((8 S U + U^2) D) + e^2 (8 S U + U^2) + e (2 S + 3 U) for decay S/(4 U).

    S and U may be any upper bounds, as long as the decay is S/(4 U) for these.

    Parameters
    ----------
    norm, hinge_loss, total_shift, decay, radius : float
        As in `shifting_mistakes`.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import tracking
    >>> decay = tracking.recommended_decay(norm=2, total_shift=4)
    >>> bound = tracking.tuned_shifting_mistakes(2, hinge_loss=0, total_shift=4, decay=decay)
    >>> round(bound, 1)
    540.5
    """
    competitor = Competitor.measured(norm, hinge_loss, radius)
    total_shift = real("total_shift", total_shift, least=0)
    decay = real("decay", decay, least=0)
    theorem = "Tracking the best hyperplane, Theorem 2, Eq. (6)"
    wanted = recommended_decay(norm, total_shift)
    checked = require(theorem, at_most("decay = S/(4 U)", abs(decay - wanted), 1e-9 * (1 + wanted)))
    U, D, S = radius * competitor.norm, competitor.hinge_loss, radius * total_shift
    Q = 8 * S * U + U**2
    return Bound(D + e * sqrt(Q * D) + e**2 * Q + e * (2 * S + 3 * U), theorem, checked)


def recommended_decay(norm: float, total_shift: float) -> float:
    """The decay S/(4 U) of Theorem 2, whatever the radius.

    It makes Eq. (6) hold; another one may make Eq. (5) smaller.

    Parameters
    ----------
    norm : float
        U, the largest |u_t|, above 0.
    total_shift : float
        S, the sum of |u_t - u_s| over consecutive rounds s < t.

    Returns
    -------
    float

    Examples
    --------
    >>> from budgetron.bounds import tracking
    >>> tracking.recommended_decay(norm=2, total_shift=4)
    0.5
    """
    return real("total_shift", total_shift, least=0) / (4 * real("norm", norm, above=0))


def randomized_squared_norm(
    mistakes: int, squared_norm: float, budget: int, radius: float = 1.0
) -> Bound:
    """E|w_{k+1}|^2 <= (k + 1) R^2 while the budget fills, then (1 - 2/B) |w_k|^2 + 2 R^2.

    The expectation is over the next victim alone, given the run so far.

    Parameters
    ----------
    mistakes : int
        k, the mistakes before this one.
    squared_norm : float
        |w_k|^2.
    budget : int
        B, at least 2.
    radius : float
        R, the largest sqrt(k(x, x)).

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import tracking
    >>> tracking.randomized_squared_norm(mistakes=50, squared_norm=20, budget=10)
    Bound(18.0, 'Tracking the best hyperplane, Lemma 3')
    """
    mistakes = whole("mistakes", mistakes, least=0)
    squared_norm = real("squared_norm", squared_norm, least=0)
    budget, radius = whole("budget", budget, least=1), real("radius", radius, least=0)
    theorem = "Tracking the best hyperplane, Lemma 3"
    checked = require(theorem, _at_least_two(budget))
    if mistakes < budget:
        value = (mistakes + 1) * radius**2
    else:
        value = (1 - 2 / budget) * squared_norm + 2 * radius**2
    return Bound(value, theorem, checked)


def randomized_mistakes(
    norm: float,
    hinge_loss: float,
    budget: int,
    *,
    total_shift: float = 0.0,
    epsilon: float | None = None,
    expected_norm: float | None = None,
    radius: float = 1.0,
) -> Bound:
    """E M <= (E D + S W + U B + U i / sqrt(B)) / epsilon, if U <= (1-epsilon)/(1+epsilon) sqrt(B).

    Here i = (B/2) ln(B/(2 epsilon)), rounded up: the paper's Lemma 4 iterates i times, and leaves
    the ceiling out.

    As printed, W = sqrt(B), because "E|w_t| <= sqrt(B) for all t". That is false: where mistakes
    are made depends on w, so a run can keep a lucky draw and repeat an unlucky one. With budget 2
    and the supports +x and -x, repeating x with label +1 ends in w = 2 x almost surely. What is
    always true is |w_t| <= B, and this is W unless `expected_norm` says better. Without shifts it
    makes no difference. (Remark 6, which is the theorem for epsilon = 1/2, triples the shift.)

    Parameters
    ----------
    norm : float
        U, the largest |u_t|.
    hinge_loss : float
        E D, the expected sum of the hinge losses over the rounds with a mistake (or over all).
    budget : int
        B, at least 2.
    total_shift : float
        S_tot, the sum of |u_t - u_{t-1}| over all rounds.
    epsilon : float, optional
        Between 0 and 1; by default the largest that U allows, which gives the smallest bound.
    expected_norm : float, optional
        W, an upper bound on E|w_t| in the rounds where the competitor shifts; R B by default, and
        R sqrt(B) gives the theorem as printed.
    radius : float
        R, the largest sqrt(k(x, x)), in units of which U is measured.

    Returns
    -------
    Bound
        On the expected number of mistakes, over the learner's own draws.

    Examples
    --------
    >>> from budgetron.bounds import tracking
    >>> round(tracking.randomized_mistakes(norm=3, hinge_loss=10, budget=100), 1)
    702.2
    """
    competitor = Competitor.measured(norm, hinge_loss, radius)
    budget = whole("budget", budget, least=1)
    total_shift = real("total_shift", total_shift, least=0)
    theorem = "Tracking the best hyperplane, Theorem 5"
    U, D = radius * competitor.norm, competitor.hinge_loss
    W = radius * budget if expected_norm is None else real("expected_norm", expected_norm, least=0)
    if epsilon is None:
        require(theorem, _at_least_two(budget), below("U R < sqrt(B)", U, sqrt(budget)))
        epsilon = min(largest_epsilon(U, budget), 1 - 1e-12)
    checked = require(
        theorem,
        _at_least_two(budget),
        Assumption("0 < epsilon < 1", 0 < epsilon < 1, f"it is {epsilon:.6g}"),
        at_most("U R <= (1 - epsilon)/(1 + epsilon) sqrt(B)", U, randomized_norm(budget, epsilon)),
    )
    iterations = ceil(budget / 2 * log(budget / (2 * epsilon)))
    value = (D + total_shift * W + U * budget + U * iterations / sqrt(budget)) / epsilon
    return Bound(value, theorem, checked)


def randomized_norm(budget: int, epsilon: float, radius: float = 1.0) -> float:
    """The largest norm U of a competitor that Theorem 5 allows.

    Parameters
    ----------
    budget : int
        B.
    epsilon : float
        The factor 1/epsilon of the bound; at most 1, where only U = 0 is left.
    radius : float
        R, the largest sqrt(k(x, x)), above 0.

    Returns
    -------
    float

    Examples
    --------
    >>> from budgetron.bounds import tracking
    >>> round(tracking.randomized_norm(budget=900, epsilon=0.5), 9)
    10.0
    """
    budget, radius = whole("budget", budget, least=1), real("radius", radius, above=0)
    epsilon = real("epsilon", epsilon)
    return (1 - epsilon) / (1 + epsilon) * sqrt(budget) / radius


def randomized_budget(norm: float, epsilon: float, radius: float = 1.0) -> int:
    """The smallest budget for which Theorem 5 allows a competitor of this norm.

    Parameters
    ----------
    norm : float
        U, the largest |u_t|.
    epsilon : float
        The factor 1/epsilon of the bound, between 0 and 1.
    radius : float
        R, the largest sqrt(k(x, x)).

    Returns
    -------
    int

    Examples
    --------
    >>> from budgetron.bounds import tracking
    >>> tracking.randomized_budget(norm=10, epsilon=0.5)
    900
    """
    norm, radius = real("norm", norm, least=0), real("radius", radius, least=0)
    epsilon = real("epsilon", epsilon, above=0, below=1)
    needed = (radius * norm * (1 + epsilon) / (1 - epsilon)) ** 2
    return max(2, ceil(needed * (1 - 1e-12)))


def largest_epsilon(norm: float, budget: int, radius: float = 1.0) -> float:
    """The largest epsilon, and so the smallest bound, that Theorem 5 allows for this norm.

    Parameters
    ----------
    norm : float
        U, the largest |u_t|; not positive are the epsilons of norms above sqrt(B)/R.
    budget : int
        B.
    radius : float
        R, the largest sqrt(k(x, x)).

    Returns
    -------
    float

    Examples
    --------
    >>> from budgetron.bounds import tracking
    >>> tracking.largest_epsilon(norm=10, budget=900)
    0.5
    """
    norm, radius = real("norm", norm, least=0), real("radius", radius, least=0)
    root = sqrt(whole("budget", budget, least=1))
    return (root - radius * norm) / (root + radius * norm)


def unavoidable_error(budget: int) -> Bound:
    """On some stream every learner with B supports errs with probability >= 1/(2 (B + 1)).

    In every round, although a competitor of norm sqrt(B + 1) has no hinge loss at all. This is a
    lower bound, for learners that predict +1 with a fixed probability on what is orthogonal to
    their supports.

    Parameters
    ----------
    budget : int
        B.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import tracking
    >>> tracking.unavoidable_error(budget=4)
    Bound(0.1, 'Tracking the best hyperplane, Remark 7')
    """
    budget = whole("budget", budget, least=1)
    return Bound(1 / (2 * (budget + 1)), "Tracking the best hyperplane, Remark 7", ())


def _at_least_two(budget: int) -> Assumption:
    return Assumption("B >= 2", budget >= 2, f"B is {budget}")
