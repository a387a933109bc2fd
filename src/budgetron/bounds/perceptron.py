"""Mistakes of the Perceptron.

The competitor is any g in the kernel's space, with norm |g| and hinge losses max(0, 1 - y g(x)).
The Perceptron makes the same mistakes on x and on x/R, so that k(x, x) <= R^2 takes the place of
the papers' k(x, x) <= 1.
"""

from __future__ import annotations

from math import sqrt

from .bound import Bound, at_most, require
from .competitor import Competitor

__all__ = ["additive_mistakes", "mistakes", "separable_mistakes"]


def separable_mistakes(norm: float, hinge_loss: float = 0.0, radius: float = 1.0) -> Bound:
    """M <= R^2 |g|^2 if y g(x) >= 1 in every round with a mistake.

    Parameters
    ----------
    norm : float
        |g|; for a unit vector that separates with margin gamma it is 1/gamma.
    hinge_loss : float
        The sum of g's hinge losses over the mistaken rounds, which the theorem wants to be 0.
    radius : float
        R, the largest sqrt(k(x, x)).

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import perceptron
    >>> perceptron.separable_mistakes(norm=10)
    Bound(100.0, 'Second-order Perceptron, Section 2 (Perceptron convergence)')
    """
    norm, hinge_loss, radius = Competitor.measured(norm, hinge_loss, radius)
    theorem = "Second-order Perceptron, Section 2 (Perceptron convergence)"
    checked = require(theorem, at_most("y g(x) >= 1, that is, no hinge loss", hinge_loss, 0))
    return Bound((radius * norm) ** 2, theorem, checked)


def additive_mistakes(norm: float, hinge_loss: float, radius: float = 1.0) -> Bound:
    """M <= R^2 |g|^2 + 2 D for any g.

    Parameters
    ----------
    norm : float
        |g|.
    hinge_loss : float
        D, the sum of g's hinge losses. The theorem sums over all rounds; its proof needs only
        those with a mistake.
    radius : float
        R, the largest sqrt(k(x, x)).

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import perceptron
    >>> perceptron.additive_mistakes(norm=3, hinge_loss=2)
    Bound(13.0, 'Forgetron, Theorem 1')
    """
    norm, hinge_loss, radius = Competitor.measured(norm, hinge_loss, radius)
    return Bound((radius * norm) ** 2 + 2 * hinge_loss, "Forgetron, Theorem 1", ())


def mistakes(norm: float, hinge_loss: float, radius: float = 1.0) -> Bound:
    """M <= D + R |g| sqrt(M) for any g, solved for M; never above `additive_mistakes`.

    Parameters
    ----------
    norm : float
        |g|, or 1/gamma for a unit vector and its hinge losses at margin gamma, divided by gamma.
    hinge_loss : float
        D, the sum of g's hinge losses over the rounds with a mistake (or over all).
    radius : float
        R, the largest sqrt(k(x, x)).

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import perceptron
    >>> perceptron.mistakes(norm=3, hinge_loss=4)
    Bound(16.0, 'Second-order Perceptron, Section 3.1 (Perceptron)')
    """
    norm, hinge_loss, radius = Competitor.measured(norm, hinge_loss, radius)
    root = (radius * norm + sqrt((radius * norm) ** 2 + 4 * hinge_loss)) / 2
    return Bound(root**2, "Second-order Perceptron, Section 3.1 (Perceptron)", ())
