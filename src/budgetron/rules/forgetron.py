"""Forgetron, self-tuned: at a mistake add, shrink just enough, and remove the oldest.

O. Dekel, S. Shalev-Shwartz and Y. Singer, "The Forgetron: A kernel-based Perceptron on a fixed
budget", NIPS 2005, Fig. 1.
"""

from __future__ import annotations

from math import log, sqrt
from typing import NamedTuple

from ..core.compiled import inlined
from ..core.edits.suffix_scores import add_with_suffix_scores, suffix_score
from ..core.edits.supports import (
    add_to_bound,
    memo,
    mistakes,
    remove,
    scale,
    set_memo,
    size,
    weight,
)
from ..core.memory import SuffixScores
from ..core.rule import Forgets, updates
from ..core.triggers import MISTAKE
from ..parameters import Budget

__all__ = ["Forgetron"]

PSI_ROUNDING = 1e-9
"""On tied data psi(1) is often exactly the room there is, and rounding must not decide."""


SMALLEST_ROOM = 0.4
"""Every mistake makes room for 15/32; there is less if weights are so large that it gets lost."""


HUGE = 1e150
"""Two such numbers cannot be multiplied, and what is beside one of them is nothing."""


class Forgetron(NamedTuple):
    """The Perceptron that shrinks its past so that the oldest support can go without harm."""

    budget: Budget  # B in the paper


# Paper: Fig. 1 removes when |I'_t| >= B; here, as its text says, when |I'_t| > B.
@updates(Forgetron, on=MISTAKE, keeps=SuffixScores, multiclass=True, forgets=Forgets.OLDEST)
def forget_gradually(rule, f, y):
    add_with_suffix_scores(f, weight=y)
    if size(f) > rule.budget:
        sigma = abs(weight(f, 0))
        mu = suffix_score(f, 0) if weight(f, 0) > 0 else -suffix_score(f, 0)  # y_r f'_t(x_r)
        Q, M = memo(f), mistakes(f)
        phi = largest_phi(sigma, mu, max(SMALLEST_ROOM, 15 / 32 * M - Q))
        set_memo(f, Q + psi(sigma, phi, mu))
        add_to_bound(f, -log(phi))
        scale(f, phi)
        remove(f, 0)


@inlined
def psi(sigma: float, phi: float, mu: float) -> float:
    """The damage of removing a support of weight `sigma` and margin `mu`, both shrunk by `phi`."""
    return (sigma * phi) ** 2 + 2 * sigma * phi * (1 - phi * mu)


@inlined
def largest_phi(sigma: float, mu: float, room: float) -> float:
    """The largest phi in (0, 1] up to which psi(phi) <= room.

    psi is concave in phi when mu > sigma/2, and then the larger root is not the one: it is the
    smallest positive root of (sigma^2 - 2 sigma mu) phi^2 + 2 sigma phi = room.
    """
    if psi(sigma, 1.0, mu) <= room + PSI_ROUNDING:
        return 1.0
    bend = sigma**2 - 2 * sigma * mu
    if bend > HUGE:
        return room / (sigma + sqrt(bend) * sqrt(room))
    return room / (sigma + sqrt(max(0.0, sigma**2 + bend * room)))
