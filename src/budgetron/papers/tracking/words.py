"""What all exhibits of the paper say in the same words."""

from __future__ import annotations

from ..exhibit import Scale
from .corpus import corpus_at_hand
from .runs import DECAYS, SEEDS

__all__ = ["CLOSE", "READING", "in_points", "settings_in_words"]

CLOSE = 0.1
"""Errors that differ by less than this part are called similar, or close."""


def settings_in_words(scale: Scale, budgets: bool = True) -> str:
    """What was run."""
    corpus = corpus_at_hand()
    words = (
        f"{corpus.rows[scale]} stories of {corpus.name}"
        f"{' (quick scale)' if scale == 'quick' else ''}; four data sets in a group, permutations "
        "of the topics drawn with seed 0; kernel ((1 + <x, y>)/2)^4, which is 1 at x = y; a = 1; "
        "means over the data sets"
    )
    if budgets:
        words += (
            f" and {SEEDS[scale]} seeds of RBP and RBSOP; budgets "
            f"{', '.join(map(str, corpus.budgets[scale]))}; decays {', '.join(map(str, DECAYS))} "
            "and that of Theorem 2"
        )
    return words + "."


READING = (
    "The polynomial kernel of degree four is (1 + <x, y>)^4, normalized so that k(x, x) = 1, as "
    "the theory wants it. A score of 0 predicts +1, except in the Forgetron, where it is a "
    "mistake. RBSOP and LBSOP rebuild both v and X from the supports that are left, and the victim "
    "is one of the old ones. CKS may remove the newcomer. Theorem 2's decay is S/(4 U) for targets "
    "of equal norm, each orthogonal to the one before."
)


def in_points(value: float) -> str:
    """An error rate, as it is printed."""
    return f"{value:.2f} %"
