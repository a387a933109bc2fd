"""Mistakes of the Projectron and the Projectron++.

F. Orabona, J. Keshet and B. Caputo, "The Projectron: a bounded kernel-based Perceptron", ICML 2008.

The paper prints k(x, x) <= R where its bounds have R^2. As printed Theorems 2 and 3 are false for
R < 1: on 100 orthogonal examples with k(x, x) = 1/2 they promise 85.7 and 50 mistakes, and there
are 100. Their proofs need |k(x, .)| <= R, that is, k(x, x) <= R^2.
"""

from __future__ import annotations

from math import inf, sqrt

from ..parameters import real
from .bound import Assumption, Bound, at_most, below, require
from .competitor import Competitor

__all__ = [
    "additive_mistakes",
    "largest_eta",
    "largest_norm",
    "margin_mistakes",
    "margin_progress",
    "mistakes",
    "tuned_eta",
    "tuned_mistakes",
]


def additive_mistakes(norm: float, hinge_loss: float, eta: float, radius: float = 1.0) -> Bound:
    """M <= (|g|^2 + 2 D) / (2 - R^2 - 2 eta |g|), if eta < (2 - R^2) / (2 |g|).

    Parameters
    ----------
    norm : float
        |g|.
    hinge_loss : float
        D, the sum of g's hinge losses over the rounds with a mistake (or over all).
    eta : float
        The distance up to which mistakes are projected; a cap on the budget must not be reached.
    radius : float
        R, the largest sqrt(k(x, x)); not k(x, x) <= R, as printed.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import projectron
    >>> projectron.additive_mistakes(norm=2, hinge_loss=3, eta=0.125)
    Bound(20.0, 'Projectron, Theorem 2')
    """
    norm, hinge_loss, radius = Competitor.measured(norm, hinge_loss, radius)
    eta = real("eta", eta, least=0)
    theorem = "Projectron, Theorem 2"
    checked = require(
        theorem,
        below("R^2 < 2", radius**2, 2),
        below("eta < (2 - R^2) / (2 |g|)", eta, largest_eta(norm, radius)),
    )
    value = (norm**2 + 2 * hinge_loss) / (2 - radius**2 - 2 * eta * norm)
    return Bound(value, theorem, checked)


def mistakes(norm: float, hinge_loss: float, eta: float, radius: float = 1.0) -> Bound:
    """M <= ((R |g| + sqrt(R^2 |g|^2 + 4 D)) / (2 (1 - eta |g|)))^2, if eta < 1/|g|.

    Parameters
    ----------
    norm : float
        |g|.
    hinge_loss : float
        D, the sum of g's hinge losses over the rounds with a mistake (or over all).
    eta : float
        The distance up to which mistakes are projected; a cap on the budget must not be reached.
    radius : float
        R, the largest sqrt(k(x, x)); not k(x, x) <= R, as printed.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import projectron
    >>> projectron.mistakes(norm=3, hinge_loss=4, eta=0)
    Bound(16.0, 'Projectron, Theorem 3')
    """
    norm, hinge_loss, radius = Competitor.measured(norm, hinge_loss, radius)
    eta = real("eta", eta, least=0)
    theorem = "Projectron, Theorem 3"
    checked = require(theorem, below("eta |g| < 1", eta * norm, 1))
    root = radius * norm + sqrt((radius * norm) ** 2 + 4 * hinge_loss)
    return Bound((root / (2 * (1 - eta * norm))) ** 2, theorem, checked)


def tuned_mistakes(norm: float, hinge_loss: float, norm_bound: float, radius: float = 1.0) -> Bound:
    """M <= 2 |g|^2 + 4 D for any g with |g| <= U, if eta is chosen in each round by Eq. (13).

    Parameters
    ----------
    norm : float
        |g|.
    hinge_loss : float
        D, the sum of g's hinge losses over the rounds with a mistake (or over all).
    norm_bound : float
        U, the learner's parameter; a cap on the budget must not be reached.
    radius : float
        The largest sqrt(k(x, x)), at most 1.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import projectron
    >>> projectron.tuned_mistakes(norm=2, hinge_loss=10, norm_bound=3)
    Bound(48.0, 'Projectron, Corollary 1')
    """
    norm, hinge_loss, radius = Competitor.measured(norm, hinge_loss, radius)
    theorem = "Projectron, Corollary 1"
    checked = require(theorem, *_tuned(norm, norm_bound, radius))
    return Bound(2 * norm**2 + 4 * hinge_loss, theorem, checked)


