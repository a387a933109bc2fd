"""Mistakes of the Forgetron.

O. Dekel, S. Shalev-Shwartz and Y. Singer, "The Forgetron: A kernel-based Perceptron on a fixed
budget", NIPS 2005. In a round with a mistake and a full budget, f becomes f' (the example is
added), f'' = phi f' (everything shrinks), and then loses its oldest support.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt

import numpy as np

from ..parameters import real, whole
from .bound import Assumption, Bound, at_most, require
from .competitor import Competitor

__all__ = [
    "damage",
    "largest_norm",
    "mistakes",
    "removal_damage",
    "run_mistakes",
    "shrinking_factor",
    "smallest_budget",
]

SMALLEST_BUDGET = 83
Numbers = Sequence[float] | np.ndarray


def removal_damage(weight: float, shrinking: float, margin: float) -> float:
    """Psi = (sigma phi)^2 + 2 sigma phi (1 - phi mu), the cost of removing one support.

    Parameters
    ----------
    weight : float
        sigma, the magnitude of the oldest support's weight before shrinking.
    shrinking : float
        phi of the round.
    margin : float
        mu = y f'(x) of the oldest support: the newcomer is in, and nothing is shrunk yet.

    Returns
    -------
    float

    Examples
    --------
    >>> from budgetron.bounds import forgetron
    >>> forgetron.removal_damage(weight=1, shrinking=0.5, margin=1)
    0.75
    """
    left = real("weight", weight, least=0) * real("shrinking", shrinking, least=0)
    return left**2 + 2 * left * (1 - shrinking * real("margin", margin))


def shrinking_factor(shrinking: float, norm_before: float, norm_bound: float) -> float:
    """Phi: how much of the shrinking happens within distance U of the origin.

    It is 1 if |f''| >= U, phi if |f'| <= U, and phi |f'|/U in between. The paper prints |f_{t+1}|
    for |f''|, with which a single round can lose more than U^2 log(1/Phi).

    Parameters
    ----------
    shrinking : float
        phi of the round, above 0 and at most 1.
    norm_before : float
        |f'|, before shrinking.
    norm_bound : float
        U, above 0.

    Returns
    -------
    float

    Examples
    --------
    >>> from budgetron.bounds import forgetron
    >>> [forgetron.shrinking_factor(0.5, norm_before, norm_bound=4) for norm_before in (3, 6, 9)]
    [0.5, 0.75, 1.0]
    """
    shrinking = real("shrinking", shrinking, above=0)
    norm_bound = real("norm_bound", norm_bound, above=0)
    norm_before = real("norm_before", norm_before, least=0)
    return min(1.0, shrinking * max(1.0, norm_before / norm_bound))


def run_mistakes(
    norm: float,
    hinge_loss: float,
    removal_damages: Numbers,
    shrinking_factors: Numbers,
    norm_bound: float,
    radius: float = 1.0,
) -> Bound:
    """M <= |g|^2 + 2 D + sum Psi + U^2 sum log(1/Phi) for any g with |g| <= U, whatever phi was.

    Parameters
    ----------
    norm : float
        |g|.
    hinge_loss : float
        D, the sum of g's hinge losses over the rounds with a mistake (or over all).
    removal_damages : array of float
        Psi of each round in which a support was removed; see `removal_damage`.
    shrinking_factors : array of float
        Phi of each of these rounds; see `shrinking_factor`.
    norm_bound : float
        U.
    radius : float
        The largest sqrt(k(x, x)), at most 1.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import forgetron
    >>> round(forgetron.run_mistakes(2, 1, [0.75, 0.5], [1, 0.5], norm_bound=2), 3)
    10.023
    """
    norm, hinge_loss, radius = Competitor.measured(norm, hinge_loss, radius)
    norm_bound = real("norm_bound", norm_bound, above=0)
    theorem = "Forgetron, Lemma 1"
    checked = require(theorem, _unit_kernel(radius), at_most("|g| <= U", norm, norm_bound))
    removed, shrunk = _sums(removal_damages, shrinking_factors)
    return Bound(norm**2 + 2 * hinge_loss + removed + norm_bound**2 * shrunk, theorem, checked)


def damage(
    removal_damages: Numbers, shrinking_factors: Numbers, mistakes: int, budget: int
) -> Bound:
    """The total damage, sum Psi + U^2 sum log(1/Phi), is at most M/2 if both sums are small.

    Small means sum Psi <= 15 M/32 and sum log(1/Phi) <= M log(B+1)/(2 (B+1)), with U as in
    `largest_norm`, which the paper states only later.

    Parameters
    ----------
    removal_damages, shrinking_factors : array of float
        Psi and Phi of each round in which a support was removed.
    mistakes : int
        M.
    budget : int
        B, at least 83.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import forgetron
    >>> forgetron.damage([0.75, 0.5], [1, 0.99], mistakes=90, budget=83)
    Bound(45.0, 'Forgetron, Lemma 2')
    """
    mistakes, budget = whole("mistakes", mistakes, least=0), whole("budget", budget, least=1)
    theorem = "Forgetron, Lemma 2"
    removed, shrunk = _sums(removal_damages, shrinking_factors)
    room = log(budget + 1) / (2 * (budget + 1)) * mistakes
    checked = require(
        theorem,
        _large_budget(budget),
        at_most("sum Psi <= 15/32 M", removed, 15 / 32 * mistakes),
        at_most("sum log(1/Phi) <= log(B+1)/(2 (B+1)) M", shrunk, room),
    )
    return Bound(mistakes / 2, theorem, checked)


def mistakes(norm: float, hinge_loss: float, budget: int, radius: float = 1.0) -> Bound:
    """M <= 2 |g|^2 + 4 D for any g with |g| <= U = sqrt((B+1)/log(B+1))/4, if B >= 83.

    Parameters
    ----------
    norm : float
        |g|.
    hinge_loss : float
        D, the sum of g's hinge losses over the rounds with a mistake (or over all).
    budget : int
        B, at least 83.
    radius : float
        The largest sqrt(k(x, x)), at most 1: shrinking depends on the scale of the kernel.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import forgetron
    >>> forgetron.mistakes(norm=2, hinge_loss=10, budget=1000)
    Bound(48.0, 'Forgetron, Theorem 2')
    """
    norm, hinge_loss, radius = Competitor.measured(norm, hinge_loss, radius)
    budget = whole("budget", budget, least=1)
    theorem = "Forgetron, Theorem 2"
    checked = require(
        theorem,
        _unit_kernel(radius),
        _large_budget(budget),
        at_most("|g| <= U = sqrt((B+1)/log(B+1))/4", norm, largest_norm(budget)),
    )
    return Bound(2 * norm**2 + 4 * hinge_loss, theorem, checked)


def largest_norm(budget: int) -> float:
    """U = sqrt((B+1)/log(B+1))/4, the norm up to which Theorem 2 lets a budget compete.

    Parameters
    ----------
    budget : int
        B.

    Returns
    -------
    float

    Examples
    --------
    >>> from budgetron.bounds import forgetron
    >>> round(forgetron.largest_norm(1000), 2)
    3.01
    """
    budget = whole("budget", budget, least=1)
    return sqrt((budget + 1) / log(budget + 1)) / 4


def smallest_budget(norm: float) -> int:
    """The smallest budget for which Theorem 2 allows a competitor of this norm.

    Parameters
    ----------
    norm : float
        |g|.

    Returns
    -------
    int

    Examples
    --------
    >>> from budgetron.bounds import forgetron
    >>> forgetron.smallest_budget(3)
    993
    """
    norm = real("norm", norm, least=0, below=1e6)
    short, enough = SMALLEST_BUDGET - 1, SMALLEST_BUDGET
    while largest_norm(enough) < norm:
        short, enough = enough, 2 * enough
    while enough - short > 1:
        middle = (short + enough) // 2
        short, enough = (short, middle) if largest_norm(middle) >= norm else (middle, enough)
    return enough


def _sums(removal_damages: Numbers, shrinking_factors: Numbers) -> tuple[float, float]:
    return float(np.sum(removal_damages)), float(-np.sum(np.log(shrinking_factors)))


def _unit_kernel(radius: float) -> Assumption:
    return at_most("k(x, x) <= 1", radius**2, 1)


def _large_budget(budget: int) -> Assumption:
    holds = budget >= SMALLEST_BUDGET
    return Assumption(f"B >= {SMALLEST_BUDGET}", holds, f"B is {budget}")
