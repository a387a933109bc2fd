"""Mistakes of the second-order Perceptrons and of the whitened Perceptron.

N. Cesa-Bianchi, A. Conconi and C. Gentile, "A second-order Perceptron algorithm", SIAM Journal on
Computing 34 (2005) 640-668.

The paper's competitor is a unit vector u with a margin gamma. Here it is g = u/gamma, as in the
other papers: then |g| = 1/gamma, D_gamma/gamma is the sum of the hinge losses max(0, 1 - y g(x)),
and lambda_u/gamma^2 is the sum of g(x)^2. The linear kernel gives the theorems as printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log, sqrt

import numpy as np

from ..parameters import real, whole
from .bound import Assumption, Bound, at_most, require
from .competitor import Competitor

__all__ = [
    "adaptive_mistakes",
    "log_determinant",
    "mistakes",
    "pseudoinverse_mistakes",
    "recommended_a",
    "smallest_eigenvalue",
    "whitened_mistakes",
]

RANK_TOLERANCE = 1e-10
"""Eigenvalues below this part of the largest are taken for 0."""


def whitened_mistakes(squared_scores: float, largest_leverage: float, margin: float = 1.0) -> Bound:
    """M <= max_t (x_t M^-1 x_t) (u M u) / gamma^2, if y u.x >= gamma > 0 on the whole stream.

    Parameters
    ----------
    squared_scores : float
        u M u, the sum of (u.x_t)^2 over all rounds, where M is the sum of all x_t x_t^T.
    largest_leverage : float
        The largest x_t M^-1 x_t (with the pseudoinverse where M has none), at most 1.
    margin : float
        gamma, the smallest y_t u.x_t, for a u of any norm.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import second_order
    >>> second_order.whitened_mistakes(squared_scores=100, largest_leverage=0.25)
    Bound(25.0, 'Second-order Perceptron, Eq. (2.1)')
    """
    squared_scores = real("squared_scores", squared_scores, least=0)
    largest_leverage = real("largest_leverage", largest_leverage, least=0)
    margin = real("margin", margin)
    theorem = "Second-order Perceptron, Eq. (2.1)"
    separable = Assumption("y u.x > 0 for all examples", margin > 0, f"it is {margin:.6g} for one")
    checked = require(theorem, separable)
    return Bound(largest_leverage * squared_scores / margin**2, theorem, checked)


def mistakes(
    norm: float,
    hinge_loss: float,
    squared_scores: float,
    log_determinant: float,
    a: float,
) -> Bound:
    """M <= D + sqrt((a |g|^2 + sum g(x_t)^2) sum_i ln(1 + lambda_i/a)) for any g.

    Parameters
    ----------
    norm : float
        |g|; 1/gamma in the paper.
    hinge_loss : float
        D, the sum of g's hinge losses over the rounds with a mistake (or over all).
    squared_scores : float
        The sum of g(x_t)^2 over the rounds with a mistake.
    log_determinant : float
        The sum of ln(1 + lambda_i/a) over the eigenvalues of the kernel matrix of the mistaken
        instances; see `log_determinant`.
    a : float
        The learner's parameter, above 0.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import second_order
    >>> determinant = second_order.log_determinant([1] * 100, a=1)
    >>> bound = second_order.mistakes(10, 0, squared_scores=100, log_determinant=determinant, a=1)
    >>> bound.theorem, round(bound, 1)
    ('Second-order Perceptron, Theorem 3.1 and Corollary 3.4', 117.7)
    """
    norm, hinge_loss, squared_scores = _competitor(norm, hinge_loss, squared_scores)
    a = real("a", a, above=0)
    warped = (a * norm**2 + squared_scores) * real("log_determinant", log_determinant, least=0)
    theorem = "Second-order Perceptron, Theorem 3.1 and Corollary 3.4"
    return Bound(hinge_loss + sqrt(warped), theorem, ())


def adaptive_mistakes(
    norm: float,
    hinge_loss: float,
    squared_scores: float,
    log_determinant: float,
    mistakes: int,
    c: float,
    learner_radius: float = 1.0,
    radius: float = 1.0,
) -> Bound:
    """M <= D + sqrt((a_M |g|^2 + sum g(x_t)^2) (B + sum_i ln(1 + lambda_i/a_M))), a_M = c R^2 M.

    Here B = (1/c) ln((M + 1/c)/(1 + 1/c)). The theorem is implicit in M, so that it takes the
    run's own number of mistakes: it says which M are possible.

    Parameters
    ----------
    norm : float
        |g|; 1/gamma in the paper.
    hinge_loss : float
        D, the sum of g's hinge losses over the rounds with a mistake (or over all).
    squared_scores : float
        The sum of g(x_t)^2 over the rounds with a mistake.
    log_determinant : float
        The sum of ln(1 + lambda_i/a_M); see `log_determinant`.
    mistakes : int
        M, at least 1; those on x = 0, which change nothing, may be left out.
    c, learner_radius : float
        The learner's parameters c and R, above 0.
    radius : float
        The largest sqrt(k(x, x)) of the stream, at most R.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import second_order
    >>> bound = second_order.adaptive_mistakes(
    ...     10, 0, 100, second_order.log_determinant([1] * 100, a=100), mistakes=100, c=1
    ... )
    >>> round(bound, 1)
    222.8
    """
    norm, hinge_loss, squared_scores = _competitor(norm, hinge_loss, squared_scores)
    mistakes, c = whole("mistakes", mistakes, least=1), real("c", c, above=0)
    R = real("learner_radius", learner_radius, above=0)
    theorem = "Second-order Perceptron, Theorem 4.1"
    checked = require(theorem, at_most("|x| <= R", real("radius", radius, least=0), R))
    a = c * R**2 * mistakes
    B = log((mistakes + 1 / c) / (1 + 1 / c)) / c
    warped = (a * norm**2 + squared_scores) * (
        B + real("log_determinant", log_determinant, least=0)
    )
    return Bound(hinge_loss + sqrt(warped), theorem, checked)


def pseudoinverse_mistakes(
    hinge_loss: float,
    squared_scores: float,
    rank: int,
    smallest_eigenvalue: float,
    mistakes: int,
    radius: float = 1.0,
) -> Bound:
    """M <= D + sqrt(sum g(x_t)^2 (r + r (r+1)/2 ln(1 + 2 R^2 M/(lambda* r (r+1))))) for any g.

    The theorem is implicit in M, so that it takes the run's own number of mistakes.

    Parameters
    ----------
    hinge_loss : float
        D, the sum of g's hinge losses over the rounds with a mistake (or over all).
    squared_scores : float
        The sum of g(x_t)^2 over the rounds with a mistake.
    rank : int
        r, the rank of the mistaken instances, at least 1.
    smallest_eigenvalue : float
        lambda*, above 0; see `smallest_eigenvalue`.
    mistakes : int
        M, at least 1; those on x = 0, which change nothing, may be left out.
    radius : float
        R, the largest sqrt(k(x, x)).

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import second_order
    >>> bound = second_order.pseudoinverse_mistakes(
    ...     0, squared_scores=50, rank=2, smallest_eigenvalue=1, mistakes=9
    ... )
    >>> round(bound, 2)
    17.55
    """
    hinge_loss = real("hinge_loss", hinge_loss, least=0)
    squared_scores = real("squared_scores", squared_scores, least=0)
    r, mistakes = whole("rank", rank, least=1), whole("mistakes", mistakes, least=1)
    lowest = real("smallest_eigenvalue", smallest_eigenvalue, above=0)
    radius = real("radius", radius, least=0)
    theorem = "Second-order Perceptron, Theorem 4.2"
    checked = require(theorem, at_most("rank <= M", r, mistakes))
    pairs = r * (r + 1) / 2
    warped = r + pairs * log(1 + radius**2 * mistakes / (lowest * pairs))
    return Bound(hinge_loss + sqrt(squared_scores * warped), theorem, checked)


def log_determinant(eigenvalues: Sequence[float] | np.ndarray, a: float) -> float:
    """The sum of ln(1 + lambda/a): the logarithm of the determinant of I + K/a.

    Parameters
    ----------
    eigenvalues : array of float
        lambda_i, of the kernel matrix K of the mistaken instances. Zeros do not matter, and those
        that rounding has made negative are taken for zeros.
    a : float
        Above 0.

    Returns
    -------
    float

    Examples
    --------
    >>> from budgetron.bounds import second_order
    >>> round(second_order.log_determinant([1, 1, 0], a=1), 3)  # 2 ln 2
    1.386
    """
    return float(np.log1p(np.maximum(eigenvalues, 0) / real("a", a, above=0)).sum())


def recommended_a(squared_scores: float, mean_eigenvalue: float) -> float:
    """Lemma 3.2's a = r lambda/(r - 2 lambda), with which the bound is below the Perceptron's.

    For eigenvalues that are all equal, the least favourable; others allow a smaller bound.

    Parameters
    ----------
    squared_scores : float
        lambda_u, the sum of (u.x_t)^2 over the rounds with a mistake for a unit vector u.
    mean_eigenvalue : float
        r = R^2 M/n: n eigenvalues that sum to R^2 M; above 0.

    Returns
    -------
    float
        Infinite if lambda_u >= r/2: no a is better than the Perceptron, which is its limit.

    Examples
    --------
    >>> from budgetron.bounds import second_order
    >>> second_order.recommended_a(squared_scores=1, mean_eigenvalue=4)
    2.0
    """
    squared_scores = real("squared_scores", squared_scores, least=0)
    r = real("mean_eigenvalue", mean_eigenvalue, above=0)
    return r * squared_scores / (r - 2 * squared_scores) if 2 * squared_scores < r else inf


def smallest_eigenvalue(gram: np.ndarray) -> float:
    """lambda* of Theorem 4.2: the smallest positive eigenvalue after any of the mistakes.

    Parameters
    ----------
    gram : array of shape (mistakes, mistakes)
        k(x_i, x_j) of the mistaken instances, in their order.

    Returns
    -------
    float
        Infinite if there is none.

    Examples
    --------
    >>> import numpy as np
    >>> from budgetron.bounds import second_order
    >>> second_order.smallest_eigenvalue(np.diag([4.0, 0.25, 1.0]))
    0.25
    """
    lowest = inf
    for k in range(1, len(gram) + 1):
        values = np.linalg.eigvalsh(gram[:k, :k])
        lowest = min(lowest, values[values > RANK_TOLERANCE * values[-1]].min(initial=inf))
    return float(lowest)


def _competitor(
    norm: float, hinge_loss: float, squared_scores: float
) -> tuple[float, float, float]:
    norm, hinge_loss, _ = Competitor.measured(norm, hinge_loss, radius=0)
    return norm, hinge_loss, real("squared_scores", squared_scores, least=0)
