"""Rules that ask what a support and all that came after it say of it."""

from __future__ import annotations

from ..compiled import inlined
from ..exact import load_quantized_column, to_joint_products
from ..memory import SuffixScores
from ..state import SCALE, USED
from .supports import add, k_xx, scale_memory

__all__ = ["add_with_suffix_scores", "suffix_score"]


@inlined
def add_with_suffix_scores(f, weight):
    """Add, and let every support know what the newcomer says of it.

    The suffix score of support i is then sum_{j >= i} weight_j k(x_j, x_i), j running over itself
    and all that came later.
    """
    state, scores = f.state, f.state.memory.scores
    stored = weight / state.numbers[SCALE]
    load_quantized_column(f)
    to_joint_products(f)
    for slot in range(state.counts[USED]):
        scores[slot] += stored * f.ahead.column[slot]
    slot = add(f, weight)
    scores[slot] = stored * k_xx(f)


@inlined
def suffix_score(f, i):
    """What support `i`, counted from the oldest, and all that came later say of it."""
    return f.state.numbers[SCALE] * f.state.memory.scores[f.state.order[i]]


@scale_memory.register(SuffixScores)
def _(memory, factor, used):
    for slot in range(used):
        memory.scores[slot] *= factor
