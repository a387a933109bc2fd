"""Mistakes of Budgetron: see the page "The flagship" for the proofs.

Its experts' losses are squared, (y - c)^2 for a certainty c from -1 to 1. A mistake costs the
learner at least 1.
"""

from __future__ import annotations

from math import log

from ..parameters import real, whole
from .bound import Assumption, Bound, below, require

__all__ = ["still_mistakes", "trusted_mistakes"]

RATE = 1 / 8
"""At which the squared loss is exp-concave."""

CAUTIOUS_TRUST, FILTER_TRUST = 1 / 3, 3 / 4
"""What the cautious expert of a filter begins with, and a filter that is alone."""


def trusted_mistakes(
    loss: float,
    examples: int,
    *,
    first_trust: float = 1 / 8,
    part: float = 1.0,
    sharing: float = 0.0001,
    switches: int = 0,
    restarts: int = 0,
) -> Bound:
    """M <= L + 8 ((1 + a) ln(1/p) + s ln(1/(alpha p)) + (T-1-a-s) ln(1/(1 - alpha + alpha p))).

    If trust is shared out among some together and the others, and then among these, the same is
    added with q in place of p and without L, where q < 1 is the part that each of these has.

    Parameters
    ----------
    loss : float
        L, the sum of the squared losses of a sequence of experts.
    examples : int
        T, how many examples there were.
    first_trust : float
        p, with which each expert of the sequence has begun, at least; that of all filters together,
        if there are filters among them.
    part : float
        q, of each filter: 1 if there is but one.
    sharing : float
        alpha, the part of the trust that is shared out in each round.
    switches : int
        s, how often the sequence goes from one expert to another, other than at a restart.
    restarts : int
        a, how often trust has begun anew.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import flagship
    >>> flagship.trusted_mistakes(loss=100, examples=1000)
    Bound(117.33486292959861, 'Budgetron, Proposition 1')
    """
    loss = real("loss", loss, least=0)
    T, p, s = whole("examples", examples, least=1), first_trust, switches
    p, q = real("first_trust", p, above=0, most=1), real("part", part, above=0, most=1)
    alpha, s = real("sharing", sharing, least=0, most=1), whole("switches", switches, least=0)
    a, theorem = whole("restarts", restarts, least=0), "Budgetron, Proposition 1"
    checked = require(
        theorem,
        Assumption(
            "there is a round for each switch and restart",
            s + a < T,
            f"s is {s}, a is {a} and T is {T}",
        ),
        Assumption("trust is shared, or the expert stays", alpha > 0 or s == 0, f"s is {s}"),
    )
    price = 0.0
    for each in (p, q) if q < 1 else (p,):
        stay = (T - 1 - a - s) * -log(1 - alpha + alpha * each)
        switch = -s * log(alpha * each) if s > 0 else 0.0
        price += -(1 + a) * log(each) + switch + stay
    return Bound(loss + price / RATE, theorem, checked)


def still_mistakes(
    squared_loss: float,
    norm: float,
    examples: int,
    *,
    noise: float = 0.3,
    radius: float = 1.0,
    scale: float = 1.0,
    drift: float = 0.0,
    exchange: str = "never",
    patience: float | None = None,
    sharing: float = 0.0001,
) -> Bound:
    """M <= 4 (1 + R^2/(r s)) (L + r s |g|^2) + the price of trust, if nothing is forgotten.

    Parameters
    ----------
    squared_loss : float
        L, the sum of (y - <g, P x>)^2 over the rounds with an update, P x being the projection of
        the example onto the span of the supports in that round. It is at most the sum of
        (|y - g(x)| + |g| distance)^2.
    norm : float
        |g|, of any g in the kernel's space.
    examples : int
        T, how many examples there were.
    noise : float
        r, that of the cautious expert.
    radius : float
        R, the largest sqrt(k(x, x)).
    scale : float
        s, k(x, x) of the first support.
    drift, exchange, patience
        Those of the learner: the proposition is about one that stands still.
    sharing : float
        As in `trusted_mistakes`.

    Returns
    -------
    Bound

    Examples
    --------
    >>> from budgetron.bounds import flagship
    >>> flagship.still_mistakes(squared_loss=10, norm=3, examples=1000)
    Bound(231.95630848062297, 'Budgetron, Proposition 3')
    """
    loss, norm = real("squared_loss", squared_loss, least=0), real("norm", norm, least=0)
    r, R = real("noise", noise, above=0), real("radius", radius, least=0)
    s, theorem = real("scale", scale, above=0), "Budgetron, Proposition 3"
    checked = require(
        theorem,
        below("weights do not drift", drift, 1e-300),
        Assumption("supports stay", exchange == "never", f"exchange is {exchange}"),
        Assumption("it never begins anew", patience is None, f"patience is {patience}"),
    )
    ridge = 4 * (1 + R**2 / (r * s)) * (loss + r * s * norm**2)
    prices = [
        trusted_mistakes(0.0, examples, first_trust=first, sharing=sharing)
        for first in (CAUTIOUS_TRUST, FILTER_TRUST)
    ]
    assumptions = *checked, *prices[0].assumptions
    return Bound(ridge + sum(map(float, prices)), theorem, assumptions)