def margin_mistakes(
    norm: float, hinge_loss: float, progress: float, norm_bound: float, radius: float = 1.0
) -> Bound:
    """M <= 2 (|g|^2 + 2 D - sum beta): margin errors that the Projectron++ learns from pay back.

    Parameters
    ----------
    norm : float
        |g|.
    hinge_loss : float
        D, the sum of g's hinge losses over all rounds with an update, mistaken or not (or over
        all rounds).
    progress : float
        The sum of beta over the margin errors with an update; see `margin_progress`.
    norm_bound : float
        U, the learner's parameter; a cap on the budget must not be reached.
    radius : float
        The largest sqrt(k(x, x)), at most 1.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import projectron
    >>> projectron.margin_mistakes(norm=2, hinge_loss=10, progress=4, norm_bound=3)
    Bound(40.0, 'Projectron, Eq. (15)')
    """
    norm, hinge_loss, radius = Competitor.measured(norm, hinge_loss, radius)
    theorem = "Projectron, Eq. (15)"
    checked = require(theorem, *_tuned(norm, norm_bound, radius))
    value = 2 * (norm**2 + 2 * hinge_loss - real("progress", progress))
    return Bound(value, theorem, checked)


def margin_progress(
    step: float, loss: float, squared_projection: float, distance: float, norm_bound: float
) -> float:
    """One margin error's beta = tau (2 l - tau |P k|^2 - 2 U |delta|), Eq. (16).

    Parameters
    ----------
    step : float
        tau, between 0 and 1. Eq. (17) sets it to min(l/|P k|^2, 1), which does not maximise beta,
        as the paper says: that would be (l - U |delta|)/|P k|^2. Eq. (15) holds for either.
    loss : float
        l, the hinge loss of the learner.
    squared_projection : float
        |P k(x, .)|^2.
    distance : float
        |delta|, of k(x, .) from the span of the supports.
    norm_bound : float
        U.

    Returns
    -------
    float

    Examples
    --------
    >>> from budgetron.bounds import projectron
    >>> projectron.margin_progress(
    ...     step=0.5, loss=0.5, squared_projection=1, distance=0.05, norm_bound=2
    ... )
    0.15
    """
    step = real("step", step, least=0)
    return step * (2 * loss - step * squared_projection - 2 * norm_bound * distance)


def tuned_eta(loss: float, squared_projection: float, norm_bound: float) -> float:
    """The eta of one round, (2 l - |P k|^2 - 1/2) / (2 U), Eq. (13).

    Parameters
    ----------
    loss : float
        l, the hinge loss of the learner in this round, at least 1 at a mistake.
    squared_projection : float
        |P k(x, .)|^2, at most k(x, x).
    norm_bound : float
        U, above 0.

    Returns
    -------
    float

    Examples
    --------
    >>> from budgetron.bounds import projectron
    >>> projectron.tuned_eta(loss=1, squared_projection=0.5, norm_bound=2)
    0.25
    """
    return (2 * loss - squared_projection - 0.5) / (2 * real("norm_bound", norm_bound, above=0))


def largest_eta(norm: float, radius: float = 1.0) -> float:
    """The eta below which Theorem 2 holds, (2 - R^2) / (2 |g|).

    Parameters
    ----------
    norm : float
        |g|.
    radius : float
        R, the largest sqrt(k(x, x)).

    Returns
    -------
    float

    Examples
    --------
    >>> from budgetron.bounds import projectron
    >>> projectron.largest_eta(norm=2)
    0.25
    """
    norm, radius = real("norm", norm, least=0), real("radius", radius, least=0)
    return (2 - radius**2) / (2 * norm) if norm > 0 else inf


def largest_norm(eta: float) -> float:
    """The U for which Corollary 1's bound holds with a fixed eta, 1/(4 eta), if k(x, x) <= 1.

    Parameters
    ----------
    eta : float
        The distance up to which mistakes are projected; Eq. (13) never chooses a smaller one.

    Returns
    -------
    float

    Examples
    --------
    >>> from budgetron.bounds import projectron
    >>> projectron.largest_norm(eta=0.05)
    5.0
    """
    eta = real("eta", eta, least=0)
    return 1 / (4 * eta) if eta > 0 else inf


def _tuned(norm: float, norm_bound: float, radius: float) -> tuple[Assumption, Assumption]:
    norm_bound = real("norm_bound", norm_bound, above=0)
    return at_most("k(x, x) <= 1", radius**2, 1), at_most("|g| <= U", norm, norm_bound)
