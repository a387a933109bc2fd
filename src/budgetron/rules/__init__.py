"""One paper's update per file; and here, what a rule is written with.

A rule is a `NamedTuple` of its parameters and a function that is registered by `updates`:

>>> from typing import NamedTuple
>>> from budgetron.rules import MISTAKE, Budget, add, remove, size, updates
>>> class OldestOutRule(NamedTuple):
...     budget: Budget = 100
>>> @updates(OldestOutRule, on=MISTAKE)
... def forget_the_oldest(rule, f, y):
...     if size(f) == rule.budget:
...         remove(f, 0)
...     add(f, weight=y)
"""

from ..core.compiled import inlined
from ..core.edits.supports import (
    add,
    clip,
    draw,
    k_xx,
    loss,
    memo,
    mistaken,
    mistakes,
    remove,
    scale,
    score,
    set_memo,
    short,
    size,
    stretch,
    weight,
)
from ..core.rule import updates
from ..core.triggers import EVERY_EXAMPLE, MARGIN_BELOW_ONE, MISTAKE, Trigger
from ..parameters import Budget, NonNegative, Positive, Within

__all__ = [
    "EVERY_EXAMPLE",
    "MARGIN_BELOW_ONE",
    "MISTAKE",
    "Budget",
    "NonNegative",
    "Positive",
    "Trigger",
    "Within",
    "add",
    "clip",
    "draw",
    "inlined",
    "k_xx",
    "loss",
    "memo",
    "mistaken",
    "mistakes",
    "remove",
    "scale",
    "score",
    "set_memo",
    "short",
    "size",
    "stretch",
    "updates",
    "weight",
]
